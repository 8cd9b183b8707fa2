// SPDX-License-Identifier: GPL-3.0-or-later
#include "power/sampler_feed.h"

#include "ep/core/start_thread.h"
#include "ep/power/sampler.h"

#include <utility>

namespace ep::session {

SamplerFeed::~SamplerFeed()
{
    stop();
}

Status SamplerFeed::start(const power::SourceChoice& choice, int intervalMs, PowerSink sink)
{
    m_choice = choice;
    m_intervalMs = intervalMs;
    m_sink = std::move(sink);
    setObjectName(QStringLiteral("power feed"));
    if (const Status running = startThread<QThread>(*this); !running)
        return running;
    std::unique_lock lock(m_mutex);
    m_changed.wait(lock, [this] { return m_announced; });
    return m_status;
}

void SamplerFeed::announceStart(Status status)
{
    const std::lock_guard lock(m_mutex);
    m_status = std::move(status);
    m_announced = true;
    m_changed.notify_all();
}

void SamplerFeed::run()
{
    power::Sampler sampler;
    std::size_t delivered = 0;
    connect(&sampler, &power::Sampler::sampleReady, &sampler, [&](const PowerSample& sample) {
        ++delivered;
        m_sink.sample(sample);
    });
    connect(&sampler, &power::Sampler::sourceFailed, &sampler,
            [&](const QString& problem) { m_sink.problem(problem.toStdString()); });

    Status status = sampler.start(m_choice, m_intervalMs);
    const bool started = status.has_value();
    if (started) {
        m_kind = sampler.kind();
        m_detail = sampler.detail();
        m_reason = sampler.reason();
    }
    announceStart(std::move(status));
    if (!started)
        return;

    exec();
    sampler.stop();
    m_detail = sampler.detail(); // now includes information from the samples: machine and rails
    m_facts = sampler.facts();
    // Samples that arrived while stopping have no event loop to be delivered through.
    const std::vector<PowerSample> samples = sampler.samples();
    for (std::size_t i = delivered; i < samples.size(); ++i)
        m_sink.sample(samples[i]);
}

void SamplerFeed::stop()
{
    quit();
    wait();
}

} // namespace ep::session
