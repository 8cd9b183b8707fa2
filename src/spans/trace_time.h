// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/units.h"

#include <optional>
#include <string_view>

namespace ep::spans {

// The times of a trace: microseconds as a decimal number with or without a fraction and an
// exponent, read without the error of a double ("5563422353456.123", "1.5e+03"). Absent if it is no
// such number or further away than 285 years.
std::optional<Nanoseconds> nanosecondsIn(std::string_view microseconds);

} // namespace ep::spans
