// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/core/format.h"
#include "ep/session/pays.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

namespace ep::session {

namespace {

using energy::PairedVerdict;
using Json = nlohmann::ordered_json;

// What the verdict depends on besides the pairs.
void addConditions(const powerlog::PairTable& table, const energy::PairedResult& result,
                   PaysDecision& decision)
{
    const auto count = [&](energy::PairOrder order) {
        return std::ranges::count(table.pairs, order, &powerlog::RecordedPair::order);
    };
    const auto a = count(energy::PairOrder::AFirst);
    const auto b = count(energy::PairOrder::BFirst);
    const char* const first = a > b ? "A" : "B";
    if (a + b == 0)
        decision.conditions.emplace_back(
            "It is not known which setting ran first in the pairs, so a drift within them may look "
            "like a difference.");
    else if (a == 0 || b == 0)
        decision.conditions.push_back(
            Message("%1 ran first in every pair, so what running first costs may look like a "
                    "difference: only one above 10 % is called one. Let the order be random.",
                    first));
    else if (result.one_order)
        decision.conditions.push_back(
            Message("%1 ran first in nearly every pair, so what running first costs may look like "
                    "a difference: only one above 10 % is called one. Let the order be random.",
                    first));
    if (result.correlation)
        decision.conditions.push_back(Message(
            "Successive pairs resemble each other (correlation %1), so they tell less than "
            "as many independent ones, and a difference that comes and goes slowly may look "
            "lasting.",
            formatFixed(*result.correlation, 2)));
    decision.order = a + b == 0 ? "unknown" : b == 0 ? "A" : a == 0 ? "B" : "both";
    decision.correlation = result.correlation;
}

std::string percentText(double value)
{
    constexpr double kCoarse = 10.0;
    return formatFixed(value, std::abs(value) < kCoarse ? 1 : 0);
}

Message savingText(const energy::PairedEstimate& estimate, bool byA)
{
    constexpr double kPercent = 100.0;
    const auto saving = [&](double ratio) {
        return kPercent * (1.0 - (byA ? ratio : 1.0 / ratio));
    };
    const double one = saving(estimate.ratio);
    const std::string text = percentText(one) + " %";
    if (estimate.interval) {
        const double x = saving(estimate.interval->low);
        const double y = saving(estimate.interval->high);
        const auto [low, high] = std::minmax(x, y);
        return {"%1 (%2 to %3)", text, percentText(low), percentText(high)};
    }
    return text;
}

Json finite(double value)
{
    return std::isfinite(value) ? Json(value) : Json();
}

Json neededToJson(const std::optional<energy::PairsNeeded>& needed)
{
    return needed ? Json{needed->low, needed->high} : Json();
}

Json figureToJson(const PaysFigure& figure)
{
    Json json{
        {"name", figure.name}, {"pairs", figure.pairs}, {"ratio", nullptr}, {"interval", nullptr}};
    if (figure.estimate) {
        json["ratio"] = finite(figure.estimate->ratio);
        if (figure.estimate->interval)
            json["interval"] = {finite(figure.estimate->interval->low),
                                finite(figure.estimate->interval->high)};
    }
    return json;
}

Message plainVerdict(const PaysDecision& decision, const std::string& a, const std::string& b,
                     std::optional<double> minutesLeft)
{
    switch (decision.verdict) {
    case PairedVerdict::ACheaper:
        return Message("%1 saves %2.", a, savingText(*decision.figures.front().estimate, true));
    case PairedVerdict::BCheaper:
        return Message("%1 saves %2.", b, savingText(*decision.figures.front().estimate, false));
    case PairedVerdict::NoDifference:
        return Message("No difference larger than %1.",
                       formatPercent(decision.smallest_difference));
    case PairedVerdict::Unknown:
        break;
    }
    if (decision.pairs < energy::kMinPairs)
        return {decision.pairs == 1
                    ? "Not known yet: a verdict needs at least %1 pairs, and there is %2."
                    : "Not known yet: a verdict needs at least %1 pairs, and there are %2.",
                energy::kMinPairs, decision.pairs};
    if (minutesLeft) {
        const auto minutes = std::max<std::int64_t>(1, std::llround(*minutesLeft));
        return {minutes == 1 ? "Not known yet: about %1 more minute."
                             : "Not known yet: about %1 more minutes.",
                minutes};
    }
    if (!decision.pairs_needed)
        return "Not known yet.";
    const energy::PairsNeeded& needed = *decision.pairs_needed;
    return {needed.about == 1 ? "Not known yet: about %1 more pair (%2 to %3)."
                              : "Not known yet: about %1 more pairs (%2 to %3).",
            needed.about, needed.low, needed.high};
}

} // namespace

PaysDecision decide(const powerlog::PairTable& table, const energy::PairedTestOptions& options)
{
    PaysDecision decision{.smallest_difference = options.smallest_difference};
    for (const powerlog::Finding& finding : table.findings)
        decision.cautions.push_back(finding.text);
    const auto energies = table.ratios(0);
    decision.pairs = static_cast<std::int64_t>(energies.size());
    if (energies.empty())
        return decision;
    const energy::PairedResult result = energy::decidePairs(energies, options);
    decision.verdict = result.verdict;
    decision.pairs_used = result.pairs_used;
    decision.pairs_needed = result.pairs_needed;
    addConditions(table, result, decision);
    decision.figures.push_back(
        {.name = table.figures.front(), .pairs = result.pairs_used, .estimate = result.estimate});
    // The other figures of the same pairs, up to the pair at which the test ended.
    powerlog::PairTable used{.figures = table.figures};
    std::int64_t counted = 0;
    for (const powerlog::RecordedPair& pair : table.pairs) {
        if (counted == result.pairs_used)
            break;
        counted += pair.values.front().a && pair.values.front().b ? 1 : 0;
        used.pairs.push_back(pair);
    }
    for (std::size_t i = 1; i < table.figures.size(); ++i) {
        const auto ratios = used.ratios(i);
        PaysFigure figure{.name = table.figures[i],
                          .pairs = static_cast<std::int64_t>(ratios.size())};
        if (!ratios.empty())
            figure.estimate = energy::estimatePairs(ratios, options);
        decision.figures.push_back(std::move(figure));
    }
    return decision;
}

Message verdictSentence(const PaysDecision& decision, const std::string& a, const std::string& b,
                        std::optional<double> minutesLeft)
{
    std::vector<Message> sentences{plainVerdict(decision, a, b, minutesLeft)};
    sentences.insert(sentences.end(), decision.conditions.begin(), decision.conditions.end());
    return sequence(std::move(sentences));
}

Message pairsUsedSentence(const PaysDecision& decision)
{
    if (decision.pairs_used >= decision.pairs)
        return {};
    return Message("The verdict was reached after %1 of %2 pairs.", decision.pairs_used,
                   decision.pairs);
}

std::string paysText(const PaysDecision& decision)
{
    std::string text;
    for (const PaysFigure& figure : decision.figures) {
        text += figure.name + ": ";
        if (!figure.estimate) {
            text += std::string(kMissingText) + '\n';
            continue;
        }
        text += "A / B = " + formatFixed(figure.estimate->ratio, 4);
        if (figure.estimate->interval)
            text += " (" + formatFixed(figure.estimate->interval->low, 4) + " to "
                + formatFixed(figure.estimate->interval->high, 4) + ')';
        text += figure.pairs > 0
            ? ", " + std::to_string(figure.pairs) + (figure.pairs == 1 ? " pair\n" : " pairs\n")
            : "\n";
    }
    if (const Message used = pairsUsedSentence(decision); !used.empty())
        text += used.english() + '\n';
    for (const std::string caution : decision.cautions)
        text += "note: " + caution + '\n';
    return text;
}

std::string paysJson(const PaysDecision& decision)
{
    Json json{{"format", "energy-profiler-pays"},
              {"version", 1},
              {"verdict", energy::name(decision.verdict)},
              {"sentence", verdictSentence(decision)},
              {"smallest_difference", decision.smallest_difference},
              {"pairs", decision.pairs},
              {"pairs_used", decision.pairs_used},
              {"pairs_needed", decision.pairs_needed ? Json(decision.pairs_needed->about) : Json()},
              {"pairs_needed_range", neededToJson(decision.pairs_needed)},
              {"order", decision.order},
              {"correlation", decision.correlation ? Json(*decision.correlation) : Json()},
              {"ratio", nullptr},
              {"interval", nullptr},
              {"figures", Json::array()},
              {"cautions", decision.conditions}};
    for (const Message& caution : decision.cautions)
        json["cautions"].push_back(caution);
    for (const PaysFigure& figure : decision.figures)
        json["figures"].push_back(figureToJson(figure));
    if (!decision.figures.empty()) {
        json["ratio"] = json["figures"][0]["ratio"];
        json["interval"] = json["figures"][0]["interval"];
    }
    return json.dump(2, ' ', false, Json::error_handler_t::replace) + '\n';
}

} // namespace ep::session
