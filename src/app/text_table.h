// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

namespace ep::app {

// Columns for a terminal: padded to the widest cell in characters, two blanks between them.
class TextTable {
public:
    enum class Align { Left, Right };
    struct Column {
        std::string title;
        Align align = Align::Left;
    };

    explicit TextTable(std::vector<Column> columns);
    void addRow(std::vector<std::string> cells); // as many as there are columns
    std::string toString() const; // titles, then the rows; a line break after each

private:
    std::vector<Column> m_columns;
    std::vector<std::vector<std::string>> m_rows;
};

} // namespace ep::app
