// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "repository/latest_job.h"

#include <QDialog>

#include <functional>
#include <string>

class QLabel;
class QPlainTextEdit;
class QPushButton;

namespace ep::ui {

// The contents of a bug report, shown completely before they can be saved or copied.
class DiagnosticsDialog : public QDialog {
    Q_OBJECT

public:
    // `collect` may block; it is called on a thread of the pool.
    DiagnosticsDialog(std::function<std::string()> collect, QWidget* parent);

private:
    void saveAs();
    void writeTo(const QString& file);

    QLabel* m_note;
    QPlainTextEdit* m_text;
    QPushButton* m_save;
    QPushButton* m_copy;
    LatestJob m_job;
};

} // namespace ep::ui
