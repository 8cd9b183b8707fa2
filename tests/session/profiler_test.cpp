// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/run_watcher.h"
#include "support/remainders.h"

#include "ep/core/run_tree.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <thread>

namespace {

using namespace ep;
using namespace std::chrono_literals;
using test::EngineScript;
using test::PowerScript;
using test::RunWatcher;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

std::vector<Section> sectionsOf(const RunTrace& trace, std::int32_t token, Phase phase)
{
    std::vector<Section> sections;
    for (const Span& span : trace.sections) {
        if (span.token == token && span.phase == phase)
            sections.push_back(span.section);
    }
    return sections;
}

TEST(Profiler, TellsARunInOrder)
{
    RunWatcher watcher;
    watcher.finish(watcher.request());

    const std::vector<std::string>& names = watcher.signal_names;
    const auto started = std::find(names.begin(), names.end(), "runStarted");
    ASSERT_NE(started, names.end());
    EXPECT_NE(started, names.begin());
    EXPECT_TRUE(std::all_of(names.begin(), started,
                            [](const std::string& name) { return name == "loadProgress"; }));
    EXPECT_EQ(std::count(started, names.end(), "loadProgress"), 0);
    EXPECT_EQ(std::count(names.begin(), names.end(), "finished"), 1);
    EXPECT_EQ(names.back(), "finished");
    EXPECT_EQ(std::count(names.begin(), names.end(), "failed"), 0);
    EXPECT_FALSE(watcher.profiler().running());
}

TEST(Profiler, PreparingOpensTheEngineForTheFirstRun)
{
    RunWatcher watcher;
    watcher.profiler().prepare();
    while (watcher.engineOpenings() == 0)
        std::this_thread::sleep_for(1ms);
    watcher.profiler().prepare();
    watcher.run(watcher.request());
    EXPECT_TRUE(watcher.finished.has_value());
    EXPECT_EQ(watcher.engineOpenings(), 1);
    EXPECT_EQ(watcher.loads(), 1) << "no model is loaded before";
}

TEST(Profiler, ARunSaysWhatPreparingCouldNotDo)
{
    RunWatcher watcher(
        EngineScript{.open_error = Error{ErrorCode::NotFound, "There is no engine."}});
    watcher.profiler().prepare();
    while (watcher.engineOpenings() == 0)
        std::this_thread::sleep_for(1ms);
    EXPECT_THAT(watcher.signal_names, IsEmpty());
    watcher.run(watcher.request());
    ASSERT_TRUE(watcher.failure.has_value());
    EXPECT_EQ(watcher.failure->message, "There is no engine.");
}

TEST(Profiler, SaysWhatItLoaded)
{
    RunWatcher watcher;
    session::RunRequest request = watcher.request();
    request.tags = {"a", "b"};
    request.experiment = "first";
    request.sampling.seed = 9;
    const RunInfo& info = watcher.finish(request).info;
    EXPECT_EQ(info.id.size(), 36U);
    EXPECT_EQ(info.status, RunStatus::Complete);
    EXPECT_EQ(info.status_message, "");
    EXPECT_EQ(info.prompt, "Once");
    EXPECT_EQ(info.input_tokens, 5); // including the start token
    EXPECT_EQ(info.output_tokens, 8);
    EXPECT_EQ(info.max_new_tokens, 8);
    EXPECT_EQ(info.device, "cpu");
    EXPECT_EQ(info.dtype, "f32");
    EXPECT_EQ(info.tags, request.tags);
    EXPECT_EQ(info.experiment, "first");
    EXPECT_EQ(info.sampling.seed, 9U);
    EXPECT_EQ(info.model.layers, 2);
    EXPECT_EQ(info.environment.torch_version, "scripted");
    EXPECT_FALSE(info.environment.app_version.empty());
    EXPECT_FALSE(info.environment.cpu.empty());
    EXPECT_GT(info.environment.threads, 0);
    EXPECT_EQ(info.power.source, "scripted");
    EXPECT_EQ(info.power.detail, "scripted detail");
    EXPECT_THAT(info.power.notice.english(), testing::StartsWith("asked for by the test"));
    EXPECT_FALSE(watcher.finished->saved);
    EXPECT_EQ(watcher.finished->save_problem, "");
    EXPECT_GT(watcher.finished->profiler_ns, 0);
}

TEST(Profiler, StreamsTheResponse)
{
    RunWatcher watcher(EngineScript{.text = "caf\u00e9 au lait"});
    session::RunRequest request = watcher.request();
    request.max_new_tokens = 12;
    const ep::Run& run = watcher.finish(request);
    EXPECT_EQ(run.info.response, "caf\u00e9 au lai");
    ASSERT_THAT(watcher.tokens, SizeIs(12));
    std::string streamed;
    for (const session::TokenComplete& token : watcher.tokens)
        streamed += token.token.text;
    EXPECT_EQ(streamed, run.info.response);
    EXPECT_EQ(run.trace.tokens[3].text, "") << "half of a character is held back";
    EXPECT_EQ(run.trace.tokens[4].text, "\u00e9");
    EXPECT_EQ(run.trace.tokens[2].id, 'f');
    EXPECT_EQ(run.trace.tokens[2].position, 7);
    EXPECT_EQ(run.trace.tokens[2].probability, 0.75F);
}

TEST(Profiler, ACharacterCutByTheEndIsShownAsReplaced)
{
    RunWatcher watcher(EngineScript{.text = "ab\u00e9"});
    session::RunRequest request = watcher.request();
    request.max_new_tokens = 3;
    watcher.finish(request);
    EXPECT_EQ(watcher.finished->run->info.response, "ab\uFFFD");
    EXPECT_EQ(watcher.tokens.back().token.text, "\uFFFD");
}

TEST(Profiler, NamesEverySection)
{
    RunWatcher watcher;
    const RunTrace& trace = watcher.finish(watcher.request()).trace;
    EXPECT_THAT(sectionsOf(trace, kNoToken, Phase::PreInference),
                ElementsAre(Section::Tokenization, Section::TensorTransfer, Section::KvCacheInit));
    EXPECT_THAT(sectionsOf(trace, 0, Phase::Prefill),
                ElementsAre(Section::Embedding, Section::PositionEmbedding, Section::Layers,
                            Section::FinalNorm, Section::LmHead, Section::KvCacheStore,
                            Section::Sampling));
    EXPECT_THAT(sectionsOf(trace, 7, Phase::Decode),
                ElementsAre(Section::Embedding, Section::PositionEmbedding, Section::Layers,
                            Section::FinalNorm, Section::LmHead, Section::KvCacheAppend,
                            Section::Sampling));
    EXPECT_THAT(
        sectionsOf(trace, kNoToken, Phase::PostInference),
        ElementsAre(Section::Detokenization, Section::TensorTransfer, Section::MemoryCleanup));
    EXPECT_THAT(watcher.sections_begun, SizeIs(trace.sections.size()));
    EXPECT_THAT(watcher.sections_ended, SizeIs(trace.sections.size()));
}

TEST(Profiler, PhasesFollowEachOtherWithoutAGap)
{
    RunWatcher watcher;
    const RunTrace& trace = watcher.finish(watcher.request()).trace;
    ASSERT_THAT(trace.phases, SizeIs(4));
    EXPECT_EQ(trace.phases.front().time.begin_ns, trace.time.begin_ns);
    EXPECT_EQ(trace.phases.back().time.end_ns, trace.time.end_ns);
    for (std::size_t i = 1; i < trace.phases.size(); ++i)
        EXPECT_EQ(trace.phases[i].time.begin_ns, trace.phases[i - 1].time.end_ns);
    EXPECT_EQ(trace.phases[0].phase, Phase::PreInference);
    EXPECT_EQ(trace.phases[1].phase, Phase::Prefill);
    EXPECT_EQ(trace.phases[2].phase, Phase::Decode);
    EXPECT_EQ(trace.phases[3].phase, Phase::PostInference);
}

TEST(Profiler, OneTokenNeedsNoDecodePhase)
{
    RunWatcher watcher;
    session::RunRequest request = watcher.request();
    request.max_new_tokens = 1;
    const RunTrace& trace = watcher.finish(request).trace;
    EXPECT_THAT(trace.tokens, SizeIs(1));
    EXPECT_THAT(trace.phases, SizeIs(3));
}

// Every child lies inside its parent, and no remainder is negative: all sums rely on this.
TEST(Profiler, TreesClose)
{
    RunWatcher watcher(EngineScript{.layer_time = 4ms});
    const ep::Run& run = watcher.finish(watcher.request());
    const RunTrace& trace = run.trace;

    EXPECT_EQ(remainderOfRun(run).duration_ns, 0);
    ASSERT_TRUE(run.metrics.energy.total_mj.has_value());
    EXPECT_NEAR(remainderOfRun(run).energy_mj.value().value, 0.0,
                1e-9 * run.metrics.energy.total_mj->value);
    const auto sound = [](const Tally& remainder) {
        return remainder.duration_ns >= 0 && remainder.energy_mj
            && remainder.energy_mj->value >= -1e-9;
    };
    for (const PhaseSpan& phase : trace.phases)
        EXPECT_TRUE(sound(test::remainderOfPhase(trace, phase))) << name(phase.phase);
    ASSERT_THAT(trace.tokens, SizeIs(8));
    for (const TokenSpan& token : trace.tokens)
        EXPECT_TRUE(sound(test::remainderOfToken(trace, token))) << token.index;
    for (const Span& section : trace.sections) {
        if (section.section == Section::Layers) {
            EXPECT_TRUE(sound(test::remainderOfLayers(trace, section))) << section.token;
        }
    }
    ASSERT_THAT(trace.layers, SizeIs(16));
    ASSERT_THAT(trace.components, SizeIs(64));
    for (const Span& layer : trace.layers)
        EXPECT_TRUE(sound(test::remainderOfLayer(trace, layer))) << layer.token;
}

struct DepthCase {
    Depth depth;
    std::size_t layers;
    std::size_t components;
};

class ProfilerDepthTest : public testing::TestWithParam<DepthCase> { };

TEST_P(ProfilerDepthTest, DecidesWhatATokenCarries)
{
    RunWatcher watcher;
    session::RunRequest request = watcher.request();
    request.depth = GetParam().depth;
    request.statistics_every = 1;
    request.sparsity_threshold = 0.5;
    watcher.finish(request);
    ASSERT_THAT(watcher.tokens, SizeIs(8));
    for (const session::TokenComplete& token : watcher.tokens) {
        EXPECT_THAT(token.layers, SizeIs(GetParam().layers));
        EXPECT_THAT(token.components, SizeIs(GetParam().components));
        for (const Span& component : token.components) {
            EXPECT_EQ(component.token, token.token.index);
            ASSERT_TRUE(component.stats.has_value());
            EXPECT_EQ(component.stats->sparsity, 0.5F);
        }
    }
    EXPECT_THAT(watcher.finished->run->trace.layers, SizeIs(8 * GetParam().layers));
}

INSTANTIATE_TEST_SUITE_P(Depths, ProfilerDepthTest,
                         testing::Values(DepthCase{Depth::None, 0, 0},
                                         DepthCase{Depth::Module, 2, 8}),
                         [](const auto& tested) { return std::string(name(tested.param.depth)); });

TEST(Profiler, StopsAtTheEndOfSequenceUnlessToldOtherwise)
{
    RunWatcher watcher(EngineScript{.end_after = 3});
    session::RunRequest request = watcher.request();
    watcher.finish(request);
    EXPECT_EQ(watcher.finished->run->info.output_tokens, 3);
    EXPECT_EQ(watcher.finished->run->info.response, "th") << "the end token is no text";

    request.ignore_eos = true;
    EXPECT_EQ(watcher.finish(request).info.output_tokens, 8);
}

TEST(Profiler, WarmUpLeavesNoTrace)
{
    RunWatcher watcher;
    session::RunRequest request = watcher.request();
    request.warmup_tokens = 5;
    watcher.finish(request);
    EXPECT_THAT(watcher.tokens, SizeIs(8));
    EXPECT_EQ(watcher.finished->run->info.response, "the quic");
    EXPECT_THAT(watcher.sections_begun, SizeIs(watcher.finished->run->trace.sections.size()));
}

TEST(Profiler, KeepsTheModelForTheNextRun)
{
    RunWatcher watcher;
    session::RunRequest request = watcher.request();
    watcher.run(request);
    watcher.run(request);
    EXPECT_EQ(watcher.loads(), 1);

    request.load.dtype = "bf16";
    watcher.run(request);
    EXPECT_EQ(watcher.loads(), 2);
    request.load.threads = 1;
    watcher.run(request);
    EXPECT_EQ(watcher.loads(), 3);

    // The same folder with different files counts as another model.
    const auto file = request.load.folder / "model.safetensors";
    std::filesystem::last_write_time(
        file, std::filesystem::last_write_time(file) + std::chrono::hours(1));
    watcher.run(request);
    EXPECT_EQ(watcher.loads(), 4);
    EXPECT_TRUE(watcher.finished.has_value());
}

TEST(Profiler, CleansThePrompt)
{
    RunWatcher watcher;
    session::RunRequest request = watcher.request();
    request.prompt = std::string("a\xFF", 2) + std::string(1, '\0') + "b";
    EXPECT_EQ(watcher.finish(request).info.prompt, "a\uFFFD\uFFFDb");
}

TEST(Profiler, AnEmptyPromptIsFineWithAStartToken)
{
    RunWatcher watcher;
    session::RunRequest request = watcher.request();
    request.prompt.clear();
    EXPECT_EQ(watcher.finish(request).info.input_tokens, 1);
}

TEST(Profiler, CurrentOperationIsIdleBetweenRuns)
{
    RunWatcher watcher;
    watcher.run(watcher.request());
    const session::CurrentOperation now = watcher.profiler().currentOperation();
    EXPECT_EQ(now.phase, Phase::Idle);
    EXPECT_EQ(now.token, kNoToken);
}

} // namespace
