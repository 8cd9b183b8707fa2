// SPDX-License-Identifier: GPL-3.0-or-later
// Any bytes as a card of `pays`.
#include "ep/session/pays_card.h"

#include <cstdint>
#include <cstdlib>
#include <string_view>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    const auto card =
        ep::session::readCard(std::string_view(reinterpret_cast<const char*>(data), size), "card");
    if (!card)
        return 0;
    // An accepted card survives writing and reading unchanged.
    const auto again = ep::session::readCard(ep::session::cardJson(*card), "card");
    if (!again || *again != *card)
        std::abort();
    static_cast<void>(ep::session::mergeCards(std::vector{*card, *again}));
    return 0;
}
