// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/message.h"
#include "ep/core/time_range.h"
#include "ep/core/units.h"
#include "ep/energy/plausibility.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

// A power recording of another program, read and summed up by the rule of its format. Plain
// values.
namespace ep::powerlog {

// The meaning of a value in a log, which determines how energies are computed.
enum class Rule : std::uint8_t {
    Trapezoid, // power at instants: (t[i+1]-t[i]) (p[i]+p[i+1]) / 2 between neighbours
    Hold, // power that is valid until the next value
    Interval, // mean power of a window whose length is in the row
    Joules, // energy of each row
    Counter, // running total: last minus first
};
const char* name(Rule rule); // "trap", "hold", "interval", "joules", "counter"
const char* title(Rule rule); // "trapezoid between neighbouring samples"

enum class Clock : std::uint8_t {
    Epoch, // the file states its zone or an epoch; times are UTC
    Local, // date and time without a zone, read as UTC
    Own, // relative to some event, such as the start of the program
};

// The note about a recording with Clock::Local whose zone is unknown.
Message readAsUtc();

// Energy during one stretch of time, in which power changes linearly from begin_w to
// end_w.
struct Window {
    Nanoseconds begin_ns = 0; // since 1970, or on the recording's own clock
    Nanoseconds end_ns = 0;
    double joules = 0.0;
    float begin_w = 0.0F;
    float end_w = 0.0F;

    bool operator==(const Window&) const = default;
};

struct RailRecording {
    std::string name{};
    Rule rule = Rule::Trapezoid;
    std::int64_t samples = 0; // number of values, without those that were unavailable
    std::int64_t unavailable = 0;
    double joules = 0.0;
    double covered_s = 0.0;
    double least_w = 0.0; // smallest value; for energies, smallest mean
    double most_w = 0.0;
    // Part of the machine that the rail measures, for the rails of a run: "cpu", "gpu", "ane",
    // "dram", "system", or "part" if another rail includes it.
    std::string part{};
    // Whether a finding about the rail or the whole recording makes its energy unknown.
    bool poor = false;
    std::vector<Window> windows{}; // in order of time, not overlapping; thinned in long recordings
};

// How much a finding matters for the verdict.
using Weight = energy::Concern;
using Verdict = Weight; // weight of the most serious finding; Note: good
const char* verdictName(Verdict verdict); // "good", "doubtful", "poor"

struct Finding {
    Weight weight = Weight::Note;
    Message text; // one sentence, with the rows
    std::string rail{}; // the rail of the text; empty: the recording

    bool operator==(const Finding&) const = default;
};

// How a column or field was understood, for a preview.
struct ColumnUse {
    std::string header;
    std::string meaning; // "time", "gpu, W", "not read"
};

struct Recording {
    std::string format; // id of its row in the table of formats
    std::string format_title;
    Clock clock = Clock::Epoch;
    std::int64_t rows = 0; // instants or windows; several devices at one time count as one row
    Nanoseconds first_ns = 0; // time of the first row as stated in the file
    Nanoseconds last_ns = 0;
    std::vector<RailRecording> rails;
    std::vector<ColumnUse> columns;
    std::vector<Finding> findings;

    Verdict verdict() const;
    std::vector<Message> notes() const; // texts of the findings
    const RailRecording* rail(const std::string& name) const; // null if there is no such rail
};

} // namespace ep::powerlog
