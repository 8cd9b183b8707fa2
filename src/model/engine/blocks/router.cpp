// SPDX-License-Identifier: GPL-3.0-or-later
#include "blocks/router.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numeric>

namespace ep::model {
namespace {

// Weights of all experts before the choice; those of a softmax are not normalised yet.
std::vector<float> scoresOf(std::span<const float> logits, bool sigmoid)
{
    std::vector<float> scores(logits.begin(), logits.end());
    const float largest = *std::max_element(logits.begin(), logits.end());
    for (float& score : scores)
        score = sigmoid ? 1.0F / (1.0F + std::exp(-score)) : std::exp(score - largest);
    return scores;
}

// Moves the experts outside of the best groups below all others.
void keepBestGroups(const RouterRule& rule, std::vector<float>& choosing)
{
    const auto groups = static_cast<std::size_t>(rule.groups);
    const std::size_t width = choosing.size() / groups;
    std::vector<float> best(groups);
    for (std::size_t g = 0; g < groups; ++g) {
        std::vector<float> own(choosing.begin() + static_cast<std::ptrdiff_t>(g * width),
                               choosing.begin() + static_cast<std::ptrdiff_t>((g + 1) * width));
        std::sort(own.begin(), own.end(), std::greater<>());
        best[g] = rule.groups_by_best || width < 2 ? own[0] : own[0] + own[1];
    }
    std::vector<std::size_t> order(groups);
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return best[a] > best[b]; });
    const float below = *std::min_element(choosing.begin(), choosing.end()) - 1.0F;
    for (auto i = static_cast<std::size_t>(rule.chosen_groups); i < groups; ++i)
        std::fill_n(choosing.begin() + static_cast<std::ptrdiff_t>(order[i] * width), width, below);
}

void takeBest(int count, const std::vector<float>& choosing, std::vector<Routing::Choice>& out)
{
    out.clear();
    for (std::size_t e = 0; e < choosing.size(); ++e)
        out.push_back({static_cast<int>(e), 0.0F});
    std::partial_sort(out.begin(), out.begin() + count, out.end(),
                      [&](const Routing::Choice& a, const Routing::Choice& b) {
                          const float left = choosing[static_cast<std::size_t>(a.expert)];
                          const float right = choosing[static_cast<std::size_t>(b.expert)];
                          return left != right ? left > right : a.expert < b.expert;
                      });
    out.resize(static_cast<std::size_t>(count));
}

// The weight of each expert is its softmax among those that were not chosen before it and whose
// logits are close to its own.
void weighSparsely(std::span<const float> logits, float jitter, std::vector<Routing::Choice>& out)
{
    std::vector<bool> taken(logits.size());
    for (Routing::Choice& choice : out) {
        const float largest = logits[static_cast<std::size_t>(choice.expert)];
        float total = 0.0F;
        for (std::size_t e = 0; e < logits.size(); ++e) {
            const float scale = std::max(std::abs(logits[e]), largest);
            if (!taken[e] && (largest - logits[e]) / scale <= 2.0F * jitter)
                total += std::exp(logits[e] - largest);
        }
        choice.weight = 1.0F / total;
        taken[static_cast<std::size_t>(choice.expert)] = true;
    }
}

} // namespace

RouterRule routerRule(const MoeSettings& moe)
{
    return {.count = moe.experts_per_token,
            .normalise = moe.normalise,
            .sigmoid = moe.sigmoid,
            .factor = static_cast<float>(moe.factor),
            .epsilon = static_cast<float>(moe.epsilon),
            .groups = moe.groups,
            .chosen_groups = moe.chosen_groups,
            .groups_by_best = moe.groups_by_best,
            .sparsemixer = moe.sparsemixer,
            .jitter = static_cast<float>(moe.jitter)};
}

void chooseExperts(std::span<const float> logits, const RouterRule& rule,
                   std::vector<float>& choosing, std::vector<Routing::Choice>& out)
{
    choosing.assign(logits.begin(), logits.end());
    const std::vector<float> scores = scoresOf(logits, rule.sigmoid);
    if (rule.groups > 1 || !rule.correction.empty())
        choosing = scores;
    for (std::size_t e = 0; e < rule.correction.size(); ++e)
        choosing[e] += rule.correction[e];
    if (rule.groups > 1)
        keepBestGroups(rule, choosing);
    takeBest(rule.count, choosing, out);
    if (rule.sparsemixer) {
        weighSparsely(logits, rule.jitter, out);
        return;
    }
    float total = 0.0F;
    for (Routing::Choice& choice : out) {
        choice.weight = scores[static_cast<std::size_t>(choice.expert)];
        total += choice.weight;
    }
    if (rule.normalise)
        total += rule.epsilon;
    else
        total = rule.sigmoid ? 1.0F : std::accumulate(scores.begin(), scores.end(), 0.0F);
    for (Routing::Choice& choice : out) {
        choice.weight *= rule.factor / total;
        if (!rule.expert_factors.empty())
            choice.weight *= rule.expert_factors[static_cast<std::size_t>(choice.expert)];
    }
}

} // namespace ep::model
