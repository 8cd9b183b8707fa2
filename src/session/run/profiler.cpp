// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/session/profiler.h"

#include "run/worker.h"

#include "ep/core/clock.h"

#include <QTimer>

#include <algorithm>
#include <utility>

namespace ep::session {

namespace {

constexpr int kDeliveryIntervalMs = 16;

} // namespace

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
