// SPDX-License-Identifier: GPL-3.0-or-later
#include "lines.h"
#include "table_layout.h"

#include "ep/core/user_file.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace ep::powerlog {
namespace {

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

// Whether the first row has an alternating voltage: then volts times amperes are not power.
bool isMains(const Layout& layout, const std::vector<std::string>& head, std::size_t column)
{
    constexpr double kMaxDirectVolts = 60.0;
    std::vector<std::string_view> cells;
    if (layout.header_line + 1 < head.size())
        splitLine(head[layout.header_line + 1], layout.delimiter, cells);
    const auto number = column < cells.size() ? readNumberText(cells[column]) : std::nullopt;
    const auto unit = unitFrom(layout.headers[column].unit);
    return number && unit && number->value * unit->factor > kMaxDirectVolts;
}

Unit::Of statedUnit(const Header& header)
{
    return unitFrom(header.unit).value_or(Unit{}).of;
}

// The column named like a time, or the first one if it has a unit of time.
std::optional<std::size_t> timeColumn(const std::vector<Header>& headers)
{
    for (std::size_t i = 0; i < headers.size(); ++i) {
        if (isTimeName(headers[i].name) || (i == 0 && statedUnit(headers[i]) == Unit::Of::Time))
            return i;
    }
    return std::nullopt;
}

// Whether the first cell below the header is a time.
bool beginsWithInstant(const Layout& layout, const std::vector<std::string>& head)
{
    std::vector<std::string_view> cells;
    if (layout.header_line + 1 < head.size())
        splitLine(head[layout.header_line + 1], layout.delimiter, cells);
    const auto instant = cells.empty() ? std::nullopt : readInstant(cells[0], DateOrder::Unknown);
    return instant && instant->clock != Clock::Own;
}

struct PowerColumns {
    std::vector<std::size_t> powers;
    std::vector<std::size_t> energies;

    bool empty() const { return powers.empty() && energies.empty(); }
};

PowerColumns powerColumns(const std::vector<Header>& headers, std::optional<std::size_t> time)
{
    PowerColumns found;
    for (std::size_t i = 0; i < headers.size(); ++i) {
        const Header& header = headers[i];
        if (time == i)
            continue;
        if (statedUnit(header) == Unit::Of::Power || (header.unit.empty() && isPowerName(header)))
            found.powers.push_back(i);
        else if (statedUnit(header) == Unit::Of::Energy)
            found.energies.push_back(i);
    }
    const auto other = [&](std::size_t i) { return isOtherPower(headers[i]); };
    if (!std::ranges::all_of(found.powers, other))
        std::erase_if(found.powers, other);
    return found;
}

void addColumn(Layout& layout, Column column)
{
    takeUnit(column, layout.headers[column.index], "");
    layout.columns.push_back(std::move(column));
}

// Binds volts and amperes, whose product is the power; false if the table does not have both.
bool addVoltsAndAmperes(Layout& layout, const std::vector<std::string>& head)
{
    const auto withUnit = [&](Unit::Of unit) {
        const auto found = std::ranges::find(layout.headers, unit, statedUnit);
        return static_cast<std::size_t>(found - layout.headers.begin());
    };
    const std::size_t volts = withUnit(Unit::Of::Volts);
    const std::size_t amperes = withUnit(Unit::Of::Amperes);
    const std::size_t none = layout.headers.size();
    if (volts == none || amperes == none || isMains(layout, head, volts))
        return false;
    const auto add = [&](std::size_t index, Role role, const char* rail) {
        addColumn(layout,
                  {.index = index,
                   .role = role,
                   .rail = rail,
                   .measured = energy::Measured::Board,
                   .part = "system"});
    };
    add(volts, Role::Volts, "power");
    add(amperes, Role::Amperes, "");
    return true;
}

struct EnergyMeaning {
    Role role = Role::Energy;
    bool unsure = false;
};

// Whether an energy column is a running total: its name decides, or else the user does. Rising
// values prove nothing.
EnergyMeaning meaningOf(const Header& header, bool lengths, Energies stated)
{
    constexpr const char* kTotals =
        "*cumul*|*counter*|*accum*|*lifetime*|energy|*_energy|*since*|*odometer*|*zähler*|"
        "*zaehler*|*total|total*|*kumul*|*compteur*|*contador*|*счетчик*|*累计*|*累積*";
    constexpr const char* kRows = "*delta*|*interval*|*increment*|*diff*|*per *|*per_*|*step*|"
                                  "*window*|*used*";
    if (stated != Energies::Unknown)
        return {stated == Energies::Total ? Role::Counter : Role::Energy};
    if (lengths || matches(kRows, header.name))
        return {Role::Energy};
    // "energy_uj" is powercap's counter; "total" and "energy" alone may mean either.
    const bool powercap = lowerCase(header.unit) == "uj" && matches("energy|*_energy", header.name);
    if (powercap
        || (matches(kTotals, header.name)
            && !matches("energy|*_energy|*total|total*", header.name)))
        return {Role::Counter};
    return {Role::Energy, true};
}

// Binds the columns that identify devices, and those of their utilisation and power limits.
void addDeviceColumns(Layout& layout)
{
    for (std::size_t i = 0; i < layout.headers.size(); ++i) {
        const std::string& name = layout.headers[i].name;
        if (matches("index|gpu|gpu_index|gpu_id|device|device_id|uuid", name))
            layout.columns.push_back({.index = i, .role = Role::Device});
        else if (matches("utilization.gpu|gpu_util*|util|utilization*|gpu_use*|gpu_usage*", name))
            layout.columns.push_back({.index = i, .role = Role::Use});
        else if (matches("power.limit|power_limit*|gpu_power_limit*|tdp*", name))
            addColumn(layout, {.index = i, .role = Role::Rated});
    }
}

bool isBound(const Layout& layout, std::size_t index)
{
    return std::ranges::find(layout.columns, index, &Column::index) != layout.columns.end();
}

// Binds the length of each row's window; false if no column states it.
bool addLength(Layout& layout)
{
    for (std::size_t i = 0; i < layout.headers.size(); ++i) {
        const Header& header = layout.headers[i];
        if (!matches("duration|interval|length|window|period|dt|delta|dauer|elapsed", header.name)
            || statedUnit(header) != Unit::Of::Time || isBound(layout, i))
            continue;
        addColumn(layout, {.index = i, .role = Role::Length});
        return true;
    }
    return false;
}

// Binds a column that names the rail of each row.
void addRailName(Layout& layout, const std::vector<std::string>& head)
{
    if (layout.header_line + 1 >= head.size())
        return;
    std::vector<std::string_view> cells;
    splitLine(head[layout.header_line + 1], layout.delimiter, cells);
    for (std::size_t i = 0; i < layout.headers.size() && i < cells.size(); ++i) {
        if (isBound(layout, i) || readNumberText(cells[i]) || isUnavailable(cells[i])
            || !matches("rail|sensor|sensor_name|sensor name|component|domain|channel|source|name|"
                        "zone|entity|entity_id|metric|series|event|label|part|meter|rail_name|"
                        "rail name|statistic_id|device_name",
                        layout.headers[i].name)
            || isBound(layout, i))
            continue;
        layout.columns.push_back({.index = i, .role = Role::RailName});
        return;
    }
}

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

std::string_view roleWord(Role role)
{
    const auto* const found = std::ranges::find(kRoles, role == Role::Date ? Role::Time : role,
                                                &std::pair<std::string_view, Role>::second);
    return found == std::end(kRoles) || role == Role::Use ? "ignore" : found->first;
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

void nameApart(Column& column, std::unordered_map<std::string, int>& names)
{
    const int count = ++names[column.rail];
    if (count > 1)
        column.rail += " " + std::to_string(count);
}

bool isTimeName(const std::string& name)
{
    return matches("timestamp*|time|time_*|time *|datetime*|date*|datum*|zeit*|ts|epoch*|unix*|"
                   "elapsed*|t|clock|*timestamp|*_time|heure|fecha",
                   name);
}

Unit::Of unitOf(Role role)
{
    switch (role) {
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
}

void takeUnit(Column& column, const Header& header, std::string_view assumed)
{
    const auto stated = unitFrom(header.unit);
    if (stated) {
        column.header_unit = stated->of;
        column.header_factor = stated->factor;
    }
    const Unit::Of wanted = unitOf(column.role);
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

// Limits, factors and the like are not power that anything draws.
bool isOtherPower(const Header& header)
{
    return containsAny(header.name,
                       {"limit", "cap", "factor", "apparent", "reactive", "schein", "blind", "tdp",
                        "max", "min", "peak", "usage", "util", "state", "mode", "average", "avg",
                        "mean", "percent"});
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

// For a table that no format describes: finds time and power by their names and units.
bool guessLayout(Layout& layout, const std::vector<std::string>& head, Energies energies)
{
    std::optional<std::size_t> time = timeColumn(layout.headers);
    const PowerColumns found = powerColumns(layout.headers, time);
    if (found.empty() && !addVoltsAndAmperes(layout, head))
        return false;
    if (!time && beginsWithInstant(layout, head))
        time = 0;
    if (time)
        addColumn(layout, {.index = *time, .role = Role::Time});
    const bool power = !found.powers.empty();
    const bool lengths = addLength(layout);
    std::unordered_map<std::string, int> names;
    for (const std::size_t i : power ? found.powers : found.energies) {
        const EnergyMeaning meaning = meaningOf(layout.headers[i], lengths, energies);
        Column column{.index = i,
                      .role = !power ? meaning.role
                          : lengths  ? Role::MeanPower
                                     : Role::Power,
                      .rail = genericRail(layout.headers[i]),
                      .part = "?",
                      .by_name = true,
                      .unsure = !power && meaning.unsure};
        nameApart(column, names);
        addColumn(layout, std::move(column));
    }
    addRailName(layout, head);
    addDeviceColumns(layout);
    return true;
}

// Guesses what a table of unknown format contains, for the user to confirm: from the names of its
// columns and, if these say nothing, from its first rows.
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
            columns[column.index].role = roleWord(column.role);
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
