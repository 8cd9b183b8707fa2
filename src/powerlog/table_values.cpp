// SPDX-License-Identifier: GPL-3.0-or-later
#include "table_reader.h"

#include <cmath>
#include <limits>

namespace ep::powerlog {

using energy::Measured;

namespace {

constexpr double kSmallUnit = 0.1; // of which a log has thousands

Unit::Of unitOf(Role role)
{
    switch (role) {
    case Role::Energy:
    case Role::Counter:
        return Unit::Of::Energy;
    case Role::Volts:
        return Unit::Of::Volts;
    case Role::Amperes:
        return Unit::Of::Amperes;
    default:
        return Unit::Of::Power;
    }
}

const char* nameOf(Unit::Of unit)
{
    switch (unit) {
    case Unit::Of::Energy:
        return "energy";
    case Unit::Of::Volts:
        return "voltage";
    case Unit::Of::Amperes:
        return "current";
    default:
        return "power";
    }
}

} // namespace

std::optional<NumberText> TableReader::numberIn(std::size_t column)
{
    return m_log.numbers.read(cellOf(column), column, m_row);
}

Status TableReader::lengthOf(std::size_t column, double factor, double& seconds)
{
    const auto number = numberIn(column);
    const auto unit = number ? unitFrom(number->rest) : std::nullopt;
    const bool stated = unit && unit->of == Unit::Of::Time;
    if (!number || number->value < 0.0 || (!stated && !number->rest.empty()))
        return rowError(m_row,
                        Message("%1 is not the length of a window.", quoteCell(cellOf(column))));
    const double scale = stated ? unit->factor : factor;
    if (scale < kSmallUnit)
        m_log.numbers.expectThousands(column);
    seconds = number->value * scale;
    return {};
}

Status TableReader::valueOf(const Column& column, std::string_view cell,
                            std::optional<double>& value)
{
    value.reset();
    const auto number = m_log.numbers.read(cell, column.index, m_row);
    const auto take = [&](double factor) {
        if (factor < kSmallUnit)
            m_log.numbers.expectThousands(column.index);
        value = number->value * factor;
    };
    if (!number) {
        if (isUnavailable(cell))
            return {};
        return rowError(m_row,
                        Message("%1 in the column %2 is not a number; remove or repair the row.",
                                quoteCell(cell), quoteCell(m_layout.headers[column.index].raw)));
    }
    if (!number->rest.empty()) {
        const auto unit = unitFrom(number->rest);
        const Unit::Of wanted = unitOf(column.role);
        if (unit && unit->of == wanted) {
            if (column.header_unit != Unit::Of::None && unit->factor != column.header_factor)
                m_log.collector.note(
                    Weight::Note,
                    Message("The column %1 has values in %2; the unit of each value counts.",
                            quoteCell(m_layout.headers[column.index].raw), asUtf8(number->rest)));
            take(unit->factor);
            return {};
        }
        return rowError(m_row, Message("%1 has no unit of %2.", quoteCell(cell), nameOf(wanted)));
    }
    if (column.unit_known) {
        take(column.factor);
        return {};
    }
    if (const Column* named = columnOf(Role::UnitName); named && !cellOf(named->index).empty()) {
        const auto unit = unitFrom(cellOf(named->index));
        if (!unit || unit->of != unitOf(column.role))
            return rowError(
                m_row,
                Message("%1 has no unit of %2.", quoteCell(cell), nameOf(unitOf(column.role))));
        take(unit->factor);
        return {};
    }
    const bool watts = flag(table::kEntities) && m_log.options.unit.empty();
    if (watts)
        m_log.collector.note(
            Weight::Doubtful,
            "The file does not state the unit; its powers were read as W. State the unit "
            "(--unit) if they are in another.");
    const auto asked = unitFrom(watts ? std::string_view("W") : m_log.options.unit);
    if (!asked)
        return rowError(m_row,
                        Message("the column %1 has no unit; state the unit (--unit), such as W.",
                                quoteCell(m_layout.headers[column.index].raw)));
    if (!watts)
        m_log.collector.note(Weight::Note,
                             Message("The column %1 has no unit; %2 was stated.",
                                     quoteCell(m_layout.headers[column.index].raw),
                                     m_log.options.unit));
    take(asked->factor);
    return {};
}

Result<Device*> TableReader::deviceOf()
{
    m_key.clear();
    for (const Column& column : m_layout.columns) {
        if (column.role == Role::Device) {
            m_key += cellOf(column.index);
            m_key += '\x1f';
        }
    }
    if (m_device != nullptr && m_key == m_deviceKey)
        return m_device;
    if (m_devices.size() >= kMaxDevices && !m_devices.contains(m_key))
        return rowError(m_row, Message("the log has more than %1 devices.", kMaxDevices));
    if (m_key.size() > Collector::kLongestName)
        return rowError(m_row,
                        Message("the name %1 of a device has more than %2 bytes.", quoteCell(m_key),
                                Collector::kLongestName));
    Device& device = m_devices[m_key];
    if (device.ids.empty()) {
        for (const Column& column : m_layout.columns) {
            if (column.role == Role::Device)
                device.ids.push_back(asUtf8(cellOf(column.index)));
        }
        device.rails.assign(m_layout.columns.size(), kNoRail);
    }
    m_deviceKey = m_key;
    m_device = &device;
    return m_device;
}

Result<std::size_t> TableReader::railOf(const Column& column, Device& device, std::string_view name)
{
    const auto at = static_cast<std::size_t>(&column - m_layout.columns.data());
    if (name.empty() && device.rails[at] != kNoRail)
        return device.rails[at];
    RailSpec spec;
    spec.name = name.empty() ? column.rail
        : m_oneValue         ? asUtf8(name)
                             : asUtf8(name) + ' ' + column.rail;
    if (!device.ids.empty() && name.empty())
        spec.name += '\x1f' + m_deviceKey; // resolved at the end, when all devices are known
    switch (column.role) {
    case Role::MeanPower:
        spec.rule = Rule::Interval;
        break;
    case Role::Energy:
        spec.rule = Rule::Joules;
        break;
    case Role::Counter:
        spec.rule = Rule::Counter;
        break;
    default:
        spec.rule = flag(table::kChangesOnly) ? Rule::Hold : Rule::Trapezoid;
    }
    spec.changes_only = flag(table::kChangesOnly);
    spec.measured = column.measured;
    spec.part = column.part;
    if (column.by_name) {
        Kind kind = kindOf(name.empty() ? std::string_view(column.rail) : spec.name);
        // "power" of a row that is about a GPU
        if (kind.generic && m_gpuDevices)
            kind = kindOf("gpu");
        spec.take(kind);
    }
    spec.unsure = column.unsure;
    spec.unit_j = column.factor;
    spec.from_start = flag(table::kFromStart);
    spec.coarse_stamps = flag(table::kCoarse);
    spec.counted_with = column.counted_with;
    const auto rail = m_log.collector.rail(spec, m_row);
    if (rail && name.empty())
        device.rails[at] = *rail;
    return rail;
}

// Whether the row of Home Assistant is about a power, or the energy of a counter.
bool TableReader::isPowerEntity() const
{
    const Column* name = columnOf(Role::RailName);
    const Column* unit = columnOf(Role::UnitName);
    if (unit != nullptr && !cellOf(unit->index).empty()) {
        const auto known = unitFrom(cellOf(unit->index));
        const auto value = std::ranges::find_if(
            m_layout.columns, [](const Column& column) { return isRailRole(column.role); });
        return known && known->of == unitOf(value->role);
    }
    const std::string lower = name == nullptr ? "" : lowerCase(cellOf(name->index));
    if (matches(
            "*power*|*watt*|*leistung*|*puissance*|*potencia*|*potência*|*мощност*|*功率*|*電力*",
            lower))
        return !matches("*power_factor*|*_state|*_on|switch.*|binary_sensor.*", lower);
    return !m_log.options.unit.empty()
        && !matches("*temperature*|*humidity*|*voltage*|*current*|*energy*|*battery*|*frequency*|"
                    "*factor*|switch.*|binary_sensor.*|light.*",
                    lower);
}

Status TableReader::answerOf()
{
    const auto read = [&](Role role) -> std::optional<double> {
        const Column* column = columnOf(role);
        const auto number = column == nullptr ? std::nullopt : numberIn(column->index);
        return number ? std::optional(number->value) : std::nullopt;
    };
    const auto threads = read(Role::Threads);
    const auto rate = read(Role::Rate);
    if (threads && rate) {
        ++m_rates;
        m_rateIsThreads += *threads == *rate ? 1 : 0;
    }
    const auto tokens = read(Role::Tokens);
    if (const Column* energy = columnOf(Role::Energy); energy != nullptr && tokens && *tokens > 0) {
        const auto joules = numberIn(energy->index);
        if (joules && joules->value == 0.0)
            m_tokensWithoutJoules.add(m_row);
    }
    return {};
}

// Length of the row's window in seconds; 0 if it is not known.
Result<double> TableReader::rowLength(Nanoseconds at)
{
    double length = m_layout.length_s;
    if (const Column* column = columnOf(Role::Length)) {
        if (const Status read = lengthOf(column->index, column->factor, length); !read)
            return read.error();
    } else if (flag(table::kLengthFromTime)) {
        // A tool that counts from its start has its first window begin there.
        if (m_anyTime)
            length = toSeconds(at - m_lastTime);
        else if (m_log.clock.clock() == Clock::Own)
            length = m_log.options.period_s.value_or(toSeconds(at));
        else
            length = m_log.options.period_s.value_or(0.0);
    }
    m_lastTime = at;
    m_anyTime = true;
    return length;
}

void TableReader::setRated(const Column& column, const Device& device)
{
    const auto number = numberIn(column.index);
    if (!number || !(number->value > 0.0))
        return;
    const auto unit = unitFrom(number->rest);
    for (const std::size_t rail : device.rails) {
        if (rail != kNoRail)
            m_log.collector.setRated(rail, number->value * (unit ? unit->factor : column.factor));
    }
}

void TableReader::addStated(const Column& column, double length)
{
    const auto number = numberIn(column.index);
    if (!number || !(length > 0.0))
        return;
    Stated& sum = m_stated[column.rail];
    sum.power_joules += number->value * column.factor * length;
    ++sum.rows;
}

// Adds the value of a rail; `reading` has what all cells of the row have in common.
Status TableReader::addReading(const Column& column, Device& device, std::string_view railName,
                               Reading reading)
{
    std::optional<double> value;
    if (const Status read = valueOf(column, cellOf(column.index), value); !read)
        return read;
    if (column.role == Role::Volts && value) {
        const Column* amperes = columnOf(Role::Amperes);
        std::optional<double> current;
        if (amperes == nullptr)
            return {};
        if (const Status read = valueOf(*amperes, cellOf(amperes->index), current); !read)
            return read;
        value = current ? std::optional(*value * *current) : std::nullopt;
    }
    const double rowSeconds = reading.length_s;
    if (column.length) {
        if (const Status read = lengthOf(*column.length, 1.0, reading.length_s); !read)
            return read;
    }
    if (value)
        reading.value = *value;
    if (value && column.role == Role::Energy) {
        if (flag(table::kGuessedUnit) && reading.length_s > 0.0
            && column.measured == Measured::GraphicsCard)
            m_most_w = std::max(m_most_w, *value / reading.length_s);
        if (rowSeconds > 0.0)
            m_stated[column.rail].joules += *value;
    }
    const auto rail = railOf(column, device, railName);
    return rail ? m_log.collector.add(*rail, reading) : rail.error();
}

Status TableReader::values()
{
    if (m_layout.headers.front().name == "entity" && !lowerCase(m_cells[0]).starts_with("gpu"))
        return {}; // switches and processors have separate rows
    if (flag(table::kEntities) && !isPowerEntity()) {
        ++m_otherEntities;
        return {};
    }
    const auto at = timeOf();
    if (!at)
        return at.error();
    const auto found = deviceOf();
    if (!found)
        return found.error();
    Device& device = **found;
    const auto length = rowLength(*at);
    if (!length)
        return length.error();
    Reading row{.at_ns = *at,
                .length_s = *length,
                .row = m_row,
                .use = std::numeric_limits<float>::quiet_NaN()};
    if (const Column* column = columnOf(Role::Use)) {
        if (const auto number = numberIn(column->index))
            row.use = static_cast<float>(number->value / 100.0);
    }
    std::string_view railName;
    if (const Column* column = columnOf(Role::RailName)) {
        railName = cellOf(column->index);
    }
    for (const Column& column : m_layout.columns) {
        if (column.role == Role::Rated) {
            setRated(column, device);
        } else if (column.role == Role::StatedPower) {
            addStated(column, *length);
        } else if (isRailRole(column.role)) {
            if (const Status added = addReading(column, device, railName, row); !added)
                return added;
        }
    }
    ++device.rows;
    return flag(table::kAnswers) || flag(table::kGuessedUnit) ? answerOf() : Status();
}

} // namespace ep::powerlog
