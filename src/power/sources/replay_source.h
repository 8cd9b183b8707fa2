// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/power/capture_reader.h"
#include "ep/power/source.h"

#include <QTimer>

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace ep::power {

// Replays the readings of a powermetrics capture (or of a stored run) with contiguous windows from
// the time of start(); gaps keep their length. The capture is played once; the time after it has no
// power. An endless replay starts again instead, and when it is stopped, delivers the current
// window up to that time.
//
// speed 1: as recorded. speed s: windows are s times shorter, power is as recorded, energies are s
// times smaller, as if the recorded machine had been that much faster. speed 0: everything at once,
// with windows and energies as recorded, so that they extend into the future.
class ReplaySource : public Source {
    Q_OBJECT
public:
    ReplaySource(std::string file, double speed, bool endless = false, QObject* parent = nullptr);
    // Replays the samples of the stored run `name` instead of a capture.
    ReplaySource(std::shared_ptr<const std::vector<PowerSample>> recorded, std::string name,
                 double speed, bool endless = false, QObject* parent = nullptr);

    std::string kind() const override { return "replay"; }
    Message detail() const override;
    SourceFacts facts() const override;
    void start(int intervalMs) override; // the capture determines the interval
    void stop() override;

private:
    // The window begins after the gap to the previous window.
    std::optional<PowerSample> readNext();
    std::optional<PowerSample> readHere();
    bool beginAgain();
    Nanoseconds beginOfNext() const;
    void deliver(Nanoseconds begin, Nanoseconds length);
    void deliverDue();
    void finish(const Message& problem);
    Nanoseconds scaled(Nanoseconds recorded) const;

    CaptureReader m_reader;
    double m_speed;
    bool m_endless;
    QTimer m_timer;
    std::shared_ptr<const std::vector<PowerSample>> m_recorded; // replaces the reader
    std::size_t m_position = 0; // index in m_recorded
    int m_readings = 0; // number of readings delivered
    int m_rounds = 0; // number of repetitions
    Nanoseconds m_read_ns = 0; // position in this round
    std::optional<PowerSample> m_next; // read ahead, to know when to deliver it
    Nanoseconds m_end = 0; // end of the last window
    bool m_ended = false;
};

} // namespace ep::power
