// SPDX-License-Identifier: GPL-3.0-or-later
#include "table_reader.h"

#include <cmath>
#include <limits>

namespace ep::powerlog {

using energy::Measured;

Status TableReader::lengthOf(const Column& column, double& seconds)
{
    const std::string_view cell = cellOf(column.index);
    const auto number = m_numbers.read(cell);
    if (!number || number->value < 0.0)
        return rowError(m_row, Message("%1 is not the length of a window.", quoteCell(cell)));
    seconds = number->value * column.factor;
    if (const auto unit = unitFrom(number->unit); unit && unit->of == Unit::Of::Time)
        seconds = number->value * unit->factor;
    return {};
}

Status TableReader::valueOf(const Column& column, std::string_view cell,
                            std::optional<double>& value)
{
    value.reset();
    const bool quotedComma = m_layout.delimiter == ',' && cell.find(',') != std::string_view::npos;
    const auto number = quotedComma ? m_quotedNumbers.read(cell) : m_numbers.read(cell);
    if (!number) {
        if (isUnavailable(cell))
            return {};
        return rowError(m_row,
                        Message("%1 in the column %2 is not a number; remove or repair the row.",
                                quoteCell(cell), quoteCell(m_layout.headers[column.index].raw)));
    }
    const bool power = column.role != Role::Energy && column.role != Role::Counter
        && column.role != Role::Volts && column.role != Role::Amperes;
    if (!number->unit.empty() && number->unit != "%") {
        const auto unit = unitFrom(number->unit);
        const auto wanted = power ? Unit::Of::Power : Unit::Of::Energy;
        if (unit
            && (unit->of == wanted || column.role == Role::Volts || column.role == Role::Amperes)) {
            if (column.header_unit != Unit::Of::None && unit->factor != column.header_factor)
                m_log.collector.note(
                    Weight::Note,
                    Message("The column %1 has values in %2; the unit of each value counts.",
                            quoteCell(m_layout.headers[column.index].raw), asUtf8(number->unit)));
            value = number->value * unit->factor;
            return {};
        }
        if (isUnavailable(number->unit))
            return {};
        return rowError(
            m_row, Message("%1 has no unit of %2", quoteCell(cell), power ? "power." : "energy."));
    }
    if (column.unit_known) {
        value = number->value * column.factor;
        return {};
    }
    const auto asked = unitFrom(m_log.options.unit);
    if (!asked)
        return rowError(m_row,
                        Message("the column %1 has no unit; state the unit (--unit), such as W.",
                                quoteCell(m_layout.headers[column.index].raw)));
    m_log.collector.note(Weight::Note,
                         Message("The column %1 has no unit; %2 was stated.",
                                 quoteCell(m_layout.headers[column.index].raw),
                                 m_log.options.unit));
    value = number->value * asked->factor;
    return {};
}

Device& TableReader::deviceOf()
{
    m_key.clear();
    for (const Column& column : m_layout.columns) {
        if (column.role == Role::Device) {
            m_key += cellOf(column.index);
            m_key += '\x1f';
        }
    }
    if (m_device != nullptr && m_key == m_deviceKey)
        return *m_device;
    if (m_devices.size() >= kMaxDevices)
        m_key = m_devices.begin()->first;
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
    return device;
}

std::size_t TableReader::railOf(const Column& column, Device& device, std::string_view name)
{
    const auto at = static_cast<std::size_t>(&column - m_layout.columns.data());
    if (name.empty() && device.rails[at] != kNoRail)
        return device.rails[at];
    RailSpec spec;
    spec.name = name.empty() ? column.rail : asUtf8(name);
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
        spec.rule = Rule::Trapezoid;
    }
    spec.measured = column.measured;
    spec.part = column.part;
    if (column.by_name) {
        const Kind kind = kindOf(name.empty() ? std::string_view(column.rail) : name);
        spec.measured = kind.measured;
        spec.part = kind.part;
    }
    spec.from_start = flag(table::kFromStart);
    spec.coarse_stamps = flag(table::kCoarse);
    spec.counted_with = column.counted_with;
    const std::size_t rail = m_log.collector.rail(spec);
    if (name.empty())
        device.rails[at] = rail;
    return rail;
}

Status TableReader::answerOf()
{
    const auto read = [&](Role role) -> std::optional<double> {
        const Column* column = columnOf(role);
        const auto number =
            column == nullptr ? std::nullopt : m_numbers.read(cellOf(column->index));
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
        const auto joules = m_numbers.read(cellOf(energy->index));
        if (joules && joules->value == 0.0)
            m_tokensWithoutJoules.add(m_row);
    }
    return {};
}

// Length of the row's window in seconds; 0 if it is not known.
Result<double> TableReader::rowLength(Nanoseconds at)
{
    double length = 0.0;
    if (const Column* column = columnOf(Role::Length)) {
        if (const Status read = lengthOf(*column, length); !read)
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
    const auto number = m_numbers.read(cellOf(column.index));
    if (!number || !(number->value > 0.0))
        return;
    const auto unit = unitFrom(number->unit);
    for (const std::size_t rail : device.rails) {
        if (rail != kNoRail)
            m_log.collector.setRated(rail, number->value * (unit ? unit->factor : column.factor));
    }
}

void TableReader::addStated(const Column& column, double length)
{
    const auto number = m_numbers.read(cellOf(column.index));
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
        const auto number = m_numbers.read(cellOf(*column.length));
        reading.length_s = number ? number->value : 0.0;
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
    return m_log.collector.add(railOf(column, device, railName), reading);
}

Status TableReader::values()
{
    if (m_layout.headers.front().name == "entity" && !lowerCase(m_cells[0]).starts_with("gpu"))
        return {}; // switches and processors have separate rows
    const auto at = timeOf();
    if (!at)
        return at.error();
    Device& device = deviceOf();
    const auto length = rowLength(*at);
    if (!length)
        return length.error();
    Reading row{.at_ns = *at,
                .length_s = *length,
                .row = m_row,
                .use = std::numeric_limits<float>::quiet_NaN()};
    if (const Column* column = columnOf(Role::Use)) {
        if (const auto number = m_numbers.read(cellOf(column->index)))
            row.use = static_cast<float>(number->value / 100.0);
    }
    std::string_view railName;
    if (const Column* column = columnOf(Role::RailName)) {
        railName = cellOf(column->index);
        if (m_log.collector.railCount() > 1000)
            return rowError(m_row, "the log has too many rails.");
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
