// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/power/source.h"

#include <functional>
#include <memory>
#include <string>

class QThread;

namespace ep::power {

// Receiver of samples. Called on the thread of the source, one call at a time; it must neither
// block nor stop the sampler.
struct SampleSink {
    std::function<void(const PowerSample&)> sample;
    std::function<void(const Message&)> problem; // the source failed; no more samples follow
};

// Runs one source on its own thread, which also delivers the samples: they arrive while the caller
// computes, and need no event loop of the caller. The members belong to the thread that created
// the sampler; sampling never blocks it.
class Sampler {
public:
    Sampler();
    ~Sampler(); // stops and waits, like stop()
    Sampler(const Sampler&) = delete;
    Sampler& operator=(const Sampler&) = delete;

    // Creates the source (createSource) and starts it. Fails if the source cannot work on this
    // machine.
    Status start(const SourceChoice& choice, int intervalMs, SampleSink sink);
    // The same for an existing source, which must not have a parent.
    Status start(CreatedSource created, int intervalMs, SampleSink sink);
    // Requests the source to end and waits for its last samples, at most timeoutMs. The sink is
    // not called afterwards. A source that does not respond is abandoned together with its thread.
    void stop(int timeoutMs = 3000);
    bool running() const; // started, and neither stopped nor ended by itself

    std::string kind() const { return m_kind; } // "none" before start
    std::string reason() const { return m_reason; } // why this source was chosen
    std::string detail() const; // including what the samples so far tell: machine and rails
    SourceFacts facts() const;

private:
    struct Shared; // state shared with the source's thread
    std::shared_ptr<Shared> m_shared;
    Source* m_source = nullptr; // lives in and is deleted by m_thread
    QThread* m_thread = nullptr; // null while not running
    std::string m_kind = "none";
    std::string m_reason;
};

} // namespace ep::power
