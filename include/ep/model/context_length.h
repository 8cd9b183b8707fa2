// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <concepts>

namespace ep::model {

// The most tokens of a sequence, with its prompt: what the model allows, or what a run asks for if
// that is less. 0 is no limit of the model that is known, or no wish.
template <std::integral Count>
constexpr Count contextFor(Count ofModel, Count asked)
{
    if (asked <= 0)
        return ofModel;
    return ofModel > 0 ? std::min(ofModel, asked) : asked;
}

} // namespace ep::model
