// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "pays_text.h"
#include "repository/latest_job.h"

#include "ep/model/library.h"
#include "ep/session/events.h"
#include "ep/session/pays_job.h"

#include <QDialog>

#include <memory>
#include <optional>
#include <vector>

class QLabel;
class QPlainTextEdit;
class QProgressBar;
class QPushButton;

namespace ep::ui {

class PaysLimitFields;
class PaysSideFields;
class SceneView;

// Tells which of two settings is cheaper on this machine: measures interleaved pairs in the
// background and shows how the interval shrinks. The window stays usable. GUI thread.
class PaysDialog : public QDialog {
    Q_OBJECT

public:
    PaysDialog(session::Backend backend, std::vector<model::ModelListing> models,
               std::filesystem::path database, QWidget* parent = nullptr);
    ~PaysDialog() override; // waits until the run in progress is stored

    void setStoreTexts(bool store) { m_storeTexts = store; } // false: only hashes
    // Initialises the fields with what Live would run.
    void setRun(const session::RunRequest& run);
    void setIntervalMs(int ms) { m_intervalMs = ms; } // interval of the power samples
    // Why nothing can run now; empty: something can.
    void setBusyElsewhere(const QString& reason);
    // The input as a spec, without name and seed; an error says what is missing.
    Result<session::PaysSpec> spec() const;
    bool running() const { return m_job != nullptr; }
    void stop(); // keeps the pairs measured so far
    void reject() override; // stops first

Q_SIGNALS:
    void runningChanged(bool running);
    void pairStored();
    void cardKept();
    void runsRequested(const QString& experiment);

private:
    void build();
    void update();
    void start();
    void take(const session::PaysResult& result);
    void finish(const session::PaysResult& result);
    void showResult();
    void drawChart(double smallest);
    void keepCard();

    session::Backend m_backend;
    std::vector<model::ModelListing> m_known;
    std::filesystem::path m_database;
    QString m_busy;
    bool m_chat = false; // as in Live
    int m_intervalMs = 100;
    bool m_storeTexts = true;
    bool m_closeWhenStopped = false;
    std::optional<session::PaysSpec> m_running; // the last measurement started
    session::PaysResult m_result; // result of m_running
    std::vector<PaysPoint> m_course; // a point for each pair of m_running
    LatestJob m_keeping;
    QWidget* m_form;
    PaysSideFields* m_a;
    PaysSideFields* m_b;
    QLabel* m_promptLabel;
    QPlainTextEdit* m_prompt;
    PaysLimitFields* m_limits;
    QLabel* m_problem;
    QProgressBar* m_progress;
    QLabel* m_verdict;
    SceneView* m_chart;
    QLabel* m_figures;
    QLabel* m_kept;
    QPushButton* m_keep;
    QPushButton* m_show;
    QPushButton* m_start;
    std::unique_ptr<session::PaysJob> m_job; // last, so that it ends before what it reports to
};

} // namespace ep::ui
