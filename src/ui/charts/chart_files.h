// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/result.h"

#include <QString>

#include <functional>

class QWidget;

namespace ep::ui {

// Asks for a file of a type ("png", "svg", "pdf", "csv") and writes it; failures are shown in a
// message box.
void askAndSave(QWidget& parent, const QString& baseName, const QString& suffix,
                const std::function<Status(const QString& path)>& save);

} // namespace ep::ui
