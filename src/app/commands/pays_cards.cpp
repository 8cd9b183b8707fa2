// SPDX-License-Identifier: GPL-3.0-or-later
#include "pays_cards.h"

#include "exit_status.h"
#include "terminal.h"

#include "ep/session/pays_card.h"

#include <vector>

namespace ep::app {

int mergeCards(const std::vector<std::string>& files, double percent, bool json)
{
    std::vector<session::PaysCard> cards;
    for (const std::string& file : files) {
        auto card = session::readCard(std::filesystem::path(file));
        if (!card)
            return fail(card.error());
        cards.push_back(*std::move(card));
    }
    constexpr double kPercent = 100.0;
    const session::MergedCards merged = session::mergeCards(cards, percent / kPercent);
    json ? printJson(session::mergedJson(merged)) : print(session::mergedText(merged));
    return kExitDone;
}

Status writeCard(const session::PaysSpec& spec, const session::PaysResult& result,
                 const std::filesystem::path& database, const std::string& file)
{
    const auto store = store::Store::openToRead(database);
    if (!store)
        return store.error();
    const auto card = session::makeCard(spec, result, **store);
    if (!card)
        return card.error();
    return writeText(file, session::cardJson(*card));
}

} // namespace ep::app
