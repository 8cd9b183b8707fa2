// SPDX-License-Identifier: GPL-3.0-or-later
#include "log.h"
#include "table_layout.h"

#include "ep/core/format.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>

namespace ep::powerlog {

namespace {

using energy::Measured;

// A device of a table, such as one of several GPUs.
struct Device {
    std::vector<std::string> ids; // cells of the device columns
    std::vector<std::size_t> rails; // by column; kNoRail: none yet
    std::int64_t rows = 0;
};
constexpr std::size_t kNoRail = SIZE_MAX;
constexpr std::size_t kMostDevices = 4096;

class TableReader {
public:
    TableReader(Log& log, Layout layout)
        : m_log(log)
        , m_layout(std::move(layout))
        , m_numbers(m_layout.delimiter != ',')
        , m_quotedNumbers(true)
    {
        for (const Column& column : m_layout.columns)
            m_last = std::max(m_last, std::max(column.index, column.length.value_or(0)));
        if (flag(table::kMonthFirst))
            log.clock.setMonthFirst();
    }

    Status read();

private:
    bool flag(unsigned one) const { return (m_layout.flags & one) != 0; }
    bool skip(std::string_view line);
    Status row(std::string_view line);
    Status shape(std::string_view line);
    bool wasCut(std::string_view line) const;
    Status values();
    Result<Nanoseconds> timeOf();
    Status lengthOf(const Column& column, double& seconds);
    Status valueOf(const Column& column, std::string_view cell, std::optional<double>& value);
    Device& deviceOf();
    std::size_t railOf(const Column& column, Device& device, std::string_view name);
    Status answerOf();
    void nameRails();
    void describe();
    std::string_view cellOf(std::size_t index) const
    {
        return index < m_cells.size() ? m_cells[index] : std::string_view();
    }
    const Column* columnOf(Role role) const
    {
        const auto found = std::ranges::find(m_layout.columns, role, &Column::role);
        return found == m_layout.columns.end() ? nullptr : &*found;
    }

    Log& m_log;
    Layout m_layout;
    NumberReader m_numbers;
    NumberReader m_quotedNumbers; // in a table separated by commas
    std::size_t m_last = 0; // largest index of a column that is read
    std::vector<std::string_view> m_cells;
    std::string m_joined; // a number that a decimal comma cut in two
    std::optional<std::size_t> m_join; // column of such numbers
    std::int64_t m_row = 0;
    std::int64_t m_rows = 0;
    bool m_ended = false; // the header came again, followed by other lines
    std::optional<Error> m_pending; // of the last row, if that was cut off
    std::map<std::string, Device> m_devices;
    Device* m_device = nullptr;
    std::string m_deviceKey;
    std::string m_key;
    Nanoseconds m_lastTime = 0;
    bool m_anyTime = false;
    double m_sum_s = 0.0; // of the lengths, for tables without times
    std::string m_lastCell; // of the row before
    std::int64_t m_noise = 0;
    struct Stated {
        double joules = 0.0;
        std::size_t rail = kNoRail;
        double power_joules = 0.0;
        std::int64_t rows = 0;
    };
    std::map<std::string, Stated> m_stated; // energies of rails by their stated power
    std::int64_t m_rateIsThreads = 0;
    std::int64_t m_rates = 0;
    energy::RowList m_tokensWithoutJoules;
    double m_most_w = 0.0; // of guessed units
};

Status TableReader::read()
{
    const std::size_t skipLines = m_layout.header_line + 1 + (m_layout.units_line ? 1 : 0);
    for (std::size_t i = 0; i < skipLines; ++i) {
        if (const auto line = m_log.lines.next(); !line)
            return line.error();
    }
    for (;;) {
        const auto line = m_log.lines.next();
        if (!line)
            return line.error();
        if (!*line)
            break;
        m_row = m_log.lines.row();
        if (m_pending && !trimBlanks(**line).empty())
            return *m_pending;
        if (m_ended || skip(**line))
            continue;
        if (!m_log.lines.complete() && wasCut(**line)) {
            m_log.collector.note(Weight::Note,
                                 "The last row, " + std::to_string(m_row)
                                     + ", is cut off and was left out.");
            continue;
        }
        if (const Status read = row(**line); !read) {
            if (read.error().code != ErrorCode::InvalidInput)
                return read;
            m_pending = read.error();
        }
    }
    if (m_pending && m_rows == 0)
        return *m_pending;
    if (m_pending)
        m_log.collector.note(Weight::Note,
                             "The last row, " + std::to_string(m_row)
                                 + ", is damaged and was left out.");
    nameRails();
    describe();
    return {};
}

// Lines that are no rows of values.
bool TableReader::skip(std::string_view line)
{
    const std::string_view text = trimBlanks(line);
    if (text.empty()) {
        m_ended = m_ended || (flag(table::kEndsAtBlank) && m_rows > 0);
        return true;
    }
    if (line == m_layout.header_text)
        return true;
    if (text.front() == '#')
        return true;
    if (m_layout.delimiter == kBlanks && m_layout.units_line) {
        splitLine(text, kBlanks, m_cells);
        return m_cells.size() > m_layout.prefix
            && (m_cells[m_layout.prefix] == "ID" || m_cells[m_layout.prefix].starts_with('#'));
    }
    if (flag(table::kSummaryRows)) {
        splitLine(line, m_layout.delimiter, m_cells);
        for (std::size_t i = 0; i < m_layout.headers.size() && i < m_cells.size(); ++i) {
            const std::string& name = m_layout.headers[i].name;
            if ((name == "core" || name == "cpu" || name == "package" || name == "node"
                 || name == "die")
                && m_cells[i] != "-")
                return true;
        }
        // A header that differs from the first one, as after a change of the machine's state.
        return !m_cells.empty() && std::ranges::any_of(m_cells, [](std::string_view cell) {
            return cell == "PkgWatt";
        });
    }
    return false;
}

// Whether the last line, which has no line end, ends in the middle of a value.
bool TableReader::wasCut(std::string_view line) const
{
    std::vector<std::string_view> cells;
    splitLine(line, m_layout.delimiter, cells);
    const std::size_t columns = m_layout.headers.size() + m_layout.prefix;
    if (m_layout.delimiter != kBlanks && cells.size() < columns)
        return true;
    if (cells.empty() || m_lastCell.empty() || m_last + 1 < columns)
        return false;
    NumberReader numbers(true);
    const auto now = numbers.read(cells.back());
    const auto before = numbers.read(m_lastCell);
    if (!now || !before)
        return true;
    const bool point = before->decimals > 0 && now->decimals == 0;
    const bool fixed = before->decimals > 0 && before->decimals <= 6;
    return point || (fixed && now->decimals < before->decimals)
        || (now->unit.empty() && !before->unit.empty());
}

// Makes m_cells hold one cell for each header.
Status TableReader::shape(std::string_view line)
{
    splitLine(line, m_layout.delimiter, m_cells);
    const std::size_t columns = m_layout.headers.size();
    if (m_layout.delimiter == kBlanks) {
        // The words before the table, "GPU 0" and "8 W".
        if (m_layout.prefix > 0 && m_cells.size() > m_layout.prefix) {
            const char* begin = m_cells.front().data();
            const std::string_view& last = m_cells[m_layout.prefix - 1];
            const std::string_view stamp(
                begin, static_cast<std::size_t>(last.data() + last.size() - begin));
            m_cells.erase(m_cells.begin(),
                          m_cells.begin() + static_cast<std::ptrdiff_t>(m_layout.prefix));
            m_joined.assign(stamp);
        }
        if (m_cells.size() > columns && m_layout.headers.front().name == "entity") {
            const std::string_view kind = m_cells[0];
            m_cells[0] = std::string_view(
                kind.data(),
                static_cast<std::size_t>(m_cells[1].data() + m_cells[1].size() - kind.data()));
            m_cells.erase(m_cells.begin() + 1);
        }
        for (std::size_t i = 1; i < m_cells.size() && m_cells.size() > columns;) {
            const char first = m_cells[i].front();
            const bool word = (first < '0' || first > '9') && first != '-' && first != '+'
                && first != '.' && m_cells[i] != "N/A";
            if (word)
                m_cells.erase(m_cells.begin() + static_cast<std::ptrdiff_t>(i));
            else
                ++i;
        }
        return m_cells.size() > m_last
            ? Status()
            : rowError(m_row,
                       "it has " + std::to_string(m_cells.size()) + " values instead of "
                           + std::to_string(columns) + ".");
    }
    if (m_cells.size() > columns && m_cells.back().empty())
        m_cells.resize(columns);
    const bool oneMore = m_cells.size() == columns + 1 && m_layout.delimiter == ',';
    if (m_rows == 0 && oneMore && !m_join) {
        const Column* power = columnOf(Role::Power);
        const auto isNumber = [](std::string_view cell) {
            return !cell.empty() && cell.find_first_not_of("0123456789") == std::string_view::npos;
        };
        if (power != nullptr && isNumber(cellOf(power->index))
            && isNumber(cellOf(power->index + 1)))
            m_join = power->index;
    }
    if (m_join) {
        if (m_cells.size() != columns + 1)
            return rowError(m_row,
                            "decimal commas split its numbers, but not as in the rows before.");
        m_joined = std::string(m_cells[*m_join]) + '.' + std::string(m_cells[*m_join + 1]);
        m_cells[*m_join] = m_joined;
        m_cells.erase(m_cells.begin() + static_cast<std::ptrdiff_t>(*m_join + 1));
        return {};
    }
    if (m_cells.size() > columns)
        return rowError(m_row,
                        "it has " + std::to_string(m_cells.size()) + " columns instead of "
                            + std::to_string(columns)
                            + "; commas may be decimal signs as well as separators.");
    if (m_cells.size() <= m_last)
        return rowError(m_row,
                        "it has only " + std::to_string(m_cells.size()) + " of "
                            + std::to_string(columns) + " columns.");
    return {};
}

Status TableReader::row(std::string_view line)
{
    if (const Status shaped = shape(line); !shaped) {
        // A message of the tool amid the rows.
        if (m_cells.size() == 1 && m_layout.headers.size() > 1 && m_log.lines.complete()) {
            ++m_noise;
            return {};
        }
        return shaped;
    }
    if (const Status read = values(); !read)
        return read;
    ++m_rows;
    if (m_last + 1 == m_layout.headers.size() && !m_cells.empty())
        m_lastCell.assign(m_cells.back());
    return {};
}

Result<Nanoseconds> TableReader::timeOf()
{
    if (m_layout.prefix > 0 && !columnOf(Role::Time) && !columnOf(Role::Date))
        return m_log.clock.at(m_joined, m_row);
    if (const Column* date = columnOf(Role::Date)) {
        if (const Column* time = columnOf(Role::TimeOfDay))
            return m_log.clock.at(
                std::string(cellOf(date->index)) + ' ' + std::string(cellOf(time->index)), m_row);
        return m_log.clock.at(cellOf(date->index), m_row);
    }
    if (const Column* time = columnOf(Role::Time)) {
        if (const Column* ofDay = columnOf(Role::TimeOfDay))
            return m_log.clock.at(
                std::string(cellOf(time->index)) + ' ' + std::string(cellOf(ofDay->index)), m_row);
        return m_log.clock.at(cellOf(time->index), m_row, time->unit_known ? time->factor : 0.0);
    }
    const Column* length = columnOf(Role::Length);
    if (const Column* start = columnOf(Role::Start)) {
        auto at = m_log.clock.at(cellOf(start->index), m_row);
        double seconds = 0.0;
        if (at && length != nullptr) {
            if (const Status read = lengthOf(*length, seconds); !read)
                return read.error();
            return *at + std::llround(seconds * 1e9);
        }
        return at;
    }
    if (length != nullptr || flag(table::kGuessedUnit)) {
        // Rows follow each other.
        double seconds = 0.0;
        const auto own = std::ranges::find_if(
            m_layout.columns, [](const Column& column) { return column.length.has_value(); });
        if (length == nullptr && own != m_layout.columns.end()) {
            const auto number = m_numbers.read(cellOf(*own->length));
            seconds = number ? number->value : 0.0;
        } else if (length != nullptr) {
            if (const Status read = lengthOf(*length, seconds); !read)
                return read.error();
        }
        m_sum_s += std::clamp(seconds, 0.0, 1e8);
        return m_log.clock.at(Instant{.ns = std::llround(m_sum_s * 1e9), .clock = Clock::Own});
    }
    const std::int64_t index = deviceOf().rows + (flag(table::kLengthFromTime) ? 1 : 0);
    return m_log.clock.atIndex(index, m_row);
}

Status TableReader::lengthOf(const Column& column, double& seconds)
{
    const std::string_view cell = cellOf(column.index);
    const auto number = m_numbers.read(cell);
    if (!number || number->value < 0.0)
        return rowError(m_row, quoteCell(cell) + " is not the length of a window.");
    seconds = number->value * column.factor;
    if (const auto unit = unitFrom(number->unit); unit && unit->of == Unit::Of::Time)
        seconds = number->value * unit->factor;
    return {};
}

// The value of a rail in watts or joules; absent: not available.
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
                        quoteCell(cell) + " in the column "
                            + quoteCell(m_layout.headers[column.index].raw)
                            + " is not a number; remove or repair the row.");
    }
    const bool power = column.role != Role::Energy && column.role != Role::Counter
        && column.role != Role::Volts && column.role != Role::Amperes;
    if (!number->unit.empty() && number->unit != "%") {
        const auto unit = unitFrom(number->unit);
        const auto wanted = power ? Unit::Of::Power : Unit::Of::Energy;
        if (unit
            && (unit->of == wanted || column.role == Role::Volts || column.role == Role::Amperes)) {
            if (column.header_unit != Unit::Of::None && unit->factor != column.header_factor)
                m_log.collector.note(Weight::Note,
                                     "The column " + quoteCell(m_layout.headers[column.index].raw)
                                         + " has values in " + std::string(asUtf8(number->unit))
                                         + "; the unit of each value counts.");
            value = number->value * unit->factor;
            return {};
        }
        if (isUnavailable(number->unit))
            return {};
        return rowError(m_row,
                        quoteCell(cell) + " has no unit of " + (power ? "power." : "energy."));
    }
    if (column.unit_known) {
        value = number->value * column.factor;
        return {};
    }
    const auto asked = unitFrom(m_log.options.unit);
    if (!asked)
        return rowError(m_row,
                        "the column " + quoteCell(m_layout.headers[column.index].raw)
                            + " has no unit; state it with --unit, such as --unit W.");
    m_log.collector.note(Weight::Note,
                         "The column " + quoteCell(m_layout.headers[column.index].raw)
                             + " has no unit; " + m_log.options.unit + " was stated.");
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
    if (m_devices.size() >= kMostDevices)
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
        spec.name += '\x1f' + m_deviceKey; // named at the end, when all devices are known
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

// Tables of answers: what their figures say about each other.
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

Status TableReader::values()
{
    if (m_layout.headers.front().name == "entity" && !lowerCase(m_cells[0]).starts_with("gpu"))
        return {}; // switches and processors have rows of their own
    const auto at = timeOf();
    if (!at)
        return at.error();
    Device& device = deviceOf();
    double length = 0.0;
    const Column* lengthColumn = columnOf(Role::Length);
    if (lengthColumn != nullptr) {
        if (const Status read = lengthOf(*lengthColumn, length); !read)
            return read;
    } else if (flag(table::kLengthFromTime)) {
        // Windows of a tool that counts from its start begin there.
        if (m_anyTime)
            length = toSeconds(*at - m_lastTime);
        else if (m_log.clock.clock() == Clock::Own)
            length = m_log.options.period_s.value_or(toSeconds(*at));
        else
            length = m_log.options.period_s.value_or(0.0);
    }
    m_lastTime = *at;
    m_anyTime = true;
    float use = std::numeric_limits<float>::quiet_NaN();
    if (const Column* column = columnOf(Role::Use)) {
        if (const auto number = m_numbers.read(cellOf(column->index)))
            use = static_cast<float>(number->value / 100.0);
    }
    std::string_view railName;
    if (const Column* column = columnOf(Role::RailName)) {
        railName = cellOf(column->index);
        if (m_log.collector.railCount() > 1000)
            return rowError(m_row, "the log has too many rails.");
    }
    std::optional<double> stated;
    for (const Column& column : m_layout.columns) {
        const std::string_view cell = cellOf(column.index);
        std::optional<double> value;
        if (column.role == Role::Rated) {
            const auto number = m_numbers.read(cell);
            const auto unit = number ? unitFrom(number->unit) : std::nullopt;
            for (std::size_t c = 0; number && c < device.rails.size(); ++c) {
                if (device.rails[c] != kNoRail && number->value > 0.0)
                    m_log.collector.setRated(device.rails[c],
                                             number->value * (unit ? unit->factor : column.factor));
            }
            continue;
        }
        if (column.role == Role::StatedPower) {
            const auto number = m_numbers.read(cell);
            if (number && length > 0.0) {
                Stated& sum = m_stated[column.rail];
                sum.power_joules += number->value * column.factor * length;
                ++sum.rows;
            }
            continue;
        }
        if (!(column.role == Role::Power || column.role == Role::MeanPower
              || column.role == Role::Energy || column.role == Role::Counter
              || column.role == Role::Volts))
            continue;
        if (const Status read = valueOf(column, cell, value); !read)
            return read;
        if (column.role == Role::Volts && value) {
            const Column* amperes = columnOf(Role::Amperes);
            std::optional<double> current;
            if (amperes == nullptr)
                continue;
            if (const Status read = valueOf(*amperes, cellOf(amperes->index), current); !read)
                return read;
            value = current ? std::optional(*value * *current) : std::nullopt;
        }
        Reading reading{.at_ns = *at, .length_s = length, .row = m_row, .use = use};
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
            if (length > 0.0)
                m_stated[column.rail].joules += *value;
        }
        const std::size_t rail = railOf(column, device, railName);
        if (column.length)
            reading.at_ns = *at; // phases of one row share its time
        if (const Status added = m_log.collector.add(rail, reading); !added)
            return added;
    }
    ++device.rows;
    return flag(table::kAnswers) || flag(table::kGuessedUnit) ? answerOf() : Status();
}

// A device's number, or what tells it from the others.
void TableReader::nameRails()
{
    if (m_devices.empty())
        return;
    std::size_t which = 0;
    const std::size_t ids = m_devices.begin()->second.ids.size();
    const auto distinct = [&](std::size_t id) {
        std::vector<std::string> values;
        for (const auto& [key, device] : m_devices)
            values.push_back(device.ids[id]);
        std::ranges::sort(values);
        return std::ranges::adjacent_find(values) == values.end();
    };
    // Names that are as short as they can be: an index rather than a UUID.
    for (std::size_t id = ids; id-- > 0;) {
        if (distinct(id))
            which = id;
    }
    for (const auto& [key, device] : m_devices) {
        if (ids == 0)
            continue;
        const bool alone = m_devices.size() == 1 && !flag(table::kNumbered);
        std::string number = device.ids[which];
        const std::size_t digits = number.find_first_of("0123456789");
        const std::string lower = lowerCase(number);
        if ((lower.starts_with("gpu") || lower.starts_with("card")) && digits != std::string::npos
            && number.find_first_not_of("0123456789", digits) == std::string::npos)
            number = number.substr(digits);
        for (std::size_t c = 0; c < device.rails.size(); ++c) {
            if (device.rails[c] == kNoRail)
                continue;
            const Column& column = m_layout.columns[c];
            std::string railName = column.rail;
            if (!alone)
                railName += column.numbered ? number : " " + number;
            m_log.collector.rename(device.rails[c], railName);
        }
    }
}

void TableReader::describe()
{
    Recording& recording = m_log.recording;
    recording.format = m_layout.format != nullptr ? m_layout.format->id : "table";
    recording.format_title = m_layout.format != nullptr ? m_layout.format->title : "table";
    Collector& collector = m_log.collector;
    if (m_layout.format != nullptr && m_layout.format->note[0] != '\0')
        collector.note(Weight::Note, m_layout.format->note);
    if (m_noise > 0)
        collector.note(Weight::Note, std::to_string(m_noise) + " lines amid the rows are no rows.");
    if (m_join)
        collector.note(Weight::Note,
                       "Commas separate the columns and are decimal signs as well; every row has "
                       "one column more than the header, so the numbers could be joined.");
    std::string left;
    for (std::size_t i = 0; i < m_layout.headers.size(); ++i) {
        const Header& header = m_layout.headers[i];
        const auto used = std::ranges::find(m_layout.columns, i, &Column::index);
        std::string meaning = "not read";
        if (used != m_layout.columns.end()) {
            static constexpr std::array kRoleNames{
                "not read",     "time",    "start",      "date",    "time of day",
                "length",       "power",   "mean power", "energy",  "counter",
                "stated power", "device",  "rail",       "use",     "rated power",
                "voltage",      "current", "tokens",     "threads", "tokens/s"};
            meaning = kRoleNames[static_cast<std::size_t>(used->role)];
            if (!used->rail.empty())
                meaning += " of " + used->rail;
        } else if (unitFrom(header.unit).value_or(Unit{}).of == Unit::Of::Power) {
            left += (left.empty() ? "" : ", ") + header.raw;
        }
        if (recording.columns.size() < 500)
            recording.columns.push_back({header.raw, meaning});
    }
    if (!left.empty() && left.size() < 400)
        collector.note(Weight::Note,
                       "Other powers in the file, which were not read: " + left + ".");
    if (flag(table::kGuessedUnit)) {
        constexpr double kLargestCard = 700.0;
        collector.note(Weight::Doubtful,
                       "The energies have no unit; they were read as kWh, in which CodeCarbon "
                       "writes them.");
        if (m_most_w > kLargestCard)
            collector.note(Weight::Poor,
                           "Read as kWh, a GPU draws up to "
                               + formatPower(Milliwatts{m_most_w * 1e3})
                               + ", more than the 700 W of the largest cards, and no other unit is "
                                 "more likely.");
    }
    if (m_layout.format == &tableFormats()[0]
        || (m_layout.format != nullptr && std::string_view(m_layout.format->id) == "gpu-columns")) {
        for (const Column& column : m_layout.columns) {
            if (column.role == Role::Power && column.header_unit == Unit::Of::None)
                collector.note(Weight::Note,
                               "The file does not state the unit; this format has watts.");
        }
    }
    for (const auto& [name, stated] : m_stated) {
        if (stated.rows == 0 || stated.joules <= 0.0)
            continue;
        if (const auto apart = energy::contradiction(name, stated.power_joules, stated.joules))
            collector.note(Weight::Poor, apart->reason);
    }
    constexpr std::int64_t kFewRates = 3;
    if (m_rates >= kFewRates && m_rateIsThreads == m_rates)
        collector.note(Weight::Poor,
                       "The tokens per second equal the number of threads in all "
                           + std::to_string(m_rates) + " rows: a setting, not a measurement.");
    if (m_tokensWithoutJoules.count() > 0)
        collector.note(Weight::Poor,
                       "Tokens without any energy in " + m_tokensWithoutJoules.text()
                           + ": the sensor did not move while the model ran.");
}

} // namespace

bool isTableHead(const Head& head)
{
    return findLayout(head, ReadOptions{}).has_value();
}

Status readTable(Log& log, const Head& head)
{
    auto layout = findLayout(head, log.options);
    if (!layout) {
        if (!log.options.description.empty())
            return Error{ErrorCode::InvalidInput,
                         "row 1: the file has other columns than those that were described."};
        return rowError(1,
                        "no column of power or energy was found, and no format is known that looks "
                        "like this; describe the columns in the window.");
    }
    return TableReader(log, *std::move(layout)).read();
}

} // namespace ep::powerlog
