// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/session/profiler.h"

#include "record/current_operation.h"
#include "record/outbox.h"
#include "run/cover_watch.h"
#include "run/job.h"

#include "ep/core/clock.h"
#include "ep/core/start_thread.h"

#include <QThread>
#include <QTimer>

#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <utility>

namespace ep::session {

namespace {

constexpr int kDeliveryIntervalMs = 16;

} // namespace

// The inference thread: owns the model and executes one run after the other. It has no event loop;
// runs come in through a mailbox and events go out through the Outbox.
class Worker final : public QThread {
public:
    explicit Worker(Backend backend);
    ~Worker() override; // waits for the current run; cancel it first

    void post(const RunRequest& request, const CancelToken& cancel);
    // Opens the engine, which the first run would wait for. Does nothing if a run is waiting, and
    // leaves errors to the run.
    void prepare();

    Outbox& outbox() { return m_outbox; }
    const PublishedOperation& current() const { return m_current; }
    CoverWatch& cover() { return m_cover; }

private:
    struct Job {
        std::optional<RunRequest> request; // absent: only opens the engine
        CancelToken cancel;
    };

    void run() override;
    Status started();
    std::optional<Job> next(); // waits; absent if the thread should end

    const Backend m_backend;
    Outbox m_outbox;
    PublishedOperation m_current;
    CoverWatch m_cover;
    std::mutex m_mutex; // guards m_job and m_ending
    std::condition_variable m_changed;
    std::optional<Job> m_job;
    bool m_ending = false;
};

InferenceJob::InferenceJob(RunRequest request, const RunContext& context, const char* activity)
    : m_request(std::move(request))
    , m_context(context)
    , m_store(StoreWriter::make(m_request.database, m_request.store_texts))
    , m_power(m_request, context.backend, context.outbox, m_store.get(), context.cancel)
    , m_load(systemLoadClocks(context.backend))
    , m_scope{m_request, m_context, m_power, m_store.get(), m_load}
{
    if (m_context.backend.beginActivity)
        m_activity = m_context.backend.beginActivity(activity);
}

void InferenceJob::execute()
{
    if (const Status ended = guarded([this] { return finish(perform()); }); !ended)
        putError(ended.error());
}

void InferenceJob::putRun(Run run)
{
    m_power.release();
    m_context.outbox.put(finishedRun(std::move(run), m_store.get()));
}

void InferenceJob::putError(const Error& error)
{
    m_power.release();
    m_context.outbox.put(RunFailed{error});
}

Worker::Worker(Backend backend)
    : m_backend(std::move(backend))
    , m_current(pack({}))
{
    setObjectName(QStringLiteral("inference"));
}

Worker::~Worker()
{
    {
        const std::lock_guard lock(m_mutex);
        m_ending = true;
        m_changed.notify_all();
    }
    wait();
}

void Worker::post(const RunRequest& request, const CancelToken& cancel)
{
    {
        const std::lock_guard lock(m_mutex);
        m_job = Job{request, cancel};
        m_changed.notify_all();
    }
    if (const Status running = started(); !running) {
        const std::lock_guard lock(m_mutex);
        m_job.reset();
        m_outbox.put(RunFailed{running.error()});
    }
}

void Worker::prepare()
{
    {
        const std::lock_guard lock(m_mutex);
        if (m_job)
            return;
        m_job = Job{};
        m_changed.notify_all();
    }
    (void)started();
}

Status Worker::started()
{
    return isRunning() ? Status() : startThread(*this);
}

std::optional<Worker::Job> Worker::next()
{
    std::unique_lock lock(m_mutex);
    m_changed.wait(lock, [this] { return m_ending || m_job; });
    if (m_ending)
        return std::nullopt;
    return std::exchange(m_job, std::nullopt);
}

void Worker::run()
{
    ModelCache models(m_backend);
    while (const std::optional<Job> job = next()) {
        if (!job->request) {
            (void)models.library();
            continue;
        }
        const RunRequest& request = *job->request;
        const RunContext context{m_backend, models, m_outbox, m_current, job->cancel, m_cover};
        const Status made = guarded([&]() -> Status {
            const auto make = request.server ? makeServerJob
                : request.record             ? makeRecordJob
                                             : makeRunJob;
            make(request, context)->execute();
            return {};
        });
        if (!made)
            m_outbox.put(RunFailed{made.error()});
    }
}

struct Profiler::Private {
    explicit Private(Backend backend)
        : worker(std::move(backend))
    {
    }

    // Excludes the owner's thread from the threads of the run.
    static Backend withThisThread(Backend backend)
    {
        const ThreadClock owner = ThreadClock::ofThisThread();
        if (std::ranges::find(backend.beside, owner) == backend.beside.end())
            backend.beside.push_back(owner);
        return backend;
    }

    Worker worker;
    QTimer delivery; // active during a run
    CancelToken cancel; // of the current run
    bool running = false;
};

Profiler::Profiler(QObject* parent)
    : Profiler(realBackend(), parent)
{
}

Profiler::Profiler(Backend backend, QObject* parent)
    : QObject(parent)
    , d(std::make_unique<Private>(Private::withThisThread(std::move(backend))))
{
    d->delivery.setInterval(kDeliveryIntervalMs);
    connect(&d->delivery, &QTimer::timeout, this, &Profiler::deliverEvents);
    // The user waits for the first token, however rare the deliveries are.
    d->worker.outbox().onFirstToken([this] {
        QMetaObject::invokeMethod(this, &Profiler::deliverEvents, Qt::QueuedConnection);
    });
}

Profiler::~Profiler()
{
    d->cancel.cancel();
}

bool Profiler::running() const
{
    return d->running;
}

void Profiler::start(const RunRequest& request)
{
    Q_ASSERT(!d->running);
    d->running = true;
    d->cancel = CancelToken();
    d->worker.post(request, d->cancel);
    d->delivery.start();
}

void Profiler::prepare()
{
    if (!d->running)
        d->worker.prepare();
}

void Profiler::cancel()
{
    d->cancel.cancel();
}

CurrentOperation Profiler::currentOperation() const
{
    return unpack(d->worker.current().load(std::memory_order_relaxed));
}

void Profiler::setDeliveryInterval(int ms)
{
    if (d->delivery.interval() != ms)
        d->delivery.setInterval(ms); // restarts the timer
}

void Profiler::setWindowCovered(bool covered)
{
    d->worker.cover().set(covered, monotonicNow());
}

void Profiler::deliverEvents()
{
    if (!d->running)
        return;
    // After the last event the receiver may start the next run or delete this object, so nothing
    // may be accessed after it.
    struct Deliver {
        Profiler& profiler;
        void operator()(const LoadProgress& e) const
        {
            Q_EMIT profiler.loadProgress(e.fraction, e.what);
        }
        void operator()(const RunBegan& e) const { Q_EMIT profiler.runStarted(*e.started); }
        void operator()(const SectionBegan& e) const { Q_EMIT profiler.sectionStarted(e.event); }
        void operator()(const SectionEnded& e) const { Q_EMIT profiler.sectionEnded(e.event); }
        void operator()(const PowerSample& e) const { Q_EMIT profiler.powerSample(e); }
        void operator()(const PowerProblem& e) const { Q_EMIT profiler.powerProblem(e.message); }
        void operator()(const TokenComplete& e) const { Q_EMIT profiler.tokenComplete(e); }
        void operator()(const RunFinished& e) const
        {
            profiler.endRun();
            Q_EMIT profiler.finished(e);
        }
        void operator()(const RunFailed& e) const
        {
            profiler.endRun();
            Q_EMIT profiler.failed(e.error);
        }
    };
    const std::vector<Event> events = d->worker.outbox().takeAll();
    const bool last = !events.empty()
        && (std::holds_alternative<RunFinished>(events.back())
            || std::holds_alternative<RunFailed>(events.back()));
    for (const Event& event : events)
        std::visit(Deliver{*this}, event);
    if (!last)
        Q_EMIT delivered();
}

void Profiler::endRun()
{
    d->delivery.stop();
    d->running = false;
}

} // namespace ep::session
