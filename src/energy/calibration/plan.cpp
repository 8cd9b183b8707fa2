// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/core/words.h"
#include "ep/energy/calibration.h"

#include <algorithm>
#include <cstddef>
#include <random>
#include <utility>

namespace ep::energy {

namespace {

using What = CalibrationBlock::What;

constexpr double kAlone = 0.01; // share of a token's time below which a kind joins the mixture
constexpr double kChecked = 0.04;
constexpr int kOften = 3; // passes of a kind in the mixture that measures it
constexpr std::size_t kControlEvery = 4;
constexpr double kMoreTime = 0.5; // share of a token's time for the extra passes of a check
constexpr double kMaxExtra = 8.0;
constexpr double kColdAgain = 4.0; // in cache sizes; read before a layer's weights are used again

std::vector<int> passesOf(std::size_t kinds, std::size_t one, int times = 1)
{
    std::vector<int> passes(kinds, 0);
    passes[one] = times;
    return passes;
}

// Extra passes in a cross-check; 0: a cross-check would not be informative.
int extraOf(const CalibratedKind& kind, double tokenSeconds, double tokenBytes,
            const CalibrationSettings& settings)
{
    const auto cache = static_cast<double>(settings.cache_bytes);
    const bool cold = cache > 0.0 && tokenBytes > cache; // in a token, weights come from memory
    double most = kMaxExtra;
    if (sectionFromName(kind.kind)) {
        // A section outside of layers reads the same weights again immediately. They must not fit
        // into the cache, or the check would be as wrong as the replay.
        if (cold && static_cast<double>(kind.footprint_bytes) < kColdAgain * cache)
            return 0;
    } else {
        most = std::min(most, static_cast<double>(kind.calls) - 1.0);
        if (cold)
            most = std::min(most, tokenBytes / (kColdAgain * cache) - 1.0);
    }
    const double wanted = kMoreTime * tokenSeconds / kind.seconds;
    return std::max(1, static_cast<int>(std::min(wanted, most)));
}

// Like std::shuffle, but with the same result in every standard library.
void shuffle(std::vector<CalibrationBlock>& blocks, std::mt19937& random)
{
    for (std::size_t i = blocks.size(); i > 1; --i)
        std::swap(blocks[i - 1], blocks[random() % i]);
}

struct PlannedParts {
    std::vector<std::vector<int>> replays;
    std::vector<std::vector<int>> checks;
};

PlannedParts plannedParts(std::span<const CalibratedKind> kinds,
                          const CalibrationSettings& settings)
{
    double token = 0.0;
    double bytes = 0.0;
    for (const CalibratedKind& kind : kinds) {
        token += kind.seconds;
        bytes += static_cast<double>(kind.footprint_bytes);
    }
    PlannedParts parts;
    std::vector<std::size_t> small;
    for (std::size_t i = 0; i < kinds.size(); ++i) {
        if (kinds[i].seconds < kAlone * token)
            small.push_back(i);
        else
            parts.replays.push_back(passesOf(kinds.size(), i));
        const int extra =
            kinds[i].seconds > kChecked * token ? extraOf(kinds[i], token, bytes, settings) : 0;
        if (extra > 0)
            parts.checks.push_back(passesOf(kinds.size(), i, extra));
    }
    for (const std::size_t about : small) {
        std::vector<int> passes(kinds.size(), 0);
        for (const std::size_t one : small)
            passes[one] = one == about && small.size() > 1 ? kOften : 1;
        parts.replays.push_back(std::move(passes));
    }
    return parts;
}

} // namespace

std::vector<CalibrationBlock> planCalibration(std::span<const CalibratedKind> kinds,
                                              const CalibrationSettings& settings)
{
    const PlannedParts parts = plannedParts(kinds, settings);
    std::mt19937 random(settings.seed);
    std::vector<CalibrationBlock> plan{{.what = What::Idle}, {.what = What::Control}};
    std::size_t since = 0; // blocks since the last control block
    for (int round = 0; round < settings.rounds; ++round) {
        std::vector<CalibrationBlock> blocks;
        for (const std::vector<int>& passes : parts.replays)
            blocks.push_back({.what = What::Replay, .passes = passes, .round = round});
        if (round < settings.check_rounds) {
            for (const std::vector<int>& passes : parts.checks)
                blocks.push_back({.what = What::Multiplied, .passes = passes, .round = round});
        }
        shuffle(blocks, random);
        for (CalibrationBlock& block : blocks) {
            plan.push_back(std::move(block));
            if (++since == kControlEvery) {
                plan.push_back({.what = What::Control, .passes = {}, .round = round});
                since = 0;
            }
        }
    }
    if (since > 0)
        plan.push_back({.what = What::Control, .passes = {}, .round = settings.rounds});
    plan.push_back({.what = What::Idle, .passes = {}, .round = settings.rounds});
    return plan;
}

std::size_t multipliedKind(const CalibrationBlock& block)
{
    return static_cast<std::size_t>(
        std::ranges::find_if(block.passes, [](int times) { return times > 0; })
        - block.passes.begin());
}

double secondsOf(std::span<const CalibrationBlock> blocks, const CalibrationSettings& settings)
{
    double seconds = 0.0;
    for (const CalibrationBlock& block : blocks)
        seconds += block.what == What::Idle ? settings.idle_seconds : settings.block_seconds;
    return seconds;
}

} // namespace ep::energy
