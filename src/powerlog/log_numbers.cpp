// SPDX-License-Identifier: GPL-3.0-or-later
#include "log_numbers.h"

#include "log.h"

#include "ep/core/format.h"

#include <algorithm>

namespace ep::powerlog {

namespace {

constexpr unsigned kEither = number::kPointEither | number::kCommaEither;

} // namespace

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

// What a column proves about itself. Blanks that separate thousands leave the other signs to the
// decimals.
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
