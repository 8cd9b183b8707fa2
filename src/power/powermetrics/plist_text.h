// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

namespace ep::power {

// Repairs text that powermetrics' task samplers write incorrectly: `&` outside of a reference
// becomes `&amp;`, control characters and invalid UTF-8 become `?`.
std::string repairPlistText(std::string_view xml);

} // namespace ep::power
