// SPDX-License-Identifier: GPL-3.0-or-later
#include "support/sample_run.h"

#include "ep/energy/run_facts.h"

#include <gtest/gtest.h>

#include <functional>
#include <ostream>
#include <set>
#include <string>
#include <vector>

namespace ep::energy {
namespace {

std::vector<Fact> factsOf(const Run& run, FactPlace place)
{
    return energy::factsOf({run.info, run.metrics, &run.trace}, place);
}

struct Case {
    const char* word;
    std::function<void(Run&)> change;
    const char* value;
};

void PrintTo(const Case& one, std::ostream* out)
{
    *out << one.word << ": " << one.value;
}

class RunFacts : public testing::TestWithParam<Case> { };

TEST_P(RunFacts, AreWordedOnce)
{
    ep::Run run = ep::test::makeSampleRun();
    GetParam().change(run);
    const Fact fact = factOf({run.info, run.metrics, &run.trace}, GetParam().word);
    EXPECT_EQ(fact.value.english(), GetParam().value);
}

const std::vector<Case> kCases{
    {"status",
     [](Run& run) {
         run.info.status = RunStatus::Failed;
         run.info.status_message = "The context is full.";
     },
     "failed: The context is full."},
    {"status",
     [](Run& run) {
         run.info.status = RunStatus::Complete;
         run.info.status_message = {};
     },
     "complete"},
    {"model",
     [](Run& run) {
         run.info.model = {};
         run.info.model.name = "tiny";
         run.info.model.architecture = "LlamaForCausalLM";
         run.info.model.parameters = 4'900'000;
     },
     "tiny (LlamaForCausalLM), 4.90 M parameters"},
    {"model",
     [](Run& run) {
         run.info.model = {};
         run.info.model.name = "python";
     },
     "python"},
    {"device",
     [](Run& run) {
         run.info.device = "cpu";
         run.info.dtype = "int8";
         run.info.model.quantization = "one scale per row";
     },
     "cpu, int8 (one scale per row)"},
    {"device",
     [](Run& run) {
         run.info.device = "recorded";
         run.info.dtype.clear();
         run.info.model.quantization.clear();
     },
     ""},
    {"tokens", [](Run& run) { run.info.batch.resize(2); }, "2 sequences, 5 in, 4 out"},
    {"tokens", [](Run& run) { run.info.profiling.server.emplace(); }, "\u2014 in, \u2014 out"},
    {"power", [](Run& run) { run.info.power = {}; }, "none (timing only)"},
    {"power",
     [](Run& run) {
         run.info.power.source = "rapl";
         run.info.power.detail = "2 packages";
         run.info.power.notice = "One domain is missing.";
     },
     "rapl (2 packages); One domain is missing."},
    {"quality",
     [](Run& run) {
         run.info.power.quality.emplace().verdict = QualityVerdict::Poor;
         run.info.power.quality->reasons = {"Too few.", "Too late."};
     },
     "poor: Too few. Too late."},
    {"engine",
     [](Run& run) {
         run.info.execution.attention = "fused";
         run.info.execution.cache = "static";
         run.info.execution.peak_cache_bytes = 2'000'000;
     },
     "attention: fused; static cache, at most 2.00 MB"},
    {"engine",
     [](Run& run) { run.info.profiling.command.emplace().engine = "recorded: transformers 5.1"; },
     "transformers 5.1"},
    {"total", [](Run& run) { run.metrics.energy.total_mj.reset(); }, ""},
    {"cost", [](Run& run) { run.metrics.energy.total_mj = Millijoules{3.6e9}; },
     "0.120 USD, 400 g CO₂; at 0.120 USD/kWh, 400 g/kWh (US, 2025)"},
    {"cpu",
     [](Run& run) {
         CommandRecord& command = run.info.profiling.command.emplace();
         command.processes = 1;
         command.processor_ns = 2'000'000'000;
         run.metrics.duration_ns = 1'000'000'000;
     },
     "2.00 s in 1 process, 2.00 processors on average"},
    {"cpu", [](Run& run) { run.info.profiling.command.emplace().processes = 3; }, "3 processes"},
    {"server",
     [](Run& run) {
         ServerRecord& server = run.info.profiling.server.emplace();
         server.engine = "llama.cpp";
         server.address = "http://h:1";
         server.endpoint = "/x";
         server.way = "proxy";
     },
     "llama.cpp at http://h:1/x (proxy)"},
    {"shared",
     [](Run& run) {
         ServerGroup& group = run.info.profiling.server.emplace().group.emplace();
         group.requests = 3;
         group.shared = true;
     },
     "with 2 overlapping requests, by tokens in flight"},
    {"exact", [](Run& run) { run.info.profiling.exact_slowdown = 1.5; },
     "synchronising made a token take 1.50 times as long"},
    {"tags",
     [](Run& run) {
         run.info.tags = {"a", "b"};
     },
     "a, b"},
};

INSTANTIATE_TEST_SUITE_P(Words, RunFacts, testing::ValuesIn(kCases));

// Comparisons put the manifests of runs side by side.
TEST(RunFactsPlaces, AManifestHasTheSameFactsForEveryRun)
{
    const std::vector<Fact> full = factsOf(ep::test::makeSampleRun(), kInManifest);
    const std::vector<Fact> empty = factsOf(ep::Run(), kInManifest);
    ASSERT_EQ(full.size(), empty.size());
    std::set<std::string> terms;
    for (std::size_t i = 0; i < full.size(); ++i) {
        EXPECT_STREQ(full[i].term, empty[i].term);
        EXPECT_TRUE(terms.insert(full[i].term).second) << full[i].term;
    }
}

TEST(RunFactsPlaces, OthersOnlyHaveKnownFacts)
{
    ep::Run run = ep::test::makeSampleRun();
    run.info.profiling.server.emplace().refusals = {"Too short.", "Too long."};
    run.info.profiling.command.emplace();
    for (const FactPlace place :
         {kInDetails, kOfCommand, kInHeader, kInMethod, kOnCommandCard, kBelowServerCard}) {
        for (const Fact& fact : factsOf(run, place))
            EXPECT_FALSE(fact.value.empty()) << fact.term;
    }
    std::size_t refusals = 0;
    for (const Fact& fact : factsOf(run, kInHeader))
        refusals += fact.word == "refused" ? 1 : 0;
    EXPECT_EQ(refusals, 2U);
}

TEST(RunFactsPlaces, ARequestNamesTheDenominators)
{
    ep::Run run;
    ServerRecord& server = run.info.profiling.server.emplace();
    server.prompt_tokens = 26;
    server.output_tokens = 5;
    server.draft_tokens = 4;
    server.draft_accepted_tokens = 3;
    std::string text;
    for (const Fact& fact : factsOf(run, kOnServerCard))
        text += fact.term + (": " + fact.value.english()) + '\n';
    EXPECT_EQ(text,
              "Prompt tokens: 26\n"
              "Cached prompt tokens: not stated by the server\n"
              "Uncached prompt tokens (J/input token): not stated by the server\n"
              "Output tokens (J/token): 5\n"
              "Decoded after the first (J/decoded token): 4\n"
              "Draft tokens: 4\n"
              "Draft tokens accepted, in the output: 3\n");
}

} // namespace
} // namespace ep::energy
