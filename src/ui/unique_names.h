// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QSet>
#include <QString>

namespace ep::ui {

// Names of files that are written to one folder. Many file systems take names for the same that
// differ only in case, or in how accents are composed.
class UniqueNames {
public:
    // The name, with "-2", "-3" and so on at its end if it was given before.
    QString next(const QString& name);

private:
    QSet<QString> m_taken; // as a file system compares them
};

} // namespace ep::ui
