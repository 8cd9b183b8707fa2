// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/model/perplexity.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>

namespace ep::model {

namespace {

constexpr std::int64_t kMaxDefault = 1024; // tokens

// Log of the sum of exponentials.
double logSum(std::span<const float> logits)
{
    const double largest = *std::max_element(logits.begin(), logits.end());
    double sum = 0.0;
    for (const float logit : logits)
        sum += std::exp(static_cast<double>(logit) - largest);
    return largest + std::log(sum);
}

std::ptrdiff_t mostLikely(std::span<const float> logits)
{
    return std::max_element(logits.begin(), logits.end()) - logits.begin();
}

std::span<const float> rowOf(const ForwardResult& result, std::int64_t row)
{
    const auto width = static_cast<std::size_t>(result.vocabulary);
    return std::span(result.logits).subspan(static_cast<std::size_t>(row) * width, width);
}

Status check(const Engine& engine, const PerplexityRequest& request, const Perplexity& settings)
{
    const auto bad = [](const Message& problem) { return Error{ErrorCode::InvalidInput, problem}; };
    if (request.ids.size() < 2)
        return bad("The text has fewer than 2 tokens, so nothing can be predicted.");
    if (settings.context < 2)
        return bad("The context must be at least 2 tokens.");
    if (settings.stride < 1 || settings.stride > settings.context)
        return bad("The stride must be between 1 and the context ("
                   + std::to_string(settings.context) + " tokens).");
    const int most = engine.facts().context_length;
    if (most > 0 && settings.context > most) {
        return bad("The context of " + std::to_string(settings.context)
                   + " tokens exceeds that of the model, " + std::to_string(most) + ".");
    }
    return {};
}

struct Sums {
    std::vector<double> nll; // one per scored token
    double kl = 0.0;
    std::int64_t agreed = 0;
};

Status addWindow(Engine& engine, Engine* reference, const PerplexityRequest& request,
                 const TextWindow& window, const CancelToken& cancel, Sums& sums)
{
    const auto ids = request.ids.subspan(static_cast<std::size_t>(window.begin),
                                         static_cast<std::size_t>(window.end - window.begin));
    const auto result = engine.forwardWith(request.cache, ids, cancel);
    if (!result)
        return result.error();
    std::optional<ForwardResult> exact;
    if (reference) {
        auto found = reference->forward(ids, cancel);
        if (!found)
            return found.error();
        exact = std::move(*found);
        if (exact->vocabulary != result->vocabulary)
            return Error{ErrorCode::Internal, "The two models have different vocabularies."};
    }
    for (std::int64_t at = window.score; at < window.end; ++at) {
        const std::int64_t row = at - 1 - window.begin; // predicts token `at`
        const auto logits = rowOf(*result, row);
        const text::TokenId id = request.ids[static_cast<std::size_t>(at)];
        if (id < 0 || id >= result->vocabulary)
            return Error{ErrorCode::InvalidInput,
                         {"Token %1 is not in the model's vocabulary.", id}};
        sums.nll.push_back(negativeLogLikelihood(logits, id));
        if (exact) {
            const auto other = rowOf(*exact, row);
            sums.kl += divergence(other, logits);
            sums.agreed += mostLikely(other) == mostLikely(logits) ? 1 : 0;
        }
    }
    return {};
}

} // namespace

double Perplexity::perplexity() const
{
    return std::exp(nll);
}

std::vector<double> blockMeans(std::span<const double> values)
{
    constexpr std::size_t kMaxBlocks = 64;
    constexpr std::size_t kMinLength = 16;
    const std::size_t blocks = std::min(kMaxBlocks, values.size() / kMinLength);
    if (blocks < 2)
        return {};
    std::vector<double> means;
    for (std::size_t block = 0; block < blocks; ++block) {
        const std::size_t begin = block * values.size() / blocks;
        const auto part = values.subspan(begin, (block + 1) * values.size() / blocks - begin);
        means.push_back(std::accumulate(part.begin(), part.end(), 0.0)
                        / static_cast<double>(part.size()));
    }
    return means;
}

std::int64_t defaultContext(const ModelFacts& facts)
{
    return facts.context_length > 0 ? std::min<std::int64_t>(facts.context_length, kMaxDefault)
                                    : kMaxDefault;
}

double negativeLogLikelihood(std::span<const float> logits, text::TokenId id)
{
    return logSum(logits) - static_cast<double>(logits[static_cast<std::size_t>(id)]);
}

double divergence(std::span<const float> reference, std::span<const float> logits)
{
    const double sumP = logSum(reference);
    const double sumQ = logSum(logits);
    double sum = 0.0;
    for (std::size_t i = 0; i < logits.size(); ++i) {
        const double logP = static_cast<double>(reference[i]) - sumP;
        const double logQ = static_cast<double>(logits[i]) - sumQ;
        const double p = std::exp(logP);
        sum += p > 0.0 ? p * (logP - logQ) : 0.0;
    }
    return std::max(0.0, sum); // below 0 only because of rounding
}

std::vector<TextWindow> textWindows(std::int64_t tokens, std::int64_t context, std::int64_t stride)
{
    std::vector<TextWindow> windows;
    std::int64_t scored = 0;
    for (std::int64_t begin = 0; begin < tokens && scored < tokens; begin += stride) {
        const std::int64_t end = std::min(begin + context, tokens);
        windows.push_back({.begin = begin, .end = end, .score = std::max(scored, begin + 1)});
        scored = end;
    }
    return windows;
}

Result<Perplexity> measurePerplexity(Engine& engine, Engine* reference,
                                     const PerplexityRequest& request, const ProgressFn& progress,
                                     const CancelToken& cancel)
{
    Perplexity found;
    found.context = request.context > 0 ? request.context : defaultContext(engine.facts());
    found.stride =
        request.stride > 0 ? request.stride : std::max<std::int64_t>(1, found.context / 2);
    if (const Status fits = check(engine, request, found); !fits)
        return fits.error();
    const auto windows =
        textWindows(static_cast<std::int64_t>(request.ids.size()), found.context, found.stride);
    Sums sums;
    for (std::size_t i = 0; i < windows.size(); ++i) {
        if (cancel.cancelled())
            return Error{ErrorCode::Cancelled, "The measurement of quality was cancelled."};
        if (progress)
            progress(static_cast<double>(i) / static_cast<double>(windows.size()),
                     "Predicting the text");
        if (const Status added = addWindow(engine, reference, request, windows[i], cancel, sums);
            !added)
            return added.error();
    }
    const auto scored = static_cast<double>(sums.nll.size());
    found.scored = static_cast<std::int64_t>(sums.nll.size());
    found.nll = std::accumulate(sums.nll.begin(), sums.nll.end(), 0.0) / scored;
    found.nll_blocks = blockMeans(sums.nll);
    if (!std::isfinite(found.nll) || !std::isfinite(sums.kl)) {
        return Error{ErrorCode::Internal,
                     "The model's logits are not finite on this text; try another number format."};
    }
    if (reference) {
        found.kl = sums.kl / scored;
        found.top1 = static_cast<double>(sums.agreed) / scored;
    }
    return found;
}

} // namespace ep::model
