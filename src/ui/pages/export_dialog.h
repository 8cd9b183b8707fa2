// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/run.h"
#include "ep/ui/run_repository.h"

namespace ep::ui {

// Asks with the platform's dialog where to put the run, then has the repository write it.
// Returns at once.
void exportWithDialog(QWidget& parent, RunRepository& repository, const RunInfo& run,
                      RunRepository::Format format);

} // namespace ep::ui
