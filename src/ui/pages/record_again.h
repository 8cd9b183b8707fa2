// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/run.h"

namespace ep::ui {

// Whether Live can make this run again: it must not be a request to a server, a recorded command or
// an import, and its prompt must have been kept.
inline bool canRecordAgain(const RunInfo& info)
{
    return !info.profiling.server && !info.profiling.command && !info.model.path.empty()
        && info.power.source != kImportedSource && !info.prompt.empty()
        && !info.prompt.starts_with("sha256:");
}

} // namespace ep::ui
