// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "cell.h"
#include "collector.h"
#include "lines.h"

#include "ep/core/number_text.h"
#include "ep/core/result.h"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ep::powerlog {

// The numbers of one log. Where a cell has two readings, such as "1,500", all rows of its column
// decide, failing that the other columns; then the log is read again. If nothing decides, the user
// is asked.
class LogNumbers {
public:
    // A column for numbers of logs that are not tables, and one for their times.
    static constexpr std::size_t kValues = 0;
    static constexpr std::size_t kTimes = 1;

    static constexpr const char* kStateSign = "%1 is either %2 or %3, and the other rows do not "
                                              "decide; state the decimal sign (--decimal).";
    static constexpr const char* kWritePoint =
        "%1 is either %2 or %3, and the other rows do not decide; write it with a decimal point.";

    // question: the sentence that asks the user.
    explicit LogNumbers(DecimalSign stated = DecimalSign::Unknown,
                        const char* question = kStateSign)
        : m_stated(stated)
        , m_question(question)
    {
    }

    // The number at the beginning of a cell.
    std::optional<NumberText> read(std::string_view cell, std::size_t column, std::int64_t row);
    DecimalSign signOf(std::size_t column) const;
    // Takes the signs of a number that was read elsewhere.
    void take(unsigned signs, std::string_view cell, std::size_t column, std::int64_t row);
    void setTime(std::size_t column) { at(column).time = true; }
    bool isKnown(std::size_t column) const
    {
        return column < m_columns.size()
            && (m_columns[column].signs != 0 || m_columns[column].time);
    }
    // In this column thousands are as likely as decimals, since its unit is small.
    void expectThousands(std::size_t column) { at(column).thousands = true; }

    // Whether cells that are not read should be looked at, since only they can decide.
    bool looksAtAll() const { return m_looksAtAll; }
    void lookAt(std::string_view cell);

    // After all rows: whether they have to be read again; an error asks the user.
    Result<bool> again();
    // Call after the last reading: says what may be wrong with the numbers.
    std::optional<Message> doubt() const;

private:
    struct Column {
        unsigned signs = 0;
        DecimalSign used = DecimalSign::Unknown;
        bool thousands = false;
        bool time = false; // a column of times, whose spelling says nothing about numbers
        bool doubtful = false;
        std::int64_t row = 0; // first cell with two readings
        std::string cell{};
    };

    Column& at(std::size_t column)
    {
        if (column >= m_columns.size())
            m_columns.resize(column + 1);
        return m_columns[column];
    }
    static DecimalSign ownSign(const Column& column);

    DecimalSign m_stated;
    const char* m_question;
    std::vector<Column> m_columns;
    unsigned m_others = 0; // signs of cells that are not read
    bool m_looksAtAll = false;
    bool m_lookedAtAll = false;
};

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
Status readJsonLog(Log& log);
Status readExposition(Log& log);
Status readSampledText(Log& log); // powermetrics
Status readPlistLog(Log& log);

// The rail of a perf event, such as "power/energy-pkg/".
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
