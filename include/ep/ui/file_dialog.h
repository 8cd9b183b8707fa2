// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/result.h"

#include <QFileDialog>

#include <functional>
#include <optional>

namespace ep::ui {

// Every file dialog of the program; deleted when it closes. It derives icons and types of files
// from their names: Qt's own dialog would open and read every file of the folder that it shows,
// and opening and closing a database drops the locks of its connections if the system has no
// better ones. An empty folder: the one last used by a dialog, or the working directory.
QFileDialog* makeFileDialog(QWidget* parent, const QString& title, const QString& objectName,
                            const QString& folder = {});

// From now on, dialogs that save to a file refuse those for which this gives an error: the run
// database in use and its backups.
void checkSavedFiles(std::function<Status(const QString& file)> isReplaceable);

// Writes all of a file or nothing. The problem; absent if the file is written.
std::optional<QString> writeWhole(const QString& path, const QByteArray& bytes);

} // namespace ep::ui
