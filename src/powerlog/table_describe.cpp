// SPDX-License-Identifier: GPL-3.0-or-later
// Guesses what a table of unknown format contains, for the user to confirm: from the names of its
// columns and, if these say nothing, from its first rows.
#include "lines.h"
#include "table_layout.h"

#include "ep/core/user_file.h"

#include <algorithm>
#include <array>
#include <optional>

namespace ep::powerlog {

namespace {

constexpr std::size_t kLinesLookedAt = 400;
constexpr std::size_t kRowsLookedAt = 20;

std::vector<std::string> headOf(const std::filesystem::path& file)
{
    std::vector<std::string> head;
    auto opened = UserFile::open(file);
    if (!opened)
        return head;
    UserFileStream stream(*std::move(opened));
    std::string line;
    while (head.size() < kLinesLookedAt && std::getline(stream, line)) {
        if (line.size() > LineReader::kLongestLine)
            break;
        if (head.empty() && line.starts_with("\xEF\xBB\xBF"))
            line.erase(0, 3);
        if (!trimBlanks(line).empty())
            head.push_back(std::string(trimBlanks(line)));
    }
    return head;
}

struct Cell {
    bool number = false;
    bool time = false; // looks like a time, which no single number does
};

std::vector<Cell> cellsOf(const std::string& line, char delimiter)
{
    std::vector<std::string_view> texts;
    splitLine(line, delimiter, texts);
    std::vector<Cell> cells;
    for (const std::string_view text : texts) {
        const auto instant = readInstant(text, DateOrder::Unknown);
        cells.push_back(
            {.number = readNumberText(text).has_value(),
             .time = instant && (instant->clock != Clock::Own || instant->time_of_day)});
    }
    return cells;
}

// The first line of names above a row with as many values; otherwise the first line with columns.
std::optional<std::size_t> headerLineIn(const std::vector<std::string>& head)
{
    const auto isValue = [](const Cell& cell) { return cell.number || cell.time; };
    std::optional<std::size_t> first;
    for (std::size_t i = 0; i < head.size(); ++i) {
        const Layout layout = headersAt(head, i);
        if (layout.headers.size() < 2)
            continue;
        if (!first)
            first = i;
        const auto names = cellsOf(head[i], layout.delimiter);
        if (i + 1 == head.size() || std::ranges::any_of(names, isValue))
            continue;
        const auto values = cellsOf(head[i + 1], layout.delimiter);
        if (values.size() == names.size() && std::ranges::any_of(values, isValue))
            return i;
    }
    return first;
}

const char* wordOf(Role role)
{
    switch (role) {
    case Role::Time:
    case Role::Date:
        return "time";
    case Role::Start:
        return "start";
    case Role::Length:
        return "length";
    case Role::Power:
        return "power";
    case Role::MeanPower:
        return "mean power";
    case Role::Energy:
        return "energy";
    case Role::Counter:
        return "counter";
    case Role::Device:
        return "device";
    default:
        return "ignore";
    }
}

// Guesses by values: the first column of times, and the only other column of numbers.
void guessByValues(const std::vector<std::string>& rows, char delimiter, Description& columns)
{
    std::vector<bool> times(columns.size(), !rows.empty());
    std::vector<bool> numbers(columns.size(), !rows.empty());
    for (const std::string& row : rows) {
        const auto cells = cellsOf(row, delimiter);
        for (std::size_t i = 0; i < columns.size(); ++i) {
            times[i] = times[i] && i < cells.size() && cells[i].time;
            numbers[i] = numbers[i] && i < cells.size() && cells[i].number;
        }
    }
    const auto time = static_cast<std::size_t>(std::ranges::find(times, true) - times.begin());
    if (time < columns.size())
        columns[time].role = "time";
    const auto isPower = [&](std::size_t i) { return i != time && numbers[i] && !times[i]; };
    std::vector<std::size_t> powers;
    for (std::size_t i = 0; i < columns.size(); ++i) {
        if (isPower(i))
            powers.push_back(i);
    }
    if (powers.size() == 1)
        columns[powers.front()].role = "power";
}

} // namespace

Description guessTable(const std::filesystem::path& file)
{
    const std::vector<std::string> head = headOf(file);
    const auto line = headerLineIn(head);
    if (!line)
        return {};
    Layout layout = headersAt(head, *line);
    Description columns;
    for (const Header& header : layout.headers)
        columns.push_back({header.raw, "ignore", {}});
    if (guessLayout(layout, head)) {
        for (const Column& column : layout.columns)
            columns[column.index].role = wordOf(column.role);
        return columns;
    }
    const std::size_t end = std::min(head.size(), *line + 1 + kRowsLookedAt);
    guessByValues({head.begin() + static_cast<std::ptrdiff_t>(*line + 1),
                   head.begin() + static_cast<std::ptrdiff_t>(end)},
                  layout.delimiter, columns);
    return columns;
}

std::vector<std::string> tableHeaders(const std::filesystem::path& file)
{
    std::vector<std::string> headers;
    for (const DescribedColumn& column : guessTable(file))
        headers.push_back(column.header);
    return headers;
}

} // namespace ep::powerlog
