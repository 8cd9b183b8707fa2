// SPDX-License-Identifier: GPL-3.0-or-later
#include "log.h"
#include "table_layout.h"

#include "ep/core/format.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace ep::powerlog {

namespace {

// A device of a table, such as one of several GPUs.
struct Device {
    std::vector<std::string> ids; // cells of the device columns
    std::vector<std::size_t> rails; // by column; kNoRail: none yet
    std::int64_t rows = 0;
};
constexpr std::size_t kNoRail = SIZE_MAX;
constexpr std::size_t kMaxDevices = 4096;

// Reads the rows of one table.
class TableReader {
public:
    TableReader(Log& log, Layout layout)
        : m_log(log)
        , m_layout(std::move(layout))
    {
        for (const Column& column : m_layout.columns)
            m_last = std::max(m_last, std::max(column.index, column.length.value_or(0)));
        m_gpuDevices = std::ranges::any_of(m_layout.columns, [&](const Column& column) {
            return column.role == Role::Device
                && matches("*gpu*|uuid", m_layout.headers[column.index].name);
        });
        m_oneValue =
            std::ranges::count_if(m_layout.columns,
                                  [](const Column& column) { return isRailRole(column.role); })
            == 1;
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
    std::optional<NumberText> numberIn(std::size_t column);
    Status lengthOf(std::size_t column, double factor, double& seconds);
    Status valueOf(const Column& column, std::string_view cell, std::optional<double>& value);
    Result<Device*> deviceOf();
    Result<std::size_t> railOf(const Column& column, Device& device, std::string_view name);
    Result<double> rowLength(Nanoseconds at);
    void setRated(const Column& column, const Device& device);
    void addStated(const Column& column, double length);
    Status addReading(const Column& column, Device& device, std::string_view railName,
                      Reading reading);
    Status answerOf();
    bool isPowerEntity() const;
    bool isHeaderAgain() const;
    bool isOtherHeader() const;
    void nameRails();
    void describe();
    void describeAnswers();
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
    bool m_gpuDevices = false;
    bool m_oneValue = true; // each row has one value, whose name is the rail's
    std::size_t m_last = 0; // largest index of a column that is read
    std::vector<std::string_view> m_cells;
    std::string m_joined; // a number that was split at its decimal comma
    std::optional<std::size_t> m_join; // column of the number
    std::int64_t m_row = 0;
    std::int64_t m_rows = 0;
    bool m_ended = false; // the header occurred again, followed by other lines
    std::optional<Error> m_pending; // error in the last row, if that was truncated
    std::map<std::string, Device> m_devices;
    Device* m_device = nullptr;
    std::string m_deviceKey;
    std::string m_key;
    Nanoseconds m_lastTime = 0;
    bool m_anyTime = false;
    double m_sum_s = 0.0; // sum of the lengths, for tables without times
    // Common properties of the last cells of all rows, to detect one that was cut off.
    struct LastCells {
        bool any = false;
        bool unit = true; // all have a unit
        int decimals = 0;
        bool same_decimals = true;
        std::size_t length = 0;
        bool same_length = true;
    };
    LastCells m_lastCells;
    std::int64_t m_noise = 0;
    std::int64_t m_otherEntities = 0;
    struct Stated {
        double joules = 0.0;
        std::size_t rail = kNoRail;
        double power_joules = 0.0;
        std::int64_t rows = 0;
    };
    std::map<std::string, Stated> m_stated; // energies of rails from their stated power
    std::int64_t m_rateIsThreads = 0;
    std::int64_t m_rates = 0;
    energy::RowList m_tokensWithoutJoules;
    double m_most_w = 0.0; // largest value in guessed units
};

constexpr double kSmallUnit = 0.1; // values in such units are in the thousands

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
                                 Message("The last row, %1, is cut off and was left out.", m_row));
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
                             Message("The last row, %1, is damaged and was left out.", m_row));
    nameRails();
    describe();
    return {};
}

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
        if (isOtherHeader())
            return isHeaderAgain();
        for (std::size_t i = 0; i < m_layout.headers.size() && i < m_cells.size(); ++i) {
            const std::string& name = m_layout.headers[i].name;
            if ((name == "core" || name == "cpu" || name == "package" || name == "node"
                 || name == "die")
                && m_cells[i] != "-")
                return true;
        }
    }
    return false;
}

bool TableReader::wasCut(std::string_view line) const
{
    std::vector<std::string_view> cells;
    splitLine(line, m_layout.delimiter, cells);
    const std::size_t columns = m_layout.headers.size() + m_layout.prefix;
    if (m_layout.delimiter != kBlanks && cells.size() < columns)
        return true;
    if (cells.empty() || m_rows == 0 || m_last + 1 < m_layout.headers.size())
        return false; // a line that may be truncated is skipped
    // Only common properties of all rows can show that the last number is whole.
    const auto now = readNumberText(cells.back());
    if (!now || !m_lastCells.any || line.back() == '"')
        return !now;
    if (m_lastCells.unit)
        return now->rest.empty();
    if (m_lastCells.same_decimals && m_lastCells.decimals > 0)
        return now->decimals != m_lastCells.decimals;
    return !m_lastCells.same_length || cells.back().size() != m_lastCells.length;
}

Status TableReader::shape(std::string_view line)
{
    splitLine(line, m_layout.delimiter, m_cells);
    const std::size_t columns = m_layout.headers.size();
    if (m_layout.delimiter == kBlanks) {
        // Skips the words before the table, "GPU 0" and "8 W".
        if (m_layout.prefix > 0 && m_cells.size() > m_layout.prefix) {
            const char* begin = m_cells.front().data();
            const std::string_view& last = m_cells[m_layout.prefix - 1];
            const std::string_view timestamp(
                begin, static_cast<std::size_t>(last.data() + last.size() - begin));
            m_cells.erase(m_cells.begin(),
                          m_cells.begin() + static_cast<std::ptrdiff_t>(m_layout.prefix));
            m_joined.assign(timestamp);
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
            : rowError(m_row, Message("it has %1 values instead of %2.", m_cells.size(), columns));
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
        m_joined = std::string(m_cells[*m_join]) + ',' + std::string(m_cells[*m_join + 1]);
        m_cells[*m_join] = m_joined;
        m_cells.erase(m_cells.begin() + static_cast<std::ptrdiff_t>(*m_join + 1));
        return {};
    }
    if (m_cells.size() > columns)
        return rowError(m_row,
                        Message("it has %1 columns instead of %2; commas may be decimal signs as "
                                "well as separators.",
                                m_cells.size(), columns));
    if (m_cells.size() <= m_last)
        return rowError(m_row, Message("it has only %1 of %2 columns.", m_cells.size(), columns));
    return {};
}

// Whether the row is the header again, perhaps spelt differently.
bool TableReader::isHeaderAgain() const
{
    return m_cells.size() >= m_layout.headers.size()
        && std::equal(m_layout.headers.begin(), m_layout.headers.end(), m_cells.begin(),
                      [](const Header& header, std::string_view cell) {
                          return header.raw == readHeader(asUtf8(cell)).raw;
                      });
}

// A header whose columns are others, or in another order.
bool TableReader::isOtherHeader() const
{
    const auto rail = std::ranges::find_if(
        m_layout.columns, [](const Column& column) { return isRailRole(column.role); });
    return rail != m_layout.columns.end()
        && std::ranges::find(m_cells, std::string_view(m_layout.headers[rail->index].raw))
        != m_cells.end();
}

Status TableReader::row(std::string_view line)
{
    if (const Status shaped = shape(line); !shaped) {
        // A message of the tool between the rows.
        if (m_cells.size() == 1 && m_layout.headers.size() > 1 && m_log.lines.complete()) {
            ++m_noise;
            return {};
        }
        return shaped;
    }
    if (isHeaderAgain())
        return {};
    if (isOtherHeader())
        return rowError(m_row, "the columns change here; split the file before this row.");
    if (m_log.numbers.looksAtAll()) {
        for (std::size_t i = 0; i < m_cells.size(); ++i) {
            if (!m_log.numbers.isKnown(i))
                m_log.numbers.lookAt(m_cells[i]);
        }
    }
    if (const Status read = values(); !read)
        return read;
    ++m_rows;
    if (m_last + 1 == m_layout.headers.size() && !m_cells.empty()) {
        if (const auto number = readNumberText(m_cells.back())) {
            LastCells& last = m_lastCells;
            last.unit = last.unit && unitFrom(number->rest);
            last.same_decimals =
                last.same_decimals && (!last.any || number->decimals == last.decimals);
            last.same_length =
                last.same_length && (!last.any || m_cells.back().size() == last.length);
            last.decimals = number->decimals;
            last.length = m_cells.back().size();
            last.any = true;
        }
    }
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
        return m_log.clock.at(cellOf(time->index), m_row, time->unit_known ? time->factor : 0.0,
                              time->index);
    }
    if (const Column* ofDay = columnOf(Role::TimeOfDay))
        return m_log.clock.at(cellOf(ofDay->index), m_row);
    const Column* length = columnOf(Role::Length);
    if (const Column* start = columnOf(Role::Start)) {
        auto at = m_log.clock.at(cellOf(start->index), m_row, 0.0, start->index);
        double seconds = 0.0;
        if (at && length != nullptr) {
            if (const Status read = lengthOf(length->index, length->factor, seconds); !read)
                return read.error();
            return *at + std::llround(seconds * 1e9);
        }
        return at;
    }
    if (length != nullptr || flag(table::kGuessedUnit)) {
        // Without times, rows follow each other.
        double seconds = 0.0;
        const auto own = std::ranges::find_if(
            m_layout.columns, [](const Column& column) { return column.length.has_value(); });
        if (length == nullptr && own != m_layout.columns.end()) {
            if (const Status read = lengthOf(*own->length, 1.0, seconds); !read)
                return read.error();
        } else if (length != nullptr) {
            if (const Status read = lengthOf(length->index, length->factor, seconds); !read)
                return read.error();
        }
        m_sum_s += std::clamp(seconds, 0.0, 1e8);
        return m_log.clock.at(Instant{.ns = std::llround(m_sum_s * 1e9), .clock = Clock::Own});
    }
    const auto device = deviceOf();
    if (!device)
        return device.error();
    const std::int64_t index = (*device)->rows + (flag(table::kLengthFromTime) ? 1 : 0);
    return m_log.clock.atIndex(index, m_row);
}

Status readTable(Log& log, const Head& head)
{
    constexpr std::size_t kMaxColumns = 65'536;
    for (std::size_t i = 0; i < head.size(); ++i) {
        std::vector<std::string_view> cells;
        splitLine(head[i], delimiterOf(head[i]), cells);
        if (cells.size() > kMaxColumns)
            return rowError(static_cast<std::int64_t>(i) + 1,
                            Message("it has more than %1 columns.", kMaxColumns));
    }
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
    // Names that are as short as possible: an index rather than a UUID.
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
        collector.note(Weight::Note, Message("%1 lines amid the rows are no rows.", m_noise));
    if (m_otherEntities > 0)
        collector.note(
            Weight::Note,
            Message("%1 rows of other entities than powers were left out.", m_otherEntities));
    if (m_join)
        collector.note(Weight::Note,
                       "Commas separate the columns and are decimal signs as well; every row has "
                       "one column more than the header, so the numbers could be joined.");
    std::string left;
    std::vector<const Column*> byIndex(m_layout.headers.size());
    for (const Column& column : m_layout.columns)
        byIndex[column.index] = &column;
    for (std::size_t i = 0; i < m_layout.headers.size(); ++i) {
        const Header& header = m_layout.headers[i];
        const Column* used = byIndex[i];
        std::string meaning = "not read";
        if (used != nullptr) {
            static constexpr std::array kRoleNames{
                "not read", "time",       "start",       "date",    "time of day",  "length",
                "power",    "mean power", "energy",      "counter", "stated power", "device",
                "rail",     "use",        "rated power", "voltage", "current",      "tokens",
                "threads",  "tokens/s",   "unit"};
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
                       Message("Other powers in the file, which were not read: %1.", left));
    if (flag(table::kGuessedUnit)) {
        constexpr double kMaxCard = 700.0;
        collector.note(Weight::Doubtful,
                       "The energies have no unit; they were read as kWh, in which CodeCarbon "
                       "writes them.");
        if (m_most_w > kMaxCard)
            collector.note(Weight::Poor,
                           Message("Read as kWh, a GPU draws up to %1, more than the 700 W of the "
                                   "largest cards, and no other unit is more likely.",
                                   formatPower(Milliwatts{m_most_w * 1e3})));
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
    describeAnswers();
}

// Rows that describe whole answers of a model.
void TableReader::describeAnswers()
{
    Collector& collector = m_log.collector;
    constexpr std::int64_t kFewRates = 3;
    if (m_rates >= kFewRates && m_rateIsThreads == m_rates)
        collector.note(Weight::Poor,
                       Message("The tokens per second equal the number of threads in all %1 rows: "
                               "a setting, not a measurement.",
                               m_rates));
    if (m_tokensWithoutJoules.count() > 0)
        collector.note(
            Weight::Poor,
            Message("Tokens without any energy in %1: the sensor did not move while the model ran.",
                    m_tokensWithoutJoules.text()));
}

using energy::Measured;

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

// Returns true if the row of Home Assistant states a power, false if it states the energy of a
// counter.
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
