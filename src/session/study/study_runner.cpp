// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/session/study_runner.h"

#include "ep/core/clock.h"
#include "ep/core/result.h"
#include "ep/core/start_thread.h"
#include "ep/core/user_file.h"
#include "ep/energy/comparison.h"
#include "ep/session/privacy.h"
#include "ep/session/quality.h"
#include "ep/session/require_energy.h"
#include "ep/store/store.h"

#include <QSysInfo>
#include <QThread>
#include <QTimer>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace ep::session {

namespace {

bool sameSubject(const QualityRequest& a, const QualityRequest& b)
{
    return a.model == b.model && a.dtype == b.dtype && a.device == b.device && a.cache == b.cache;
}

// The measurements that a study with a text still lacks: each model, number format and device of
// its stored runs without a record for that text.
Result<std::vector<QualityRequest>> missingQuality(const StudySpec& spec, const store::Store& store)
{
    std::vector<QualityRequest> missing;
    if (!spec.quality)
        return missing;
    const auto text = readTextFile(spec.quality->text);
    if (!text)
        return text.error();
    const std::string hash = hashedText(*text);
    const auto runs = store.list({.experiments = {spec.name}});
    if (!runs)
        return runs.error();
    const auto known = store.qualities();
    if (!known)
        return known.error();
    const auto measured = [&](const QualityRecord& record) {
        return record.text_hash == hash
            && (spec.quality->context == 0 || record.context == spec.quality->context)
            && (spec.quality->stride == 0 || record.stride == spec.quality->stride);
    };
    for (const RunSummary& run : *runs) {
        if (run.info.status != RunStatus::Complete)
            continue;
        const auto records = energy::qualityOf(*known, run.info);
        if (std::any_of(records.begin(), records.end(), measured))
            continue;
        QualityRequest request{.model = run.info.model.path,
                               .device = run.info.device,
                               .dtype = run.info.dtype,
                               .threads = spec.run.load.threads,
                               .cache = model::cacheKindFromName(run.info.execution.cache)
                                            .value_or(model::CacheKind::Growing),
                               .text = spec.quality->text,
                               .context = spec.quality->context,
                               .stride = spec.quality->stride};
        if (std::none_of(missing.begin(), missing.end(),
                         [&](const QualityRequest& other) { return sameSubject(other, request); }))
            missing.push_back(std::move(request));
    }
    return missing;
}

// The run of a cell. tag: marks the step among the stored runs. baseline: idle power that is
// known already; null: the run measures it. Fails if a model is not found.
Result<RunRequest> studyRequest(const NamedSettings& cell, const std::string& tag,
                                const StudyOptions& options, const KnownBaseline* baseline)
{
    RunRequest request = cell.run;
    if (request.server) {
        request.server->token = options.server_token;
    } else if (request.record) {
        request.record->control = std::make_shared<CommandControl>(); // one control for each run
    } else {
        auto folder = options.findModel(cell.model());
        if (!folder)
            return folder.error();
        request.load.folder = *std::move(folder);
        std::string& draft = request.levers.draft;
        if (draft.empty()) { // one cell of a list of drafts may have none
            request.levers.draft_tokens = kUsualDraftTokens;
        } else if (draft != kNgramDraft) {
            const auto found = options.findModel(draft);
            if (!found)
                return found.error();
            draft = found->string();
        }
    }
    request.tags.push_back(tag);
    request.tags.push_back("host:" + QSysInfo::machineHostName().toStdString());
    request.database = options.database;
    request.store_texts = options.store_texts;
    if (baseline != nullptr) {
        request.known_baseline = *baseline;
        request.baseline_seconds = 0.0;
    }
    return request;
}

constexpr int kBeatMs = 5000;
constexpr int kLookAgainMs =
    1000; // interval for checking whether a step of another process is free or done

enum class State { Open, Done, Failed };

} // namespace

struct StudyRunner::Private {
    StudySpec spec;
    StudyPlan plan;
    StudyOptions options;
    std::shared_ptr<Profiler> kept; // declared first, so that it outlives the rest
    Profiler& profiler;
    QTimer wait; // for the pause between runs, or for another process
    QTimer beat;
    StudyResult result;
    std::unique_ptr<store::Store> store;
    std::vector<State> states; // one per step
    std::size_t step = 0; // the current step
    bool claimed = false; // whether this process has claimed the current step
    std::set<std::size_t> failedCells;
    std::map<std::string, KnownBaseline> baselines; // by device
    Nanoseconds began_ns = 0; // start of the current step
    double secondsSpent = 0.0;
    bool cancelled = false;
    bool ended = false;
    Backend backend;
    std::unique_ptr<Activity> activity; // also keeps the machine awake between runs
    std::unique_ptr<QThread> measuring; // measures the quality after the last step
    CancelToken cancelMeasuring;

    Private(StudySpec theSpec, StudyPlan thePlan, StudyOptions theOptions, Backend theBackend)
        : spec(std::move(theSpec))
        , plan(std::move(thePlan))
        , options(std::move(theOptions))
        , kept(options.profiler ? options.profiler : std::make_shared<Profiler>(theBackend))
        , profiler(*kept)
        , backend(std::move(theBackend))
    {
    }

    const NamedSettings& cell() const { return plan.cells[plan.steps[step].cell]; }
    Status look();
    Status requireEnergy() const;
    Result<store::StepClaim> claimNext();
    Status settle(const std::string& runId);
    void giveUp(State state);
    const KnownBaseline* knownBaseline() const;
    void keepBaseline(const Run& run);
    int doneSteps() const;
    double secondsLeft() const;
};

Status StudyRunner::Private::look()
{
    auto opened = store::Store::open(options.database);
    if (!opened)
        return opened.error();
    store = std::move(*opened);
    const auto runs = store->list({.experiments = {spec.name}});
    if (!runs)
        return runs.error();
    for (const bool done : session::doneSteps(plan, *runs)) {
        states.push_back(done ? State::Done : State::Open);
        result.skipped += done ? 1 : 0;
    }
    return {};
}

// Checks the sensor for the first run that is left; a run that is only repeated as a report needs
// none.
Status StudyRunner::Private::requireEnergy() const
{
    const auto open = std::ranges::find(states, State::Open);
    if (open == states.end() || !options.require_energy)
        return {};
    const RunRequest& first =
        plan.cells[plan.steps[static_cast<std::size_t>(open - states.begin())].cell].run;
    const bool own = !first.server && !first.record && first.load.device != "auto";
    return session::requireEnergy(backend, first.power, first.interval_ms,
                                  own ? first.load.device : "");
}

// Ours: run `step`. Taken: other processes are running all that is left. Done: nothing is
// left.
Result<store::StepClaim> StudyRunner::Private::claimNext()
{
    store::StepClaim left = store::StepClaim::Done;
    for (step = 0; step < plan.steps.size(); ++step) {
        if (states[step] != State::Open || failedCells.contains(plan.steps[step].cell))
            continue;
        const auto claim = store->claimStep(spec.name, plan.steps[step].tag);
        if (!claim)
            return claim.error();
        if (*claim == store::StepClaim::Ours) {
            claimed = true;
            return *claim;
        }
        if (*claim == store::StepClaim::Taken) {
            left = *claim;
            continue;
        }
        states[step] = State::Done;
        ++result.skipped;
    }
    return left;
}

Status StudyRunner::Private::settle(const std::string& runId)
{
    claimed = false;
    states[step] = State::Done;
    const auto first = store->settleStep(spec.name, plan.steps[step].tag, runId);
    if (!first)
        return first.error();
    ++(*first ? result.ran : result.skipped);
    return {};
}

void StudyRunner::Private::giveUp(State state)
{
    states[step] = state;
    if (std::exchange(claimed,
                      false)) // a claim left behind blocks nobody once this process has ended
        static_cast<void>(store->giveUpStep(plan.steps[step].tag));
}

void StudyRunner::Private::keepBaseline(const Run& run)
{
    if (!run.info.power.baseline)
        return;
    const BaselineRecord& record = *run.info.power.baseline;
    baselines[cell().device()] = {record, run.trace.time.begin_ns - record.age_ns};
}

// The device's idle power, if it was measured recently enough; otherwise null.
const KnownBaseline* StudyRunner::Private::knownBaseline() const
{
    const auto known = baselines.find(cell().device());
    const double expiry = spec.baseline_expires_minutes * 60.0;
    if (known == baselines.end() || toSeconds(monotonicNow() - known->second.end_ns) >= expiry)
        return nullptr;
    return &known->second;
}

int StudyRunner::Private::doneSteps() const
{
    return result.skipped + result.ran;
}

double StudyRunner::Private::secondsLeft() const
{
    if (result.ran == 0)
        return -1.0;
    const double left = static_cast<double>(plan.steps.size()) - doneSteps();
    return left * secondsSpent / result.ran;
}

StudyRunner::StudyRunner(StudySpec spec, StudyPlan plan, StudyOptions options, Backend backend,
                         QObject* parent)
    : QObject(parent)
    , d(std::make_unique<Private>(std::move(spec), std::move(plan), std::move(options),
                                  std::move(backend)))
{
    d->wait.setSingleShot(true);
    connect(&d->wait, &QTimer::timeout, this, &StudyRunner::runStep);
    connect(&d->beat, &QTimer::timeout, this,
            [this] { static_cast<void>(d->store->keepClaims()); });
    connect(&d->profiler, &Profiler::loadProgress, this, &StudyRunner::progress);
    connect(&d->profiler, &Profiler::tokenComplete, this, [this](const TokenComplete& token) {
        Q_EMIT progress((token.token.index + 1.0) / d->cell().run.max_new_tokens,
                        {"Token %1", token.token.index + 1});
    });
    connect(&d->profiler, &Profiler::finished, this, [this](const RunFinished& run) {
        const RunInfo& info = run.run->info;
        if (!run.save_problem.empty()) {
            d->result.error =
                Error{ErrorCode::Io, {"The run was not stored: %1", run.save_problem}};
            return end();
        }
        if (info.status == RunStatus::Complete) {
            d->secondsSpent += toSeconds(monotonicNow() - d->began_ns);
            d->keepBaseline(*run.run);
            if (const Status settled = d->settle(info.id); !settled) {
                d->result.error = settled.error();
                return end();
            }
        } else if (info.status == RunStatus::Failed) {
            stepDidNotRun(info.status_message);
        } else {
            d->giveUp(State::Open);
        }
        next();
    });
    connect(&d->profiler, &Profiler::failed, this, [this](const Error& error) {
        if (d->cancelled) {
            d->giveUp(State::Open);
        } else {
            // The failure does not depend on time, so it would happen again.
            d->failedCells.insert(d->plan.steps[d->step].cell);
            stepDidNotRun(error.message);
        }
        next();
    });
}

StudyRunner::~StudyRunner()
{
    d->cancelMeasuring.cancel();
    if (d->measuring)
        d->measuring->wait();
    if (d->claimed)
        d->giveUp(State::Open);
}

void StudyRunner::stepDidNotRun(const Message& message)
{
    d->giveUp(State::Failed);
    d->result.failures.push_back({d->cell().label, message});
    Q_EMIT stepFailed(d->result.failures.back());
}

const StudyResult& StudyRunner::result() const
{
    return d->result;
}

void StudyRunner::start()
{
    Status ready = d->look();
    if (ready)
        ready = d->requireEnergy();
    if (!ready) {
        d->result.error = ready.error();
        QTimer::singleShot(0, this, [this] { end(); });
        return;
    }
    d->beat.start(kBeatMs);
    if (d->backend.beginActivity)
        d->activity = d->backend.beginActivity("Running a study");
    QTimer::singleShot(0, this, [this] { next(); });
}

void StudyRunner::cancel()
{
    if (d->cancelled)
        return;
    d->cancelled = true;
    d->result.cancelled = true;
    d->profiler.cancel();
    d->cancelMeasuring.cancel();
    if (d->wait.isActive()) {
        d->wait.stop();
        end();
    }
}

void StudyRunner::next()
{
    if (d->cancelled)
        return end();
    const bool first = d->result.ran == 0;
    const bool left = std::count(d->states.begin(), d->states.end(), State::Open) > 0;
    constexpr double kMs = 1000.0;
    const double wait =
        first || !left || !d->options.cool_down ? 0.0 : d->spec.run.cool_down_seconds * kMs;
    if (wait > 0.0)
        Q_EMIT progress(0.0, "Cooling down");
    d->wait.start(static_cast<int>(wait));
}

void StudyRunner::runStep()
{
    const auto claim = d->claimNext();
    if (!claim) {
        d->result.error = claim.error();
        return end();
    }
    if (*claim == store::StepClaim::Done)
        return measureQuality();
    if (*claim == store::StepClaim::Taken) {
        Q_EMIT progress(0.0, "Waiting for the runs of another process");
        return d->wait.start(kLookAgainMs);
    }
    Q_EMIT stepStarting(d->doneSteps(), static_cast<int>(d->plan.steps.size()), d->cell().label,
                        d->secondsLeft());
    if (d->cancelled)
        return end();
    auto request =
        studyRequest(d->cell(), d->plan.steps[d->step].tag, d->options, d->knownBaseline());
    if (!request) {
        d->failedCells.insert(d->plan.steps[d->step].cell);
        stepDidNotRun(request.error().message);
        return next();
    }
    d->began_ns = monotonicNow();
    d->profiler.start(*request);
}

void StudyRunner::measureQuality()
{
    const auto missing = missingQuality(d->spec, *d->store);
    const auto fail = [this](const StudyFailure& failure) {
        d->result.failures.push_back(failure);
        Q_EMIT stepFailed(failure);
    };
    if (!missing)
        fail({"quality", missing.error().message});
    if (!missing || missing->empty())
        return end();
    struct Found {
        std::vector<QualityRecord> records;
        std::vector<StudyFailure> failures;
    };
    const auto found = std::make_shared<Found>();
    d->measuring.reset(
        QThread::create([this, found, requests = *missing, cancel = d->cancelMeasuring] {
            for (const QualityRequest& request : requests) {
                const std::string what = request.model.filename().string() + ", " + request.dtype;
                const auto show = [&](double fraction, const Message& doing) {
                    // The runner waits for this thread, so the runner outlives it.
                    QMetaObject::invokeMethod(
                        this,
                        [this, fraction, text = Message("Quality of %1: %2", what, doing)] {
                            Q_EMIT progress(fraction, text);
                        },
                        Qt::QueuedConnection);
                };
                auto record = session::measureQuality(request, show, cancel);
                if (cancel.cancelled())
                    return;
                if (record)
                    found->records.push_back(std::move(*record));
                else
                    found->failures.push_back({{"quality of %1", what}, record.error().message});
            }
        }));
    connect(d->measuring.get(), &QThread::finished, this, [this, found, fail] {
        for (const QualityRecord& record : found->records) {
            if (const Status saved = d->store->saveQuality(record); !saved)
                found->failures.push_back({{"quality of %1", record.model}, saved.error().message});
        }
        for (const StudyFailure& failure : found->failures)
            fail(failure);
        end();
    });
    if (const Status started = startThread(*d->measuring); !started) {
        fail({"quality", started.error().message});
        end();
    }
}

void StudyRunner::end()
{
    if (std::exchange(d->ended, true))
        return;
    d->beat.stop();
    if (d->claimed)
        d->giveUp(State::Open);
    d->activity.reset();
    d->result.left = static_cast<int>(d->plan.steps.size()) - d->doneSteps();
    Q_EMIT finished();
}

} // namespace ep::session
