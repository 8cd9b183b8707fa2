// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "repository/latest_job.h"

#include "ep/session/events.h"
#include "ep/session/predict.h"
#include "ep/ui/run_repository.h"

#include <QLabel>
#include <QTimer>

namespace ep::ui {

class RunForm;

// Predicts the cost of the chosen run from similar stored runs: "17.8 mJ/token, 2400 tokens/s
// (modelled, from 13 runs)", and shows how much of the model's context it needs. Computed on
// another thread, once the user stops changing settings.
class RunPrediction : public QLabel {
    Q_OBJECT

public:
    explicit RunPrediction(const RunForm& form); // form: the settings to predict

    void setRuns(const RunList& runs);
    void askSoon() { m_pause.start(); } // call it when settings have changed

private:
    struct Answer {
        QString text;
        QString explanation;
        QString perToken; // empty: unknown
    };
    static Answer costOf(session::PredictionRequest wanted, const std::string& device,
                         bool modelled, const std::vector<RunSummary>& runs);
    static Answer answer(const session::RunRequest& request, std::size_t tokens,
                         const RunList& runs); // tokens: of the longest prompt; 0: not counted
    void ask();

    const RunForm& m_form;
    RunList m_runs;
    QTimer m_pause;
    LatestJob m_job;
};

} // namespace ep::ui
