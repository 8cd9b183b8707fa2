// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/powerlog/pairs.h"

#include "log.h"
#include "table_layout.h"

#include "ep/core/user_file.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <set>

namespace ep::powerlog {

namespace {

constexpr std::size_t kMaxFigures = 50;

struct PairFigure {
    std::string name;
    std::size_t a = 0; // columns
    std::size_t b = 0;
    double factor = 1.0; // converts to the unit of the name
};

struct PairColumns {
    char delimiter = ',';
    std::size_t count = 0;
    std::vector<std::string> headers;
    std::optional<std::size_t> pair;
    std::optional<std::size_t> order;
    std::vector<PairFigure> figures;
};

// Spellings of the energy; others keep their names.
struct EnergySpelling {
    std::string_view name;
    double factor;
};
constexpr std::array kEnergySpellings{
    EnergySpelling{kPairEnergy, 1.0}, EnergySpelling{"j_per_token", 1e3},
    EnergySpelling{"joules_per_token", 1e3}, EnergySpelling{"millijoules_per_token", 1.0}};

std::string plainCell(std::string_view cell)
{
    cell = trimBlanks(cell);
    if (cell.size() >= 2 && cell.front() == '"' && cell.back() == '"')
        cell = trimBlanks(cell.substr(1, cell.size() - 2));
    return asUtf8(cell);
}

std::optional<std::size_t> columnNamed(const std::vector<std::string>& headers,
                                       std::string_view name)
{
    const auto found = std::ranges::find(headers, name);
    if (found == headers.end())
        return std::nullopt;
    return static_cast<std::size_t>(found - headers.begin());
}

Result<PairColumns> readPairHeader(std::string_view line, std::int64_t row)
{
    PairColumns columns;
    const auto count = [&](char c) { return std::ranges::count(line, c); };
    columns.delimiter = count('\t') > 0 ? '\t' : count(';') > count(',') ? ';' : ',';
    std::vector<std::string_view> cells;
    splitLine(line, columns.delimiter, cells);
    for (const std::string_view cell : cells)
        columns.headers.push_back(lowerCase(plainCell(cell)));
    columns.count = cells.size();
    columns.pair = columnNamed(columns.headers, "pair");
    columns.order = columnNamed(columns.headers, "order");
    std::optional<std::size_t> energy;
    for (std::size_t i = 0; i < columns.headers.size(); ++i) {
        const std::string& header = columns.headers[i];
        if (!header.starts_with("a_") || columnNamed(columns.headers, header) != i
            || columns.figures.size() >= kMaxFigures)
            continue;
        PairFigure figure{.name = header.substr(2), .a = i};
        const auto other = columnNamed(columns.headers, "b_" + figure.name);
        if (!other)
            continue;
        figure.b = *other;
        const auto spelling =
            std::ranges::find(kEnergySpellings, figure.name, &EnergySpelling::name);
        if (spelling != kEnergySpellings.end() && !energy) {
            energy = columns.figures.size();
            figure.name = kPairEnergy;
            figure.factor = spelling->factor;
        }
        columns.figures.push_back(std::move(figure));
    }
    if (!energy)
        return rowError(row,
                        "no pairs of energies were found; the table needs the columns "
                        "a_mj_per_token and b_mj_per_token.");
    std::rotate(columns.figures.begin(), columns.figures.begin() + static_cast<long>(*energy),
                columns.figures.begin() + static_cast<long>(*energy) + 1);
    return columns;
}

std::optional<energy::PairOrder> orderFrom(std::string_view cell)
{
    std::string letters;
    for (const char c : lowerCase(cell)) {
        if (c >= 'a' && c <= 'z')
            letters += c;
    }
    if (letters == "ab" || letters == "a" || letters == "afirst" || letters == "athenb")
        return energy::PairOrder::AFirst;
    if (letters == "ba" || letters == "b" || letters == "bfirst" || letters == "bthena")
        return energy::PairOrder::BFirst;
    return std::nullopt;
}

// Turns rows into pairs, and reports the rows that cannot be used.
class PairRows {
public:
    PairRows(PairColumns columns, LogNumbers& numbers)
        : m_columns(std::move(columns))
        , m_numbers(numbers)
    {
        for (const PairFigure& figure : m_columns.figures)
            m_table.figures.push_back(figure.name);
    }

    void add(std::string_view line, std::int64_t row, bool complete)
    {
        splitLine(line, m_columns.delimiter, m_cells);
        while (m_cells.size() > m_columns.count && trimBlanks(m_cells.back()).empty())
            m_cells.pop_back();
        if (m_cells.size() != m_columns.count) {
            complete || m_cells.size() > m_columns.count
                ? say(row,
                      Message("it has %1 columns instead of %2 and was left out.", m_cells.size(),
                              m_columns.count))
                : say(row, "it is cut off and was left out.");
            return;
        }
        RecordedPair pair{.number = row, .row = row};
        if (m_columns.pair && !readNumber(pair))
            return;
        if (m_columns.order) {
            const std::string cell = plainCell(m_cells[*m_columns.order]);
            const auto order = orderFrom(cell);
            if (order)
                pair.order = *order;
            else
                say(row,
                    Message("the order is %1 instead of AB or BA, so drift within the pair is not "
                            "removed.",
                            quoteCell(cell)));
        }
        for (const PairFigure& figure : m_columns.figures) {
            pair.values.push_back({.a = value(figure.a, figure.factor, row),
                                   .b = value(figure.b, figure.factor, row)});
        }
        m_table.pairs.push_back(std::move(pair));
    }

    PairTable finish()
    {
        std::ranges::stable_sort(m_table.pairs, {}, &RecordedPair::number);
        return std::move(m_table);
    }

private:
    void say(std::int64_t row, const Message& problem)
    {
        m_table.findings.push_back({Weight::Doubtful, {"row %1: %2", row, problem}});
    }

    bool readNumber(RecordedPair& pair)
    {
        const std::string cell = plainCell(m_cells[*m_columns.pair]);
        const auto number = readWhole(cell);
        if (!number) {
            say(pair.row,
                Message("%1 is not the number of a pair, so the row was left out.",
                        quoteCell(cell)));
            return false;
        }
        pair.number = *number;
        if (!m_known.insert(pair.number).second) {
            say(pair.row,
                Message("pair %1 was there before, so this one was left out.", pair.number));
            return false;
        }
        return true;
    }

    std::optional<double> value(std::size_t column, double factor, std::int64_t row)
    {
        const std::string cell = plainCell(m_cells[column]);
        const std::string& header = m_columns.headers[column];
        if (cell.empty()) {
            say(row,
                Message("%1 is missing, which is not zero; the pair does not count for it.",
                        header));
            return std::nullopt;
        }
        const auto number = m_numbers.read(cell, column, row);
        if (!number || !number->rest.empty()) {
            say(row,
                Message("%1 is %2 instead of a number; the pair does not count for it.", header,
                        quoteCell(cell)));
            return std::nullopt;
        }
        if (!(number->value > 0.0) || !std::isfinite(number->value * factor)
            || number->value * factor < std::numeric_limits<double>::min()) {
            say(row,
                Message("%1 is %2, which is not above zero; the pair does not count for it.",
                        header, quoteCell(cell)));
            return std::nullopt;
        }
        return number->value * factor;
    }

    PairColumns m_columns;
    LogNumbers& m_numbers;
    PairTable m_table;
    std::vector<std::string_view> m_cells;
    std::set<std::int64_t> m_known;
};

Result<PairTable> readPairsOnce(std::string_view text, const std::string& name, LogNumbers& numbers)
{
    const auto fail = [&](const Error& error) { return inFile(name, error); };
    const ReadBytes bytes = [rest = text](std::span<char> buffer) mutable -> Result<std::size_t> {
        const std::size_t count = std::min(buffer.size(), rest.size());
        std::memcpy(buffer.data(), rest.data(), count);
        rest.remove_prefix(count);
        return count;
    };
    LineReader lines(bytes, {});
    std::optional<PairRows> rows;
    for (;;) {
        const auto line = lines.next();
        if (!line)
            return fail(line.error());
        if (!*line)
            break;
        if (trimBlanks(**line).empty() || (**line).front() == '#')
            continue;
        if (rows) {
            rows->add(**line, lines.row(), lines.complete());
            continue;
        }
        auto columns = readPairHeader(**line, lines.row());
        if (!columns)
            return fail(columns.error());
        rows.emplace(*std::move(columns), numbers);
    }
    if (!rows)
        return fail({ErrorCode::InvalidInput, "The file is empty."});
    PairTable table = rows->finish();
    if (table.ratios(0).empty())
        return fail({ErrorCode::InvalidInput,
                     table.findings.empty()
                         ? Message("It has no pair with the energies of both settings.")
                         : Message("It has no pair with the energies of both settings; %1",
                                   table.findings.front().text)});
    return table;
}

} // namespace

std::vector<energy::PairedRatio> PairTable::ratios(std::size_t figure) const
{
    std::vector<energy::PairedRatio> ratios;
    for (const RecordedPair& pair : pairs) {
        const PairValues& values = pair.values[figure];
        if (values.a && values.b)
            ratios.push_back(
                {.log_ratio = std::log(*values.a) - std::log(*values.b), .order = pair.order});
    }
    return ratios;
}

Result<PairTable> readPairs(std::string_view text, const std::string& name)
{
    LogNumbers numbers(DecimalSign::Unknown, LogNumbers::kWritePoint);
    for (;;) {
        auto table = readPairsOnce(text, name, numbers);
        const auto again = numbers.again();
        if (again && *again)
            continue;
        if (table && !again)
            return inFile(name, again.error());
        return table;
    }
}

Result<PairTable> readPairs(const std::filesystem::path& file, const CancelToken& cancel)
{
    const auto text = readTextFile(file, cancel);
    if (!text)
        return text.error();
    return readPairs(*text, file.filename().string());
}

} // namespace ep::powerlog
