// SPDX-License-Identifier: GPL-3.0-or-later
#include "stored/side_json.h"

#include "ep/core/format.h"
#include "ep/session/pays.h"

#include <algorithm>

namespace ep::session {

namespace {

using Json = json::OrderedJson;

energy::SideValues sideValues(const powerlog::PairTable& table, std::size_t figure)
{
    energy::SideValues values{.figure = table.figures.front() == powerlog::kPairEnergy
                                  ? RunFigure::JoulesPerToken
                                  : RunFigure::Energy};
    for (const powerlog::RecordedPair& pair : table.pairs) {
        if (pair.values[figure].a && pair.values[figure].b) {
            values.a.push_back(*pair.values[figure].a);
            values.b.push_back(*pair.values[figure].b);
        }
    }
    values.pairs = table.ratios(figure);
    return values;
}

// How much worse the text of the side with the higher perplexity is.
Message qualityText(const energy::SideTest& perplexity, const Message& a, const Message& b)
{
    const bool worseB = *perplexity.relative >= 0.0;
    const auto loss = [worseB](double relative) {
        return formatPercent(worseB ? relative : 1.0 / (1.0 + relative) - 1.0);
    };
    const Message& worse = worseB ? b : a;
    const Message& better = worseB ? a : b;
    if (!perplexity.interval)
        return {"The text of %1 is worse than that of %2: its perplexity is %3 higher.", worse,
                better, loss(*perplexity.relative)};
    const auto& [low, high] = *perplexity.interval;
    return {"The text of %1 is worse than that of %2: its perplexity is %3 higher (%4 to %5).",
            worse,
            better,
            loss(*perplexity.relative),
            loss(worseB ? low : high),
            loss(worseB ? high : low)};
}

} // namespace

PaysDecision decide(const powerlog::PairTable& table, const energy::SideTestOptions& options,
                    bool untilKnown)
{
    PaysDecision decision;
    decision.test.smallest_difference = options.smallest_difference;
    for (const powerlog::Finding& finding : table.findings)
        decision.cautions.push_back(finding.text);
    energy::SideValues energies = sideValues(table, 0);
    energies.until_known = untilKnown;
    if (energies.pairs.empty())
        return decision;
    decision.test = energy::testSides(energies, options);
    decision.figures.push_back({table.figures.front(), decision.test});
    // The other figures of the same pairs, up to the pair at which the test ended.
    powerlog::PairTable used{.figures = table.figures};
    std::int64_t counted = 0;
    for (const powerlog::RecordedPair& pair : table.pairs) {
        if (counted == decision.test.pairs_used)
            break;
        counted += pair.values.front().a && pair.values.front().b ? 1 : 0;
        used.pairs.push_back(pair);
    }
    for (std::size_t i = 1; i < table.figures.size(); ++i) {
        energy::SideValues values = sideValues(used, i);
        values.until_known = untilKnown;
        values.decides = false;
        decision.figures.push_back(
            {table.figures[i],
             values.pairs.empty() ? energy::SideTest() : energy::testSides(values, options)});
    }
    return decision;
}

Message verdictSentence(const PaysDecision& decision, std::optional<double> minutesLeft)
{
    Message verdict = energy::verdictSentence(decision.test, decision.a, decision.b, minutesLeft);
    const auto quality = std::ranges::find(decision.figures, "perplexity", &PaysFigure::name);
    if (quality == decision.figures.end() || !quality->test.relative)
        return verdict;
    return sequence({std::move(verdict), qualityText(quality->test, decision.a, decision.b)});
}

Message pairsUsedSentence(const PaysDecision& decision)
{
    if (decision.test.pairs_used >= decision.test.pairs)
        return {};
    return Message("The verdict was reached after %1 of %2 pairs.", decision.test.pairs_used,
                   decision.test.pairs);
}

std::string paysText(const PaysDecision& decision)
{
    std::string text;
    for (const PaysFigure& figure : decision.figures) {
        text += figure.name + ", " + decision.b.english() + " against " + decision.a.english()
            + ": " + differenceText(figure.test).english();
        const std::int64_t pairs = figure.test.pairs_used;
        if (pairs > 0)
            text += ", " + std::to_string(pairs) + (pairs == 1 ? " pair" : " pairs");
        text += '\n';
    }
    if (const Message used = pairsUsedSentence(decision); !used.empty())
        text += used.english() + '\n';
    for (const Message& caution : decision.cautions)
        text += "note: " + caution.english() + '\n';
    return text;
}

std::string paysJson(const PaysDecision& decision)
{
    Json json{{"format", "energy-profiler-pays"},
              {"version", 1},
              {"verdict", energy::name(decision.test.verdict)},
              {"sentence", verdictSentence(decision)},
              {"pairs_used", decision.test.pairs_used},
              {"comparison", sideJson(decision.test, decision.a, decision.b)},
              {"figures", Json::array()},
              {"cautions", energy::conditionsOf(decision.test, decision.a, decision.b)}};
    for (const Message& caution : decision.cautions)
        json["cautions"].push_back(caution);
    for (const PaysFigure& figure : decision.figures)
        json["figures"].push_back({{"name", figure.name},
                                   {"pairs", figure.test.pairs_used},
                                   {"relative", finiteJson(figure.test.relative)},
                                   {"interval", intervalJson(figure.test.interval)}});
    return json::textOf(json, 2) + '\n';
}

} // namespace ep::session
