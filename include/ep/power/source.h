// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/power_sample.h"
#include "ep/core/result.h"

#include <QMetaType>
#include <QObject>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace ep::power {

// What the user asks for: "auto", "ioreport", "powermetrics", "nvml", "nvml:0,1", "rapl",
// "battery", "modelled", "modelled:IDLE,FULL" (watts), "none", "replay:FILE".
struct SourceChoice {
    std::string kind = "auto";
    std::string argument; // FILE of replay, devices of nvml; of auto: the device that computes
    double idle_watts = 5.0; // modelled: power of the idle machine
    double full_watts = 35.0; // modelled: with every core busy
    double replay_speed = 1.0; // replay: 1 as recorded; 0 as fast as it can be read
    // replay: begins again where it ends, and what it is stopped in is delivered as far as it got,
    // so that it covers whatever time it is asked for.
    bool replay_endless = false;
    // replay: samples of a stored run, which `argument` then names
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
    std::string explanation; // what it measures, or why it is not there
    std::string remedy; // how to enable it; empty when available or hopeless
    std::vector<Rail> rails; // that it would deliver
    std::string resolution{}; // of its readings, in words
    bool automatic = false; // `auto` may choose it
};
// Tries every source, as a run with that interval would. Blocks for up to about a second, for 3 s
// where a program hangs; any thread.
std::vector<SourceReport> probeSources(int intervalMs = 100);

// What a source knows beside its samples.
struct SourceFacts {
    std::int64_t dropped = 0; // readings that came but could not be used
    std::optional<Milliwatts> rated_mw{}; // of what it measures
    std::optional<SampleKind> sample_kind{}; // what its energies are; a replayed run does not say

    bool operator==(const SourceFacts&) const = default;
};

// Delivers samples on the thread it lives in, from start() until it announces its end. Ends exactly
// once, with ended(error message or empty). A window is the time that its values were measured in
// and no more: windows follow each other unless the source lost something, which leaves a gap. A
// rail that could not be read is absent from that sample.
class Source : public QObject {
    Q_OBJECT
public:
    using QObject::QObject;
    virtual std::string kind() const = 0;
    virtual std::string detail() const = 0;
    virtual SourceFacts facts() const = 0;
    virtual void start(int intervalMs) = 0;
    virtual void stop() = 0; // asks; ended() follows

Q_SIGNALS:
    void sampleReady(const ep::PowerSample& sample);
    void ended(const QString& problem); // empty: stopped as asked, or a capture came to its end
};

// The chosen source and, in words, why it was chosen.
struct CreatedSource {
    std::unique_ptr<Source> source; // null for `none`
    std::string kind;
    std::string reason;
};
// For "auto": the best that works here, else `none` (never `modelled`: that must be asked for).
// Fails when the choice cannot work here; powermetrics is tried for that, which blocks like
// probeSources().
Result<CreatedSource> createSource(const SourceChoice& choice, int intervalMs = 100);

} // namespace ep::power

Q_DECLARE_METATYPE(ep::PowerSample)
