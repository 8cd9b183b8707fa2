// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/cancel.h"
#include "ep/session/sensor_doctor.h"

#include <QDialog>

#include <functional>
#include <vector>

class QLabel;
class QProgressBar;
class QPushButton;
class QScrollArea;
class QThread;

namespace ep::ui {

// Checks the sensors; 0 seconds: without a load test. Called on a thread of the dialog.
using ExamineSensors = std::function<session::SensorExam(double seconds, const CancelToken& cancel,
                                                         const ProgressFn& progress)>;

// Says what can be measured here: shows the available power sources, and why others are not
// available and how to enable them. On request, all working ones measure an alternating load for
// comparison.
class SensorDoctorDialog : public QDialog {
    Q_OBJECT

public:
    SensorDoctorDialog(ExamineSensors examine, QWidget* parent);
    ~SensorDoctorDialog() override; // cancels and waits

Q_SIGNALS:
    void modelledRequested(); // offered if no sensor works

private:
    void begin(double seconds);
    void showExam(const session::SensorExam& exam);
    void showVerdict(const std::vector<session::SensorCheck>& sources);

    ExamineSensors m_examine;
    QLabel* m_verdict;
    QPushButton* m_modelled;
    QScrollArea* m_cards; // a SensorCard for each power source
    QProgressBar* m_progress;
    QPushButton* m_measure;
    QThread* m_thread = nullptr; // during a check
    CancelToken m_cancel;
};

} // namespace ep::ui
