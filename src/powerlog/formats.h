// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "collector.h"
#include "rails.h"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

// The table of formats: how a log is recognised, and what its columns, fields or metrics are. A new
// format of a known shape needs only a row here. Patterns are lower case: `*` stands for any text,
// `#` for digits, `|` separates alternatives.
namespace ep::powerlog {

enum class Role : std::uint8_t {
    Ignored,
    Time, // an instant, or the end of a row's window
    Start, // start of a row's window
    Date, // joined with TimeOfDay
    TimeOfDay,
    Length, // length of a row's window
    Power, // watts at an instant
    MeanPower, // watts, mean over the row's window
    Energy, // energy of a row's window
    Counter, // running total of energy
    StatedPower, // only compared with the same rail's energy
    Device, // index or id of a device
    RailName, // name of the row's rail
    Use, // utilisation of the device, in percent
    Rated, // power limit of the device
    Volts, // multiplied by Amperes to get power
    Amperes,
    Tokens, // number of tokens in the row's answer
    Threads,
    Rate, // tokens per second
    UnitName, // the unit of the row's value
};

struct ColumnRule {
    const char* name; // pattern for the header without its unit; a unit may follow an @
    Role role = Role::Ignored;
    const char* unit = ""; // unit if neither header nor cell states one; empty: it must be stated
    // "gpu#": followed by the device's number; "*": what the pattern's star matched; "@": the
    // header; "~": the header's name without the word power. Empty for columns that are not rails.
    const char* rail = "";
    energy::Measured measured = energy::Measured::Machine;
    const char* part = "system"; // like RailRecording::part; "?": from the rail's name
    const char* length = ""; // pattern of the column with its length; empty: the row's length
    const char* counted_with = ""; // as in RailSpec
};

// Peculiarities of a table.
namespace table {
enum Flag : unsigned {
    kNumbered = 1U << 0, // even a single device keeps its number
    kCoarse = 1U << 1, // whole seconds, so windows are laid end to end
    kFromStart = 1U << 2, // the time of a row is the start of its window
    kLengthFromTime = 1U << 3, // a row's window begins at the time of the previous row
    kEndsAtBlank = 1U << 4, // a summary follows after a blank line
    kSummaryRows = 1U << 5, // only rows that begin with "-" cells count
    kMonthFirst = 1U << 6,
    kAnyPower = 1U << 7, // if no rule matches, columns with a unit of power are rails
    kGuessedUnit = 1U << 8, // the units of the rules are a guess
    kOnlyThese = 1U << 9, // there are no other columns
    kAnswers = 1U << 10, // a row describes one answer of a model
    kNamesBelow = 1U << 11, // the header has ids; the line below it has the names
    kWithoutPower = 1U << 12, // no column states power, so it is volts times amperes
    kChangesOnly = 1U << 13, // a row is written when the value changes, and stands until the next
    kEntities = 1U << 14, // rows of Home Assistant, whose names tell powers from the rest
    kHourly = 1U << 15, // rows are means of an hour or of five minutes
};
} // namespace table

struct TableFormat {
    const char* id;
    const char* title;
    std::span<const char* const> required; // patterns that must all match some header
    std::span<const ColumnRule> columns; // the first rule that matches a header counts
    unsigned flags = 0;
    const char* note = ""; // a caution for readers of the figures
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
    const char* required; // path of a field that must exist
    std::span<const char* const> times; // paths, of which the first existing one counts
    std::span<const FieldRule> fields;
    Rule rule = Rule::Trapezoid;
    const char* length = ""; // path of the length of the window
    double length_s = 1.0; // length of the unit in s
    const char* device = ""; // path of the device's number
    const char* tokens = ""; // path of the number of tokens of an answer
    bool from_start = false;
    double time_s = 0.0; // unit of times that are not an epoch
    const char* event = ""; // path of the name of a perf event, which is the rail
    const char* only = ""; // path of a text that must be "Joules"; other objects are left out
};
std::span<const JsonFormat> jsonFormats();

struct MetricRule {
    const char* format; // id of the format
    const char* title;
    const char* name; // pattern for the metric's name
    Rule rule;
    double factor; // to watts or joules
    const char* label; // label whose value names or numbers the rail; empty: none
    const char* rail; // "$": the label's value; "gpu$"; "*": what the pattern's star matched
    energy::Measured measured;
    const char* part;
    bool added = false; // add series that differ in other labels; otherwise the first counts
};
std::span<const MetricRule> metricRules();

// Whether the text matches the pattern; star: receives what its first `*` or `#` matched.
bool matches(std::string_view pattern, std::string_view text, std::string* star = nullptr);

} // namespace ep::powerlog
