// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

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
    // A column for numbers of logs that are no tables, and one for their times.
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
    // After the last reading: what may be wrong with it.
    std::optional<Message> doubt() const;

private:
    struct Column {
        unsigned signs = 0;
        DecimalSign used = DecimalSign::Unknown;
        bool thousands = false;
        bool time = false; // whose spelling says nothing about the others'
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

} // namespace ep::powerlog
