// SPDX-License-Identifier: GPL-3.0-or-later
#include "log.h"

#include "ep/core/format.h"
#include "ep/core/utf8.h"

#include <algorithm>
#include <cmath>

namespace ep::powerlog {
namespace {

constexpr Nanoseconds kOneSecond = 1'000'000'000;
constexpr const char* kRow = "row %1: %2";
constexpr Nanoseconds kHalfDay = 43'200 * kOneSecond;

constexpr unsigned kEither = number::kPointEither | number::kCommaEither;

} // namespace

Error rowError(std::int64_t row, const Message& problem)
{
    return {ErrorCode::InvalidInput, {kRow, row, problem}};
}

Error inFile(const std::string& name, const Error& error)
{
    const bool row = error.message.pattern() == kRow;
    return {error.code, {row ? "%1, %2" : "%1: %2", name, error.message}};
}

std::string quoteCell(std::string_view cell)
{
    constexpr std::size_t kMaxCharacters = 40;
    return "“" + previewUtf8(asUtf8(cell), kMaxCharacters) + "”";
}

Result<Nanoseconds> LogClock::at(const Instant& instant)
{
    Nanoseconds ns = instant.ns;
    m_ambiguous = m_ambiguous || instant.ambiguous;
    if (instant.time_of_day) {
        m_timeOfDay = true;
        if (m_lastOfDay >= 0 && ns + kHalfDay < m_lastOfDay)
            m_days += 2 * kHalfDay;
        m_lastOfDay = ns;
        ns += m_days;
    }
    if (instant.clock == Clock::Epoch) {
        m_epoch = true;
    } else if (instant.clock == Clock::Local) {
        if (m_options.to_utc) {
            const double local = static_cast<double>(ns / kOneSecond);
            ns += std::llround(m_options.to_utc(local) - local) * kOneSecond;
            m_epoch = true;
        } else {
            m_local = true;
        }
    } else {
        m_own = true;
    }
    if (ns > kFarthestTime || ns < -kFarthestTime)
        return Error{ErrorCode::InvalidInput, "a time is too far from all others."};
    return ns;
}

Result<Nanoseconds> LogClock::at(std::string_view cell, std::int64_t row, double unitSeconds,
                                 std::size_t column)
{
    const DateOrder order = m_options.dates == DateOrder::Unknown && m_monthFirst
        ? DateOrder::MonthFirst
        : m_options.dates;
    auto instant = readInstant(cell, order, unitSeconds, m_numbers.signOf(column));
    if (!instant)
        return rowError(row, Message("%1 is not a time.", quoteCell(cell)));
    m_numbers.setTime(column);
    m_numbers.take(instant->signs, cell, column, row);
    if (order != DateOrder::Unknown)
        instant->ambiguous = false;
    const auto read = at(*instant);
    return read ? read : rowError(row, Message("%1 is not a time.", quoteCell(cell)));
}

Result<Nanoseconds> LogClock::atIndex(std::int64_t index, std::int64_t row)
{
    if (!m_options.period_s)
        return rowError(row,
                        "this log has no times; state the interval of its rows with --period "
                        "SECONDS.");
    m_own = true;
    const double ns = static_cast<double>(index) * *m_options.period_s * 1e9;
    if (!(ns < static_cast<double>(kFarthestTime)))
        return rowError(row, "the period makes the log longer than time can be written.");
    return static_cast<Nanoseconds>(std::llround(ns));
}

Clock LogClock::clock() const
{
    return m_local ? Clock::Local : m_epoch ? Clock::Epoch : Clock::Own;
}

Message readAsUtc()
{
    return {"The times have no zone and were read as UTC; state the time zone (--zone) if they are "
            "in another."};
}

void LogClock::describe(Collector& collector) const
{
    if (m_local && m_epoch)
        collector.note(Weight::Doubtful, "Some times state their zone, and others do not.");
    if (m_local)
        collector.note(Weight::Note, readAsUtc());
    if (m_ambiguous)
        collector.note(Weight::Note,
                       "Day and month of the dates could be exchanged; the day was read first "
                       "(--dates states the order).");
    if (m_timeOfDay)
        collector.note(Weight::Note, "The log states times of day without a date.");
    if (m_options.period_s && m_own && !m_epoch && !m_local)
        collector.note(Weight::Note, "The log has no times; they follow from the period stated.");
}

std::optional<NumberText> LogNumbers::read(std::string_view cell, std::size_t column,
                                           std::int64_t row)
{
    const auto number = readNumberText(cell, signOf(column));
    if (number)
        take(number->signs, cell, column, row);
    return number;
}

DecimalSign LogNumbers::signOf(std::size_t column) const
{
    if (m_stated != DecimalSign::Unknown)
        return m_stated;
    return column < m_columns.size() ? m_columns[column].used : DecimalSign::Unknown;
}

void LogNumbers::take(unsigned signs, std::string_view cell, std::size_t column, std::int64_t row)
{
    Column& own = at(column);
    if ((signs & kEither) != 0 && own.row == 0) {
        constexpr std::size_t kLongest = 40;
        own.row = row;
        own.cell = trimBlanks(cell).substr(0, kLongest);
    }
    own.signs |= signs;
}

void LogNumbers::lookAt(std::string_view cell)
{
    constexpr std::size_t kLongestUnit = 8;
    const auto number = readNumberText(cell);
    if (number && number->rest.size() <= kLongestUnit
        && number->rest.find_first_of("0123456789") == std::string_view::npos)
        m_others |= number->signs;
}

// The decimal sign that a column proves by itself. Blanks that separate thousands leave the other
// signs to the decimals.
DecimalSign LogNumbers::ownSign(const Column& column)
{
    const DecimalSign proven = decimalSign(column.signs);
    const unsigned either = column.signs & kEither;
    if (proven != DecimalSign::Unknown || (column.signs & number::kOtherGroups) == 0
        || either == kEither)
        return proven;
    return either == number::kPointEither ? DecimalSign::Point : DecimalSign::Comma;
}

Result<bool> LogNumbers::again()
{
    if (m_stated != DecimalSign::Unknown)
        return false;
    m_lookedAtAll = m_lookedAtAll || m_looksAtAll;
    m_looksAtAll = false;
    unsigned all = m_others;
    for (const Column& column : m_columns)
        all |= column.time ? 0U : column.signs;
    bool changed = false;
    for (Column& column : m_columns) {
        if ((column.signs & kEither) == 0)
            continue;
        constexpr unsigned kProofs = number::kPointDecimal | number::kCommaDecimal
            | number::kPointGroups | number::kCommaGroups;
        DecimalSign sign = ownSign(column);
        if (sign == DecimalSign::Unknown && (column.signs & kProofs) == 0)
            sign = decimalSign(all);
        // "1.500" alone is what programs write. Beside "998" or in mW, it may be 1500.
        const bool commas = (column.signs & number::kCommaEither) != 0;
        const bool doubtful = column.thousands || (column.signs & number::kWhole) != 0;
        if (sign == DecimalSign::Unknown && (commas || doubtful) && !m_lookedAtAll) {
            m_looksAtAll = true;
            continue;
        }
        if (sign == DecimalSign::Unknown && commas) {
            const auto text = [&](DecimalSign decimal) {
                return formatSignificant(readNumberText(column.cell, decimal)->value, 4);
            };
            return rowError(column.row,
                            Message(m_question, quoteCell(column.cell), text(DecimalSign::Comma),
                                    text(DecimalSign::Point)));
        }
        column.doubtful = sign == DecimalSign::Unknown && doubtful;
        const unsigned affected = sign == DecimalSign::Comma ? number::kPointEither
            : sign == DecimalSign::Point                     ? number::kCommaEither
                                                             : 0U;
        const bool differs = column.used == DecimalSign::Unknown ? (column.signs & affected) != 0
                                                                 : column.used != sign;
        changed = changed || differs;
        column.used = sign;
    }
    return m_looksAtAll || changed;
}

std::optional<Message> LogNumbers::doubt() const
{
    const auto column = std::ranges::find(m_columns, true, &Column::doubtful);
    if (column == m_columns.end())
        return std::nullopt;
    return Message("Row %1 has %2, which was read with a decimal point; if points separate "
                   "thousands, state the decimal sign (--decimal).",
                   column->row, quoteCell(column->cell));
}

} // namespace ep::powerlog
