// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/power/source.h"

#include <QObject>
#include <QThread>

#include <mutex>
#include <string>
#include <vector>

namespace ep::power {

// Runs one source on a thread of its own. All members may be called from the thread that made the
// sampler; signals arrive there too. Sampling never blocks the caller.
class Sampler : public QObject {
    Q_OBJECT
public:
    explicit Sampler(QObject* parent = nullptr);
    ~Sampler() override; // stops and waits

    // Creates the source (createSource) and starts it. Fails when the choice cannot work here.
    Status start(const SourceChoice& choice, int intervalMs);
    // Asks the source to end and waits for it, at most timeoutMs. The last samples are kept.
    void stop(int timeoutMs = 3000);
    bool running() const;

    std::string kind() const; // "none" before start
    std::string detail() const;
    std::string reason() const; // why this source

    // All samples so far, in order; safe while sampling goes on.
    std::vector<PowerSample> samples() const;

Q_SIGNALS:
    void sampleReady(const ep::PowerSample& sample);
    void sourceFailed(const QString& problem); // in the middle of sampling; the run goes on without

private:
    struct Worker;
    QThread m_thread;
    mutable std::mutex m_mutex; // guards m_samples
    std::vector<PowerSample> m_samples;
    std::unique_ptr<Worker> m_worker;
};

} // namespace ep::power
