// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/result.h"
#include "ep/power/source.h"

#include <QTimer>

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace ep::power {

// Base of sources that are read at every interval. Provides the timer, the first reading, the last
// window when the source is stopped, and exactly one end.
class PolledSource : public Source {
    Q_OBJECT
public:
    // kind: of the energies that it delivers.
    explicit PolledSource(SampleKind kind, QObject* parent = nullptr);

    SourceFacts facts() const override { return {.dropped = m_dropped, .sample_kind = m_kind}; }
    void start(int intervalMs) final;
    void stop() final; // delivers the partial last window
    void readNow() final;

protected:
    // Prepares the source and takes the first reading, which begins the first window.
    virtual Status open() = 0;
    // The window since the one delivered last. Absent if there is none yet, so that the window
    // continues, or if its content was lost, which leaves a gap. An error ends the source.
    virtual Result<std::optional<PowerSample>> read() { return std::optional<PowerSample>{}; }
    // For sources whose windows are completed later, replaces read(): returns the windows
    // completed now. last: all remaining windows, since no other reading follows.
    virtual Result<std::vector<PowerSample>> readAll(bool last);
    // Whether a window may be far shorter than the interval: the source must be as fresh as the
    // reading, not updated some ten times a second.
    virtual bool readsAtAnyTime() const { return false; }
    // Minimum interval, for sources that are slow or expensive to read.
    virtual int leastIntervalMs() const { return 1; }
    // Maximum interval, whatever interval is requested.
    virtual int longestIntervalMs() const { return std::numeric_limits<int>::max(); }
    int intervalMs() const { return m_intervalMs; }

    Nanoseconds m_lastNs = 0; // end of the window delivered last
    std::int64_t m_dropped = 0; // windows without a usable reading

private:
    bool tick(bool last); // returns whether it delivered a window
    void end(const Message& problem);

    SampleKind m_kind;
    QTimer m_timer;
    int m_intervalMs = 1; // interval of the readings
    bool m_delivering = false; // samples of a reading are being emitted
    bool m_stopAsked = false; // a receiver of these samples has called stop()
    bool m_ended = false;
};

} // namespace ep::power
