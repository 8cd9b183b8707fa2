// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/session/request_recorder.h"

#include "attach/server_run.h"
#include "power/server_process.h"
#include "record/store_writer.h"

#include "ep/core/clock.h"
#include "ep/core/job_queue.h"
#include "ep/core/quantile.h"
#include "ep/energy/share.h"
#include "ep/session/jobs.h"
#include "ep/session/privacy.h"
#include "ep/store/store.h"

#include <QTimer>

#include <algorithm>
#include <atomic>
#include <deque>
#include <exception>
#include <filesystem>
#include <iterator>
#include <limits>
#include <map>
#include <mutex>
#include <utility>
#include <vector>

namespace ep::session {
namespace {

// Load of the machine while a group is served. Reading it takes milliseconds, so the job threads
// do it rather than a request.
struct GroupLoad {
    explicit GroupLoad(const Backend& backend)
        : machine(systemLoadClocks(backend))
    {
    }

    std::unique_ptr<ServerProcess> process;
    MachineLoad machine;
};

// Overlapping requests, or a single request, with the measurements made meanwhile.
struct GroupWork {
    std::vector<ServerRequest> requests;
    std::vector<RunInfo> infos; // one for each request
    MeasuredPower power;
    std::shared_ptr<GroupLoad> load;
    std::vector<Interruption> interruptions;
    std::filesystem::path database; // of earlier runs; empty: none
};

constexpr std::size_t kMaxRuns = 20;

// Median costs of the newest stored runs of single requests to this engine and model whose phases
// were long enough to be measured; absent if there are none. Reads the database; any thread.
std::optional<energy::SoloCosts> soloCosts(const std::filesystem::path& database,
                                           const std::string& engine, const std::string& model)
{
    const auto store = store::Store::open(database, store::Store::Mode::ReadOnly);
    if (!store)
        return std::nullopt;
    RunFilter filter;
    filter.models = {model};
    filter.statuses = {"complete"};
    const auto runs = (*store)->list(filter); // newest first
    if (!runs)
        return std::nullopt;
    std::vector<double> input;
    std::vector<double> output;
    const auto take = [](std::vector<double>& values, const std::optional<double>& value) {
        if (value && values.size() < kMaxRuns)
            values.push_back(*value);
    };
    for (const RunSummary& run : *runs) {
        const auto& server = run.info.profiling.server;
        if (!server || server->group || server->engine != engine)
            continue;
        take(input, run.metrics.joules_per_input_token);
        take(output, run.metrics.joules_per_output_token);
    }
    if (input.empty() || output.empty())
        return std::nullopt;
    return energy::SoloCosts{medianOf(input) * kMillijoulesPerJoule,
                             medianOf(output) * kMillijoulesPerJoule};
}

// The engine's name, as in the runs of the server.
const std::string& engineOf(const ServerRequest& request)
{
    const std::string& stated = request.answer.figures.engine;
    return stated.empty() ? request.engine : stated;
}

std::vector<Run> madeRuns(GroupWork work)
{
    if (work.requests.size() == 1) {
        std::vector<Run> runs;
        runs.push_back(assembleServerRun(std::move(work.infos.front()), work.requests.front(),
                                         std::move(work.power), work.load->machine,
                                         work.interruptions));
        return runs;
    }
    const std::string model = work.requests.front().model;
    const bool oneModel = std::ranges::all_of(
        work.requests, [&](const ServerRequest& one) { return one.model == model; });
    auto solo = oneModel
        ? soloCosts(work.database, engineOf(work.requests.front()), work.infos.front().model.name)
        : std::nullopt;
    return assembleGroup({std::move(work.infos), std::move(work.requests), solo}, work.power,
                         work.load->machine, work.interruptions);
}

// Returns a failed run without data, for a request whose run did not fit into memory.
Run bareRun(const RunInfo& info)
{
    Run run;
    run.info.id = info.id;
    run.info.created_at_ms = info.created_at_ms;
    run.info.model.name = info.model.name;
    run.info.device = info.device;
    run.info.power.source = info.power.source;
    run.info.profiling.server = info.profiling.server;
    run.info.status = RunStatus::Failed;
    run.info.status_message = "There was not enough memory to make the run of this request.";
    return run;
}

// A run of each request. Throws nothing: without memory for the runs, each is a failed one that
// says so.
std::vector<Run> runsOf(GroupWork work)
{
    std::vector<Run> bare;
    for (const RunInfo& info : work.infos)
        bare.push_back(bareRun(info));
    try {
        return madeRuns(std::move(work));
    } catch (const std::exception&) {
        return bare;
    }
}

constexpr int kLookMs = 50;
constexpr std::size_t kLongestAnswerId = 200; // characters
constexpr std::int64_t kMaxHeld = 16 * 1024 * 1024;
constexpr Nanoseconds kSecond = 1'000'000'000;
constexpr Nanoseconds kLongestIdle = 30 * kSecond;
constexpr Nanoseconds kShortestIdle = 1 * kSecond;
constexpr Nanoseconds kKept = 40 * kSecond; // length of the samples kept while no request is open

// The source's samples, kept as long as a group may need them.
class SampleShelf {
public:
    void add(const PowerSample& sample)
    {
        const std::lock_guard lock(m_mutex);
        m_samples.push_back(sample);
        m_newest = std::max(m_newest, sample.window.end_ns);
        if (!m_keeps && m_samples.front().window.end_ns < m_newest - 2 * kKept)
            std::erase_if(m_samples, [&](const PowerSample& one) {
                return one.window.end_ns < m_newest - kKept;
            });
    }
    void fail(const Message& problem)
    {
        const std::lock_guard lock(m_mutex);
        m_problem = problem;
    }
    void keep(bool all)
    {
        const std::lock_guard lock(m_mutex);
        m_keeps = all;
    }
    Nanoseconds newest() const
    {
        const std::lock_guard lock(m_mutex);
        return m_problem.empty() ? m_newest : std::numeric_limits<Nanoseconds>::max();
    }
    std::vector<PowerSample> touching(const TimeRange& time) const
    {
        const std::lock_guard lock(m_mutex);
        std::vector<PowerSample> samples;
        std::ranges::copy_if(m_samples, std::back_inserter(samples), [&](const auto& sample) {
            return !intersection(sample.window, time).empty();
        });
        return samples;
    }
    std::optional<Nanoseconds> first() const
    {
        const std::lock_guard lock(m_mutex);
        return m_samples.empty() ? std::nullopt : std::optional(m_samples.front().window.begin_ns);
    }
    Message problem() const
    {
        const std::lock_guard lock(m_mutex);
        return m_problem;
    }

private:
    mutable std::mutex m_mutex; // guards everything
    std::vector<PowerSample> m_samples;
    bool m_keeps = false; // a group is open or waiting, so samples are kept
    Nanoseconds m_newest = 0;
    Message m_problem;
};

// Requests that overlap, until their runs are made.
struct Group {
    TimeRange time; // from the first request to the end of the last one
    TimeRange idle; // before the group; empty: too short
    std::vector<ServerRequest> done;
    std::uint64_t first = 0; // number of the first request
    std::shared_ptr<GroupLoad> load;
    std::vector<Interruption> interruptions;
    std::int64_t held = 0; // bytes of the answers
    Nanoseconds patience_ns = 0; // how long to wait for samples that cover the end
};

} // namespace

struct RequestRecorder::Private {
    Private(RequestRecorderOptions theOptions, Backend theBackend)
        : options(std::move(theOptions))
        , backend(std::move(theBackend))
    {
    }

    RequestRecorderOptions options;
    Backend backend;
    SampleShelf shelf;
    std::unique_ptr<PowerFeed> feed;
    std::map<std::uint64_t, Nanoseconds> open;
    std::optional<Group> current; // set while requests are in progress
    // Groups follow one another, so they share one watch; separate watches would need a thread
    // each.
    ClockWatch clocks;
    std::deque<Group> waiting; // waiting for samples that cover their ends
    std::map<std::string, std::string> answers; // jobs by the ids of the answers given in them
    std::deque<std::string> answer_order; // ids of the answers, oldest first
    Nanoseconds quiet_since = 0; // end of the newest group, when the machine became idle
    QTimer wait; // while groups are waiting
    bool draining = false;
    std::atomic<std::int64_t> held = 0; // bytes of answers whose runs are not made yet
    JobQueue jobs; // stores runs in order; last, so that its jobs end first

    PowerInfo describePower() const
    {
        PowerInfo info;
        info.source = feed ? feed->kind() : "none";
        if (feed) {
            info.detail = feed->detail();
            info.notice = shelf.problem().empty() ? feed->reason() : shelf.problem();
        }
        return info;
    }
    std::string jobOf(const ServerRequest& request, const std::string& run);
    bool delivers() const { return feed && feed->kind() != "none"; }
    TimeRange idleBefore(Nanoseconds begin) const;
    MeasuredPower measured(const Group& group) const;
    static RunFinished store(Run run, const RequestRecorderOptions& options);
};

// The name of the request's job, or the id of its first run; empty: the request names none. Clients
// of the Responses API may send only the new messages and name the previous answer.
std::string RequestRecorder::Private::jobOf(const ServerRequest& request, const std::string& run)
{
    constexpr std::size_t kMost = 4096;
    const auto named = [this](const std::string& id) {
        return options.run.store_texts ? id : hashedText(id);
    };
    std::string job = request.job.empty() ? std::string() : named(request.job);
    if (job.empty() && !request.follows.empty()) {
        const auto known = answers.find(request.follows);
        job = known != answers.end() ? known->second : named(request.follows);
    }
    const std::string& given = request.answer.figures.id;
    if (!given.empty() && given.size() <= kLongestAnswerId
        && answers.insert_or_assign(given, job.empty() ? run : job).second) {
        answer_order.push_back(given);
        if (answer_order.size() > kMost) {
            answers.erase(answer_order.front());
            answer_order.pop_front();
        }
    }
    return job;
}

TimeRange RequestRecorder::Private::idleBefore(Nanoseconds begin) const
{
    const auto first = shelf.first();
    if (!first)
        return {};
    const TimeRange idle{std::max({*first, quiet_since, begin - kLongestIdle}), begin};
    return idle.duration_ns() >= kShortestIdle ? idle : TimeRange{};
}

MeasuredPower RequestRecorder::Private::measured(const Group& group) const
{
    MeasuredPower power;
    power.info = describePower();
    power.facts = feed ? feed->facts() : power::SourceFacts{};
    power.idle = group.idle;
    power.interval_ms = options.run.interval_ms;
    constexpr Nanoseconds kAround = kSecond;
    const Nanoseconds begin = group.idle.empty() ? group.time.begin_ns : group.idle.begin_ns;
    power.samples = shelf.touching({begin - kAround, group.time.end_ns + kAround});
    return power;
}

RunFinished RequestRecorder::Private::store(Run run, const RequestRecorderOptions& options)
{
    RunFinished finished;
    if (const auto writer = StoreWriter::make(options.run.database, options.run.store_texts)) {
        const Status saved = writer->finish(run);
        finished.saved = saved.has_value();
        if (!saved)
            finished.save_problem = saved.error().message;
    }
    finished.run = std::make_shared<const Run>(std::move(run));
    return finished;
}

RequestRecorder::RequestRecorder(RequestRecorderOptions options, Backend backend, QObject* parent)
    : QObject(parent)
    , d(std::make_unique<Private>(std::move(options), std::move(backend)))
{
    d->wait.setInterval(kLookMs);
    connect(&d->wait, &QTimer::timeout, this, &RequestRecorder::look);
}

RequestRecorder::~RequestRecorder()
{
    if (d->feed)
        d->feed->stop();
    d->jobs.waitForDone();
}

Status RequestRecorder::start()
{
    d->feed = d->backend.makePowerFeed();
    power::SourceChoice choice = d->options.run.power;
    choice.replay_endless = true;
    const Status started =
        d->feed->start(choice, d->options.run.interval_ms,
                       {.sample = [this](const PowerSample& sample) { d->shelf.add(sample); },
                        .problem = [this](const Message& problem) { d->shelf.fail(problem); }});
    if (!started)
        d->feed.reset();
    return started;
}

PowerInfo RequestRecorder::power() const
{
    return d->describePower();
}

void RequestRecorder::began(std::uint64_t request, Nanoseconds atNs)
{
    if (!d->current) {
        Group& group = d->current.emplace();
        group.time = {atNs, atNs};
        group.idle = d->idleBefore(atNs);
        group.load = std::make_shared<GroupLoad>(d->backend);
        d->clocks.begin();
        d->shelf.keep(true);
        d->jobs.start(
            [load = group.load, port = d->options.server_port, engine = d->options.engine] {
                load->process = std::make_unique<ServerProcess>(port, engine);
                load->machine.begin(load->process.get());
            });
    }
    d->open.emplace(request, atNs);
}

void RequestRecorder::ended(std::uint64_t request, ServerRequest facts)
{
    if (d->open.erase(request) == 0 || !d->current)
        return;
    checkCounts(facts);
    // Runs are made later than answers arrive, so the answers that wait are limited.
    const auto held = static_cast<std::int64_t>(attach::heldBytes(facts.answer));
    if (d->held + held > kMaxHeld) {
        facts.answer.chunks = {};
        facts.answer.text = {};
        facts.outcome =
            Error{ErrorCode::NoMemory,
                  "Too many long answers arrived at the same time, so this one was not kept."};
    }
    Group& group = *d->current;
    group.held += static_cast<std::int64_t>(attach::heldBytes(facts.answer));
    d->held += static_cast<std::int64_t>(attach::heldBytes(facts.answer));
    group.time.end_ns = std::max(group.time.end_ns, facts.answer.ended_ns);
    if (group.done.empty())
        group.first = request;
    group.done.push_back(std::move(facts));
    // A request that has been alone so far is reported with its run, if its run can have an energy.
    if (group.done.size() > 1 || !d->open.empty() || !group.done.back().outcome || !d->delivers())
        Q_EMIT measured(request, {});
    if (!d->open.empty())
        return;
    d->jobs.start([load = group.load] { load->machine.end(); });
    d->clocks.look();
    group.interruptions = d->clocks.interruptions();
    group.patience_ns = monotonicNow() + 3 * kSecond + 2 * d->options.run.interval_ms * kNsPerMs;
    d->quiet_since = group.time.end_ns;
    d->waiting.push_back(std::move(group));
    d->current.reset();
    d->wait.start();
}

void RequestRecorder::look()
{
    const auto ready = [this](const Group& group) {
        return d->draining || !d->delivers() || d->shelf.newest() >= group.time.end_ns
            || monotonicNow() > group.patience_ns;
    };
    while (!d->waiting.empty() && ready(d->waiting.front())) {
        conclude();
        d->waiting.pop_front();
        if (!d->draining && !d->waiting.empty()) { // requests come first
            QMetaObject::invokeMethod(this, &RequestRecorder::look, Qt::QueuedConnection);
            return;
        }
    }
    if (!d->waiting.empty())
        return;
    d->wait.stop();
    d->shelf.keep(d->current.has_value());
    if (!d->current)
        d->clocks.rest();
}

// Makes the runs of the first waiting group.
void RequestRecorder::conclude()
{
    Group& group = d->waiting.front();
    auto requests = std::move(group.done);
    std::vector<RunInfo> infos;
    for (const ServerRequest& request : requests) {
        RunInfo& info = infos.emplace_back(describeRequest(request));
        info.tags = d->options.run.tags;
        if (const std::string job = d->jobOf(request, info.id); !job.empty())
            info.tags.push_back(std::string(kJobTag) + job);
        info.experiment = d->options.run.experiment;
    }
    GroupWork work{.requests = std::move(requests),
                   .infos = std::move(infos),
                   .power = d->measured(group),
                   .load = group.load,
                   .interruptions = std::move(group.interruptions),
                   .database = d->options.run.database};
    auto job = [this, options = d->options, held = group.held, first = group.first,
                work = std::move(work)]() mutable {
        std::vector<Run> runs = runsOf(std::move(work));
        if (runs.size() == 1 && runs.front().info.status == RunStatus::Complete)
            QMetaObject::invokeMethod(
                this,
                [this, first, run = RunSummary{runs.front().info, runs.front().metrics}] {
                    Q_EMIT measured(first, run);
                },
                Qt::QueuedConnection);
        d->held -= held;
        // SQLite merges its log when the last connection closes: once for all of these runs.
        std::optional<Result<std::unique_ptr<store::Store>>> open;
        if (!options.run.database.empty() && runs.size() > 1)
            open = store::Store::open(options.run.database);
        for (Run& run : runs) {
            auto finished = Private::store(std::move(run), options);
            QMetaObject::invokeMethod(
                this, [this, finished = std::move(finished)] { Q_EMIT runMade(finished); },
                Qt::QueuedConnection);
        }
    };
    d->jobs.start(std::move(job));
}

void RequestRecorder::drain()
{
    d->draining = true;
    look();
    d->jobs.waitForDone();
    QMetaObject::invokeMethod(this, &RequestRecorder::drained, Qt::QueuedConnection);
}

} // namespace ep::session
