// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/session/backend.h"
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
    // Folder of a model that the study names.
    std::function<Result<std::filesystem::path>(const std::string&)> findModel{};
    bool store_texts = true; // else only hashes of prompts and answers are saved
    bool cool_down = true; // false: no waiting between runs (tests)
};

struct StudyFailure {
    std::string cell; // label
    std::string message;
};

struct StudyResult {
    int ran = 0; // runs that this call made and stored
    int skipped = 0; // steps that were done before, or by other processes meanwhile
    int left = 0; // steps that are not done
    std::vector<StudyFailure> failures;
    bool cancelled = false;
    std::optional<Error> error; // that ended it: nothing can be stored
};

// Runs the steps of a plan one after the other and stores each with the tag of its step, so that
// the database alone says what is done: after a crash or a kill at any point the next call goes on
// where it was. What a step left behind that broke off is deleted when the step runs again. Any
// number of processes may run one study on one database: each step belongs to whoever claims it
// first, and is free again when its process dies. Lives in a thread with an event loop, like
// Profiler; signals arrive there.
class StudyRunner : public QObject {
    Q_OBJECT
public:
    StudyRunner(StudySpec spec, StudyPlan plan, StudyOptions options, Backend backend,
                QObject* parent = nullptr);
    ~StudyRunner() override;

    void start(); // once
    void cancel(); // the run that goes on is stored as cancelled, and runs again next time
    const StudyResult& result() const;

Q_SIGNALS:
    // Before a step; of all steps of the plan, `done` are done. The seconds that are left are
    // estimated from the runs of this call; below 0: not known yet.
    void stepStarting(int done, int steps, const QString& label, double secondsLeft);
    void progress(double fraction, const QString& what); // of the step
    void stepFailed(const QString& label, const QString& message);
    void finished(); // exactly once; result() has the rest

private:
    struct Private;
    void next();
    void runStep();
    void stepDidNotRun(const QString& message);
    void end();
    std::unique_ptr<Private> d;
};

} // namespace ep::session
