// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/session/events.h"
#include "ep/ui/settings.h"

#include <QDialog>

#include <filesystem>

class QCheckBox;
class QComboBox;
class QLabel;
class QPushButton;

namespace ep::ui {

// Asks for a command of the user to run and measure (docs/record.md). Recent commands can be
// chosen again.
class RecordDialog : public QDialog {
    Q_OBJECT

public:
    // python: folder of energy_profiler_spans.py; empty: not installed.
    RecordDialog(const Settings& settings, std::filesystem::path python, QWidget* parent);

    session::RecordTarget target() const; // valid once the dialog was accepted
    void remember(Settings& settings) const;

private:
    void check();

    const std::filesystem::path m_python;
    QComboBox* m_command;
    QCheckBox* m_spans;
    QComboBox* m_depth;
    QLabel* m_problem;
    QPushButton* m_start;
};

} // namespace ep::ui
