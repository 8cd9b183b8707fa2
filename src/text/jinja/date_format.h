// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <ctime>
#include <string>
#include <string_view>

namespace ep::text::jinja {

// strftime() with English names in any locale. Unknown conversions are left unchanged.
std::string formatDate(const std::tm& time, std::string_view format);

} // namespace ep::text::jinja
