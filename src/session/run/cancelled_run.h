// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/result.h"

namespace ep::session {

// What ends every stage of a run that is cancelled.
inline Error cancelledRun()
{
    return {ErrorCode::Cancelled, "The run was cancelled."};
}

} // namespace ep::session
