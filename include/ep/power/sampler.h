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
struct PowerSink {
    std::function<void(const PowerSample&)> sample;
    std::function<void(const Message&)> problem; // the source failed; no more samples follow
};

// One power source for the duration of a run. The members belong to the thread that created it.
class PowerFeed {
public:
    virtual ~PowerFeed() = default; // stops the source
    // Returns once the source is running, or with the reason why it cannot work on this machine.
    virtual Status start(const SourceChoice& choice, int intervalMs, PowerSink sink) = 0;
    // Asks for a sample now instead of at the end of the interval; only some sources can.
    virtual void readNow() { }
    // Requests the last samples and waits for them; the sink is not called afterwards.
    virtual void stop() = 0;
    virtual std::string kind() const = 0; // "none" before start, or if nothing will be delivered
    virtual Message detail() const = 0;
    virtual Message reason() const = 0; // why this source was chosen
    virtual SourceFacts facts() const { return {}; } // valid after stop()
};

// Runs one source on its own thread, which also delivers the samples: they arrive while the caller
// computes, and need no event loop of the caller. Sampling never blocks the caller.
class Sampler final : public PowerFeed {
public:
    Sampler();
    ~Sampler() override; // stops and waits, like stop()
    Sampler(const Sampler&) = delete;
    Sampler& operator=(const Sampler&) = delete;

    // Creates the source (createSource) and starts it.
    Status start(const SourceChoice& choice, int intervalMs, PowerSink sink) override;
    // Starts an existing source, which must not have a parent.
    Status start(CreatedSource created, int intervalMs, PowerSink sink);
    void readNow() override;
    void stop() override { stop(3000); }
    // A source that does not respond within timeoutMs is abandoned together with its thread.
    void stop(int timeoutMs);
    bool running() const; // started, and neither stopped nor ended by itself

    std::string kind() const override { return m_kind; }
    Message reason() const override { return m_reason; }
    Message detail() const override; // includes what samples reveal: machine and rails
    SourceFacts facts() const override;

private:
    struct Shared; // state shared with the source's thread
    std::shared_ptr<Shared> m_shared;
    Source* m_source = nullptr; // lives in and is deleted by m_thread
    QThread* m_thread = nullptr; // null while not running
    std::string m_kind = "none";
    Message m_reason;
};

} // namespace ep::power
