// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class QGridLayout;

namespace ep::ui {

// A page of settings: each row has a label, a control, and below it a sentence that explains it.
class SettingsPage : public QWidget {
    Q_OBJECT

public:
    explicit SettingsPage(QWidget* parent = nullptr);

    // The explanation also becomes the control's description for screen readers.
    void addRow(const QString& label, QWidget* control, const QString& explanation);

private:
    QGridLayout* m_grid;
    int m_rows = 0;
};

} // namespace ep::ui
