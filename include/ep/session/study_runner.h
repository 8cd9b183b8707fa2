// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/message.h"
#include "ep/session/backend.h"
#include "ep/session/profiler.h"
#include "ep/session/study.h"

#include <QObject>

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace ep::session {

struct StudyOptions {
    std::filesystem::path database{};
    // Finds the folder of a model named in the study.
    std::function<Result<std::filesystem::path>(const std::string&)> findModel{};
    std::string server_token{}; // sent to the servers of the study; never stored
    bool store_texts = true; // false: only hashes of prompts and answers are saved
    bool cool_down = true; // false: does not wait between runs (tests)
    // Uses this profiler, so that successive runners keep the model loaded and its prompt cache;
    // null: creates its own.
    std::shared_ptr<Profiler> profiler{};
    // Refuses to make runs without energies unless the spec asks for none; false: already checked.
    bool require_energy = true;
};

struct StudyFailure {
    Message cell; // label
    Message message;
};

struct StudyResult {
    int ran = 0; // runs made and stored by this call
    int skipped = 0; // steps done earlier, or by other processes meanwhile
    int left = 0; // number of remaining steps
    std::vector<StudyFailure> failures;
    bool cancelled = false;
    std::optional<Error> error; // a fatal error: nothing can be stored
};

// Runs the steps of a plan one after the other and stores each with the tag of its step, so that
// the database alone records the progress: after a crash or kill at any time, the next call
// resumes the study. Leftovers of an interrupted step are deleted when the step runs again. Any
// number of processes may run one study on one database: each step belongs to the first process
// that claims it, and is released when that process dies. A study with a text for quality measures
// missing qualities after its last step. Lives on a thread with an event loop, like Profiler; its
// signals arrive there.
class StudyRunner : public QObject {
    Q_OBJECT
public:
    StudyRunner(StudySpec spec, StudyPlan plan, StudyOptions options, Backend backend,
                QObject* parent = nullptr);
    ~StudyRunner() override;

    void start(); // call once
    void cancel(); // stores the run in progress as cancelled; it is repeated next time
    const StudyResult& result() const;

Q_SIGNALS:
    // Emitted before a step; `done` of the plan's steps are done. The remaining seconds are
    // estimated from the runs of this call; negative: not known yet.
    void stepStarting(int done, int steps, const ep::Message& label, double secondsLeft);
    void progress(double fraction, const ep::Message& what); // progress of the step
    void stepFailed(const ep::session::StudyFailure& failure);
    void finished(); // emitted exactly once; see result()

private:
    struct Private;
    void next();
    void runStep();
    void stepDidNotRun(const Message& message);
    void measureQuality(); // on the study's text, on a separate thread
    void end();
    std::unique_ptr<Private> d;
};

} // namespace ep::session
