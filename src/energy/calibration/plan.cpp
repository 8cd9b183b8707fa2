// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/energy/calibration.h"

#include <algorithm>
#include <cstddef>
#include <random>
#include <utility>

namespace ep::energy {

namespace {

using What = CalibrationBlock::What;

constexpr double kAlone = 0.01; // of a token's time
constexpr double kChecked = 0.04;
constexpr int kOften = 3; // in the mixture that is about a kind
constexpr std::size_t kControlEvery = 4;

std::vector<int> passesOf(std::size_t kinds, std::size_t one)
{
    std::vector<int> passes(kinds, 0);
    passes[one] = 1;
    return passes;
}

// As std::shuffle, but equal with every standard library.
void shuffle(std::vector<CalibrationBlock>& blocks, std::mt19937& random)
{
    for (std::size_t i = blocks.size(); i > 1; --i)
        std::swap(blocks[i - 1], blocks[random() % i]);
}

struct PlannedParts {
    std::vector<std::vector<int>> replays;
    std::vector<std::vector<int>> checks;
};

PlannedParts plannedParts(std::span<const CalibratedKind> kinds)
{
    double token = 0.0;
    for (const CalibratedKind& kind : kinds)
        token += kind.seconds;
    PlannedParts parts;
    std::vector<std::size_t> small;
    for (std::size_t i = 0; i < kinds.size(); ++i) {
        if (kinds[i].seconds < kAlone * token)
            small.push_back(i);
        else
            parts.replays.push_back(passesOf(kinds.size(), i));
        if (kinds[i].seconds > kChecked * token)
            parts.checks.push_back(passesOf(kinds.size(), i));
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
    const PlannedParts parts = plannedParts(kinds);
    std::mt19937 random(settings.seed);
    std::vector<CalibrationBlock> plan{{.what = What::Idle}, {.what = What::Control}};
    std::size_t since = 0; // the last control block
    for (int round = 0; round < settings.rounds; ++round) {
        std::vector<CalibrationBlock> blocks;
        for (const std::vector<int>& passes : parts.replays)
            blocks.push_back({.what = What::Replay, .passes = passes, .round = round});
        if (round < settings.check_rounds) {
            for (const std::vector<int>& passes : parts.checks)
                blocks.push_back({.what = What::Doubled, .passes = passes, .round = round});
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

double secondsOf(std::span<const CalibrationBlock> blocks, const CalibrationSettings& settings)
{
    double seconds = 0.0;
    for (const CalibrationBlock& block : blocks)
        seconds += block.what == What::Idle ? settings.idle_seconds : settings.block_seconds;
    return seconds;
}

} // namespace ep::energy
