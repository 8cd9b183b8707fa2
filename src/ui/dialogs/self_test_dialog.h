// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/cancel.h"
#include "ep/session/self_test.h"

#include <QDialog>

class QLabel;
class QPlainTextEdit;
class QProgressBar;
class QPushButton;
class QThread;

namespace ep::ui {

// Runs the self-test on a separate thread, shows the checks as they complete, and can copy all of
// them as JSON for a bug report.
class SelfTestDialog : public QDialog {
    Q_OBJECT

public:
    SelfTestDialog(session::RunSelfTest run, QWidget* parent);
    ~SelfTestDialog() override; // cancels and waits

private:
    void showReport(const session::SelfTestReport& report);

    QPlainTextEdit* m_lines;
    QLabel* m_summary;
    QProgressBar* m_progress; // visible while it runs
    QPushButton* m_close; // cancels while it runs
    QPushButton* m_copy;
    QThread* m_thread;
    QString m_json; // JSON of the finished report
    CancelToken m_cancel;
};

} // namespace ep::ui
