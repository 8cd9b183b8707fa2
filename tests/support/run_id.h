// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace ep::test {

// A UUID with this beginning, in hex: only such ids are imported.
inline std::string idFrom(const std::string& beginning)
{
    static const std::string kRest = "00000000-0000-4000-8000-000000000000";
    return beginning + kRest.substr(beginning.size());
}

} // namespace ep::test
