// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QStringList>

#include <functional>
#include <optional>

class QMenu;
class QMimeData;
class QObject;

namespace ep::ui {

// What a path that came from outside is: by a drop, the file dialog, the desktop, a second start.
enum class PathKind { Missing, Model, ModelsFolder, RunFile, Other };
PathKind kindOf(const QString& path); // a few file reads

// The only local path in dropped data, if what it names can be opened.
std::optional<QString> droppedPath(const QMimeData& data);

inline constexpr int kMostRecentFiles = 10;
// `files` with `file` in front, once, and no more than kMostRecentFiles.
QStringList withRecent(QStringList files, const QString& file);

// Fills a menu with files to open again; not from within one of its actions. `chosen` gets the
// path; `cleared` when the list is emptied.
void fillRecentMenu(QMenu& menu, const QStringList& files, QObject* context,
                    const std::function<void(const QString&)>& chosen,
                    const std::function<void()>& cleared);

} // namespace ep::ui
