// SPDX-License-Identifier: GPL-3.0-or-later
#include "stored/side_json.h"

#include "ep/core/format.h"
#include "ep/session/pays_card.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

namespace ep::session {

namespace {

using energy::PairedVerdict;
using OrderedJson = nlohmann::ordered_json;

// Cards with equal questions are pooled.
using Question = std::tuple<std::string, std::string, std::string, CardSide, CardSide, std::string>;

struct Asked {
    Question question{};
    std::string hash{}; // hash of the card
    std::vector<energy::PairedRatio> ratios{}; // from the smaller side to the larger
    energy::PairedEstimate estimate{};
};

Asked askedBy(const PaysCard& card, const energy::PairedTestOptions& options)
{
    const bool turned = card.b < card.a;
    Asked asked{.question = {card.machine_class, card.source,
                             card.provenance == Provenance::Modelled ? "modelled" : "measured",
                             turned ? card.b : card.a, turned ? card.a : card.b, card.prompt_hash},
                .hash = card.hash};
    asked.ratios = pairTableOf(card).ratios(0);
    if (turned) {
        for (energy::PairedRatio& ratio : asked.ratios) {
            ratio.log_ratio = -ratio.log_ratio;
            ratio.order = ratio.order == energy::PairOrder::AFirst ? energy::PairOrder::BFirst
                                                                   : energy::PairOrder::AFirst;
        }
    }
    asked.estimate = energy::estimatePairs(asked.ratios, options);
    return asked;
}

PooledCards pooled(const std::vector<Asked>& cards, const energy::PairedTestOptions& options)
{
    const Question& question = cards.front().question;
    PooledCards group{.machine_class = std::get<0>(question) + ", " + std::get<1>(question),
                      .a = std::get<3>(question),
                      .b = std::get<4>(question)};
    std::vector<std::vector<energy::PairedRatio>> all;
    double highestLow = 0.0;
    double lowestHigh = std::numeric_limits<double>::infinity();
    for (const Asked& card : cards) {
        all.push_back(card.ratios);
        const double ratio = card.estimate.ratio;
        group.lowest_ratio = group.cards == 0 ? ratio : std::min(group.lowest_ratio, ratio);
        group.highest_ratio = std::max(group.highest_ratio, ratio);
        ++group.cards;
        group.hashes.push_back(card.hash);
        group.pairs += static_cast<std::int64_t>(card.ratios.size());
        if (card.estimate.interval) {
            highestLow = std::max(highestLow, card.estimate.interval->low);
            lowestHigh = std::min(lowestHigh, card.estimate.interval->high);
        }
    }
    group.contradicting = highestLow > lowestHigh;
    const energy::PairedResult result = energy::poolPairs(all, options);
    group.decision.test = energy::testOf(result, options.smallest_difference);
    group.decision.figures.push_back({std::string(powerlog::kPairEnergy), group.decision.test});
    if (group.contradicting)
        group.decision.cautions.emplace_back(
            "Cards of this class contradict each other, so the pooled figure describes none of "
            "them; look for what differs between them.");
    return group;
}

} // namespace

MergedCards mergeCards(std::span<const PaysCard> cards, double smallestDifference)
{
    const energy::PairedTestOptions options{.smallest_difference = smallestDifference};
    std::vector<const PaysCard*> sorted;
    for (const PaysCard& card : cards)
        sorted.push_back(&card);
    // Floating-point sums depend on their order, so the cards are sorted by hash.
    std::ranges::sort(sorted, {}, [](const PaysCard* card) { return card->hash; });
    MergedCards merged;
    std::map<Question, std::vector<Asked>> groups;
    std::set<std::string> hashes;
    std::set<std::string> runs;
    for (const PaysCard* card : sorted) {
        if (!hashes.insert(card->hash).second) {
            merged.notes.push_back(
                Message("The card %1 is there twice and counts once.", card->hash));
            continue;
        }
        const bool shared = std::ranges::any_of(card->pairs, [&](const CardPair& pair) {
            return runs.contains(pair.a.id) || runs.contains(pair.b.id);
        });
        if (shared) {
            merged.notes.push_back(
                Message("The card %1 has runs of another card and does not count.", card->hash));
            continue;
        }
        for (const CardPair& pair : card->pairs) {
            runs.insert(pair.a.id);
            runs.insert(pair.b.id);
        }
        Asked asked = askedBy(*card, options);
        groups[asked.question].push_back(std::move(asked));
    }
    for (const auto& [question, asked] : groups)
        merged.groups.push_back(pooled(asked, options));
    return merged;
}

std::string mergedText(const MergedCards& merged)
{
    std::string text;
    for (const PooledCards& group : merged.groups) {
        text += group.machine_class + "\n  A: " + group.a.label() + "\n  B: " + group.b.label()
            + "\n  " + verdictSentence(group.decision).english() + "\n  "
            + std::to_string(group.cards) + (group.cards == 1 ? " card, " : " cards, ")
            + std::to_string(group.pairs) + " pairs; A needs " + formatFixed(group.lowest_ratio, 4)
            + (group.cards == 1 ? std::string(" of B on it\n")
                                : " to " + formatFixed(group.highest_ratio, 4) + " of B on them\n");
        for (const std::string caution : group.decision.cautions)
            text += "  note: " + caution + '\n';
    }
    for (const std::string note : merged.notes)
        text += "note: " + note + '\n';
    return text;
}

std::string mergedJson(const MergedCards& merged)
{
    const auto side = [](const CardSide& of) {
        return OrderedJson{{"model", of.model},     {"fingerprint", of.fingerprint},
                           {"server", of.server},   {"dtype", of.dtype},
                           {"device", of.device},   {"threads", of.threads},
                           {"batch", of.batch_size}};
    };
    OrderedJson json{{"format", "energy-profiler-pays-merged"},
                     {"version", 1},
                     {"groups", OrderedJson::array()},
                     {"notes", merged.notes}};
    for (const PooledCards& group : merged.groups) {
        json["groups"].push_back(
            {{"machine_class", group.machine_class},
             {"a", side(group.a)},
             {"b", side(group.b)},
             {"cards", group.cards},
             {"pairs", group.pairs},
             {"comparison", sideJson(group.decision.test, group.decision.a, group.decision.b)},
             {"lowest_ratio", group.lowest_ratio},
             {"highest_ratio", group.highest_ratio},
             {"contradicting", group.contradicting},
             {"cautions", group.decision.cautions}});
    }
    return json.dump(2, ' ', false, OrderedJson::error_handler_t::replace) + '\n';
}

} // namespace ep::session
