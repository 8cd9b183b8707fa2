// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "dialogs/measuring_job.h"

#include "ep/session/roofline.h"

#include <QDialog>

#include <filesystem>
#include <functional>

class QLabel;
class QProgressBar;
class QPushButton;
class QTableWidget;

namespace ep::ui {

// Called on a thread of the dialog.
using MeasureLimits = std::function<Result<session::RooflineReport>(const CancelToken& cancel,
                                                                    const ProgressFn& progress)>;

// Measures how fast this machine computes and reads memory, and what that costs in energy, and
// stores it for explanations of runs. GUI thread only.
class LimitsDialog : public QDialog {
    Q_OBJECT

public:
    LimitsDialog(MeasureLimits measure, std::filesystem::path database, QWidget* parent);

Q_SIGNALS:
    void stored(); // runs can be explained again

private:
    void start();
    void finish(const Result<session::RooflineReport>& report);
    void fill(const session::RooflineReport& report);

    MeasureLimits m_measure;
    std::filesystem::path m_database;
    QTableWidget* m_limits;
    QLabel* m_state;
    QProgressBar* m_progress;
    QPushButton* m_start;
    MeasuringJob<session::RooflineReport> m_job;
};

} // namespace ep::ui
