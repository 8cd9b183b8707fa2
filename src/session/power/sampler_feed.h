// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/session/backend.h"

#include <QThread>

#include <condition_variable>
#include <mutex>

namespace ep::session {

// A power::Sampler in a thread with its own event loop: the inference thread has none, and samples
// must arrive during a long prefill.
class SamplerFeed final : public QThread, public PowerFeed {
public:
    ~SamplerFeed() override;

    Status start(const power::SourceChoice& choice, int intervalMs, PowerSink sink) override;
    void stop() override;
    std::string kind() const override { return m_kind; }
    std::string detail() const override { return m_detail; }
    std::string reason() const override { return m_reason; }
    power::SourceFacts facts() const override { return m_facts; }

private:
    void run() override;
    void announceStart(Status status);

    // Written before the thread starts, read by it.
    power::SourceChoice m_choice;
    int m_intervalMs = 100;
    PowerSink m_sink;
    // Written by the thread before it announces its start; m_detail and m_facts again at its end,
    // for which stop() waits.
    std::string m_kind = "none";
    std::string m_detail;
    std::string m_reason;
    power::SourceFacts m_facts;

    std::mutex m_mutex; // guards m_announced and m_status
    std::condition_variable m_changed;
    bool m_announced = false;
    Status m_status;
};

} // namespace ep::session
