// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/power/source.h"

#include <QObject>
#include <QThread>

#include <memory>
#include <string>
#include <vector>

namespace ep::power {

// Runs one source on its own thread. All members may be called from the thread that created the
// sampler; signals arrive there too, through its event loop. Sampling never blocks the caller.
class Sampler : public QObject {
    Q_OBJECT
public:
    explicit Sampler(QObject* parent = nullptr);
    ~Sampler() override; // stops and waits, like stop()

    // Creates the source (createSource) and starts it; samples of a previous run are discarded.
    // Fails if the source cannot work on this machine.
    Status start(const SourceChoice& choice, int intervalMs);
    // The same with an existing source, which must have no parent.
    Status start(CreatedSource created, int intervalMs);
    // Requests the source to end and waits for it, at most timeoutMs. The last samples are kept. A
    // source that does not respond is abandoned together with its thread.
    void stop(int timeoutMs = 3000);
    bool running() const; // started, and neither stopped nor ended by itself

    std::string kind() const; // "none" before start
    std::string detail() const;
    std::string reason() const; // why this source was chosen
    SourceFacts facts() const;

    // All samples so far, in order; can be called during sampling.
    std::vector<PowerSample> samples() const;

Q_SIGNALS:
    void sampleReady(const ep::PowerSample& sample);
    void sourceFailed(const QString& problem); // during sampling; the run continues without it

private:
    struct Shared; // state shared with the source's thread
    std::shared_ptr<Shared> m_shared;
    Source* m_source = nullptr; // lives in and is deleted by m_thread
    QThread* m_thread = nullptr; // null while not running
    std::string m_kind = "none";
    std::string m_reason;
    int m_generation = 0; // of the run; signals of an earlier one are dropped
};

} // namespace ep::power
