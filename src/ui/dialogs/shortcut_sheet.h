// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>

class QMenuBar;

namespace ep::ui {

// A table of all menu actions with a shortcut, generated from the actions themselves, and of the
// keys that all charts share.
class ShortcutSheet : public QDialog {
    Q_OBJECT

public:
    ShortcutSheet(const QMenuBar& menus, QWidget* parent);
};

} // namespace ep::ui
