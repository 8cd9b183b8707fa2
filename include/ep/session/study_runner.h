// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/session/backend.h"
#include "ep/session/profiler.h"
#include "ep/session/study.h"

#include <QObject>

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace ep::session {

struct StudyOptions {
    std::filesystem::path database{};
    // Folder of a model named in the study.
    std::function<Result<std::filesystem::path>(const std::string&)> findModel{};
    std::string server_token{}; // sent to the servers of the study; never stored
    bool store_texts = true; // otherwise only hashes of prompts and answers are saved
    bool cool_down = true; // false: no waiting between runs (tests)
    // Runs with it, so that the model stays loaded, with what its prompt cache holds, between
    // runners that follow each other; null: with one of its own.
    std::shared_ptr<Profiler> profiler{};
};

struct StudyFailure {
    std::string cell; // label
    std::string message;
};

struct StudyResult {
    int ran = 0; // runs made and stored by this call
    int skipped = 0; // steps already done before, or by other processes in the meantime
    int left = 0; // remaining steps
    std::vector<StudyFailure> failures;
    bool cancelled = false;
    std::optional<Error> error; // fatal error: nothing can be stored
};

// Runs the steps of a plan one after the other and stores each with the tag of its step, so that
// the database alone records the progress: after a crash or kill at any time the next call resumes
// it. Leftovers of an interrupted step are deleted when the step runs again. Any number of
// processes may run one study on one database: each step belongs to the first process that claims
// it, and is released when that process dies. A study with a text for quality measures what is
// missing after its last step. Lives in a thread with an event loop, like Profiler;
// signals arrive there.
class StudyRunner : public QObject {
    Q_OBJECT
public:
    StudyRunner(StudySpec spec, StudyPlan plan, StudyOptions options, Backend backend,
                QObject* parent = nullptr);
    ~StudyRunner() override;

    void start(); // once
    void cancel(); // the run in progress is stored as cancelled, and repeated next time
    const StudyResult& result() const;

Q_SIGNALS:
    // Before a step; `done` of all steps of the plan are done. The remaining seconds are estimated
    // from the runs of this call; negative: not known yet.
    void stepStarting(int done, int steps, const QString& label, double secondsLeft);
    void progress(double fraction, const QString& what); // of the step
    void stepFailed(const QString& label, const QString& message);
    void finished(); // exactly once; see result()

private:
    struct Private;
    void next();
    void runStep();
    void stepDidNotRun(const QString& message);
    void measureQuality(); // of the study's text, on a thread of its own
    void end();
    std::unique_ptr<Private> d;
};

} // namespace ep::session
