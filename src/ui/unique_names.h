// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QSet>
#include <QString>

namespace ep::ui {

// Unique names for files in one folder. Many file systems consider names equal that differ only in
// case or in how accents are composed.
class UniqueNames {
public:
    // Returns the name, followed by "-2", "-3" and so on if it was given before.
    QString next(const QString& name);

private:
    QSet<QString> m_taken; // normalised as file systems compare them
};

} // namespace ep::ui
