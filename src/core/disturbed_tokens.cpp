// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/core/disturbed_tokens.h"

#include "ep/core/metrics.h"
#include "ep/core/quantile.h"

#include <algorithm>
#include <cstddef>

namespace ep {

namespace {

constexpr std::size_t kNeighbours = 15; // on either side; the context grows slowly
constexpr double kLonger = 1.2;
constexpr double kLessProcessor = 0.9; // processor time / time, relative to the neighbours

bool isKnown(const TokenSpan& token)
{
    return token.phase == Phase::Decode && token.preemptions && token.processor_ns
        && !token.time.empty();
}

double processorsOf(const TokenSpan& token)
{
    return static_cast<double>(*token.processor_ns) / static_cast<double>(token.time.duration_ns());
}

struct Usual {
    double duration = 0.0;
    double preemptions = 0.0;
    double processors = 0.0;
};

Usual usualAround(const std::vector<const TokenSpan*>& known, std::size_t i)
{
    const std::size_t first = i > kNeighbours ? i - kNeighbours : 0;
    const std::size_t last = std::min(known.size(), i + kNeighbours + 1);
    std::vector<double> durations;
    std::vector<double> preemptions;
    std::vector<double> processors;
    for (std::size_t k = first; k < last; ++k) {
        durations.push_back(static_cast<double>(known[k]->time.duration_ns()));
        preemptions.push_back(static_cast<double>(*known[k]->preemptions));
        processors.push_back(processorsOf(*known[k]));
    }
    return {medianOf(durations), medianOf(preemptions), medianOf(processors)};
}

} // namespace

std::vector<bool> disturbedTokens(std::span<const TokenSpan> tokens)
{
    std::vector<bool> disturbed(tokens.size(), false);
    std::vector<const TokenSpan*> known;
    std::vector<std::size_t> indices;
    for (std::size_t i = 0; i < tokens.size(); ++i) {
        if (!isKnown(tokens[i]))
            continue;
        known.push_back(&tokens[i]);
        indices.push_back(i);
    }
    for (std::size_t i = 0; i < known.size(); ++i) {
        const Usual usual = usualAround(known, i);
        const bool longer =
            static_cast<double>(known[i]->time.duration_ns()) > kLonger * usual.duration;
        disturbed[indices[i]] = longer
            && (static_cast<double>(*known[i]->preemptions) > usual.preemptions
                || processorsOf(*known[i]) < kLessProcessor * usual.processors);
    }
    return disturbed;
}

std::vector<std::size_t> typicalTokens(std::span<const TokenSpan> tokens)
{
    const std::vector<bool> disturbed = disturbedTokens(tokens);
    std::vector<std::size_t> typical;
    for (std::size_t i = 0; i < tokens.size(); ++i) {
        if (tokens[i].phase == Phase::Decode && !disturbed[i])
            typical.push_back(i);
    }
    return typical;
}

std::optional<double> joulesPerTypicalToken(std::span<const TokenSpan> tokens)
{
    std::vector<double> energies;
    for (const std::size_t i : typicalTokens(tokens)) {
        if (const auto energy = decodedEnergy(tokens[i]))
            energies.push_back(energy->value / kMillijoulesPerJoule);
    }
    if (energies.empty())
        return std::nullopt;
    return medianOf(energies);
}

} // namespace ep
