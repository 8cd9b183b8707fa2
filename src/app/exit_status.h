// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/result.h"

namespace ep::app {

inline constexpr int kExitDone = 0;
inline constexpr int kExitFailed = 1; // the work failed; one line on stderr says why
inline constexpr int kExitUsage = 2; // the command line is wrong
inline constexpr int kExitCancelled = 130;

constexpr int exitStatusOf(const Error& error)
{
    return error.code == ErrorCode::Cancelled ? kExitCancelled : kExitFailed;
}

} // namespace ep::app
