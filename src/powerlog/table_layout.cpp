// SPDX-License-Identifier: GPL-3.0-or-later
#include "table_layout.h"

#include "lines.h"

#include <algorithm>
#include <array>

namespace ep::powerlog {

namespace {

constexpr std::size_t kLongestHeader = 200;

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
    return kBlanks;
}

// Headers of a line; a `#` before them is left out, and what is before it is the prefix.
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
    // A delimiter at the end of each line.
    if (layout.headers.size() > 1 && layout.headers.back().raw.empty())
        layout.headers.pop_back();
}

bool matchesHeader(const char* pattern, const Header& header, std::string* star = nullptr)
{
    // Each alternative may state the unit that the header must have.
    std::string_view rest(pattern);
    for (;;) {
        const std::size_t bar = rest.find('|');
        const std::string_view one = rest.substr(0, bar);
        const std::size_t at = one.find('@');
        const std::string name(one.substr(0, at));
        if ((at == std::string_view::npos || lowerCase(header.unit) == one.substr(at + 1))
            && matches(name.c_str(), header.name, star))
            return true;
        if (bar == std::string_view::npos)
            return false;
        rest.remove_prefix(bar + 1);
    }
}

bool fits(const TableFormat& format, const std::vector<Header>& headers)
{
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

void takeUnit(Column& column, const Header& header, std::string_view assumed)
{
    const auto stated = unitFrom(header.unit);
    if (stated) {
        column.header_unit = stated->of;
        column.header_factor = stated->factor;
    }
    const auto wanted = [&] {
        switch (column.role) {
        case Role::Power:
        case Role::MeanPower:
        case Role::StatedPower:
        case Role::Rated:
            return Unit::Of::Power;
        case Role::Energy:
        case Role::Counter:
            return Unit::Of::Energy;
        case Role::Length:
        case Role::Time:
        case Role::Start:
            return Unit::Of::Time;
        case Role::Volts:
            return Unit::Of::Volts;
        case Role::Amperes:
            return Unit::Of::Amperes;
        default:
            return Unit::Of::None;
        }
    }();
    if (stated && stated->of == wanted) {
        column.factor = stated->factor;
        column.unit_known = true;
    } else if (const auto unit = unitFrom(assumed)) {
        column.factor = unit->factor;
        column.unit_known = true;
    }
}

bool isRailRole(Role role)
{
    return role == Role::Power || role == Role::MeanPower || role == Role::Energy
        || role == Role::Counter || role == Role::Volts;
}

// Columns of a known format.
void bind(const TableFormat& format, Layout& layout)
{
    layout.format = &format;
    layout.flags = format.flags;
    std::vector<std::size_t> rank; // of the rule by which a column was bound
    for (std::size_t i = 0; i < layout.headers.size(); ++i) {
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
            // Of several columns for one rail the one by the earlier rule counts.
            const auto same = std::ranges::find_if(layout.columns, [&](const Column& other) {
                return other.role == column.role && isRailRole(column.role)
                    && other.rail == column.rail;
            });
            if (same == layout.columns.end()) {
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

bool containsAny(std::string_view text, std::initializer_list<std::string_view> words)
{
    return std::ranges::any_of(
        words, [&](std::string_view word) { return text.find(word) != std::string_view::npos; });
}

bool isPowerName(const Header& header)
{
    return containsAny(
        header.name,
        {"power", "watt", "leistung", "draw", "consumption", "puissance", "potencia", "verbrauch"});
}

// Limits, factors and the like are no power that something draws.
bool isOtherPower(const Header& header)
{
    return containsAny(header.name,
                       {"limit", "cap", "factor", "apparent", "reactive", "schein", "blind", "tdp",
                        "max", "min", "peak", "usage", "util", "state", "mode", "average", "avg",
                        "mean", "percent"});
}

bool isTimeName(const std::string& name)
{
    return matches("timestamp*|time|time_*|time *|datetime*|date*|datum*|zeit*|ts|epoch*|unix*|"
                   "elapsed*|t|clock|*timestamp|*_time|heure|fecha",
                   name);
}

std::string genericRail(const Header& header)
{
    std::string name = header.name;
    for (const std::string_view word : {" power", "_power", "power_", "power ", ".power",
                                        " leistung", "-leistung", "leistung "}) {
        const std::size_t at = name.find(word);
        if (at != std::string::npos)
            name.erase(at, word.size());
    }
    return name.empty() ? "power" : name;
}

// A table that no format describes: time and power by their names and units.
bool guess(Layout& layout, const std::vector<std::string>& head)
{
    std::optional<std::size_t> time;
    for (std::size_t i = 0; i < layout.headers.size() && !time; ++i) {
        const bool clockUnit =
            unitFrom(layout.headers[i].unit).value_or(Unit{}).of == Unit::Of::Time;
        if (isTimeName(layout.headers[i].name) || (clockUnit && i == 0))
            time = i;
    }
    const auto unitOf = [&](const Header& header) {
        return unitFrom(header.unit).value_or(Unit{}).of;
    };
    std::vector<std::size_t> powers;
    std::vector<std::size_t> energies;
    for (std::size_t i = 0; i < layout.headers.size(); ++i) {
        const Header& header = layout.headers[i];
        if (time == i)
            continue;
        if (unitOf(header) == Unit::Of::Power || (header.unit.empty() && isPowerName(header)))
            powers.push_back(i);
        else if (unitOf(header) == Unit::Of::Energy)
            energies.push_back(i);
    }
    const auto instants = std::ranges::count_if(
        powers, [&](std::size_t i) { return !isOtherPower(layout.headers[i]); });
    if (instants > 0)
        std::erase_if(powers, [&](std::size_t i) { return isOtherPower(layout.headers[i]); });
    if (powers.empty() && energies.empty())
        return false;
    if (!time) {
        // The first column, if its first cell is a time.
        std::vector<std::string_view> cells;
        if (layout.header_line + 1 < head.size())
            splitLine(head[layout.header_line + 1], layout.delimiter, cells);
        const auto instant =
            cells.empty() ? std::nullopt : readInstant(cells[0], DateOrder::Unknown);
        if (instant && instant->clock != Clock::Own)
            time = 0;
    }
    if (time) {
        Column column{.index = *time, .role = Role::Time};
        takeUnit(column, layout.headers[*time], "");
        layout.columns.push_back(column);
    }
    const bool power = !powers.empty();
    for (const std::size_t i : power ? powers : energies) {
        const Header& header = layout.headers[i];
        Column column{.index = i, .role = Role::Power};
        if (!power) {
            // A running total never falls.
            double last = -1e300;
            bool falls = false;
            NumberReader numbers(layout.delimiter != ',');
            std::vector<std::string_view> cells;
            for (std::size_t line = layout.header_line + 1; line < head.size(); ++line) {
                splitLine(head[line], layout.delimiter, cells);
                const auto number = i < cells.size() ? numbers.read(cells[i]) : std::nullopt;
                falls = falls || (number && number->value < last);
                last = number ? number->value : last;
            }
            column.role = falls ? Role::Energy : Role::Counter;
        }
        column.rail = genericRail(header);
        column.part = "?";
        column.by_name = true;
        takeUnit(column, header, "");
        layout.columns.push_back(column);
    }
    for (std::size_t i = 0; i < layout.headers.size(); ++i) {
        if (matches("index|gpu|gpu_index|gpu_id|device|device_id|uuid", layout.headers[i].name))
            layout.columns.push_back({.index = i, .role = Role::Device});
        else if (matches("utilization.gpu|gpu_util*|util|utilization*|gpu_use*|gpu_usage*",
                         layout.headers[i].name))
            layout.columns.push_back({.index = i, .role = Role::Use});
        else if (matches("power.limit|power_limit*|gpu_power_limit*|tdp*",
                         layout.headers[i].name)) {
            Column column{.index = i, .role = Role::Rated};
            takeUnit(column, layout.headers[i], "");
            layout.columns.push_back(column);
        }
    }
    return true;
}

bool describe(Layout& layout, const Description& description)
{
    static constexpr std::array<std::pair<std::string_view, Role>, 9> kRoles{
        {{"time", Role::Time},
         {"start", Role::Start},
         {"length", Role::Length},
         {"power", Role::Power},
         {"mean power", Role::MeanPower},
         {"energy", Role::Energy},
         {"counter", Role::Counter},
         {"device", Role::Device},
         {"use", Role::Use}}};
    bool any = false;
    for (const DescribedColumn& said : description) {
        const auto header = std::ranges::find(layout.headers, said.header, &Header::raw);
        if (header == layout.headers.end())
            return false;
        const auto role =
            std::ranges::find(kRoles, said.role, &decltype(kRoles)::value_type::first);
        if (role == kRoles.end())
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

// The line after the header of `dmon` and `dcgmi`: "# Idx     W     C".
bool isUnitsLine(std::string_view line, std::size_t columns)
{
    const std::size_t hash = line.find('#');
    if (hash != std::string_view::npos && hash < 40)
        line.remove_prefix(hash + 1);
    std::vector<std::string_view> words;
    splitLine(line, line.find(',') != std::string_view::npos ? ',' : kBlanks, words);
    const auto units = std::ranges::count_if(words, [](std::string_view word) {
        return unitFrom(word) || trimBlanks(word) == "C" || trimBlanks(word) == "MHz"
            || lowerCase(trimBlanks(word)) == "idx";
    });
    return units > 0 && words.size() <= columns
        && static_cast<std::size_t>(2 * units) >= words.size();
}

} // namespace

bool Layout::has(Role role) const
{
    return std::ranges::any_of(columns, [&](const Column& column) { return column.role == role; });
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

std::optional<Layout> findLayout(const std::vector<std::string>& head, const ReadOptions& options)
{
    Layout layout;
    const auto finish = [&] {
        layout.units_line = layout.header_line + 1 < head.size()
            && isUnitsLine(head[layout.header_line + 1], layout.headers.size());
    };
    for (std::size_t i = 0; i < head.size(); ++i) {
        layout.prefix = 0;
        readHeaders(head[i], layout);
        if (layout.headers.size() < 2 && options.description.empty())
            continue;
        layout.header_line = i;
        layout.header_text = head[i];
        if (!options.description.empty()) {
            layout.columns.clear();
            if (describe(layout, options.description))
                return layout;
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
                for (std::size_t c = 0; c < layout.headers.size(); ++c) {
                    const Header& header = layout.headers[c];
                    if (unitFrom(header.unit).value_or(Unit{}).of != Unit::Of::Power
                        || isOtherPower(header))
                        continue;
                    Column column{.index = c, .role = Role::Power, .rail = genericRail(header)};
                    column.part = "?";
                    column.by_name = true;
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
        if (layout.headers.size() >= 2 && guess(layout, head)) {
            finish();
            return layout;
        }
    }
    return std::nullopt;
}

} // namespace ep::powerlog
