// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/core/joined.h"

namespace ep {

std::string joined(const std::vector<std::string>& texts, std::string_view between)
{
    std::string all;
    for (std::size_t i = 0; i < texts.size(); ++i) {
        if (i > 0)
            all += between;
        all += texts[i];
    }
    return all;
}

} // namespace ep
