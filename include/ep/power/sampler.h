// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/power/source.h"

#include <QObject>
#include <QThread>

#include <memory>
#include <string>
#include <vector>

namespace ep::power {

// Runs one source on a thread of its own. All members may be called from the thread that made the
// sampler; signals arrive there too, through its event loop. Sampling never blocks the caller.
class Sampler : public QObject {
    Q_OBJECT
public:
    explicit Sampler(QObject* parent = nullptr);
    ~Sampler() override; // stops and waits, like stop()

    // Creates the source (createSource) and starts it; samples of a run before are forgotten. Fails
    // when the choice cannot work here.
    Status start(const SourceChoice& choice, int intervalMs);
    // The same with a source at hand, which must have no parent.
    Status start(CreatedSource created, int intervalMs);
    // Asks the source to end and waits for it, at most timeoutMs. The last samples are kept. A
    // source that does not react is left behind with its thread.
    void stop(int timeoutMs = 3000);
    bool running() const; // started, and neither stopped nor ended by itself

    std::string kind() const; // "none" before start
    std::string detail() const;
    std::string reason() const; // why this source
    SourceFacts facts() const;

    // All samples so far, in order; safe while sampling goes on.
    std::vector<PowerSample> samples() const;

Q_SIGNALS:
    void sampleReady(const ep::PowerSample& sample);
    void sourceFailed(const QString& problem); // in the middle of sampling; the run goes on without

private:
    struct Shared; // what the source's thread and this one both touch
    std::shared_ptr<Shared> m_shared;
    Source* m_source = nullptr; // lives in and is deleted by m_thread
    QThread* m_thread = nullptr; // null while nothing runs
    std::string m_kind = "none";
    std::string m_reason;
    int m_generation = 0; // of the run; signals of an earlier one are dropped
};

} // namespace ep::power
