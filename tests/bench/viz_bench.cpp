// SPDX-License-Identifier: GPL-3.0-or-later
// Layouts and series at the sizes that charts must cope with. The argument of the power benchmarks
// is the number of rows; a row has five values.
#include "ep/viz/flame.h"
#include "ep/viz/heatmap.h"
#include "ep/viz/power_lanes.h"
#include "ep/viz/time_series.h"

#include <benchmark/benchmark.h>

#include <array>
#include <memory>

namespace {

using namespace ep;
using namespace ep::viz;

constexpr int kChannels = 5;
constexpr int kPixels = 3200;
constexpr Nanoseconds kWindow = 100'000'000;
constexpr Rect kPlot{0.0, 0.0, kPixels, 300.0};

using Channels = std::array<TimeSeries, kChannels>;

std::unique_ptr<Channels> channelsOf(std::int64_t rows)
{
    auto channels = std::make_unique<Channels>();
    std::uint32_t state = 1;
    for (std::int64_t row = 0; row < rows; ++row) {
        for (TimeSeries& series : *channels) {
            state = state * 1664525U + 1013904223U;
            series.append({row * kWindow, (row + 1) * kWindow}, 4000.0 + (state >> 16U) * 0.1);
        }
    }
    return channels;
}

// Made once for all benchmarks of the same size: 48 M values take a second.
const Channels& sharedChannels(std::int64_t rows)
{
    static std::int64_t known = 0;
    static std::unique_ptr<Channels> channels;
    if (known != rows) {
        channels.reset();
        channels = channelsOf(rows);
        known = rows;
    }
    return *channels;
}

void buildPyramids(benchmark::State& state)
{
    for (auto _ : state) {
        auto channels = channelsOf(state.range(0));
        benchmark::DoNotOptimize(channels);
    }
    state.SetItemsProcessed(state.iterations() * state.range(0) * kChannels);
}
BENCHMARK(buildPyramids)->Arg(1'000'000)->Arg(9'600'000)->Unit(benchmark::kMillisecond);

// The geometry of one frame: five channels, one device pixel per column. share: the part in view.
void frameOfLanes(benchmark::State& state)
{
    const Channels& channels = sharedChannels(state.range(0));
    const auto whole = channels[0].time().end_ns;
    const Nanoseconds length = whole / state.range(1);
    Nanoseconds begin = 0;
    for (auto _ : state) {
        const auto columns = laneColumns(channels[0], {begin, begin + length}, kPlot, 1.0);
        for (const TimeSeries& series : channels)
            benchmark::DoNotOptimize(layoutLane(series, columns, kPlot, 12'000.0, 1.0, 1.0));
        begin = (begin + length / 7) % (whole - length + 1); // panning
    }
}
BENCHMARK(frameOfLanes)
    ->ArgsProduct({{1'000'000, 9'600'000}, {1, 10, 1000, 100'000}})
    ->Unit(benchmark::kMillisecond);

// Mean and peak under a brush.
void figuresOfABrush(benchmark::State& state)
{
    const Channels& channels = sharedChannels(state.range(0));
    const auto whole = channels[0].time().end_ns;
    Nanoseconds begin = 0;
    for (auto _ : state) {
        for (const TimeSeries& series : channels) {
            benchmark::DoNotOptimize(series.summary({begin, begin + whole / 3}));
            benchmark::DoNotOptimize(series.peak({begin, begin + whole / 3}));
        }
        begin = (begin + 12'345'678'901) % (whole / 2);
    }
}
BENCHMARK(figuresOfABrush)->Arg(9'600'000)->Unit(benchmark::kMicrosecond);

RunTrace traceOf(int tokens, int layers, int components)
{
    RunTrace trace;
    trace.components.reserve(static_cast<std::size_t>(tokens) * static_cast<std::size_t>(layers)
                             * static_cast<std::size_t>(components));
    Nanoseconds now = 0;
    for (std::int32_t token = 0; token < tokens; ++token) {
        TokenSpan span;
        span.index = token;
        span.time.begin_ns = now;
        for (std::int32_t layer = 0; layer < layers; ++layer) {
            for (int c = 0; c < components; ++c) {
                trace.components.push_back(
                    Span::ofComponent(token, layer, static_cast<Component>(c), {now, now + 40'000},
                                      Millijoules{0.2}));
                now += 40'000;
            }
        }
        span.time.end_ns = now;
        trace.tokens.push_back(span);
    }
    trace.time = {0, now};
    return trace;
}

// 2,000 tokens x 80 layers x 12 components: from the spans to the cells on the screen.
void heatmapOfManyTokens(benchmark::State& state)
{
    const RunTrace trace = traceOf(2000, 80, 12);
    for (auto _ : state) {
        HeatmapAccumulator accumulator;
        accumulator.add(trace);
        const HeatmapData data = accumulator.data(HeatmapMetric::EnergyMj, CellReduction::Mean);
        benchmark::DoNotOptimize(layoutHeatmap(data, 1600.0, 900.0, {}));
    }
}
BENCHMARK(heatmapOfManyTokens)->Unit(benchmark::kMillisecond);

// 1.92 million spans at several zoom levels.
void frameOfSpans(benchmark::State& state)
{
    static const FlameData data(traceOf(2000, 80, 12));
    const Nanoseconds whole = data.spans(FlameLevel::Token).back().time.end_ns;
    const Nanoseconds length = whole / state.range(0);
    Nanoseconds begin = 0;
    for (auto _ : state) {
        benchmark::DoNotOptimize(layoutFlame(data, {begin, begin + length}, kPlot, {}));
        begin = (begin + length / 7) % (whole - length + 1);
    }
}
BENCHMARK(frameOfSpans)->Arg(1)->Arg(100)->Arg(10'000)->Unit(benchmark::kMicrosecond);

} // namespace
