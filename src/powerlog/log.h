// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "cell.h"
#include "collector.h"
#include "lines.h"
#include "log_numbers.h"

#include <string>
#include <string_view>
#include <vector>

namespace ep::powerlog {

// Times and lengths are limited so that their differences fit into 64 bits, too: 127 and 12
// years.
inline constexpr Nanoseconds kFarthestTime = 4'000'000'000'000'000'000;
inline constexpr Nanoseconds kLongestLength = 400'000'000'000'000'000;

Error rowError(std::int64_t row, const Message& problem);
Error inFile(const std::string& name, const Error& error); // "log.csv, row 3: ..."
// A cell for use in a message: valid UTF-8 of moderate length, in quotation marks.
std::string quoteCell(std::string_view cell);

// Converts the times of a log's rows, in any spelling, to one clock.
class LogClock {
public:
    LogClock(const ReadOptions& options, LogNumbers& numbers)
        : m_options(options)
        , m_numbers(numbers)
    {
    }

    Result<Nanoseconds> at(std::string_view cell, std::int64_t row, double unitSeconds = 0.0,
                           std::size_t column = LogNumbers::kTimes);
    Result<Nanoseconds> at(const Instant& instant);
    // For a log without times: the time of row number `index`, if the period is known.
    Result<Nanoseconds> atIndex(std::int64_t index, std::int64_t row);
    void setMonthFirst() { m_monthFirst = true; }
    bool wholeSeconds() const { return m_wholeSeconds; }
    Clock clock() const;
    void describe(Collector& collector) const;

private:
    const ReadOptions& m_options;
    LogNumbers& m_numbers;
    bool m_monthFirst = false;
    bool m_epoch = false;
    bool m_local = false;
    bool m_own = false;
    bool m_ambiguous = false;
    bool m_timeOfDay = false;
    bool m_wholeSeconds = true;
    Nanoseconds m_lastOfDay = -1;
    Nanoseconds m_days = 0;
};

// State that all parts of one log's reader share.
struct Log {
    const ReadOptions& options;
    LineReader& lines;
    Recording& recording;
    LogNumbers& numbers;
    Collector collector{};
    LogClock clock;

    Log(const ReadOptions& readOptions, LineReader& reader, LogNumbers& logNumbers,
        Recording& result)
        : options(readOptions)
        , lines(reader)
        , recording(result)
        , numbers(logNumbers)
        , clock(readOptions, logNumbers)
    {
    }
};

// Readers for one shape of log each; they read all lines again from the start.
using Head = std::vector<std::string>; // the first lines
Status readTable(Log& log, const Head& head);
bool isTableHead(const Head& head);
Status readJsonLog(Log& log);
Status readExposition(Log& log);
Status readSampledText(Log& log); // powermetrics
Status readPlistLog(Log& log);

// The rail of an event of perf, such as "power/energy-pkg/".
RailSpec perfRail(std::string_view event);
inline constexpr const char* kPerfWithoutTimes =
    "perf was run without -I: one energy for the whole command, without times.";

// Logs of lines that do not form a table.
struct LineFormat {
    const char* id;
    const char* title;
    bool (*recognises)(std::string_view line);
    Status (*read)(Log& log);
};
std::span<const LineFormat> lineFormats();

} // namespace ep::powerlog
