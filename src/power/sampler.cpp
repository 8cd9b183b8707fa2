// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/power/sampler.h"

#include "ep/core/power_limits.h"
#include "ep/core/start_thread.h"

#include <QThread>

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <utility>

namespace ep::power {

namespace {
constexpr int kQuitMs = 100; // time for the thread to leave its event loop
} // namespace

struct Sampler::Shared {
    mutable std::mutex mutex; // guards detail, facts and ended
    std::condition_variable endedChanged;
    Message detail;
    SourceFacts facts;
    bool ended = false;

    std::mutex handing; // held while the sink is called; guards the sink
    PowerSink sink; // empty after stop()

    void describe(const Source& source)
    {
        detail = source.detail();
        facts = source.facts();
        facts.faults = source.faults();
    }
    void hand(const PowerSample& sample)
    {
        const std::lock_guard lock(handing);
        if (sink.sample)
            sink.sample(sample);
    }
    void hand(const Message& problem)
    {
        const std::lock_guard lock(handing);
        if (sink.problem)
            sink.problem(problem);
    }
};

void Source::deliver(PowerSample sample)
{
    // NVIDIA cards with and without counters may be mixed; then all samples count as power.
    const bool counters = facts().sample_kind == SampleKind::Counter || kind() == "nvml";
    if (m_readings.clean(sample, counters))
        Q_EMIT sampleReady(sample);
}

Sampler::Sampler()
    : m_shared(std::make_shared<Shared>())
{
}

Sampler::~Sampler()
{
    stop();
}

Status Sampler::start(const SourceChoice& choice, int intervalMs, PowerSink sink)
{
    auto created = createSource(choice, intervalMs);
    if (!created)
        return created.error();
    return start(std::move(*created), intervalMs, std::move(sink));
}

Status Sampler::start(CreatedSource created, int intervalMs, PowerSink sink)
{
    if (intervalMs < 1 || intervalMs > kMaxIntervalMs)
        return Error{
            ErrorCode::InvalidInput,
            {"The sampling interval of %1 ms is out of range; give 1 to %2 ms, usually 100.",
             intervalMs, kMaxIntervalMs}};
    stop();
    m_shared = std::make_shared<Shared>();
    m_shared->sink = std::move(sink);
    m_kind = created.kind;
    m_reason = created.reason;
    if (!created.source)
        return {};

    m_shared->detail = created.source->detail();
    m_thread = new QThread;
    m_thread->setObjectName(QStringLiteral("power sampler"));
    m_source = created.source.release();
    m_source->moveToThread(m_thread);
    Source* const source = m_source;

    // Called on the sampler's thread:
    QObject::connect(source, &Source::sampleReady, source,
                     [source, shared = m_shared](const PowerSample& sample) {
                         {
                             const std::lock_guard lock(shared->mutex);
                             shared->describe(*source);
                         }
                         shared->hand(sample);
                     });
    QObject::connect(source, &Source::ended, source,
                     [source, shared = m_shared](const Message& problem) {
                         if (!problem.empty())
                             shared->hand(problem);
                         const std::lock_guard lock(shared->mutex);
                         shared->describe(*source);
                         shared->ended = true;
                         shared->endedChanged.notify_all();
                     });
    QObject::connect(m_thread, &QThread::started, source,
                     [source, intervalMs] { source->start(intervalMs); });
    QObject::connect(m_thread, &QThread::finished, source, &QObject::deleteLater);
    const Status running = startThread(*m_thread);
    if (!running) {
        delete std::exchange(m_source, nullptr);
        delete std::exchange(m_thread, nullptr);
    }
    return running;
}

void Sampler::readNow()
{
    if (m_source)
        QMetaObject::invokeMethod(m_source, &Source::readNow, Qt::QueuedConnection);
}

void Sampler::stop(int timeoutMs)
{
    if (m_thread == nullptr)
        return;
    // The source lives until its thread finishes, so calling it here is safe.
    QMetaObject::invokeMethod(m_source, &Source::stop, Qt::QueuedConnection);
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::milliseconds(timeoutMs);
    {
        std::unique_lock lock(m_shared->mutex);
        m_shared->endedChanged.wait_until(lock, deadline, [this] { return m_shared->ended; });
    }
    {
        const std::lock_guard lock(m_shared->handing);
        m_shared->sink = {};
    }
    m_thread->quit();
    if (m_thread->wait(kQuitMs))
        delete m_thread;
    else // The thread is stuck in a call, and does not touch this object if the call returns.
        QObject::connect(m_thread, &QThread::finished, m_thread, &QObject::deleteLater);
    m_thread = nullptr;
    m_source = nullptr;
}

bool Sampler::running() const
{
    const std::lock_guard lock(m_shared->mutex);
    return m_thread != nullptr && !m_shared->ended;
}

Message Sampler::detail() const
{
    const std::lock_guard lock(m_shared->mutex);
    return m_shared->detail;
}

SourceFacts Sampler::facts() const
{
    const std::lock_guard lock(m_shared->mutex);
    return m_shared->facts;
}

} // namespace ep::power
