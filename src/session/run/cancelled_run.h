// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/result.h"

namespace ep::session {

// The result of every stage of a cancelled run.
inline Error cancelledRun()
{
    return {ErrorCode::Cancelled, "The run was cancelled."};
}

} // namespace ep::session
