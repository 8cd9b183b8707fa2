// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class QProgressBar;
class QPushButton;

namespace ep::ui {

// The state of the runs in Live.
enum class RunState { Ready, Loading, Running, Stopping };

class ElidedLabel;

// The button that starts and stops runs, the progress of loading, and why no run can start.
class RunControls : public QWidget {
    Q_OBJECT

public:
    explicit RunControls(QWidget* parent = nullptr);

    void showProblem(const QString& problem); // why no run can start; empty if one can
    void setState(RunState state, const QString& problem);
    RunState state() const { return m_state; }
    void setRound(int round, int of); // position of a repeated run, shown while it is running
    void setProgress(double fraction, const QString& what);

Q_SIGNALS:
    void startRequested();
    void stopRequested();

private:
    QString work() const; // "Run 1 of 2: Cooling down for 5 s"

    RunState m_state = RunState::Ready;
    QString m_round;
    QString m_doing;
    QPushButton* m_button;
    QProgressBar* m_progress;
    ElidedLabel* m_hint;
};

} // namespace ep::ui
