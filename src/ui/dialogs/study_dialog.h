// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "repository/latest_job.h"

#include "ep/model/library.h"
#include "ep/session/study_runner.h"

#include <QDialog>

#include <memory>
#include <optional>
#include <vector>

class QHBoxLayout;
class QLabel;
class QPlainTextEdit;
class QProgressBar;
class QPushButton;

namespace ep::ui {

class StudyForm;

// Edits a study, writes it to the file that `energy-profiler study` reads, and runs it while the
// window stays usable. GUI thread.
class StudyDialog : public QDialog {
    Q_OBJECT

public:
    // profiler: makes the runs; nothing else may use it while the study runs.
    StudyDialog(session::Backend backend, std::shared_ptr<session::Profiler> profiler,
                std::vector<model::ModelListing> models, std::filesystem::path database,
                QWidget* parent = nullptr);
    ~StudyDialog() override;

    void setStoreTexts(bool store) { m_storeTexts = store; } // false: only hashes
    // Shows a study; spec() keeps settings that have no field here, such as sampling.
    void setSpec(const session::StudySpec& spec);
    // The input as a spec; an error says what is missing.
    Result<session::StudySpec> spec() const;
    bool running() const { return m_runner != nullptr; }
    void stop(); // keeps what has been measured
    void reject() override; // a running study continues without its dialog
    // Without a power sensor, a study that chooses its source automatically has no joules.
    void setLacksSensor(bool lacks);
    void setBusyElsewhere(const QString& reason); // why no study can start now; empty: one can

Q_SIGNALS:
    void runningChanged(bool running);
    void runStored();
    void progressed(const QString& what); // "Run 3 of 12: f32"
    void compareRequested(const QString& experiment);
    void runsRequested(const QString& experiment); // shows the study's runs in the list

private:
    QHBoxLayout* buildButtons();
    void update();
    void save();
    void run();
    void start();
    void showResult();
    void writeReport(const session::StudyReport& report);

    session::Backend m_backend;
    std::shared_ptr<session::Profiler> m_profiler;
    QString m_busyElsewhere;
    std::vector<model::ModelListing> m_known;
    std::filesystem::path m_database;
    bool m_storeTexts = true;
    bool m_lacksSensor = false;
    std::filesystem::path m_reportFile;
    LatestJob m_writing;
    std::unique_ptr<session::StudyRunner> m_runner;
    std::optional<session::StudySpec> m_running;
    StudyForm* m_form;
    QLabel* m_summary;
    QProgressBar* m_progress;
    QPlainTextEdit* m_report;
    QPushButton* m_save;
    QPushButton* m_open;
    QPushButton* m_compare;
    QPushButton* m_show;
    QPushButton* m_run;
    QPushButton* m_close;
};

} // namespace ep::ui
