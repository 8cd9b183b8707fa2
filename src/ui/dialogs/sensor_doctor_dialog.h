// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/cancel.h"
#include "ep/session/sensor_doctor.h"

#include <QDialog>

#include <functional>

class QLabel;
class QProgressBar;
class QPushButton;
class QTableWidget;
class QThread;

namespace ep::ui {

// Looks at the sensors; seconds 0: without a test. Called on a thread of the dialog.
using ExamineSensors = std::function<session::SensorExam(double seconds, const CancelToken& cancel,
                                                         const ProgressFn& progress)>;

// Which power sources there are, why one is not and how to get it; on request all that work measure
// a load that comes and goes, side by side.
class SensorDoctorDialog : public QDialog {
    Q_OBJECT

public:
    SensorDoctorDialog(ExamineSensors examine, QWidget* parent);
    ~SensorDoctorDialog() override; // cancels and waits

private:
    void begin(double seconds);
    void showExam(const session::SensorExam& exam);
    void explain();

    ExamineSensors m_examine;
    session::SensorExam m_exam;
    QTableWidget* m_table;
    QLabel* m_explanation;
    QProgressBar* m_progress;
    QPushButton* m_measure;
    QThread* m_thread = nullptr; // while something is looked at
    CancelToken m_cancel;
};

} // namespace ep::ui
