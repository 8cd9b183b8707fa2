// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/viz/token_flow.h"

#include <algorithm>
#include <cmath>

namespace ep::viz {

void TokenFlow::clear()
{
    m_chips.clear();
    m_rowStart.clear();
    m_cursor = 0.0;
    m_newRow = true;
}

void TokenFlow::setMetrics(double width, double rowHeight, double spacing, double margin)
{
    m_width = width;
    m_rowHeight = rowHeight;
    m_spacing = spacing;
    m_margin = margin;
    std::vector<Chip> chips = std::move(m_chips);
    clear();
    m_chips.reserve(chips.size());
    for (Chip& chip : chips) {
        place(chip);
        m_chips.push_back(chip);
    }
}

void TokenFlow::append(double chipWidth, bool breakAfter)
{
    Chip chip;
    chip.asked = chipWidth;
    chip.break_after = breakAfter;
    place(chip);
    m_chips.push_back(chip);
}

void TokenFlow::place(Chip& chip)
{
    const double room = std::max(1.0, m_width - 2.0 * m_margin);
    chip.width = std::min(chip.asked, room);
    if (m_newRow || m_cursor + chip.width > m_margin + room) {
        m_rowStart.push_back(m_chips.size());
        m_cursor = m_margin;
    }
    chip.x = m_cursor;
    chip.row = m_rowStart.size() - 1;
    m_cursor += chip.width + m_spacing;
    m_newRow = chip.break_after;
}

double TokenFlow::height() const
{
    if (m_chips.empty())
        return 0.0;
    return 2.0 * m_margin + static_cast<double>(m_rowStart.size()) * m_rowHeight;
}

Rect TokenFlow::chip(std::size_t index) const
{
    const Chip& chip = m_chips[index];
    return {chip.x, m_margin + static_cast<double>(chip.row) * m_rowHeight, chip.width,
            m_rowHeight - m_spacing};
}

std::optional<std::size_t> TokenFlow::hit(Point point) const
{
    const double row = std::floor((point.y - m_margin) / m_rowHeight);
    if (row < 0.0 || row >= static_cast<double>(m_rowStart.size()))
        return std::nullopt;
    const std::size_t nearest = nearestInRow(static_cast<std::size_t>(row), point.x);
    return chip(nearest).contains(point) ? std::optional(nearest) : std::nullopt;
}

std::pair<std::size_t, std::size_t> TokenFlow::visible(double top, double bottom) const
{
    if (m_chips.empty() || bottom <= top)
        return {0, 0};
    const auto rowAt = [&](double y) {
        const double row = std::floor((y - m_margin) / m_rowHeight);
        return static_cast<std::size_t>(
            std::clamp(row, 0.0, static_cast<double>(m_rowStart.size() - 1)));
    };
    return {m_rowStart[rowAt(top)], lastOfRow(rowAt(bottom)) + 1};
}

std::optional<std::size_t> TokenFlow::above(std::size_t index) const
{
    const Chip& chip = m_chips[index];
    if (chip.row == 0)
        return std::nullopt;
    return nearestInRow(chip.row - 1, chip.x + chip.width / 2.0);
}

std::optional<std::size_t> TokenFlow::below(std::size_t index) const
{
    const Chip& chip = m_chips[index];
    if (chip.row + 1 >= m_rowStart.size())
        return std::nullopt;
    return nearestInRow(chip.row + 1, chip.x + chip.width / 2.0);
}

std::size_t TokenFlow::lastOfRow(std::size_t row) const
{
    return (row + 1 < m_rowStart.size() ? m_rowStart[row + 1] : m_chips.size()) - 1;
}

std::size_t TokenFlow::nearestInRow(std::size_t row, double x) const
{
    const auto first = m_chips.begin() + static_cast<std::ptrdiff_t>(m_rowStart[row]);
    const auto last = m_chips.begin() + static_cast<std::ptrdiff_t>(lastOfRow(row)) + 1;
    const auto next =
        std::upper_bound(first, last, x, [](double at, const Chip& c) { return at < c.x; });
    const auto found = next == first ? first : next - 1;
    return static_cast<std::size_t>(found - m_chips.begin());
}

} // namespace ep::viz
