// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

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
    std::string reason = "Power source selected explicitly."; // where it is not auto
    double idle_watts = 5.0; // modelled: power of the idle machine
    double full_watts = 35.0; // modelled: power with all cores busy
    double replay_speed = 1.0; // replay: 1 as recorded; 0 as fast as possible
    // replay: starts again at its end, and delivers the window in which it is stopped up to that
    // time, so that it covers any requested time.
    bool replay_endless = false;
    // replay: samples of the stored run named by `argument`
    std::shared_ptr<const std::vector<PowerSample>> recorded{};

    bool operator==(const SourceChoice&) const = default;
};
Result<SourceChoice> parseSourceChoice(const std::string& text);

// Every kind that can be chosen, in the order in which `auto` tries them.
struct SourceKind {
    std::string kind; // "auto", "nvml", "none"
    std::string argument; // as help texts write it: "[:0,1]", ":FILE"; empty for most
};
std::vector<SourceKind> sourceKinds();

// One line of the sensor doctor.
struct SourceReport {
    std::string kind;
    bool available = false;
    std::string explanation; // what it measures, or why it is not available
    std::string remedy; // how to enable it; empty if available or impossible
    std::vector<Rail> rails; // rails that it would deliver
    std::string resolution{}; // resolution of its readings, as text
    // How far all of its readings may be off alike, as text with its origin. No interval contains
    // this: it is the same in all runs of a machine, so it cancels when these are compared.
    std::string gain{};
    bool automatic = false; // `auto` may choose it
};
// Tries every source, like a run with this interval would. Blocks for up to about a second, or 3 s
// if a program hangs; any thread.
std::vector<SourceReport> probeSources(int intervalMs = 100);

// Properties of a source other than its samples.
struct SourceFacts {
    std::int64_t dropped = 0; // readings received but not usable
    std::optional<Milliwatts> rated_mw{}; // rated power of the measured device
    std::optional<SampleKind> sample_kind{}; // what its energies are; unknown for a replayed run
    // Sensors that gave nothing or impossible values, a sentence each; filled in by the sampler.
    std::vector<std::string> faults{};

    bool operator==(const SourceFacts&) const = default;
};

// Delivers samples on its thread, from start() until it ends. Ends exactly once, with ended(error
// message or empty). A window is exactly the time in which its values were measured: windows are
// contiguous unless the source lost something, which leaves a gap. A rail that could not be read is
// absent from that sample.
class Source : public QObject {
    Q_OBJECT
public:
    using QObject::QObject;
    virtual std::string kind() const = 0;
    virtual std::string detail() const = 0;
    virtual SourceFacts facts() const = 0;
    virtual void start(int intervalMs) = 0;
    virtual void stop() = 0; // requests the end; ended() follows
    const std::vector<std::string>& faults() const { return m_readings.faults(); } // on its thread

Q_SIGNALS:
    void sampleReady(const ep::PowerSample& sample);
    void ended(const QString& problem); // empty: stopped as requested, or end of a capture

protected:
    // Emits what can be true of the sample. Samples are emitted in no other way.
    void deliver(PowerSample sample);

    ReadingCheck m_readings;
};

// The chosen source and, as text, the reason for the choice.
struct CreatedSource {
    std::unique_ptr<Source> source; // null for `none`
    std::string kind;
    std::string reason;
};
// For "auto": the best source that works on this machine, otherwise `none` (never `modelled`, which
// must be requested). Fails if the chosen source cannot work here; for powermetrics that requires a
// trial, which blocks like probeSources().
Result<CreatedSource> createSource(const SourceChoice& choice, int intervalMs = 100);

} // namespace ep::power

Q_DECLARE_METATYPE(ep::PowerSample)
