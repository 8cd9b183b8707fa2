// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/session/study_runner.h"

#include "ep/core/clock.h"
#include "ep/session/profiler.h"
#include "ep/store/store.h"

#include <QSysInfo>
#include <QTimer>

#include <map>
#include <optional>
#include <set>
#include <utility>

namespace ep::session {

struct StudyRunner::Private {
    StudySpec spec;
    StudyPlan plan;
    StudyOptions options;
    Profiler profiler;
    QTimer coolDown;
    StudyProgress progress;
    StudyResult result;
    std::unique_ptr<store::Store> store;
    std::size_t step = 0; // that runs, or comes next
    std::set<std::size_t> failedCells;
    std::map<std::string, std::vector<std::string>> leftovers; // ids of runs, by tag
    std::map<std::string, KnownBaseline> baselines; // by device
    Nanoseconds began_ns = 0; // of the step
    double secondsSpent = 0.0;
    bool cancelled = false;
    bool ended = false;

    Private(StudySpec theSpec, StudyPlan thePlan, StudyOptions theOptions, Backend backend)
        : spec(std::move(theSpec))
        , plan(std::move(thePlan))
        , options(std::move(theOptions))
        , profiler(std::move(backend))
    {
    }

    const StudyCell& cell() const { return plan.cells[plan.steps[step].cell]; }
    Status look();
    void removeLeftovers();
    Result<RunRequest> request() const;
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
    const auto runs = store->list({.experiment = spec.name});
    if (!runs)
        return runs.error();
    progress = findProgress(plan, *runs);
    if (progress.running) {
        return Error{ErrorCode::InvalidInput,
                     "Another process runs this study on this database now: wait for its end, or "
                     "give each its own --shard."};
    }
    const std::set<std::string> broken(progress.leftovers.begin(), progress.leftovers.end());
    for (const RunSummary& run : *runs) {
        if (broken.contains(run.info.id)) {
            for (const std::string& tag : run.info.tags)
                leftovers[tag].push_back(run.info.id);
        }
    }
    return {};
}

void StudyRunner::Private::removeLeftovers()
{
    const auto found = leftovers.find(plan.steps[step].tag);
    if (found == leftovers.end())
        return;
    for (const std::string& id : found->second)
        static_cast<void>(store->remove(id)); // a leftover that stays does no harm
    leftovers.erase(found);
}

Result<RunRequest> StudyRunner::Private::request() const
{
    const StudyCell& cell = this->cell();
    const auto folder = options.findModel(cell.model);
    if (!folder)
        return folder.error();
    auto power = power::parseSourceChoice(spec.power);
    if (!power)
        return power.error();
    RunRequest request;
    request.load = {
        .folder = *folder, .device = cell.device, .dtype = cell.dtype, .threads = spec.threads};
    request.prompt = cell.prompt.text;
    request.batch_size = cell.batch_size;
    request.max_new_tokens = cell.output_tokens;
    request.depth = cell.depth;
    request.sampling = spec.sampling;
    request.ignore_eos = spec.fixed_length;
    request.power = std::move(*power);
    request.interval_ms = spec.interval_ms;
    request.warmup_tokens = spec.warmup_tokens;
    request.warmup_settled = spec.warmup_settled;
    request.tags = spec.tags;
    request.tags.push_back(plan.steps[step].tag);
    request.tags.push_back("host:" + QSysInfo::machineHostName().toStdString());
    request.experiment = spec.name;
    request.database = options.database;
    request.store_texts = options.store_texts;
    const auto known = baselines.find(cell.device);
    const double expiry = spec.baseline_expires_minutes * 60.0;
    if (known != baselines.end() && toSeconds(monotonicNow() - known->second.end_ns) < expiry)
        request.known_baseline = known->second;
    else
        request.baseline_seconds = spec.baseline_seconds;
    return request;
}

void StudyRunner::Private::keepBaseline(const Run& run)
{
    if (!run.info.power.baseline)
        return;
    const BaselineRecord& record = *run.info.power.baseline;
    baselines[cell().device] = {record, run.trace.time.begin_ns - record.age_ns};
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
    d->coolDown.setSingleShot(true);
    connect(&d->coolDown, &QTimer::timeout, this, &StudyRunner::runStep);
    connect(&d->profiler, &Profiler::loadProgress, this, &StudyRunner::progress);
    connect(&d->profiler, &Profiler::tokenComplete, this, [this](const TokenComplete& token) {
        Q_EMIT progress((token.token.index + 1.0) / d->cell().output_tokens,
                        QStringLiteral("Token %1").arg(token.token.index + 1));
    });
    connect(&d->profiler, &Profiler::finished, this, [this](const RunFinished& run) {
        const RunInfo& info = run.run->info;
        if (!run.save_problem.empty()) {
            d->result.error = Error{ErrorCode::Io, "The run is not stored: " + run.save_problem};
            return end();
        }
        if (info.status == RunStatus::Complete) {
            ++d->result.ran;
            d->secondsSpent += toSeconds(monotonicNow() - d->began_ns);
            d->keepBaseline(*run.run);
        } else if (info.status == RunStatus::Failed) {
            d->result.failures.push_back({d->cell().label, info.status_message});
            Q_EMIT stepFailed(QString::fromStdString(d->cell().label),
                              QString::fromStdString(info.status_message));
        }
        ++d->step;
        next();
    });
    connect(&d->profiler, &Profiler::failed, this, [this](int, const QString& message) {
        if (!d->cancelled) {
            // It would fail again, as nothing of it depends on the moment.
            d->failedCells.insert(d->plan.steps[d->step].cell);
            d->result.failures.push_back({d->cell().label, message.toStdString()});
            Q_EMIT stepFailed(QString::fromStdString(d->cell().label), message);
        }
        ++d->step;
        next();
    });
}

StudyRunner::~StudyRunner() = default;

const StudyResult& StudyRunner::result() const
{
    return d->result;
}

void StudyRunner::start()
{
    if (const Status looked = d->look(); !looked) {
        d->result.error = looked.error();
        QTimer::singleShot(0, this, [this] { end(); });
        return;
    }
    for (const bool done : d->progress.done)
        d->result.skipped += done ? 1 : 0;
    QTimer::singleShot(0, this, [this] { next(); });
}

void StudyRunner::cancel()
{
    if (d->cancelled)
        return;
    d->cancelled = true;
    d->result.cancelled = true;
    d->profiler.cancel();
    if (d->coolDown.isActive()) {
        d->coolDown.stop();
        end();
    }
}

void StudyRunner::next()
{
    const auto& steps = d->plan.steps;
    while (d->step < steps.size()
           && (d->progress.done[d->step] || d->failedCells.contains(steps[d->step].cell)))
        ++d->step;
    if (d->cancelled || d->step == steps.size())
        return end();
    const bool first = d->result.ran == 0;
    constexpr double kMs = 1000.0;
    const double wait = first || !d->options.cool_down ? 0.0 : d->spec.cool_down_seconds * kMs;
    if (wait > 0.0)
        Q_EMIT progress(0.0, QStringLiteral("Cooling down"));
    d->coolDown.start(static_cast<int>(wait));
}

void StudyRunner::runStep()
{
    const StudyCell& cell = d->cell();
    Q_EMIT stepStarting(d->doneSteps(), static_cast<int>(d->plan.steps.size()),
                        QString::fromStdString(cell.label), d->secondsLeft());
    if (d->cancelled)
        return end();
    auto request = d->request();
    if (!request) {
        d->failedCells.insert(d->plan.steps[d->step].cell);
        d->result.failures.push_back({cell.label, request.error().message});
        Q_EMIT stepFailed(QString::fromStdString(cell.label),
                          QString::fromStdString(request.error().message));
        ++d->step;
        return next();
    }
    d->removeLeftovers();
    d->began_ns = monotonicNow();
    d->profiler.start(*request);
}

void StudyRunner::end()
{
    if (std::exchange(d->ended, true))
        return;
    d->result.left = static_cast<int>(d->plan.steps.size()) - d->doneSteps();
    Q_EMIT finished();
}

} // namespace ep::session
