// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "dialogs/measuring_job.h"

#include "ep/core/machine_record.h"
#include "ep/session/calibrate.h"

#include <QDialog>

#include <filesystem>
#include <functional>
#include <vector>

class QLabel;
class QProgressBar;
class QPushButton;
class QTableWidget;

namespace ep::ui {

// Called on a thread of the dialog.
using CalibrateMachine = std::function<Result<session::CalibrationReport>(
    const CancelToken& cancel, const ProgressFn& progress)>;

// Calibrates this machine with one model, and shows the results: kinds of components in the newest
// calibration, and unit costs by machine and number format.
class CalibrationDialog : public QDialog {
    Q_OBJECT

public:
    // model: its name, as it appears in the calibrations
    CalibrationDialog(CalibrateMachine calibrate, QString model, std::filesystem::path database,
                      QWidget* parent);

private:
    void showStored();
    void showKinds(const CalibrationRecord& record);
    void showMachines(const std::vector<MachineRecord>& machines);
    void start();
    void finish(const Result<session::CalibrationReport>& report);

    CalibrateMachine m_calibrate;
    QString m_model;
    std::filesystem::path m_database;
    QTableWidget* m_kinds;
    QTableWidget* m_machines;
    QLabel* m_state;
    QProgressBar* m_progress;
    QPushButton* m_start;
    MeasuringJob<session::CalibrationReport> m_job;
};

} // namespace ep::ui
