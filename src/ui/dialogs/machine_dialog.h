// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "dialogs/measuring_job.h"

#include "ep/session/calibrate.h"
#include "ep/session/roofline.h"
#include "ep/session/self_test.h"
#include "ep/session/sensor_doctor.h"

#include <QDialog>
#include <QString>
#include <QWidget>

#include <deque>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>

class QLabel;
class QListWidget;
class QPlainTextEdit;
class QProgressBar;
class QPushButton;
class QScrollArea;
class QStackedWidget;
class QTableWidget;

namespace ep::ui {

QString sensorTitle(const power::SourceReport& source); // "NVIDIA graphics cards (nvml)"

// One power source: whether it works, what it is, what to do about it, and what a test measured.
class SensorCard : public QWidget {
    Q_OBJECT

public:
    SensorCard(const session::SensorCheck& check, QWidget* parent);

private:
    QWidget* head(const session::SensorCheck& check);
    QWidget* facts(const session::SensorCheck& check);
};

// Actions of the dialog; called on a thread of the dialog.
struct MachineServices {
    // Checks the sensors; 0 seconds: without a load test.
    std::function<session::SensorExam(double seconds, const CancelToken& cancel,
                                      const ProgressFn& progress)>
        examine{};
    std::function<Result<session::RooflineReport>(const CancelToken& cancel,
                                                  const ProgressFn& progress)>
        measureLimits{};
    std::function<Result<session::CalibrationReport>(const CancelToken& cancel,
                                                     const ProgressFn& progress)>
        calibrate{};
    QString model{}; // name of the calibrated model, as in the calibrations
    session::RunSelfTest selfTest{};
    std::function<std::string()> diagnostics{}; // the contents of a bug report
    std::filesystem::path database{};
};

enum class MachinePart { Sensors, Limits, Calibration, SelfTest, Diagnostics };

// Shows the measuring abilities of this machine: its sensors, its limits, the calibration with one
// model, the self-test and the contents of a bug report, with one state each, and one button that
// does what is missing. GUI thread only.
class MachineDialog : public QDialog {
    Q_OBJECT

public:
    MachineDialog(MachineServices services, QWidget* parent);

    void showPart(MachinePart part);
    QString stateOf(MachinePart part) const; // "2 formats measured."

Q_SIGNALS:
    void modelledRequested(); // offered if no sensor works
    void limitsStored(); // runs can be explained again

private:
    using Shown = std::function<void()>; // shows a result, on the thread of the dialog
    using Step = MeasuringJob<Shown>::Work;

    QWidget* addPart(MachinePart part, const QString& title, const QString& explanation);
    QPushButton* addStart(MachinePart part, const QString& id, const QString& text);
    void buildSensors();
    void buildLimits();
    void buildCalibration();
    void buildSelfTest();
    void buildDiagnostics();
    void setState(MachinePart part, const QString& state);

    void request(MachinePart part); // starts the part, or queues it behind the part in progress
    void next();
    Step stepOf(MachinePart part);
    void makeReady();
    bool isMissing(MachinePart part) const;
    void updateButtons();

    void readStored();
    void showExam(const session::SensorExam& exam);
    void showMachines(const std::vector<MachineRecord>& machines);
    void showKinds(const CalibrationRecord& record);
    void take(const session::RooflineReport& report);
    void take(const session::CalibrationReport& report);
    void take(const session::SelfTestReport& report);
    void saveDiagnostics();

    MachineServices m_services;
    QListWidget* m_parts; // the parts, each with its state
    QStackedWidget* m_pages;
    QLabel* m_what; // the current step
    QProgressBar* m_progress;
    QPushButton* m_ready;
    QPushButton* m_modelled = nullptr;
    QScrollArea* m_cards = nullptr; // a SensorCard for each power source
    QTableWidget* m_limits = nullptr;
    QTableWidget* m_kinds = nullptr;
    QPlainTextEdit* m_checks = nullptr;
    QPushButton* m_copyChecks = nullptr;
    QPlainTextEdit* m_report = nullptr;
    QPushButton* m_saveReport = nullptr;
    QPushButton* m_copyReport = nullptr;
    std::vector<QPushButton*> m_starts;
    QString m_checksJson;
    double m_loadSeconds = 0.0;
    bool m_limitsKnown = false;
    bool m_calibrated = false;
    bool m_tested = false;
    std::optional<MachinePart> m_running;
    std::deque<MachinePart> m_queue;
    MeasuringJob<Shown> m_job; // last, since its thread uses the other members
};

} // namespace ep::ui
