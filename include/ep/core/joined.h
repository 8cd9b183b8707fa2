// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace ep {

// Concatenates the texts, with `between` between any two.
std::string joined(const std::vector<std::string>& texts, std::string_view between = ", ");

} // namespace ep
