// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace ep::app {

// A table for a terminal: columns are padded to the widest cell in characters and separated by two
// blanks. If the width is limited, spare columns are omitted first, then flexible ones are cut.
class TextTable {
public:
    enum class Align { Left, Right };
    struct Column {
        std::string title;
        Align align = Align::Left;
        bool flexible = false; // cells may be truncated with an ellipsis
        int spare = 0; // above 0: may be omitted, the largest number first
    };

    explicit TextTable(std::vector<Column> columns);
    void addRow(std::vector<std::string> cells); // one cell per column
    std::string toString() const; // titles, then the rows, each followed by a line break

private:
    std::vector<std::size_t> fittedWidths() const; // 0: the column is omitted

    std::vector<Column> m_columns;
    std::vector<std::vector<std::string>> m_rows;
};

} // namespace ep::app
