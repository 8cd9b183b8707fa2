// SPDX-License-Identifier: GPL-3.0-or-later
#include "table_layout.h"

#include "lines.h"

#include <algorithm>
#include <array>

namespace ep::powerlog {
namespace {

bool matchesHeader(const char* pattern, const Header& header, std::string* star = nullptr)
{
    // Each alternative may state the unit that the header must have.
    std::string_view rest(pattern);
    do {
        const std::string_view one = cutAt('|', rest);
        const std::size_t at = one.find('@');
        if ((at == std::string_view::npos || lowerCase(header.unit) == one.substr(at + 1))
            && matches(one.substr(0, at), header.name, star))
            return true;
    } while (!rest.empty());
    return false;
}

bool fits(const TableFormat& format, const std::vector<Header>& headers)
{
    const auto statesPower = [](const Header& header) {
        return unitFrom(header.unit).value_or(Unit{}).of == Unit::Of::Power
            && !isOtherPower(header);
    };
    if ((format.flags & table::kWithoutPower) != 0 && std::ranges::any_of(headers, statesPower))
        return false;
    if ((format.flags & table::kOnlyThese) != 0) {
        const bool all = std::ranges::all_of(headers, [&](const Header& header) {
            return std::ranges::any_of(format.columns, [&](const ColumnRule& rule) {
                return matchesHeader(rule.name, header);
            });
        });
        if (!all)
            return false;
    }
    return std::ranges::all_of(format.required, [&](const char* pattern) {
        return std::ranges::any_of(
            headers, [&](const Header& header) { return matchesHeader(pattern, header); });
    });
}

std::string railName(std::string_view pattern, const Header& header, const std::string& star)
{
    if (pattern == "@")
        return header.raw;
    std::string name;
    for (const char c : pattern) {
        if (c == '*')
            name += star;
        else if (c != '#')
            name += c;
    }
    return name;
}

// Binds the columns of a known format.
void bind(const TableFormat& format, Layout& layout)
{
    layout.format = &format;
    layout.flags = format.flags;
    std::vector<std::size_t> rank; // index of the rule that bound a column
    std::unordered_map<std::string, int> names; // names of columns that occur again
    for (std::size_t i = 0;
         i < layout.headers.size() && layout.columns.size() <= 2 * Collector::kMaxRails; ++i) {
        const Header& header = layout.headers[i];
        for (std::size_t r = 0; r < format.columns.size(); ++r) {
            const ColumnRule& rule = format.columns[r];
            std::string star;
            if (!matchesHeader(rule.name, header, &star))
                continue;
            Column column{.index = i, .role = rule.role};
            column.rail = railName(rule.rail, header, star);
            column.numbered = std::string_view(rule.rail).ends_with('#');
            column.measured = rule.measured;
            column.part = rule.part;
            column.counted_with = rule.counted_with;
            column.by_name = column.part == "?";
            takeUnit(column, header, rule.unit);
            if (rule.length[0] != '\0') {
                const std::string wanted = railName(rule.length, header, star);
                for (std::size_t j = 0; j < layout.headers.size(); ++j) {
                    if (layout.headers[j].name == wanted)
                        column.length = j;
                }
                if (!column.length)
                    break;
            }
            // If several columns fit one rail, the earlier rule wins.
            const auto same = std::ranges::find_if(layout.columns, [&](const Column& other) {
                return other.role == column.role && isRailRole(column.role)
                    && other.rail == column.rail;
            });
            // Two columns of one name are two rails.
            const bool twice =
                same != layout.columns.end() && layout.headers[same->index].raw == header.raw;
            if (twice) {
                names.try_emplace(column.rail, 1);
                nameApart(column, names);
            }
            if (same == layout.columns.end() || twice) {
                layout.columns.push_back(column);
                rank.push_back(r);
            } else if (const auto at = static_cast<std::size_t>(same - layout.columns.begin());
                       r < rank[at]) {
                *same = column;
                rank[at] = r;
            }
            break;
        }
    }
}

bool describe(Layout& layout, const Description& description)
{
    bool any = false;
    for (const DescribedColumn& said : description) {
        const auto header = std::ranges::find(layout.headers, said.header, &Header::raw);
        if (header == layout.headers.end())
            return false;
        const auto* const role =
            std::ranges::find(kRoles, said.role, &std::pair<std::string_view, Role>::first);
        if (role == std::end(kRoles))
            continue;
        Column column{.index = static_cast<std::size_t>(header - layout.headers.begin()),
                      .role = role->second};
        column.rail = isRailRole(column.role) ? genericRail(*header) : "";
        column.part = "?";
        column.by_name = true;
        takeUnit(column, *header, "");
        if (const auto unit = unitFrom(said.unit)) {
            column.factor = unit->factor;
            column.unit_known = true;
        }
        any = any || isRailRole(column.role);
        layout.columns.push_back(column);
    }
    return any;
}

// The line after the header of `dmon` and `dcgmi`: "# Idx     W     C", preceded by as many words
// as the header.
bool isUnitsLine(std::string_view line, std::size_t columns, std::size_t prefix)
{
    const std::size_t hash = line.find('#');
    if (hash != std::string_view::npos && hash < 40)
        line.remove_prefix(hash + 1);
    std::vector<std::string_view> words;
    splitLine(line, line.find(',') != std::string_view::npos ? ',' : kBlanks, words);
    if (words.size() > prefix && words.front().find_first_of("0123456789") == 0)
        words.erase(words.begin(), words.begin() + static_cast<std::ptrdiff_t>(prefix));
    const auto units = std::ranges::count_if(words, [](std::string_view word) {
        return unitFrom(word) || trimBlanks(word) == "C" || trimBlanks(word) == "MHz"
            || lowerCase(trimBlanks(word)) == "idx";
    });
    return units > 0 && words.size() <= columns
        && static_cast<std::size_t>(2 * units) >= words.size();
}

// The line below the ids has the names of the sensors, some of which may occur more than once.
void takeNamesBelow(Layout& layout, std::string_view line)
{
    std::vector<std::string_view> names;
    splitLine(line, layout.delimiter, names);
    const auto nameOf = [&](const Column& column) {
        return column.index < names.size() ? names[column.index] : std::string_view();
    };
    for (Column& column : layout.columns) {
        if (!isRailRole(column.role) || nameOf(column).empty())
            continue;
        const auto same = std::ranges::count_if(layout.columns, [&](const Column& other) {
            return isRailRole(other.role) && nameOf(other) == nameOf(column);
        });
        const std::string id = same > 1 ? " " + column.rail : "";
        column.rail = asUtf8(nameOf(column).substr(0, kLongestHeader)) + id;
    }
}

// Whether a line has values rather than names, so that no format need be compared with it.
bool hasValues(const std::vector<Header>& headers)
{
    const auto numbers = std::ranges::count_if(headers, [](const Header& header) {
        return header.raw.find_first_of("0123456789-+") == 0;
    });
    return 2 * static_cast<std::size_t>(numbers) > headers.size();
}

// Whether a format has a single column and no other program writes such a header.
bool isLoneColumn(const Layout& layout)
{
    return layout.headers.size() == 1
        && std::ranges::any_of(tableFormats(), [&](const TableFormat& format) {
               return (format.flags & table::kSummaryRows) != 0 && fits(format, layout.headers);
           });
}

// Joins a date in one column with the time of day in another.
void pairDateWithTime(Layout& layout)
{
    if (layout.has(Role::TimeOfDay) || layout.has(Role::Date))
        return;
    const auto time = std::ranges::find(layout.columns, Role::Time, &Column::role);
    if (time == layout.columns.end()
        || !matches("date|datum|tag|day|fecha|data|dato", layout.headers[time->index].name))
        return;
    for (std::size_t i = 0; i < layout.headers.size(); ++i) {
        if (i == time->index
            || !matches("time|zeit|uhrzeit|heure|hora|ora|tid|tijd|time of day|time_of_day|clock",
                        layout.headers[i].name))
            continue;
        const auto bound = std::ranges::find(layout.columns, i, &Column::index);
        if (bound != layout.columns.end())
            bound->role = Role::TimeOfDay;
        else
            layout.columns.push_back({.index = i, .role = Role::TimeOfDay});
        return;
    }
}

// Home Assistant keeps means of five minutes, and later of an hour; the distance between their
// times shows which they are.
double hoursOf(const Layout& layout, const std::vector<std::string>& head)
{
    constexpr double kOneHour = 3600.0;
    constexpr double kFiveMinutes = 300.0;
    const auto time = std::ranges::find(layout.columns, Role::Time, &Column::role);
    std::vector<std::string_view> cells;
    for (std::size_t i = layout.header_line + 1; time != layout.columns.end() && i < head.size();
         ++i) {
        splitLine(head[i], layout.delimiter, cells);
        const auto at = time->index < cells.size()
            ? readInstant(cells[time->index], DateOrder::Unknown)
            : std::nullopt;
        if (at && at->ns % 3'600'000'000'000 != 0)
            return kFiveMinutes;
    }
    return kOneHour;
}

} // namespace

bool Layout::has(Role role) const
{
    return std::ranges::any_of(columns, [&](const Column& column) { return column.role == role; });
}

std::optional<Layout> findLayout(const std::vector<std::string>& head, const ReadOptions& options)
{
    Layout layout;
    const auto finish = [&] {
        pairDateWithTime(layout);
        if ((layout.flags & table::kHourly) != 0)
            layout.length_s = hoursOf(layout, head);
        if (layout.header_line + 1 >= head.size())
            return;
        const std::string& below = head[layout.header_line + 1];
        const bool names = (layout.flags & table::kNamesBelow) != 0;
        if (names)
            takeNamesBelow(layout, below);
        layout.units_line = names || isUnitsLine(below, layout.headers.size(), layout.prefix);
    };
    for (std::size_t i = 0; i < head.size(); ++i) {
        layout.prefix = 0;
        readHeaders(head[i], layout);
        if (options.description.empty()
            && (hasValues(layout.headers) || (layout.headers.size() < 2 && !isLoneColumn(layout))))
            continue;
        layout.header_line = i;
        layout.header_text = head[i];
        if (!options.description.empty()) {
            layout.columns.clear();
            if (describe(layout, options.description)) {
                pairDateWithTime(layout);
                return layout;
            }
            continue;
        }
        for (const TableFormat& format : tableFormats()) {
            if (!fits(format, layout.headers))
                continue;
            bind(format, layout);
            finish();
            const bool rails = std::ranges::any_of(
                layout.columns, [](const Column& column) { return isRailRole(column.role); });
            if (rails)
                return layout;
            if ((format.flags & table::kAnyPower) != 0) {
                std::unordered_map<std::string, int> names;
                for (std::size_t c = 0; c < layout.headers.size(); ++c) {
                    const Header& header = layout.headers[c];
                    if (unitFrom(header.unit).value_or(Unit{}).of != Unit::Of::Power
                        || isOtherPower(header))
                        continue;
                    Column column{.index = c, .role = Role::Power, .rail = genericRail(header)};
                    column.part = "?";
                    column.by_name = true;
                    nameApart(column, names);
                    takeUnit(column, header, "");
                    layout.columns.push_back(column);
                }
                return layout;
            }
            layout.columns.clear();
        }
    }
    for (std::size_t i = 0; i < head.size(); ++i) {
        layout = {};
        readHeaders(head[i], layout);
        layout.header_line = i;
        layout.header_text = head[i];
        if (layout.headers.size() >= 2 && !hasValues(layout.headers)
            && guessLayout(layout, head, options.energies)) {
            finish();
            return layout;
        }
    }
    return std::nullopt;
}

// The cells of a line, and the headers of a table.

char delimiterOf(std::string_view line)
{
    const auto count = [&](char c) { return std::count(line.begin(), line.end(), c); };
    if (line.starts_with('#') && count(',') == 0 && count(';') == 0)
        return kBlanks;
    if (count('\t') > 0)
        return '\t';
    if (count(';') > 0 && count(';') >= count(',') / 2)
        return ';';
    if (count(',') > 0)
        return ',';
    return count('|') > 0 ? '|' : kBlanks;
}

// Reads the headers; the text before a `#` is the prefix.
void readHeaders(std::string_view line, Layout& layout)
{
    const std::size_t hash = line.find('#');
    constexpr std::size_t kLongestPrefix = 40; // "2026-11-25 07:35:41.123456+00:00 "
    std::vector<std::string_view> cells;
    const bool leading = hash != std::string_view::npos
        && (hash == 0
            || (hash < kLongestPrefix && line[hash - 1] == ' '
                && line.find_first_of(",;\"") == std::string_view::npos));
    if (leading) {
        splitLine(line.substr(0, hash), kBlanks, cells);
        layout.prefix = cells.size();
        line.remove_prefix(hash + 1);
    }
    layout.delimiter = delimiterOf(line);
    splitLine(line, layout.delimiter, cells);
    layout.headers.clear();
    for (const std::string_view cell : cells) {
        Header header = readHeader(asUtf8(cell.substr(0, kLongestHeader)));
        header.name = header.name.substr(0, kLongestHeader);
        layout.headers.push_back(std::move(header));
    }
    // Removes an empty header after a trailing delimiter.
    if (layout.headers.size() > 1 && layout.headers.back().raw.empty())
        layout.headers.pop_back();
}

void splitLine(std::string_view line, char delimiter, std::vector<std::string_view>& cells)
{
    cells.clear();
    if (delimiter == kBlanks) {
        std::size_t i = 0;
        while (i < line.size()) {
            while (i < line.size() && (line[i] == ' ' || line[i] == '\t'))
                ++i;
            const std::size_t begin = i;
            while (i < line.size() && line[i] != ' ' && line[i] != '\t')
                ++i;
            if (i > begin)
                cells.push_back(line.substr(begin, i - begin));
        }
        return;
    }
    const bool quotes = line.find('"') != std::string_view::npos;
    std::size_t begin = 0;
    for (;;) {
        std::size_t end = begin;
        if (quotes) {
            bool inside = false;
            while (end < line.size() && (inside || line[end] != delimiter)) {
                inside = line[end] == '"' ? !inside : inside;
                ++end;
            }
        } else {
            end = std::min(line.find(delimiter, begin), line.size());
        }
        std::string_view cell = trimBlanks(line.substr(begin, end - begin));
        if (cell.size() >= 2 && cell.front() == '"' && cell.back() == '"')
            cell = trimBlanks(cell.substr(1, cell.size() - 2));
        cells.push_back(cell);
        if (end >= line.size())
            return;
        begin = end + 1;
    }
}

Layout headersAt(const std::vector<std::string>& head, std::size_t line)
{
    Layout layout;
    readHeaders(head[line], layout);
    layout.header_line = line;
    layout.header_text = head[line];
    return layout;
}

} // namespace ep::powerlog
