// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "support/synthetic_truth.h"

#include <vector>

// The machines and sensors on which ep-accuracy measures the errors of energies.
namespace ep::bench {

struct Case {
    const char* name;
    test::TruthShape truth;
    test::SensorShape sensor{};
    bool stamped = false; // windows as timestamped by the sensor, not placed by their arrival
    bool baseline = true;
};

inline std::vector<Case> casesOf()
{
    using test::FactorShape;
    const test::TruthShape run{.input_tokens = 2048, .output_tokens = 120};
    const test::SensorShape exact{.noise = 0.0};
    test::TruthShape normal = run;
    normal.time_mw = 2000.0;
    normal.off_model = 0.15;
    normal.factors = FactorShape::Normal;

    test::TruthShape busy = normal;
    busy.time_mw = 8000.0;
    test::TruthShape uniform = normal;
    uniform.factors = FactorShape::Uniform;
    test::TruthShape heavy = normal;
    heavy.factors = FactorShape::HeavyTails;
    test::TruthShape rails = normal;
    rails.rails = true;
    test::TruthShape decode = normal;
    decode.input_tokens = 1;
    decode.output_tokens = 300;
    test::TruthShape context = normal;
    context.input_tokens = 8192;
    test::TruthShape changing = normal;
    changing.ramp = 0.1;
    changing.drift = 0.01;
    test::TruthShape bursts = normal;
    bursts.bursts_per_s = 0.5;
    const auto beside = [&](test::Wave others) {
        test::TruthShape shape = normal;
        shape.others = others;
        return shape;
    };
    test::TruthShape brief = normal;
    brief.input_tokens = 256;
    brief.output_tokens = 24;
    test::TruthShape pulse = normal;
    pulse.input_tokens = 16;
    pulse.output_tokens = 2;
    test::TruthShape real = changing;
    real.rails = true;
    real.bursts_per_s = 0.2;
    const test::SensorShape slow{.interval_ms = 250.0};
    const test::SensorShape losing{.lost = 0.05};
    const test::SensorShape jittered{.timestamp_ms = 2.0};
    test::SensorShape poor;
    poor.delay_ms = 20.0;
    poor.lost = 0.02;
    return {
        {"bytes and FLOPs alone, exact sensor", run, exact},
        {"kinds differ, normal", normal},
        {"kinds differ, 8 W for time", busy},
        {"kinds differ, uniform", uniform},
        {"kinds differ, heavy tails", heavy},
        {"decode only", decode},
        {"context of 8192", context},
        {"three rails", rails},
        {"clock ramp and drift", changing},
        {"bursts of others", bursts},
        {"square wave of others", beside(test::Wave::Square)},
        {"long bursts of others", beside(test::Wave::Bursts)},
        {"ramps of others", beside(test::Wave::Ramps)},
        {"windows of 258 ms", normal, slow},
        {"5 % of windows lost", normal, losing},
        {"timestamps off by 2 ms", normal, jittered, true},
        {"all of it, 20 ms late", real, poor},
        {"0.5 s", brief},
        {"0.03 s", pulse},
        {"0.03 s without idle power", pulse, {}, false, false},
    };
}

} // namespace ep::bench
