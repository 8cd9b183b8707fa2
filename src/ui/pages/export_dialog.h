// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/run.h"
#include "ep/ui/run_repository.h"

#include <QString>

#include <vector>

namespace ep::ui {

// Asks for the destination with the platform's dialog, then lets the repository write the run.
// Returns immediately.
void exportWithDialog(QWidget& parent, RunRepository& repository, const RunInfo& run,
                      RunRepository::Format format);

// The same for a report, as a web page or as PDF.
void saveReportWithDialog(QWidget& parent, RunRepository& repository, const QString& run);

QString suffixOf(RunRepository::Format format); // empty: the format writes a folder

struct ExportFile {
    QString run; // id of the run
    QString name;
};
// For several runs in one folder: names that differ on every file system.
std::vector<ExportFile> exportFiles(const std::vector<const RunSummary*>& runs,
                                    const QString& suffix);

} // namespace ep::ui
