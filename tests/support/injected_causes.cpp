// SPDX-License-Identifier: GPL-3.0-or-later
#include "support/diagnosed_run.h"

#include <algorithm>
#include <array>

namespace ep::test {

using energy::Cause;

void inject(RunSetup& setup, Cause cause, int strength)
{
    const auto level = static_cast<std::size_t>(std::clamp(strength, 0, 3));
    const auto of = [level](const std::array<double, 4>& values) { return values[level]; };
    switch (cause) {
    case Cause::MemoryBoundDecode:
        setup.batch = static_cast<int>(of({27, 24, 15, 1}));
        break;
    case Cause::ComputeBoundPrefill:
        setup.prompt_rows = of({500, 1000, 3000, 12000});
        break;
    case Cause::SlowRun:
        setup.slow = of({0.15, 0.4, 1.0, 3.0});
        break;
    case Cause::Gaps:
        setup.gap = of({0.15, 0.45, 1.5, 4.0});
        break;
    case Cause::Fallback:
        setup.fallback = of({4, 6, 12, 40});
        break;
    case Cause::Context:
        setup.context = of({0.1, 0.22, 0.7, 4.0});
        break;
    case Cause::Head:
        setup.head = of({1.2, 1.7, 3.0, 12.0});
        break;
    case Cause::Experts:
        setup.experts = 16;
        setup.experts_per_token = static_cast<int>(of({14, 12, 7, 2}));
        break;
    case Cause::SmallBatch:
        setup.running = of({0.85, 0.75, 0.4, 0.05});
        break;
    case Cause::Throttling:
        setup.throttled = of({0.25, 0.55, 1.5, 4.0});
        break;
    case Cause::LowPower:
        setup.low_power = true;
        setup.slow = of({0.15, 0.4, 1.0, 3.0});
        break;
    case Cause::OtherLoad:
        setup.others = of({0.055, 0.07, 0.2, 0.6});
        break;
    case Cause::Recording:
        setup.recording = of({0.1, 0.22, 0.6, 2.0});
        break;
    case Cause::WideFormat:
        setup.stored_bits = of({16, 16, 8, 8});
        setup.computed_bits = of({32, 32, 32, 32});
        break;
    case Cause::AfterTheAnswer:
        setup.answer = of({0.84, 0.8, 0.5, 0.2});
        break;
    }
}

} // namespace ep::test
