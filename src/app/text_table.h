// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace ep::app {

// Columns for a terminal: padded to the widest cell in characters, two blanks between them. Where
// the line is limited, columns that may be left out go first, then flexible ones are cut.
class TextTable {
public:
    enum class Align { Left, Right };
    struct Column {
        std::string title;
        Align align = Align::Left;
        bool flexible = false; // its cells may be cut, with an ellipsis
        int spare = 0; // above 0: may be left out, the largest number first
    };

    explicit TextTable(std::vector<Column> columns);
    void addRow(std::vector<std::string> cells); // as many as there are columns
    std::string toString() const; // titles, then the rows; a line break after each

private:
    std::vector<std::size_t> fittedWidths() const; // 0: the column is left out

    std::vector<Column> m_columns;
    std::vector<std::vector<std::string>> m_rows;
};

} // namespace ep::app
