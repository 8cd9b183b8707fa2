// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/energy/attribute.h"

#include <benchmark/benchmark.h>

namespace ep {

namespace {

// A run of `tokens` tokens x 32 layers x 12 components over samples of 100 ms.
RunTrace makeTrace(std::int32_t tokens)
{
    constexpr Nanoseconds kComponent = 100'000;
    constexpr Nanoseconds kSample = 100'000'000;
    RunTrace trace;
    Nanoseconds now = 0;
    for (std::int32_t token = 0; token < tokens; ++token) {
        TokenSpan span;
        span.index = token;
        span.time.begin_ns = now;
        for (std::int32_t layer = 0; layer < 32; ++layer) {
            trace.layers.push_back(Span::ofLayer(token, layer, {now, now + 12 * kComponent}));
            for (int component = 0; component < 12; ++component) {
                trace.components.push_back(Span::ofComponent(
                    token, layer, static_cast<Component>(component), {now, now + kComponent}));
                now += kComponent;
            }
        }
        span.time.end_ns = now;
        trace.tokens.push_back(span);
    }
    trace.time = {0, now};
    for (Nanoseconds at = 0; at < now; at += kSample) {
        PowerSample sample;
        sample.window = {at, at + kSample};
        sample.energy_mj[Rail::Cpu] = Millijoules{300.0};
        sample.energy_mj[Rail::Gpu] = Millijoules{2000.0};
        trace.samples.push_back(sample);
    }
    return trace;
}

void attributeByTime(benchmark::State& state)
{
    RunTrace trace = makeTrace(static_cast<std::int32_t>(state.range(0)));
    for (auto _ : state)
        energy::attributeByTime(trace);
    state.SetItemsProcessed(state.iterations()
                            * static_cast<std::int64_t>(trace.components.size()));
}
BENCHMARK(attributeByTime)->Arg(100)->Arg(2000)->Unit(benchmark::kMillisecond);

} // namespace

} // namespace ep
