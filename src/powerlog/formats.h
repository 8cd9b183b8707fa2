// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "collector.h"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

// The table of formats: how a log is recognised, and what its columns, fields or metrics are. A new
// format of a known shape is a row here. Patterns are lower case: `*` stands for any text, `#` for
// digits, `|` separates alternatives.
namespace ep::powerlog {

enum class Role : std::uint8_t {
    Ignored,
    Time, // of an instant, or of the end of a row's window
    Start, // of a row's window
    Date, // joined with TimeOfDay
    TimeOfDay,
    Length, // of a row's window
    Power, // watts at an instant
    MeanPower, // watts, mean over the row's window
    Energy, // of the row's window
    Counter, // running total of energy
    StatedPower, // only compared with the energy of the same rail
    Device, // index or id of a device
    RailName, // the rail of the row's value
    Use, // of the device, in percent
    Rated, // power limit of the device
    Volts, // times Amperes makes the power
    Amperes,
    Tokens, // of the row's answer
    Threads,
    Rate, // tokens per second
};

struct ColumnRule {
    const char* name; // pattern for the header without its unit; a unit may follow an @
    Role role = Role::Ignored;
    const char* unit = ""; // if neither header nor cell state one; empty: it must be stated
    // "gpu#": with the device's number; "*": what the pattern's star matched; "@": the header as it
    // is; "~": the header's name without the word power. Empty for columns that are no rail.
    const char* rail = "";
    energy::Measured measured = energy::Measured::Machine;
    const char* part = "system"; // as RailRecording::part; "?": by the rail's name
    const char* length = ""; // pattern of the column with this one's length; empty: that of the row
    const char* counted_with = ""; // as RailSpec
};

// Peculiarities of a table.
namespace table {
enum Flag : unsigned {
    kNumbered = 1U << 0, // a single device keeps its number
    kCoarse = 1U << 1, // whole seconds: windows follow each other
    kFromStart = 1U << 2, // the time of a row is the beginning of its window
    kLengthFromTime = 1U << 3, // a row's window begins at the time of the row before
    kEndsAtBlank = 1U << 4, // what follows a blank line is a summary
    kSummaryRows = 1U << 5, // only rows whose first cells are "-" count
    kMonthFirst = 1U << 6,
    kAnyPower = 1U << 7, // columns with a unit of power are rails where no rule matches any
    kGuessedUnit = 1U << 8, // the units of the rules are a guess
    kOnlyThese = 1U << 9, // there are no other columns
    kAnswers = 1U << 10, // a row is an answer of a model
    kNamesBelow = 1U << 11, // the header has identifiers; the line below it has the names
    kWithoutPower = 1U << 12, // no column states a power: it is volts times amperes
};
} // namespace table

struct TableFormat {
    const char* id;
    const char* title;
    std::span<const char* const> required; // patterns that all have to match a header
    std::span<const ColumnRule> columns; // the first rule that matches a header counts
    unsigned flags = 0;
    const char* note = ""; // what a reader of the figures should know
};
std::span<const TableFormat> tableFormats();

struct FieldRule {
    const char* path; // "soc_metrics.cpu_power"; "[]": each element of a list
    const char* unit;
    const char* rail;
    energy::Measured measured;
    const char* part;
};
struct JsonFormat {
    const char* id;
    const char* title;
    const char* required; // path of a field that is there
    std::span<const char* const> times; // paths, the first one that is there counts
    std::span<const FieldRule> fields;
    Rule rule = Rule::Trapezoid;
    const char* length = ""; // path of the length of the window
    double length_s = 1.0; // its unit
    const char* device = ""; // path of the device's number
    const char* tokens = ""; // path of the number of tokens of an answer
    bool from_start = false;
    double time_s = 0.0; // unit of times that are no epoch
};
std::span<const JsonFormat> jsonFormats();

struct MetricRule {
    const char* format; // id
    const char* title;
    const char* name; // pattern for the metric's name
    Rule rule;
    double factor; // to watts or joules
    const char* label; // whose value names the rail or numbers it; empty: none
    const char* rail; // "$": the label's value; "gpu$"; "*": what the pattern's star matched
    energy::Measured measured;
    const char* part;
    bool added = false; // series that differ in other labels add up; otherwise the first counts
};
std::span<const MetricRule> metricRules();

// Whether the text matches the pattern; star: what its first `*` or `#` stands for.
bool matches(const char* pattern, std::string_view text, std::string* star = nullptr);

// What a rail measures, by its name.
struct Kind {
    energy::Measured measured = energy::Measured::Machine;
    const char* part = "system";
};
Kind kindOf(std::string_view rail);

} // namespace ep::powerlog
