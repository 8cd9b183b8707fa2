// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/result.h"
#include "ep/power/source.h"

#include <QTimer>

#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace ep::power {

// A source that is asked at every interval, with what all of those share: the timer, the first
// reading, the last window when it is stopped, one end.
class PolledSource : public Source {
    Q_OBJECT
public:
    explicit PolledSource(QObject* parent = nullptr);

    void start(int intervalMs) final;
    void stop() final; // delivers the part of a window that has passed

protected:
    // Makes ready and takes the first reading, from which the first window begins.
    virtual Status open() = 0;
    // The window since the last one that was delivered. Nothing: there is none yet, and the window
    // goes on; or what it held got lost, and a gap shows. An error ends the source.
    virtual Result<std::optional<PowerSample>> read() { return std::optional<PowerSample>{}; }
    // For a source whose windows may be complete only later, instead of read(): those that are now.
    // last: all that there are, for no other reading follows.
    virtual Result<std::vector<PowerSample>> readAll(bool last);
    // A source that is slow or costly to read is asked no more often than this.
    virtual int leastIntervalMs() const { return 1; }
    // Asked at least this often, whatever interval is wanted.
    virtual int longestIntervalMs() const { return std::numeric_limits<int>::max(); }
    int intervalMs() const { return m_intervalMs; }

private:
    void tick(bool last);
    void end(const std::string& problem);

    QTimer m_timer;
    int m_intervalMs = 1; // of the readings
    bool m_ended = false;
};

// Fills in mean powers where there are energies, the total and the arrival.
PowerSample completed(PowerSample sample);

} // namespace ep::power
