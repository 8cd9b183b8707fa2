// SPDX-License-Identifier: GPL-3.0-or-later
// Depth `deep`, twin runs, and the record of how a run was recorded.
#include "run/settle.h"
#include "session/run_watcher.h"

#include "ep/store/run_json.h"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include <set>
#include <tuple>

namespace {

using namespace ep;
using test::EngineScript;
using test::PowerScript;
using test::RunWatcher;

// Every child lies inside its parent and no siblings overlap: then the remainder of the parent is
// exact to the nanosecond.
template <typename Parent, typename Child, typename Same>
void expectInside(const std::vector<Parent>& parents, const std::vector<Child>& children,
                  const Same& same)
{
    for (const Child& child : children) {
        bool found = false;
        for (const Parent& parent : parents)
            found = found || (same(parent, child) && parent.time.contains(child.time));
        EXPECT_TRUE(found);
    }
    for (std::size_t i = 1; i < children.size(); ++i)
        EXPECT_LE(children[i - 1].time.end_ns, children[i].time.begin_ns);
}

TEST(DeepProfile, RecordsOperationsWithTheirFigures)
{
    RunWatcher watcher;
    session::RunRequest request = watcher.request();
    request.depth = Depth::Deep;
    request.statistics_every = 1;
    const ep::Run& run = watcher.finish(request);
    EXPECT_EQ(run.info.execution.attention, "scripted, decomposed");
    ASSERT_EQ(run.trace.operations.size(), 2 * run.trace.components.size());
    const Span& last = run.trace.operations.back();
    EXPECT_EQ(last.token, 7);
    EXPECT_EQ(last.operation, Operation::Softmax);
    ASSERT_TRUE(last.stats.has_value());
    ASSERT_TRUE(last.extras);
    EXPECT_EQ(last.extras->attention_entropy, (std::vector<float>{0.5F, 1.5F}));
    EXPECT_EQ(last.extras->max_attention_weight, (std::vector<float>{0.5F, 1.5F}));
    EXPECT_EQ(last.extras->activation_kill_ratio, 0.25F);
    EXPECT_FALSE(last.extras->variance_ratio.has_value());
    EXPECT_FALSE(last.extras->expert.has_value());
}

TEST(DeepProfile, TimesCloseExactly)
{
    RunWatcher watcher;
    session::RunRequest request = watcher.request();
    request.depth = Depth::Deep;
    const RunTrace& trace = watcher.finish(request).trace;
    expectInside(trace.components, trace.operations, [](const Span& parent, const Span& child) {
        return parent.token == child.token && parent.layer == child.layer
            && parent.component == child.component;
    });
    expectInside(trace.layers, trace.components, [](const Span& parent, const Span& child) {
        return parent.token == child.token && parent.layer == child.layer;
    });
    expectInside(trace.tokens, trace.layers, [](const TokenSpan& parent, const Span& child) {
        return parent.index == child.token;
    });
    // The same is true of the JSON, which has remainders as separate rows.
    const auto json = nlohmann::json::parse(store::runToJson(*watcher.finished->run)).at("run");
    const auto closes = [](const nlohmann::json& parent, const std::vector<const char*>& lists) {
        std::int64_t rest = parent.at("duration_ns").get<std::int64_t>()
            - parent.at("remainder").at("duration_ns").get<std::int64_t>();
        for (const char* const list : lists) {
            for (const auto& child : parent.at(list))
                rest -= child.at("duration_ns").get<std::int64_t>();
        }
        return rest == 0 && parent.at("remainder").at("duration_ns").get<std::int64_t>() >= 0;
    };
    for (const auto& token : json.at("tokens")) {
        EXPECT_TRUE(closes(token, {"sections", "layers"}));
        for (const auto& layer : token.at("layers")) {
            EXPECT_TRUE(closes(layer, {"components"}));
            for (const auto& component : layer.at("components"))
                EXPECT_TRUE(closes(component, {"operations"}));
        }
    }
}

TEST(DeepProfile, OtherDepthsAreNotDecomposed)
{
    for (const Depth depth : {Depth::None, Depth::Module}) {
        RunWatcher watcher;
        session::RunRequest request = watcher.request();
        request.depth = depth;
        watcher.finish(request);
        EXPECT_EQ(watcher.finished->run->info.execution.attention, "scripted");
        EXPECT_TRUE(watcher.finished->run->trace.operations.empty());
    }
}

TEST(DeepProfile, TellsWhatTheRecordingTook)
{
    RunWatcher watcher;
    const ep::Run& run = watcher.finish(watcher.request());
    const ProfilingRecord& record = run.info.profiling;
    const std::size_t spans = run.trace.sections.size() + run.trace.layers.size()
        + run.trace.components.size() + run.trace.operations.size();
    EXPECT_EQ(record.spans, static_cast<std::int64_t>(spans));
    EXPECT_GT(record.statistics, 0);
    EXPECT_GT(record.span_cost_ns, 0.0);
    EXPECT_GT(record.statistic_cost_ns, 0.0);
    EXPECT_EQ(record.cost_ns,
              static_cast<Nanoseconds>(record.span_cost_ns * static_cast<double>(record.spans)
                                       + record.statistic_cost_ns
                                           * static_cast<double>(record.statistics)));
    EXPECT_EQ(record.cost_ns, watcher.finished->profiler_ns);
    EXPECT_EQ(record.clock, "host");
    EXPECT_EQ(record.clock_note, "");
    EXPECT_FALSE(record.twin.has_value()) << "the processor needs none";
}

TEST(DeepProfile, StatisticsOfOneOfSoManyTokens)
{
    RunWatcher watcher;
    session::RunRequest request = watcher.request();
    request.statistics_every = 3;
    watcher.finish(request);
    std::set<std::int32_t> tokens;
    for (const Span& span : watcher.finished->run->trace.components) {
        if (span.stats)
            tokens.insert(span.token);
    }
    EXPECT_EQ(tokens, (std::set<std::int32_t>{0, 3, 6}));
    EXPECT_EQ(watcher.finished->run->info.profiling.statistics_every, 3);
}

TEST(DeepProfile, ATwinRunComesFirst)
{
    int prefills = 0;
    RunWatcher watcher(EngineScript{.layers = 1, .on_stage = [&](test::EngineStage stage) {
                                        prefills += stage == test::EngineStage::PrefillLayer;
                                    }});
    session::RunRequest request = watcher.request();
    request.twin = true;
    watcher.finish(request);
    EXPECT_EQ(prefills, 3) << "a cold one, the clean one and the recorded one";
    const auto& twin = watcher.finished->run->info.profiling.twin;
    ASSERT_TRUE(twin.has_value());
    EXPECT_EQ(twin->tokens, 8);
    EXPECT_EQ(twin->different_tokens, 0);
    EXPECT_GT(twin->clean_prefill_ns, 0);
    EXPECT_GT(twin->clean_decode_ns, 0);
    EXPECT_GT(twin->decode_ns, 0);
    EXPECT_LT(twin->clean_decode.end_ns, 0);
    EXPECT_EQ(watcher.finished->run->trace.tokens.size(), 8U);
}

TEST(DeepProfile, AnExactRunTellsItsSlowdown)
{
    RunWatcher watcher;
    session::RunRequest request = watcher.request();
    request.exact = true;
    const ProfilingRecord& record = watcher.finish(request).info.profiling;
    EXPECT_EQ(record.clock, "synchronised");
    ASSERT_TRUE(record.exact_slowdown.has_value());
    EXPECT_GT(*record.exact_slowdown, 0.0);
}

TokenSpan token(std::int32_t index, std::int32_t id, TimeRange time)
{
    TokenSpan span;
    span.index = index;
    span.id = id;
    span.phase = index == 0 ? Phase::Prefill : Phase::Decode;
    span.time = time;
    return span;
}

TEST(TwinRun, ComparesTheStepsThatBothHave)
{
    const session::Rehearsal clean{.steps = {{0, 100}, {100, 110}, {110, 130}},
                                   .tokens = {5, 6, 7}};
    const std::vector<TokenSpan> tokens{token(0, 5, {1000, 1110}), token(1, 9, {1110, 1122})};
    const TwinRecord record = session::compareTwin(clean, tokens, 900);
    EXPECT_EQ(record.tokens, 2);
    EXPECT_EQ(record.different_tokens, 1);
    EXPECT_EQ(record.clean_prefill_ns, 100);
    EXPECT_EQ(record.clean_decode_ns, 10);
    EXPECT_EQ(record.prefill_ns, 110);
    EXPECT_EQ(record.decode_ns, 12);
    EXPECT_EQ(record.clean_prefill, (TimeRange{-900, -800}));
    EXPECT_EQ(record.clean_decode, (TimeRange{-800, -790}));
    EXPECT_DOUBLE_EQ(*session::slowdown(clean, tokens), 1.2);
    EXPECT_FALSE(session::slowdown(clean, {}).has_value());
}

} // namespace
