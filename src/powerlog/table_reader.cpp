// SPDX-License-Identifier: GPL-3.0-or-later
#include "table_reader.h"

#include "ep/core/format.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace ep::powerlog {

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
    // Only what all rows have in common can tell that the last number is whole.
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

// The header, spelt in another way.
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

bool isTableHead(const Head& head)
{
    return findLayout(head, ReadOptions{}).has_value();
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

} // namespace ep::powerlog
