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

// Type of a path from a drop, a file dialog, the desktop or a second instance.
enum class PathKind { Missing, Model, ModelsFolder, RunFile, PowerLog, Other };
PathKind kindOf(const QString& path); // reads a few files

// The only local path in dropped data, if it can be opened.
std::optional<QString> droppedPath(const QMimeData& data);

inline constexpr int kMaxRecentFiles = 10;
// Puts `file` in front of `files`, without duplicates; keeps at most kMaxRecentFiles.
QStringList withRecent(QStringList files, const QString& file);

// Fills a menu with recent files; must not be called by one of its actions. `chosen` receives the
// path; `cleared` is called when the list is cleared.
void fillRecentMenu(QMenu& menu, const QStringList& files, QObject* context,
                    const std::function<void(const QString&)>& chosen,
                    const std::function<void()>& cleared);

} // namespace ep::ui
