// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/message.h"
#include "ep/session/pays_card.h"

#include <filesystem>
#include <string>
#include <vector>

// The cards that a user keeps: files in the folder `cards` next to the database, which may also
// contain cards of others. Blocks on the disk; any thread.
namespace ep::session {

std::filesystem::path cardFolder(const std::filesystem::path& database);

// Writes the card to that folder, under a name made from its hash, so that the same card exists
// only once. The error is one sentence.
Result<std::filesystem::path> keepCard(const PaysCard& card, const std::filesystem::path& database);

// Checks a file and keeps its card.
Result<std::filesystem::path> keepCardOf(const std::filesystem::path& file,
                                         const std::filesystem::path& database);

struct KeptCard {
    std::filesystem::path file;
    PaysCard card;
};
struct KeptCards {
    std::vector<KeptCard> cards{}; // by machine class, then by the time of the first run
    std::vector<Message> problems{}; // files that are refused, one sentence each
};
KeptCards keptCards(const std::filesystem::path& database);

} // namespace ep::session
