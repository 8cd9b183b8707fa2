// SPDX-License-Identifier: GPL-3.0-or-later
// Guesses the columns of a table that no format describes.
#include "table_layout.h"

#include <algorithm>

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
    NumberReader numbers(layout.delimiter != ',');
    const auto number = column < cells.size() ? numbers.read(cells[column]) : std::nullopt;
    const auto unit = unitFrom(layout.headers[column].unit);
    return number && unit && number->value * unit->factor > kMaxDirectVolts;
}

} // namespace

bool isTimeName(const std::string& name)
{
    return matches("timestamp*|time|time_*|time *|datetime*|date*|datum*|zeit*|ts|epoch*|unix*|"
                   "elapsed*|t|clock|*timestamp|*_time|heure|fecha",
                   name);
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
bool guessLayout(Layout& layout, const std::vector<std::string>& head)
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
    const auto withUnit = [&](Unit::Of unit) {
        return std::ranges::find_if(layout.headers,
                                    [&](const Header& header) { return unitOf(header) == unit; });
    };
    const auto volts = withUnit(Unit::Of::Volts);
    const auto amperes = withUnit(Unit::Of::Amperes);
    const bool product = powers.empty() && energies.empty() && volts != layout.headers.end()
        && amperes != layout.headers.end()
        && !isMains(layout, head, static_cast<std::size_t>(volts - layout.headers.begin()));
    if (powers.empty() && energies.empty() && !product)
        return false;
    if (product) {
        const auto add = [&](auto header, Role role, const char* rail) {
            Column column{.index = static_cast<std::size_t>(header - layout.headers.begin()),
                          .role = role,
                          .rail = rail,
                          .measured = energy::Measured::Board,
                          .part = "system"};
            takeUnit(column, *header, "");
            layout.columns.push_back(column);
        };
        add(volts, Role::Volts, "power");
        add(amperes, Role::Amperes, "");
    }
    if (!time) {
        // Takes the first column if its first cell is a time.
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
            // A running total never decreases.
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

} // namespace ep::powerlog
