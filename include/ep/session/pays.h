// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/message.h"
#include "ep/energy/paired_test.h"
#include "ep/powerlog/pairs.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

// Decides which of two settings costs less energy on this machine, from interleaved pairs. Pure.
namespace ep::session {

struct PaysFigure {
    std::string name; // "mj_per_token"
    std::int64_t pairs = 0; // used pairs with both values
    std::optional<energy::PairedEstimate> estimate{}; // a / b; absent without pairs

    bool operator==(const PaysFigure&) const = default;
};

struct PaysDecision {
    energy::PairedVerdict verdict = energy::PairedVerdict::Unknown;
    double smallest_difference = 0.0;
    std::int64_t pairs = 0; // pairs with both energies
    std::int64_t pairs_used = 0; // pairs when the verdict was reached; all if it is unknown
    std::optional<energy::PairsNeeded> pairs_needed{}; // unknown verdicts only
    std::string order = "unknown"; // which setting ran first: "A" or "B" in every pair, "both"
    std::optional<double> correlation{}; // between successive ratios, if it is clear
    std::vector<PaysFigure> figures{}; // energy first
    std::vector<Message> conditions{}; // of the verdict, parts of its sentence
    std::vector<Message> cautions{}; // about the table, one sentence each

    bool operator==(const PaysDecision&) const = default;
};

PaysDecision decide(const powerlog::PairTable& table,
                    const energy::PairedTestOptions& options = {});

// "A saves 12 % (9 to 15).", "No difference larger than 2 %.", "Not known yet: about 5 more
// pairs (2 to 14).", with the conditions after it. minutesLeft: of the measurement in progress.
Message verdictSentence(const PaysDecision& decision, const std::string& a = "A",
                        const std::string& b = "B",
                        std::optional<double> minutesLeft = std::nullopt);

// "The verdict was reached after 5 of 9 pairs."; empty if all pairs were needed.
Message pairsUsedSentence(const PaysDecision& decision);
std::string paysText(const PaysDecision& decision); // one line per figure, then the cautions
std::string paysJson(const PaysDecision& decision); // see resources/schema/pays.schema.json

} // namespace ep::session
