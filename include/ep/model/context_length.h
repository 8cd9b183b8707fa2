// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <concepts>

namespace ep::model {

// Returns the maximum number of tokens of a sequence, prompt included: the model's limit, or the
// run's limit if it is lower. 0 means that the model's limit is unknown, or that the run has none.
template <std::integral Count>
constexpr Count contextFor(Count ofModel, Count asked)
{
    if (asked <= 0)
        return ofModel;
    return ofModel > 0 ? std::min(ofModel, asked) : asked;
}

} // namespace ep::model
