// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/power/sampler.h"

#include "ep/core/start_thread.h"

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <utility>

namespace ep::power {

namespace {
constexpr int kMaxIntervalMs = 3'600'000;
constexpr int kQuitMs = 100; // time for the thread to leave its event loop
} // namespace

struct Sampler::Shared {
    mutable std::mutex mutex; // guards everything below
    std::condition_variable endedChanged;
    std::vector<PowerSample> samples;
    std::string detail;
    SourceFacts facts;
    bool ended = false;

    void describe(const Source& source)
    {
        detail = source.detail();
        facts = source.facts();
        facts.faults = source.faults();
    }
};

Sampler::Sampler(QObject* parent)
    : QObject(parent)
    , m_shared(std::make_shared<Shared>())
{
}

Sampler::~Sampler()
{
    stop();
}

Status Sampler::start(const SourceChoice& choice, int intervalMs)
{
    auto created = createSource(choice, intervalMs);
    if (!created)
        return created.error();
    return start(std::move(*created), intervalMs);
}

Status Sampler::start(CreatedSource created, int intervalMs)
{
    if (intervalMs < 1 || intervalMs > kMaxIntervalMs)
        return Error{ErrorCode::InvalidInput,
                     "The sampling interval of " + std::to_string(intervalMs)
                         + " ms is out of range; give 1 to 3600000 ms, usually 100."};
    stop();
    ++m_generation;
    m_shared = std::make_shared<Shared>();
    m_kind = created.kind;
    m_reason = created.reason;
    if (!created.source)
        return {};

    m_shared->detail = created.source->detail();
    m_thread = new QThread;
    m_thread->setObjectName(QStringLiteral("power sampler"));
    m_source = created.source.release();
    m_source->moveToThread(m_thread);
    const auto thread = m_thread;
    const auto source = m_source;
    const auto shared = m_shared;
    const auto generation = m_generation;

    // Called on the sampler's thread:
    connect(source, &Source::sampleReady, source, [source, shared](const PowerSample& sample) {
        const std::lock_guard lock(shared->mutex);
        shared->samples.push_back(sample);
        shared->describe(*source);
    });
    connect(source, &Source::ended, source, [source, shared] {
        const std::lock_guard lock(shared->mutex);
        shared->describe(*source);
        shared->ended = true;
        shared->endedChanged.notify_all();
    });
    connect(thread, &QThread::started, source, [source, intervalMs] { source->start(intervalMs); });
    connect(thread, &QThread::finished, source, &QObject::deleteLater);
    // Called on this thread:
    connect(source, &Source::sampleReady, this, [this, generation](const PowerSample& sample) {
        if (generation == m_generation)
            Q_EMIT sampleReady(sample);
    });
    connect(source, &Source::ended, this, [this, generation](const QString& problem) {
        if (generation == m_generation && !problem.isEmpty())
            Q_EMIT sourceFailed(problem);
    });
    const Status running = startThread(*thread);
    if (!running) {
        delete std::exchange(m_source, nullptr);
        delete std::exchange(m_thread, nullptr);
    }
    return running;
}

void Sampler::stop(int timeoutMs)
{
    if (m_thread == nullptr)
        return;
    // The source lives until its thread finishes, so it can be addressed here.
    QMetaObject::invokeMethod(m_source, &Source::stop, Qt::QueuedConnection);
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::milliseconds(timeoutMs);
    {
        std::unique_lock lock(m_shared->mutex);
        m_shared->endedChanged.wait_until(lock, deadline, [this] { return m_shared->ended; });
    }
    m_thread->quit();
    if (m_thread->wait(kQuitMs)) {
        delete m_thread;
    } else {
        // It is stuck in a call. It touches nothing of this object if it returns some day.
        m_source->disconnect(this);
        connect(m_thread, &QThread::finished, m_thread, &QObject::deleteLater);
    }
    m_thread = nullptr;
    m_source = nullptr;
}

bool Sampler::running() const
{
    const std::lock_guard lock(m_shared->mutex);
    return m_thread != nullptr && !m_shared->ended;
}

std::string Sampler::kind() const
{
    return m_kind;
}

std::string Sampler::detail() const
{
    const std::lock_guard lock(m_shared->mutex);
    return m_shared->detail;
}

std::string Sampler::reason() const
{
    return m_reason;
}

SourceFacts Sampler::facts() const
{
    const std::lock_guard lock(m_shared->mutex);
    return m_shared->facts;
}

std::vector<PowerSample> Sampler::samples() const
{
    const std::lock_guard lock(m_shared->mutex);
    return m_shared->samples;
}

} // namespace ep::power
