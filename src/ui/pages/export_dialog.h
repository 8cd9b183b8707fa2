// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/run.h"
#include "ep/ui/run_repository.h"

namespace ep::ui {

// Asks for the destination with the platform's dialog, then has the repository write the run.
// Returns immediately.
void exportWithDialog(QWidget& parent, RunRepository& repository, const RunInfo& run,
                      RunRepository::Format format);

// For one of several runs written to the same folder: distinct for each.
QString exportFileName(const RunInfo& run, RunRepository::Format format);

} // namespace ep::ui
