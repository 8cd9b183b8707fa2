// SPDX-License-Identifier: GPL-3.0-or-later
// Logs of lines that do not form a table: perf stat, RAPL loggers, tegrastats, PTDaemon.
#include "formats.h"
#include "log.h"
#include "table_layout.h"

#include <algorithm>
#include <array>
#include <optional>

namespace ep::powerlog {

namespace {

using energy::Measured;

using LineReaderFn = Status (*)(Log& log, std::string_view line, std::int64_t row);

// Reads all lines; the last one may be truncated.
Status readLines(Log& log, LineReaderFn read)
{
    std::optional<Error> pending;
    const Status all = log.lines.forEach([&](std::string_view line) -> Status {
        if (trimBlanks(line).empty())
            return {};
        if (pending)
            return *pending;
        if (const Status done = read(log, line, log.lines.row()); !done)
            pending = done.error();
        return {};
    });
    if (!all)
        return all;
    if (pending && log.collector.readings() == 0)
        return *pending;
    if (pending)
        log.collector.note(Weight::Note, "The last row is cut off and was left out.");
    return {};
}

} // namespace

RailSpec perfRail(std::string_view event)
{
    RailSpec spec{.name = asUtf8(event.substr(0, Collector::kLongestName)), .rule = Rule::Joules};
    constexpr std::string_view kStart = "power/";
    if (event.starts_with(kStart)) {
        event.remove_prefix(kStart.size());
        spec.name = asUtf8(event.substr(0, event.find('/')).substr(0, Collector::kLongestName));
    }
    Kind kind = kindOf(spec.name);
    if (spec.name == "energy-gpu") // inside the package
        kind = {Measured::Part, "part", Division::Processor};
    spec.take(kind);
    return spec;
}

namespace {

// Energies in joules by event: "1.001048308,19.63,Joules,power/energy-pkg/,...", with another
// separator, or as the human-readable table.
bool isPerf(std::string_view line)
{
    return !trimBlanks(line).starts_with('{')
        && line.find("power/energy-") != std::string_view::npos
        && line.find("Joules") != std::string_view::npos;
}

Status readPerfLine(Log& log, std::string_view line, std::int64_t row)
{
    if (line.starts_with('#') || line.find("power/energy-") == std::string_view::npos)
        return {};
    std::vector<std::string_view> cells;
    // The separator is the character before the unit.
    const std::size_t unit = line.find("Joules");
    char separator = kBlanks;
    if (unit != std::string_view::npos && unit > 0 && line[unit - 1] != ' ')
        separator = line[unit - 1];
    else if (unit == std::string_view::npos && line.find(';') != std::string_view::npos)
        separator = ';';
    else if (unit == std::string_view::npos && line.find(',') != std::string_view::npos)
        separator = ',';
    splitLine(line, separator, cells);
    const auto event = std::ranges::find_if(
        cells, [](std::string_view cell) { return cell.starts_with("power/energy-"); });
    const auto joules = std::ranges::find(cells, std::string_view("Joules"));
    if (event == cells.end())
        return rowError(row, "the event is cut off.");
    const auto rail = log.collector.rail(perfRail(*event), row);
    if (!rail)
        return rail.error();
    Reading reading{.row = row};
    if (joules == cells.end() || joules == cells.begin()) {
        // "<not counted>", "<not supported>"
        if (line.find("<not") == std::string_view::npos)
            return rowError(row, "the event has no unit of energy.");
    } else {
        const auto number = log.numbers.read(*(joules - 1), LogNumbers::kValues, row);
        if (!number && (joules - 1)->find("<not") == std::string_view::npos)
            return rowError(row, Message("%1 is not an energy.", quoteCell(*(joules - 1))));
        if (number)
            reading.value = number->value;
    }
    const auto value = joules == cells.end() ? cells.begin() : joules - 1;
    if (value != cells.begin() && separator != kBlanks) {
        const auto time = log.numbers.read(cells.front(), LogNumbers::kTimes, row);
        if (!time || !time->rest.empty() || !(time->value >= 0.0 && time->value < 9e9))
            return rowError(row, Message("%1 is not a time.", quoteCell(cells.front())));
        const auto at =
            log.clock.at(Instant{.ns = std::llround(time->value * 1e9), .clock = Clock::Own});
        reading.at_ns = *at;
    } else if (value != cells.begin()) {
        const auto at = log.clock.at(cells.front(), row);
        if (!at)
            return at.error();
        reading.at_ns = *at;
    } else {
        log.collector.note(Weight::Note, kPerfWithoutTimes);
    }
    return log.collector.add(*rail, reading);
}

// "1759592247529773 397277 Package_0": microseconds and microjoules.
bool isRaplLine(std::string_view line)
{
    std::vector<std::string_view> cells;
    splitLine(trimBlanks(line), kBlanks, cells);
    const auto digits = [](std::string_view cell) {
        return !cell.empty() && cell.find_first_not_of("0123456789") == std::string_view::npos;
    };
    return cells.size() == 3 && cells[0].size() == 16 && digits(cells[0]) && digits(cells[1])
        && !digits(cells[2]);
}

Status readRaplLine(Log& log, std::string_view line, std::int64_t row)
{
    std::vector<std::string_view> cells;
    splitLine(trimBlanks(line), kBlanks, cells);
    if (cells.size() != 3)
        return rowError(row, Message("it has %1 values instead of 3.", cells.size()));
    const auto at = log.clock.at(cells[0], row);
    if (!at)
        return at.error();
    const auto number = readNumber(cells[1]);
    if (!number)
        return rowError(row, Message("%1 is not a number of microjoules.", quoteCell(cells[1])));
    const std::string name = asUtf8(cells[2].substr(0, 100));
    const Kind kind = kindOf(name);
    const auto rail = log.collector.rail(
        {.name = name, .rule = Rule::Joules, .measured = kind.measured, .part = kind.part}, row);
    if (!rail)
        return rail.error();
    return log.collector.add(*rail, {.at_ns = *at, .value = *number * 1e-6, .row = row});
}

// "VDD_IN 5542mW/5542mW": the present value, and the mean since the start.
struct TegraPower {
    std::string_view name;
    double watts = 0.0;
};

bool isTegraName(std::string_view name)
{
    return matches("vdd*|pom_*|vin*|vddq*|cv|gpu|cpu|soc|sys*", lowerCase(name));
}

std::vector<TegraPower> tegraPowers(std::string_view line)
{
    std::vector<std::string_view> words;
    splitLine(line, kBlanks, words);
    std::vector<TegraPower> powers;
    for (std::size_t i = 1; i < words.size(); ++i) {
        const std::size_t slash = words[i].find('/');
        if (slash == std::string_view::npos)
            continue;
        const auto now = readNumberText(words[i].substr(0, slash));
        const auto mean = readNumberText(words[i].substr(slash + 1));
        if (!now || !mean || now->rest != mean->rest)
            continue;
        const auto unit = unitFrom(now->rest);
        const bool stated = unit && unit->of == Unit::Of::Power;
        if (!stated && !(now->rest.empty() && isTegraName(words[i - 1])))
            continue;
        powers.push_back({words[i - 1], now->value * (stated ? unit->factor : 1e-3)});
    }
    return powers;
}

bool isTegra(std::string_view line)
{
    return line.find("RAM ") != std::string_view::npos && line.find("MB") != std::string_view::npos
        && !tegraPowers(line).empty();
}

Status readTegraLine(Log& log, std::string_view line, std::int64_t row)
{
    const auto powers = tegraPowers(line);
    if (powers.empty() || !log.lines.complete())
        return rowError(row, "it has no power of a rail.");
    log.clock.setMonthFirst();
    const std::size_t ram = line.find("RAM ");
    const std::string_view timestamp =
        ram == std::string_view::npos ? std::string_view() : trimBlanks(line.substr(0, ram));
    const bool whole = std::ranges::any_of(powers, [](const TegraPower& power) {
        return matches("vdd_in|pom_5v_in|vin_sys*|sys_vin*", lowerCase(power.name));
    });
    for (const TegraPower& power : powers) {
        const std::string name = asUtf8(power.name.substr(0, 100));
        const bool input = matches("vdd_in|pom_5v_in|vin_sys*|sys_vin*", lowerCase(name));
        const Kind kind = whole ? Kind{Measured::Part, "part"} : kindOf(name);
        const auto rail = log.collector.rail({.name = name,
                                              .measured = input ? Measured::Board : kind.measured,
                                              .part = input ? "system" : kind.part},
                                             row);
        if (!rail)
            return rail.error();
        const auto at = timestamp.empty()
            ? log.clock.atIndex(log.collector.readings() / static_cast<std::int64_t>(powers.size()),
                                row)
            : log.clock.at(timestamp, row);
        if (!at)
            return at.error();
        if (const Status added =
                log.collector.add(*rail, {.at_ns = *at, .value = power.watts, .row = row});
            !added)
            return added;
    }
    return {};
}

// "Time,28-12-2020 15:21:14.682,Watts,22.950000,Volts,..."
bool isPtdaemon(std::string_view line)
{
    return line.starts_with("Time,") && line.find(",Watts,") != std::string_view::npos;
}

Status readPtdaemonLine(Log& log, std::string_view line, std::int64_t row)
{
    std::vector<std::string_view> cells;
    splitLine(line, ',', cells);
    if (cells.size() < 4 || cells[0] != "Time" || cells[2] != "Watts"
        || (cells.size() == 4 && !log.lines.complete()))
        return rowError(row, "it does not state a time and watts.");
    const auto at = log.clock.at(cells[1], row);
    if (!at)
        return at.error();
    Reading reading{.at_ns = *at, .row = row};
    if (const auto number = readNumber(cells[3]))
        reading.value = *number;
    else if (!isUnavailable(cells[3]))
        return rowError(row, Message("%1 is not a number of watts.", quoteCell(cells[3])));
    const auto rail = log.collector.rail({.name = "wall"}, row);
    return rail ? log.collector.add(*rail, reading) : rail.error();
}

constexpr std::array kLineFormats{
    LineFormat{"perf", "perf stat", isPerf, [](Log& log) { return readLines(log, readPerfLine); }},
    LineFormat{"rapl-log", "RAPL log (µs, µJ)", isRaplLine,
               [](Log& log) { return readLines(log, readRaplLine); }},
    LineFormat{"tegrastats", "tegrastats", isTegra,
               [](Log& log) { return readLines(log, readTegraLine); }},
    LineFormat{"ptdaemon", "PTDaemon", isPtdaemon,
               [](Log& log) { return readLines(log, readPtdaemonLine); }},
};

} // namespace

std::span<const LineFormat> lineFormats()
{
    return kLineFormats;
}

} // namespace ep::powerlog
