// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/result.h"

namespace ep::app {

inline constexpr int kExitDone = 0;
inline constexpr int kExitFailed = 1; // failure; one line on stderr gives the reason
inline constexpr int kExitUsage = 2; // invalid command line; of a check of limits any error
inline constexpr int kExitExceeded = 1; // a limit is exceeded
inline constexpr int kExitNotKnown = 3; // neither exceeded nor within, or a goal not reached
inline constexpr int kExitCancelled = 130;

constexpr int exitStatusOf(const Error& error)
{
    return error.code == ErrorCode::Cancelled ? kExitCancelled : kExitFailed;
}

} // namespace ep::app
