// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/units.h"

namespace ep::test {

inline constexpr Nanoseconds kMs = 1'000'000;

} // namespace ep::test
