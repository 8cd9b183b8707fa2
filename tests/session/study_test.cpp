// SPDX-License-Identifier: GPL-3.0-or-later
#include "support/small_stack.h"
#include "support/temp_folder.h"
#include "unusual_setting.h"

#include "ep/core/format.h"
#include "ep/session/study.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <fstream>
#include <set>

namespace {

using namespace ep;
using namespace ep::session;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::SizeIs;

StudySpec specOf(const std::string& json)
{
    auto spec = parseStudy(json, ".");
    EXPECT_TRUE(spec) << (spec ? "" : spec.error().message);
    return spec ? *spec : StudySpec();
}

const char* const kSmall = R"({"name": "small", "models": ["a", "b"], "prompts": ["x", "y"],
    "dtypes": ["f32", "bf16"], "repeats": 3})";

TEST(StudyJson, ReadsWhatItWrites)
{
    StudySpec spec = specOf(R"({"format": "energy-profiler-study", "version": 1, "name": "all",
        "models": "one", "prompts": [{"name": "short", "text": "Hi"}, "Longer"],
        "depths": ["none", "deep"], "devices": ["cpu", "cuda:1"], "dtypes": ["int8"],
        "batch_sizes": [1, 4], "output_tokens": 32, "repeats": 5, "order": "random", "seed": 9,
        "fixed_length": false, "chat_template": true, "warmup_tokens": 8, "warmup_cv": 0.1, "baseline_seconds": 2,
        "baseline_expires_minutes": 5, "cool_down_seconds": 1.5, "power": "modelled:3,30",
        "interval_ms": 50, "threads": 2, "sampling": {"temperature": 0.7, "top_k": 5, "seed": 3},
        "tags": ["t"], "quality": {"text": "tale.txt", "context": 64, "stride": 32},
        "kv_cache": "q8_0", "prompt_cache": true, "draft": "ngram", "draft_tokens": 6})");
    EXPECT_THAT(spec.models, ElementsAre("one"));
    EXPECT_EQ(spec.prompts[1].name, "prompt 2");
    EXPECT_EQ(spec.order, StudyOrder::Random);
    EXPECT_DOUBLE_EQ(spec.run.sampling.temperature, 0.7);
    EXPECT_EQ(spec.run.levers,
              (Levers{.cache = model::CacheKind::Q8,
                      .prompt_cache = true,
                      .draft = "ngram",
                      .draft_tokens = 6}));
    EXPECT_EQ(*spec.quality, (StudyQuality{.text = "tale.txt", .context = 64, .stride = 32}));
    EXPECT_EQ(
        specOf(R"({"name": "n", "models": "m", "prompts": "p", "quality": "a.txt"})").quality->text,
        "a.txt");
    EXPECT_EQ(specOf(studyToJson(spec)), spec);
}

TEST(StudyJson, ReadsPromptsFromFiles)
{
    const test::TempFolder folder;
    std::ofstream(folder / "long.txt") << "A long text";
    const auto spec = parseStudy(
        R"({"name": "n", "models": ["m"], "prompts": [{"name": "long", "file": "long.txt"}]})",
        folder.path());
    ASSERT_TRUE(spec) << spec.error().message;
    EXPECT_EQ(spec->prompts[0].text, "A long text");
}

struct BadStudy {
    const char* name;
    const char* json;
    const char* message;
};

class BadStudyTest : public testing::TestWithParam<BadStudy> { };

TEST_P(BadStudyTest, IsRefusedWithItsPlace)
{
    const auto spec = parseStudy(GetParam().json, ".");
    ASSERT_FALSE(spec);
    EXPECT_EQ(spec.error().code, ErrorCode::InvalidInput);
    EXPECT_THAT(spec.error().message, HasSubstr(GetParam().message));
}

INSTANTIATE_TEST_SUITE_P(
    Files, BadStudyTest,
    testing::Values(
        BadStudy{"NoJson", "{", "The study is not valid JSON at line 1, column 1."},
        BadStudy{"NoObject", "[]", "must be an object, not a list"},
        BadStudy{"NoName", R"({"models": ["m"], "prompts": ["p"]})", "name"},
        BadStudy{"NoModels", R"({"name": "n", "prompts": ["p"]})", "models"},
        BadStudy{"EmptyModels", R"({"name": "n", "models": [], "prompts": ["p"]})", "models"},
        BadStudy{"NoPrompts", R"({"name": "n", "models": ["m"]})", "prompts"},
        BadStudy{"EmptyPrompt", R"({"name": "n", "models": ["m"], "prompts": [""]})", "prompts"},
        BadStudy{"PromptOfNoKind", R"({"name": "n", "models": ["m"], "prompts": [{"name": "x"}]})",
                 "prompts"},
        BadStudy{"LostFile",
                 R"({"name": "n", "models": ["m"], "prompts": [{"file": "no-such-file"}]})",
                 "no-such-file"},
        BadStudy{"SameTwice", R"({"name": "n", "models": ["m", "m"], "prompts": ["p"]})", "twice"},
        BadStudy{"Depth", R"({"name": "n", "models": ["m"], "prompts": ["p"], "depths": ["x"]})",
                 "depths"},
        BadStudy{"Device",
                 R"({"name": "n", "models": ["m"], "prompts": ["p"], "devices": ["tpu"]})", "tpu"},
        BadStudy{"Dtype", R"({"name": "n", "models": ["m"], "prompts": ["p"], "dtypes": ["f8"]})",
                 "f8"},
        BadStudy{"Repeats", R"({"name": "n", "models": ["m"], "prompts": ["p"], "repeats": 0})",
                 "repeats must be a whole number from 1 to 1000000, not 0."},
        BadStudy{"Batch",
                 R"({"name": "n", "models": ["m"], "prompts": ["p"], "batch_sizes": [1.5]})",
                 "batch_sizes[0] must be a whole number from 1 to 4096, not 1.5."},
        BadStudy{"Order", R"({"name": "n", "models": ["m"], "prompts": ["p"], "order": "x"})",
                 "order"},
        BadStudy{"Power", R"({"name": "n", "models": ["m"], "prompts": ["p"], "power": "sun"})",
                 "power"},
        BadStudy{"Version", R"({"version": 2, "name": "n", "models": ["m"], "prompts": ["p"]})",
                 "version"},
        BadStudy{"Unknown", R"({"name": "n", "models": ["m"], "prompts": ["p"], "repeat": 3})",
                 "repeat"},
        BadStudy{"Sampling",
                 R"({"name": "n", "models": ["m"], "prompts": ["p"], "sampling": {"beams": 2}})",
                 "beams"}),
    [](const auto& tested) { return tested.param.name; });

TEST(StudyJson, ReadsConversations)
{
    const test::TempFolder folder;
    std::ofstream(folder / "chat.jsonl") << R"([{"role": "user", "content": "One"}])"
                                            "\n"
                                            R"([{"role": "user", "content": "Two"}])";
    const auto spec = parseStudy(R"({"name": "s", "models": "a", "prompts": [
        {"name": "inline", "messages": [{"zeta": 1, "role": "user", "content": "Hi"}],
         "tools": [{"b": 1, "a": 2}], "template_variables": {"enable_thinking": false}},
        {"messages_file": "chat.jsonl", "template_variables": {"x": 1}}]})",
                                 folder.path());
    ASSERT_TRUE(spec) << spec.error().message;
    ASSERT_EQ(spec->prompts[0].conversations.size(), 1U);
    const Conversation& one = spec->prompts[0].conversations[0];
    EXPECT_EQ(one.messages[0].json, R"({"zeta":1,"role":"user","content":"Hi"})");
    EXPECT_EQ(one.tools, R"([{"b":1,"a":2}])");
    EXPECT_EQ(one.variables, R"({"enable_thinking":false})");
    EXPECT_EQ(spec->prompts[0].text, "Hi");
    ASSERT_EQ(spec->prompts[1].conversations.size(), 2U);
    EXPECT_EQ(spec->prompts[1].conversations[1].variables, R"({"x":1})");
    const auto again = parseStudy(studyToJson(*spec), folder.path());
    ASSERT_TRUE(again) << again.error().message;
    EXPECT_EQ(*again, *spec);
    // A different conversation with the same question is another cell.
    StudySpec other = *spec;
    other.prompts[0].conversations[0].variables.clear();
    EXPECT_NE(planStudy(other).cells[0].id, planStudy(*spec).cells[0].id);
}

TEST(StudyJson, DeepJsonIsOneSentenceOnASmallStack)
{
    test::onSmallStack([] {
        const auto spec = parseStudy(std::string(1'000'000, '['), ".");
        ASSERT_FALSE(spec);
        EXPECT_EQ(
            spec.error().message,
            "The study is nested more than 200 levels deep, too deep for a file of this kind.");
    });
}

TEST(StudyPlanTest, HoldsEveryCellAsOftenAsAsked)
{
    for (const char* order : {"interleaved", "random", "listed"}) {
        StudySpec spec = specOf(kSmall);
        spec.order = order == std::string("random") ? StudyOrder::Random
            : order == std::string("listed")        ? StudyOrder::Listed
                                                    : StudyOrder::Interleaved;
        const StudyPlan plan = planStudy(spec);
        ASSERT_THAT(plan.cells, SizeIs(8)) << order;
        ASSERT_THAT(plan.steps, SizeIs(24)) << order;
        std::set<std::string> tags;
        for (const StudyStep& step : plan.steps)
            tags.insert(step.tag);
        EXPECT_THAT(tags, SizeIs(24)) << order;
    }
}

// Fixed values: a plan must be the same on every machine, since shards on different machines and
// resumed studies depend on it.
TEST(StudyPlanTest, IsTheSameEverywhere)
{
    const StudyPlan plan = planStudy(specOf(kSmall));
    EXPECT_EQ(plan.cells[0].id, "fe98d9fe3f7c");
    std::string order;
    for (const StudyStep& step : plan.steps)
        order += std::to_string(step.cell);
    EXPECT_EQ(order, "432756010471253635674120");
    EXPECT_EQ(plan.cells[1].label, "a, f32, prompt 2");
}

TEST(StudyPlanTest, NamesModelsByTheirNamesWhereTheseDiffer)
{
    const std::pair<const char*, const char*> cases[] = {
        {R"(["/m/a.Q4_K.gguf", "/m/b"])", "a.Q4_K"},
        {R"(["/m/a", "/n/a"])", "/m/a"},
        {R"(["/m/models--o--a/snapshots/12ab", "/m/b"])", "/m/models--o--a/snapshots/12ab"}};
    for (const auto& [models, label] : cases) {
        const StudyPlan plan = planStudy(
            specOf(std::string(R"({"name": "s", "prompts": ["p"], "models": )") + models + '}'));
        EXPECT_EQ(plan.cells[0].label, label);
    }
}

TEST(StudyPlanTest, InterleavedRoundsHoldEveryCellOnce)
{
    const StudyPlan plan = planStudy(specOf(kSmall));
    for (std::size_t round = 0; round < 3; ++round) {
        std::set<std::size_t> cells;
        for (std::size_t i = 0; i < 8; ++i) {
            cells.insert(plan.steps[round * 8 + i].cell);
            EXPECT_EQ(plan.steps[round * 8 + i].repeat, static_cast<int>(round) + 1);
        }
        EXPECT_THAT(cells, SizeIs(8));
    }
}

TEST(StudyPlanTest, AnotherSeedGivesAnotherOrder)
{
    StudySpec spec = specOf(kSmall);
    const StudyPlan first = planStudy(spec);
    spec.seed = 2;
    const StudyPlan second = planStudy(spec);
    const auto tags = [](const StudyPlan& plan) {
        std::vector<std::string> all;
        for (const StudyStep& step : plan.steps)
            all.push_back(step.tag);
        return all;
    };
    EXPECT_NE(tags(first), tags(second));
    auto a = tags(first);
    auto b = tags(second);
    std::sort(a.begin(), a.end());
    std::sort(b.begin(), b.end());
    EXPECT_EQ(a, b) << "the cells do not depend on the order";
}

TEST(StudyPlanTest, ShardsCoverEverythingOnce)
{
    const StudySpec spec = specOf(kSmall);
    std::vector<std::string> tags;
    for (int i = 1; i <= 5; ++i) {
        const StudyPlan plan = planStudy(spec, {.index = i, .count = 5});
        EXPECT_GE(plan.steps.size(), 4U);
        for (const StudyStep& step : plan.steps)
            tags.push_back(step.tag);
    }
    EXPECT_THAT(tags, SizeIs(24));
    EXPECT_THAT(std::set<std::string>(tags.begin(), tags.end()), SizeIs(24));
}

TEST(StudyPlanTest, ReadsShards)
{
    const auto shard = parseShard("2/5");
    ASSERT_TRUE(shard);
    EXPECT_EQ(shard->index, 2);
    EXPECT_EQ(shard->count, 5);
    for (const char* bad :
         {"", "2", "0/5", "6/5", "a/b", "1/0", "1/2/3", "-1/2", "1/ 2", "1/99999999999"})
        EXPECT_FALSE(parseShard(bad)) << bad;
}

RunSummary runOf(const StudyStep& step, RunStatus status, const std::string& cpu, double joules,
                 const std::string& source = "rapl")
{
    RunSummary run;
    run.info.id = step.tag + cpu;
    run.info.status = status;
    run.info.tags = {step.tag, "host:" + cpu};
    run.info.environment.cpu = cpu;
    run.info.power.source = source;
    run.metrics.duration_ns = 1'000'000'000;
    run.metrics.energy.provenance =
        source == "modelled" ? Provenance::Modelled : Provenance::Measured;
    run.metrics.joules_per_token = joules;
    return run;
}

TEST(StudyReportTest, FindsWhatIsDone)
{
    const StudyPlan plan = planStudy(specOf(kSmall));
    const std::vector<bool> done = doneSteps(plan,
                                             {runOf(plan.steps[0], RunStatus::Complete, "x", 1),
                                              runOf(plan.steps[1], RunStatus::Interrupted, "x", 1),
                                              runOf(plan.steps[2], RunStatus::Running, "x", 1)});
    EXPECT_TRUE(done[0]);
    EXPECT_EQ(std::count(done.begin(), done.end(), true), 1);
}

// A cell measured in another way is another cell, and its runs are not used without saying so.
TEST(StudyReportTest, TellsOfRunsThatWereMadeInAnotherWay)
{
    const StudySpec before = specOf(kSmall);
    const StudyPlan plan = planStudy(before);
    const std::vector<RunSummary> runs{runOf(plan.steps[0], RunStatus::Complete, "x", 1)};
    EXPECT_THAT(reportStudy(before, runs).cautions, Each(Not(HasSubstr("left out"))));
    const std::vector<std::function<void(StudySpec&)>> changes{
        [](StudySpec& spec) { spec.run.power.kind = "rapl"; },
        [](StudySpec& spec) { spec.run.interval_ms = 50; },
        [](StudySpec& spec) { spec.run.chat = ChatUse::IfThere; },
        [](StudySpec& spec) { spec.run.baseline_seconds = 2.0; },
        [](StudySpec& spec) { spec.run.warmup_tokens = 0; },
        [](StudySpec& spec) { spec.run.warmup_settled = 0.1; },
        [](StudySpec& spec) { spec.run.cool_down_seconds = 1.0; }};
    for (const auto& change : changes) {
        StudySpec after = before;
        change(after);
        const StudyReport report = reportStudy(after, runs);
        EXPECT_EQ(report.done, 0U);
        EXPECT_THAT(report.cautions, Contains(HasSubstr("1 complete run of this study is left")));
    }
    StudySpec more = before;
    more.run.repeats += 1;
    more.run.tags = {"x"};
    EXPECT_EQ(reportStudy(more, runs).done, 1U) << "what does not change a run keeps it";
}

// Otherwise a study would take runs with another setting for its own.
TEST(StudyPlanTest, EverySettingIsInTheId)
{
    const StudySpec usual = specOf(kSmall);
    for (const RunSetting& row : runSettings()) {
        if ((row.places & (kInStudies | kInSampling | kInLists)) == 0)
            continue;
        StudySpec spec = usual;
        RunRequest run = spec.run;
        test::makeUnusual(row, run);
        if ((row.places & kInLists) != 0)
            spec.values(row.name) = {textOf(row, run)};
        else
            copySetting(row, run, spec.run);
        const bool same = planStudy(spec).cells[0].id == planStudy(usual).cells[0].id;
        EXPECT_EQ(same, row.name == "repeats") << row.name;
        const auto again = parseStudy(studyToJson(spec), ".");
        ASSERT_TRUE(again) << again.error().message;
        if (row.name == "chat")
            spec.run.chat = ChatUse::IfThere; // a study calls this `on`
        EXPECT_EQ(*again, spec) << row.name;
    }
}

TEST(StudyPlanTest, EveryListMakesCells)
{
    StudySpec usual = specOf(kSmall);
    usual.values("dtype") = {"f32"};
    for (const RunSetting& row : runSettings()) {
        if ((row.places & kInLists) == 0)
            continue;
        StudySpec spec = usual;
        RunRequest run;
        test::makeUnusual(row, run);
        std::vector<std::string>& values = spec.values(row.name);
        values = {values.front(), textOf(row, run)};
        const StudyPlan plan = planStudy(spec);
        ASSERT_EQ(plan.cells.size(), 2 * planStudy(usual).cells.size()) << row.name;
        std::set<std::string> found;
        for (const NamedSettings& cell : plan.cells) {
            found.insert(textOf(row, cell.run));
            EXPECT_THAT(cell.label, testing::HasSubstr(textOf(row, cell.run))) << row.name;
        }
        EXPECT_EQ(found, std::set<std::string>(values.begin(), values.end())) << row.name;
        const auto again = parseStudy(studyToJson(spec), ".");
        ASSERT_TRUE(again) << again.error().message;
        EXPECT_EQ(*again, spec) << row.name;
    }
}

// Ids that earlier versions assigned.
TEST(StudyPlanTest, KeepsTheIdsOfUsualStudies)
{
    StudySpec spec;
    spec.name = "n";
    spec.models = {"m"};
    spec.prompts = {{"p", "text"}};
    EXPECT_EQ(planStudy(spec).cells.front().id, "a23c48efb267");
}

// Settings that save work apply to every cell, and make it a different cell.
TEST(StudyPlanTest, CellsHaveTheLeversOfTheStudy)
{
    StudySpec spec;
    spec.name = "n";
    spec.models = {"m"};
    spec.prompts = {{"p", "text"}};
    std::set<std::string> ids{planStudy(spec).cells.front().id};
    for (const Levers& levers :
         {Levers{.cache = model::CacheKind::Q8}, Levers{.prompt_cache = true},
          Levers{.draft = "ngram"}, Levers{.draft = "ngram", .draft_tokens = 2}}) {
        spec.run.levers = levers;
        const NamedSettings cell = planStudy(spec).cells.front();
        EXPECT_EQ(cell.run.levers, levers);
        EXPECT_TRUE(ids.insert(cell.id).second) << leversText(levers);
    }
}

TEST(StudyPlanTest, IdsDoNotDependOnHowNumbersAreShown)
{
    StudySpec spec = specOf(kSmall);
    spec.run.sampling.temperature = 0.7;
    const std::string id = planStudy(spec).cells.front().id;
    const NumberStyle before = numberStyle();
    setNumberStyle({.decimal_point = ','});
    const std::string again = planStudy(spec).cells.front().id;
    setNumberStyle(before);
    EXPECT_EQ(again, id);
}

TEST(StudyReportTest, RanksWithinAMachineAndRefusesBeyond)
{
    const StudySpec spec = specOf(kSmall);
    const StudyPlan plan = planStudy(spec);
    std::vector<RunSummary> runs;
    for (const StudyStep& step : plan.steps) {
        runs.push_back(runOf(step, RunStatus::Complete, step.cell % 2 == 0 ? "one" : "two",
                             10.0 - static_cast<double>(step.cell)));
    }
    const StudyReport report = reportStudy(spec, runs);
    EXPECT_EQ(report.done, 24U);
    ASSERT_THAT(report.groups, SizeIs(8));
    for (std::size_t i = 1; i < report.groups.size(); ++i) {
        if (report.groups[i].machine == report.groups[i - 1].machine
            && report.groups[i].baseline_cell == report.groups[i - 1].baseline_cell) {
            EXPECT_GE(report.groups[i].joules_per_token.mean,
                      report.groups[i - 1].joules_per_token.mean);
        }
    }
    EXPECT_EQ(report.groups[0].joules_per_token.n, 3);
    int baselines = 0;
    for (const StudyGroup& group : report.groups) {
        baselines += group.baseline() ? 1 : 0;
        EXPECT_EQ(group.test.has_value(), !group.baseline());
    }
    EXPECT_EQ(baselines, 4) << "one for each model on each machine";
    ASSERT_FALSE(report.cautions.empty());
    EXPECT_THAT(report.cautions.front(), HasSubstr("within one machine"));
}

// Other models and prompts say nothing about a format: it is compared within each of them.
TEST(StudyReportTest, ComparesWhatCanBeCompared)
{
    struct Case {
        const char* study;
        std::vector<std::size_t> baselines; // of each cell
    };
    const Case cases[] = {
        {R"("models": ["m", "n"], "prompts": ["p", "q"], "dtypes": ["f32", "int8"])",
         {0, 1, 0, 1, 4, 5, 4, 5}},
        {R"("models": ["m"], "prompts": ["p"], "dtypes": ["f32", "int8"], "output_tokens": [8, 64])",
         {0, 1, 0, 1}},
        {R"("models": ["m", "n"], "prompts": ["p", "q"])", {0, 1, 0, 1}},
        {R"("models": ["m"], "prompts": ["p", "q"], "output_tokens": [8, 64])", {0, 1, 0, 1}},
        {R"("models": ["m"], "prompts": ["p", "q", "r"])", {0, 0, 0}},
        {R"("models": ["m"], "servers": ["http://127.0.0.1:1"], "prompts": ["p", "q"],
            "dtypes": ["f32", "int8"])",
         {0, 1, 0, 1, 0, 1}},
    };
    for (const Case& c : cases) {
        const StudySpec spec = specOf(std::string(R"({"name": "n", )") + c.study + "}");
        std::vector<RunSummary> runs;
        for (const StudyStep& step : planStudy(spec).steps)
            runs.push_back(runOf(step, RunStatus::Complete, "one", 1.0));
        std::vector<std::size_t> baselines(c.baselines.size(), 99);
        for (const StudyGroup& group : reportStudy(spec, runs).groups)
            baselines[group.cell] = group.baseline_cell;
        EXPECT_EQ(baselines, c.baselines) << c.study;
    }
}

// Five repeats of 18 cells, of which none could ever be significant by ranks.
TEST(StudyReportTest, FindsADifferenceAtFiveRepeatsAndNamesNoWinnerWithoutOne)
{
    const StudySpec spec = specOf(R"({"name": "n", "models": ["a", "b", "c"], "repeats": 5,
        "prompts": ["p", "q"], "dtypes": ["f32", "int8", "q4_0"]})");
    const StudyPlan plan = planStudy(spec);
    std::vector<RunSummary> runs;
    for (const StudyStep& step : plan.steps) {
        const NamedSettings& cell = plan.cells[step.cell];
        const double noise = 1.0 + 0.01 * ((step.repeat * 7 + static_cast<int>(step.cell) * 3) % 5);
        const double joules = (cell.dtype() == "f32"        ? 10.0
                                   : cell.dtype() == "int8" ? 7.0
                                                            : 6.98)
            * (cell.model() == "a" ? 1.0 : 50.0) * noise;
        runs.push_back(runOf(step, RunStatus::Complete, "one", joules));
    }
    const StudyReport report = reportStudy(spec, runs);
    ASSERT_THAT(report.groups, SizeIs(18));
    for (const StudyGroup& group : report.groups) {
        EXPECT_TRUE(group.joules_per_token.ci95);
        EXPECT_EQ(report.cells[group.cell].model(), report.cells[group.baseline_cell].model());
        EXPECT_EQ(report.cells[group.cell].prompt, report.cells[group.baseline_cell].prompt);
        EXPECT_EQ(group.comparisons, 12);
        if (group.baseline())
            continue;
        EXPECT_EQ(group.test->verdict, energy::PairedVerdict::BCheaper);
        EXPECT_LT(*group.test->p_corrected, 0.05);
        EXPECT_NEAR(*group.test->relative, -0.3, 0.02);
    }
    ASSERT_THAT(report.winners, SizeIs(6));
    for (const Message& winner : report.winners)
        EXPECT_THAT(winner, HasSubstr("No cell needs the least energy per token for certain"));
}

// For two cells, a winner would repeat the verdict, with another number of repeats.
TEST(StudyReportTest, TwoCellsHaveAVerdictAndNoWinner)
{
    const StudySpec spec = specOf(R"({"name": "n", "models": ["a"], "repeats": 5,
        "prompts": ["p"], "dtypes": ["f32", "int8"]})");
    const StudyPlan plan = planStudy(spec);
    std::vector<RunSummary> runs;
    for (const StudyStep& step : plan.steps)
        runs.push_back(runOf(step, RunStatus::Complete, "one", 10.0 + step.repeat % 2));
    const StudyReport report = reportStudy(spec, runs);
    ASSERT_THAT(report.groups, SizeIs(2));
    EXPECT_TRUE(report.groups[1].test);
    EXPECT_THAT(report.winners, testing::IsEmpty());
}

TEST(StudyReportTest, KeepsModelledApart)
{
    const StudySpec spec = specOf(kSmall);
    const StudyPlan plan = planStudy(spec);
    const StudyReport report =
        reportStudy(spec,
                    {runOf(plan.steps[0], RunStatus::Complete, "x", 1.0),
                     runOf(plan.steps[1], RunStatus::Complete, "x", 1.0, "modelled")});
    EXPECT_THAT(report.groups, SizeIs(2));
    EXPECT_THAT(report.cautions, testing::Contains(HasSubstr("kept apart")));
}

} // namespace
