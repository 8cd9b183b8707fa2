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

void addOrderCautions(const powerlog::PairTable& table, std::vector<std::string>& cautions)
{
    const auto count = [&](energy::PairOrder order) {
        return std::ranges::count(table.pairs, order, &powerlog::RecordedPair::order);
    };
    const auto a = count(energy::PairOrder::AFirst);
    const auto b = count(energy::PairOrder::BFirst);
    if (a + b == 0)
        cautions.emplace_back("It is not known which setting ran first in the pairs, so a drift "
                              "within them may look like a difference.");
    else if (a == 0 || b == 0)
        cautions.push_back(std::string(a > 0 ? "A" : "B")
                           + " ran first in every pair, so a drift within them may look like a "
                             "difference; let the order be random.");
}

// A saving, such as "9 to 15"; with signs if the interval contains zero.
std::string percentRange(double low, double high)
{
    const auto number = [](double value) {
        constexpr double kCoarse = 10.0;
        return formatFixed(value, std::abs(value) < kCoarse ? 1 : 0);
    };
    return number(low) + " to " + number(high);
}

std::string savingText(const energy::PairedEstimate& estimate, bool byA)
{
    constexpr double kPercent = 100.0;
    const auto saving = [&](double ratio) {
        return kPercent * (1.0 - (byA ? ratio : 1.0 / ratio));
    };
    const double one = saving(estimate.ratio);
    constexpr double kCoarse = 10.0;
    std::string text = formatFixed(one, std::abs(one) < kCoarse ? 1 : 0) + " %";
    if (estimate.interval) {
        const double x = saving(estimate.interval->low);
        const double y = saving(estimate.interval->high);
        text += " (" + percentRange(std::min(x, y), std::max(x, y)) + ')';
    }
    return text;
}

std::string counted(std::int64_t count, const char* one, const char* many)
{
    return std::to_string(count) + ' ' + (count == 1 ? one : many);
}

Json finite(double value)
{
    return std::isfinite(value) ? Json(value) : Json();
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

} // namespace

PaysDecision decide(const powerlog::PairTable& table, const energy::PairedTestOptions& options)
{
    PaysDecision decision{.smallest_difference = options.smallest_difference};
    for (const powerlog::Finding& finding : table.findings)
        decision.cautions.push_back(finding.text);
    addOrderCautions(table, decision.cautions);
    const auto energies = table.ratios(0);
    decision.pairs = static_cast<std::int64_t>(energies.size());
    if (energies.empty())
        return decision;
    const energy::PairedResult result = energy::decidePairs(energies, options);
    decision.verdict = result.verdict;
    decision.pairs_used = result.pairs_used;
    decision.pairs_needed = result.pairs_needed;
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

std::string verdictSentence(const PaysDecision& decision, const std::string& a,
                            const std::string& b, std::optional<double> minutesLeft)
{
    switch (decision.verdict) {
    case PairedVerdict::ACheaper:
        return a + " saves " + savingText(*decision.figures.front().estimate, true) + '.';
    case PairedVerdict::BCheaper:
        return b + " saves " + savingText(*decision.figures.front().estimate, false) + '.';
    case PairedVerdict::NoDifference:
        return "No difference larger than " + formatPercent(decision.smallest_difference) + '.';
    case PairedVerdict::Unknown:
        break;
    }
    if (decision.pairs < energy::kMinPairs)
        return "Not known yet: a verdict needs at least " + std::to_string(energy::kMinPairs)
            + " pairs, and there " + (decision.pairs == 1 ? "is " : "are ")
            + std::to_string(decision.pairs) + '.';
    if (minutesLeft) {
        const auto minutes = std::max<std::int64_t>(1, std::llround(*minutesLeft));
        return "Not known yet: about " + counted(minutes, "more minute.", "more minutes.");
    }
    return decision.pairs_needed
        ? "Not known yet: about " + counted(*decision.pairs_needed, "more pair.", "more pairs.")
        : "Not known yet.";
}

std::string pairsUsedSentence(const PaysDecision& decision)
{
    if (decision.pairs_used >= decision.pairs)
        return {};
    return "The verdict was reached after " + std::to_string(decision.pairs_used) + " of "
        + std::to_string(decision.pairs) + " pairs.";
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
        text += figure.pairs > 0 ? ", " + counted(figure.pairs, "pair", "pairs") + '\n' : "\n";
    }
    if (const std::string used = pairsUsedSentence(decision); !used.empty())
        text += used + '\n';
    for (const std::string& caution : decision.cautions)
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
              {"pairs_needed", decision.pairs_needed ? Json(*decision.pairs_needed) : Json()},
              {"ratio", nullptr},
              {"interval", nullptr},
              {"figures", Json::array()},
              {"cautions", decision.cautions}};
    for (const PaysFigure& figure : decision.figures)
        json["figures"].push_back(figureToJson(figure));
    if (!decision.figures.empty()) {
        json["ratio"] = json["figures"][0]["ratio"];
        json["interval"] = json["figures"][0]["interval"];
    }
    return json.dump(2, ' ', false, Json::error_handler_t::replace) + '\n';
}

} // namespace ep::session
