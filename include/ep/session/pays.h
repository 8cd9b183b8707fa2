// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/message.h"
#include "ep/energy/sides.h"
#include "ep/powerlog/pairs.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

// Decides which of two settings costs less energy on this machine, from interleaved pairs. Pure.
namespace ep::session {

struct PaysFigure {
    std::string name; // "mj_per_token"
    energy::SideTest test{}; // over the pairs used

    bool operator==(const PaysFigure&) const = default;
};

struct PaysDecision {
    energy::SideTest test{}; // of the energies
    Message a = "A"; // names of the two
    Message b = "B";
    std::vector<PaysFigure> figures{}; // energy first
    std::vector<Message> cautions{}; // about the table, one sentence each

    bool operator==(const PaysDecision&) const = default;
};

// untilKnown: whether the pairs went on until the verdict was known; otherwise their number was
// fixed.
PaysDecision decide(const powerlog::PairTable& table, const energy::SideTestOptions& options = {},
                    bool untilKnown = true);

// "int8 needs 12 % less energy per token than f32 (9.0 to 15 %).", with its conditions.
// minutesLeft: of the measurement in progress.
Message verdictSentence(const PaysDecision& decision,
                        std::optional<double> minutesLeft = std::nullopt);

// "The verdict was reached after 5 of 9 pairs."; empty if all pairs were needed.
Message pairsUsedSentence(const PaysDecision& decision);
std::string paysText(const PaysDecision& decision); // one line per figure, then the cautions
std::string paysJson(const PaysDecision& decision); // see resources/schema/pays.schema.json

} // namespace ep::session
