// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/core/run_id.h"

#include <cstddef>

namespace ep {

bool isRunId(std::string_view text)
{
    static constexpr std::string_view kForm = "xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx";
    if (text.size() != kForm.size())
        return false;
    for (std::size_t i = 0; i < kForm.size(); ++i) {
        const char c = text[i];
        const bool hex = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
        if (kForm[i] == '-' ? c != '-' : !hex)
            return false;
    }
    return true;
}

} // namespace ep
