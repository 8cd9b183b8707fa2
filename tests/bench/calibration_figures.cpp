// SPDX-License-Identifier: GPL-3.0-or-later
#include "calibration_figures.h"

#include "support/simulated_calibration.h"

#include "ep/core/format.h"
#include "ep/core/quantile.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <vector>

namespace ep::bench {

namespace {

constexpr double kCounts = 0.01; // minimum share of a token for a kind to count
constexpr double kChecked = 0.05; // minimum share at which a hot cache must be found

test::Truth machine(int seed)
{
    return test::makeTruth({.input_tokens = 512,
                            .output_tokens = 6,
                            .time_mw = 2000.0,
                            .off_model = 0.15,
                            .factors = test::FactorShape::Normal,
                            .idle_s = 0.5,
                            .seed = static_cast<std::uint32_t>(seed)});
}

std::string shareText(double count, double of)
{
    char text[64];
    std::snprintf(text, sizeof text, "%.2f %% of %.0f", of > 0.0 ? 100.0 * count / of : 0.0, of);
    return text;
}

std::string row(const std::string& name, const test::CalibrationShape& shape, int seeds)
{
    std::vector<double> errors;
    double held = 0.0;
    double refused = 0.0;
    double kindsRefused = 0.0;
    double kinds = 0.0;
    for (int seed = 1; seed <= seeds; ++seed) {
        test::CalibrationShape own = shape;
        own.seed = static_cast<std::uint32_t>(seed);
        const auto simulated = test::simulateCalibration(machine(seed), own);
        if (!simulated.result.refusal.empty()) {
            ++refused;
            continue;
        }
        for (std::size_t i = 0; i < simulated.kinds.size(); ++i) {
            const CalibratedKind& kind = simulated.result.record.kinds[i];
            const double truth = simulated.trueShare(i);
            if (truth < kCounts)
                continue;
            ++kinds;
            if (!kind.problem.empty()) {
                ++kindsRefused;
                continue;
            }
            const double error = std::abs(kind.share / truth - 1.0);
            errors.push_back(error);
            held += error <= kHalfInterval95 * kind.tau ? 1.0 : 0.0;
        }
    }
    std::ranges::sort(errors);
    char text[160];
    std::snprintf(text, sizeof text, " %.2f / %.2f / %.2f | %.1f |",
                  errors.empty() ? NAN : 100.0 * quantileOf(errors, 0.5),
                  errors.empty() ? NAN : 100.0 * quantileOf(errors, 0.95),
                  errors.empty() ? NAN : 100.0 * errors.back(),
                  100.0 * held / std::max(1.0, static_cast<double>(errors.size())));
    return "| " + name + " |" + text + ' ' + shareText(refused, seeds) + " | "
        + shareText(kindsRefused, kinds) + " |\n";
}

std::string hotRow(double bias, int seeds)
{
    double caught = 0.0;
    double all = 0.0;
    double byCheck = 0.0;
    for (int seed = 1; seed <= seeds; ++seed) {
        const test::Truth truth = machine(seed);
        const auto kinds = test::simulateCalibration(truth, {}).kinds;
        test::SimulatedCalibration shares{.kinds = kinds, .result = {}};
        for (std::size_t i = 0; i < kinds.size(); ++i) {
            if (shares.trueShare(i) < kChecked)
                continue;
            const auto hot = test::simulateCalibration(truth,
                                                       {.hot = kinds[i].kind.kind,
                                                        .hot_share = bias,
                                                        .seed = static_cast<std::uint32_t>(seed)});
            const bool found = !hot.result.record.kinds[i].problem.empty();
            ++all;
            byCheck += found ? 1.0 : 0.0;
            caught += found || !hot.result.refusal.empty() ? 1.0 : 0.0;
        }
    }
    return "| " + formatPercent(bias) + " | " + shareText(caught, all) + " | "
        + shareText(byCheck, all) + " |\n";
}

} // namespace

std::string calibrationTables(int seeds)
{
    std::string text =
        "| machine | share: median / p95 / worst error | intervals hold | refused | kinds "
        "refused |\n| --- | ---: | ---: | ---: | ---: |\n";
    text += row("as it is", {}, seeds);
    text += row("kinds cost alone what they do in a token", {.transfer = 0.0}, seeds);
    text += row("drift of 0", {.drift = 0.0}, seeds);
    text += row("noise of 2 %", {.noise = 0.02}, seeds);
    text += row("timestamps off by 2 ms", {.timestamp_ms = 2.0}, seeds);
    text += row("bursts of others, 1 in 10 s", {.bursts_per_s = 0.1}, seeds);
    text += "\n| cheaper alone by | caught | by the cross-check |\n| ---: | ---: | ---: |\n";
    for (const double bias : {0.05, 0.1, 0.15, 0.2, 0.3, 0.5})
        text += hotRow(bias, seeds);
    return text;
}

} // namespace ep::bench
