// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/run.h"
#include "ep/ui/terms.h"
#include "ep/ui/to_qstring.h"

#include <QString>

namespace ep::ui {

// The notes of a run. Those of an import and of the demo are in the language of the window; the
// user's own words stay as they are.
inline QString notesOf(const RunInfo& info)
{
    const bool own = info.power.source != kImportedSource && info.power.source != "simulated";
    return own ? toQString(info.notes.english()) : term(info.notes);
}

} // namespace ep::ui
