// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/viz/geometry.h"

#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

namespace ep::viz {

// The direction in which the first letter of a text runs; without letters, that of its neighbours.
enum class TextDirection { Neutral, LeftToRight, RightToLeft };

// Flow layout of chips with wrapping, in the reading order of their texts: a paragraph runs in the
// direction of its first letter, and words of the other direction run theirs within it (the Unicode
// bidirectional algorithm, UAX #9, without numbers and brackets). Appending takes as long as the
// row is, and without text from right to left O(1); a new width O(n).
class TokenFlow {
public:
    void clear();
    void setMetrics(double width, double rowHeight, double spacing, double margin);

    // `breakAfter`: the chip ends its paragraph (a token that contains a newline). A chip wider
    // than the row gets its own row and is cut to the row's width.
    void append(double chipWidth, bool breakAfter,
                TextDirection direction = TextDirection::LeftToRight);

    std::size_t size() const { return m_chips.size(); }
    double height() const; // all rows and margins; 0 if empty
    Rect chip(std::size_t index) const;
    std::optional<std::size_t> hit(Point point) const;
    std::pair<std::size_t, std::size_t> visible(double top, double bottom) const; // [first, last)
    std::optional<std::size_t> above(std::size_t index) const; // nearest chip one row up
    std::optional<std::size_t> below(std::size_t index) const;

private:
    struct Chip {
        double asked = 0.0;
        bool break_after = false;
        TextDirection direction = TextDirection::LeftToRight;
        double x = 0.0;
        double width = 0.0;
        std::size_t row = 0;
    };
    double room() const; // of a row
    void place(Chip chip);
    void orderLastRow();
    std::size_t lastOfRow(std::size_t row) const;
    std::size_t nearestInRow(std::size_t row, double x) const;

    std::vector<Chip> m_chips;
    std::vector<std::size_t> m_rowStart; // first chip of each row
    double m_width = 100.0;
    double m_rowHeight = 24.0;
    double m_spacing = 2.0;
    double m_margin = 8.0;
    double m_cursor = 0.0;
    bool m_newRow = true;
    TextDirection m_paragraph = TextDirection::Neutral; // until the last paragraph has a letter
    bool m_ordered = true; // the chips of the last row run from left to right
};

} // namespace ep::viz
