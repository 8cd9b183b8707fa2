// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/power_limits.h"
#include "ep/core/power_sample.h"
#include "ep/core/result.h"
#include "ep/power/reading_check.h"

#include <QMetaType>
#include <QObject>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace ep::power {

// The user's choice: "auto", "ioreport", "powermetrics", "nvml", "nvml:0,1", "rapl", "battery",
// "modelled", "modelled:IDLE,FULL" (watts), "none", "replay:FILE".
struct SourceChoice {
    std::string kind = "auto";
    std::string argument; // FILE of replay, devices of nvml, compute device of auto
    Message reason{}; // why it was chosen; empty: by the user
    double idle_watts = 5.0; // modelled: power of the idle machine
    double full_watts = 35.0; // modelled: power with all cores busy
    double replay_speed = 1.0; // replay: 1 as recorded; 0 as fast as possible
    // replay: starts again at its end and, when it is stopped, delivers the current window up to
    // that time, so that it covers any requested time.
    bool replay_endless = false;
    // replay: samples of the stored run named by `argument`
    std::shared_ptr<const std::vector<PowerSample>> recorded{};

    bool operator==(const SourceChoice&) const = default;
};
Result<SourceChoice> parseSourceChoice(const std::string& text);
// Fails for a modelled source whose watts cannot be used.
Status checkWatts(const SourceChoice& choice);

// Every kind that can be selected, in the order in which `auto` tries them.
struct SourceKind {
    std::string kind; // "auto", "nvml", "none"
    std::string argument; // as shown in help texts: "[:0,1]", ":FILE"; empty for most
};
std::vector<SourceKind> sourceKinds();

// One line of the sensor doctor.
struct SourceReport {
    std::string kind;
    std::string title; // "Energy counters of the processor"
    bool elsewhere = false; // exists only on another operating system
    bool available = false;
    Message explanation; // the measured quantity, or why the source is not available
    Message remedy; // how to enable the source; empty if available or impossible
    std::vector<Rail> rails; // rails that the source would deliver
    Message resolution{}; // resolution of its readings, as text
    // By how much all readings may be off together, as text with its origin. No interval includes
    // this: it is the same in all runs on a machine, so it cancels when these are compared.
    Message gain{};
    bool automatic = false; // whether `auto` may choose it
};
// Tries every source as a run with this interval would. Blocks for up to about a second, or for 3 s
// if a program hangs; any thread.
std::vector<SourceReport> probeSources(int intervalMs = kUsualIntervalMs);

// Properties of a source other than its samples.
struct SourceFacts {
    std::int64_t dropped = 0; // readings received but not usable
    std::optional<Milliwatts> rated_mw{}; // rated power of the measured device
    std::optional<SampleKind> sample_kind{}; // kind of its energies; unknown for a replayed run
    // Sensors with no or impossible values, one sentence each; filled in by the sampler.
    std::vector<Message> faults{};

    bool operator==(const SourceFacts&) const = default;
};

// Delivers samples on its thread, from start() until it ends. Ends exactly once, with ended(error
// message or empty). A window is exactly the time in which its values were measured: windows are
// contiguous unless the source lost something, which leaves a gap. A rail that could not be read
// is absent from that sample.
class Source : public QObject {
    Q_OBJECT
public:
    using QObject::QObject;
    virtual std::string kind() const = 0;
    virtual Message detail() const = 0;
    virtual SourceFacts facts() const = 0;
    virtual void start(int intervalMs) = 0;
    virtual void stop() = 0; // requests the end; ended() follows
    // Ends the current window now, if the source can be read at any time.
    virtual void readNow() { }
    const std::vector<Message>& faults() const { return m_readings.faults(); } // on its thread

Q_SIGNALS:
    void sampleReady(const ep::PowerSample& sample);
    void ended(const ep::Message& problem); // empty: stopped as requested, or the capture has ended

protected:
    // Emits the possible parts of the sample; the only way to emit samples.
    void deliver(PowerSample sample);

    ReadingCheck m_readings;
};

// The selected source, and the reason for the selection as text.
struct CreatedSource {
    std::unique_ptr<Source> source; // null for `none`
    std::string kind;
    Message reason;
};
// For "auto": the best source that works on this machine, otherwise `none` (never `modelled`, which
// must be requested). Fails if the chosen source cannot work here; for powermetrics that requires a
// trial, which blocks like probeSources().
Result<CreatedSource> createSource(const SourceChoice& choice, int intervalMs = kUsualIntervalMs);

} // namespace ep::power

Q_DECLARE_METATYPE(ep::PowerSample)
