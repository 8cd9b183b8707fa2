// SPDX-License-Identifier: GPL-3.0-or-later
#include "sampler.h"

#include "kernels.h"

#include <algorithm>
#include <cmath>

namespace ep::model {

Sampler::Sampler(const SamplingSettings& settings)
    : m_settings(settings)
    , m_random(settings.seed)
{
}

SampledToken Sampler::choose(std::span<const float> logits)
{
    const auto count = static_cast<std::int64_t>(logits.size());
    const float largest = kernels().maximum(logits.data(), count);
    const std::span<const float> scores = penalized(logits);
    const std::size_t chosen = m_settings.temperature > 0.0
        ? draw(scores, kernels().maximum(scores.data(), count))
        : greedy(scores);
    const auto id = static_cast<text::TokenId>(chosen);
    observe({&id, 1});
    const double weight = std::exp(static_cast<double>(logits[chosen] - largest));
    const double total = kernels().sumOfExp(logits.data(), count, largest);
    return {.id = id, .probability = static_cast<float>(weight / total)};
}

void Sampler::observe(std::span<const text::TokenId> ids)
{
    if (m_settings.repetition_penalty == 1.0)
        return;
    for (const text::TokenId id : ids) {
        const auto index = static_cast<std::size_t>(id);
        if (index >= m_seen.size())
            m_seen.resize(index + 1);
        m_seen[index] = true;
    }
}

// A token that already occurred becomes less likely, regardless of how often it occurred.
std::span<const float> Sampler::penalized(std::span<const float> logits)
{
    if (m_settings.repetition_penalty == 1.0)
        return logits;
    m_penalized.assign(logits.begin(), logits.end());
    const auto penalty = static_cast<float>(m_settings.repetition_penalty);
    for (std::size_t i = 0; i < std::min(m_seen.size(), m_penalized.size()); ++i) {
        if (m_seen[i])
            m_penalized[i] = logits[i] < 0.0F ? logits[i] * penalty : logits[i] / penalty;
    }
    return m_penalized;
}

// Breaks ties by the lowest id, as HuggingFace does.
std::size_t Sampler::greedy(std::span<const float> logits) const
{
    const float largest =
        kernels().maximum(logits.data(), static_cast<std::int64_t>(logits.size()));
    return static_cast<std::size_t>(std::find(logits.begin(), logits.end(), largest)
                                    - logits.begin());
}

std::size_t Sampler::draw(std::span<const float> logits, float largest)
{
    m_candidates.clear();
    for (std::size_t i = 0; i < logits.size(); ++i)
        m_candidates.push_back({logits[i], static_cast<text::TokenId>(i)});
    // Ties are broken by id, so that the order does not depend on the sorting algorithm.
    const auto before = [](const Candidate& a, const Candidate& b) {
        return a.logit > b.logit || (a.logit == b.logit && a.id < b.id);
    };
    const auto topK = static_cast<std::size_t>(std::max(0, m_settings.top_k));
    if (topK > 0 && topK < m_candidates.size()) {
        std::nth_element(m_candidates.begin(),
                         m_candidates.begin() + static_cast<std::ptrdiff_t>(topK),
                         m_candidates.end(), before);
        m_candidates.resize(topK);
    }
    // Top-p needs the order; without filters, sorting would cost more than the rest of sampling.
    if (topK > 0 || m_settings.top_p < 1.0)
        std::sort(m_candidates.begin(), m_candidates.end(), before);

    m_weights.clear();
    double total = 0.0;
    for (const Candidate& candidate : m_candidates) {
        m_weights.push_back(
            std::exp(static_cast<double>(candidate.logit - largest) / m_settings.temperature));
        total += m_weights.back();
    }
    // The smallest set whose probability reaches top_p; never empty.
    std::size_t kept = m_weights.size();
    if (m_settings.top_p < 1.0) {
        double sum = 0.0;
        for (kept = 0; kept < m_weights.size() && (kept == 0 || sum < m_settings.top_p * total);
             ++kept)
            sum += m_weights[kept];
        total = sum;
    }
    // The largest weight is 1. Without the sorting above, any tokens may be removed.
    if (m_settings.min_p > 0.0) {
        std::size_t left = 0;
        total = 0.0;
        for (std::size_t i = 0; i < kept; ++i) {
            if (m_weights[i] < m_settings.min_p)
                continue;
            m_candidates[left] = m_candidates[i];
            m_weights[left++] = m_weights[i];
            total += m_weights[i];
        }
        kept = left;
    }
    double rest = m_random.uniform() * total;
    for (std::size_t i = 0; i + 1 < kept; ++i) {
        rest -= m_weights[i];
        if (rest < 0.0)
            return static_cast<std::size_t>(m_candidates[i].id);
    }
    return static_cast<std::size_t>(m_candidates[kept - 1].id);
}

Status checkSampling(const SamplingSettings& settings)
{
    const bool possible = settings.temperature >= 0.0 && settings.top_k >= 0
        && settings.top_p >= 0.0 && settings.top_p <= 1.0 && settings.min_p >= 0.0
        && settings.min_p <= 1.0 && settings.repetition_penalty > 0.0;
    return possible ? Status()
                    : Error{ErrorCode::Internal, "The sampling settings are out of range."};
}

} // namespace ep::model
