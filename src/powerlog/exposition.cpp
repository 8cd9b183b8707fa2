// SPDX-License-Identifier: GPL-3.0-or-later
// Consecutive scrapes of Prometheus exporters: `name{label="value",...} value [ms]`. And the text
// of powermetrics: a header for each sample, then lines such as "CPU Power: 404 mW".
#include "formats.h"
#include "log.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>

namespace ep::powerlog {
namespace {

using energy::Measured;

struct Series {
    std::string_view name;
    std::string_view labels; // text between the braces
    std::string_view value;
    std::string_view time; // may be empty
};

std::optional<Series> readSeries(std::string_view line)
{
    Series series;
    line = trimBlanks(line);
    const std::size_t nameEnd = line.find_first_of("{ \t");
    if (nameEnd == 0 || nameEnd == std::string_view::npos)
        return std::nullopt;
    series.name = line.substr(0, nameEnd);
    std::size_t i = nameEnd;
    if (line[i] == '{') {
        bool quote = false;
        bool escaped = false;
        for (++i; i < line.size(); ++i) {
            if (escaped)
                escaped = false;
            else if (quote && line[i] == '\\')
                escaped = true;
            else if (line[i] == '"')
                quote = !quote;
            else if (line[i] == '}' && !quote)
                break;
        }
        if (i >= line.size())
            return std::nullopt;
        series.labels = line.substr(nameEnd + 1, i - nameEnd - 1);
        ++i;
    }
    const std::string_view rest = trimBlanks(line.substr(i));
    const std::size_t blank = rest.find_first_of(" \t");
    series.value = rest.substr(0, blank);
    if (blank != std::string_view::npos)
        series.time = trimBlanks(rest.substr(blank));
    if (series.value.empty())
        return std::nullopt;
    return series;
}

std::string labelNamed(std::string_view labels, std::string_view wanted)
{
    while (!labels.empty()) {
        const std::size_t equals = labels.find('=');
        if (equals == std::string_view::npos)
            break;
        const std::string_view key = trimBlanks(labels.substr(0, equals));
        std::size_t i = labels.find('"', equals);
        if (i == std::string_view::npos)
            break;
        const std::size_t begin = ++i;
        while (i < labels.size() && labels[i] != '"')
            i += labels[i] == '\\' ? 2 : 1;
        i = std::min(i, labels.size());
        if (lowerCase(key) == wanted)
            return asUtf8(labels.substr(begin, i - begin));
        labels.remove_prefix(std::min(i + 1, labels.size()));
        while (!labels.empty() && (labels.front() == ',' || labels.front() == ' '))
            labels.remove_prefix(1);
    }
    return {};
}

// The value of the first of these labels that is present: "index|gpu".
std::string labelOf(std::string_view labels, const char* wanted)
{
    std::string value;
    for (std::string_view rest(wanted); value.empty() && !rest.empty();)
        value = labelNamed(labels, cutAt('|', rest));
    return value;
}

class ExpositionReader {
public:
    explicit ExpositionReader(Log& log)
        : m_log(log)
    {
    }

    Status line(std::string_view text, std::int64_t row)
    {
        text = trimBlanks(text);
        if (text.empty())
            return {};
        if (text.front() == '#')
            return comment(text, row);
        const auto series = readSeries(text);
        if (!series)
            return m_log.lines.complete()
                ? rowError(row, Message("%1 is not a metric.", quoteCell(text)))
                : Status();
        const std::string lower = lowerCase(series->name.substr(0, 200));
        std::string star;
        const auto rules = metricRules();
        const auto rule = std::ranges::find_if(rules, [&](const MetricRule& candidate) {
            return matches(candidate.name, lower, &star);
        });
        if (rule == rules.end())
            return {};
        const auto number = readNumber(series->value);
        if (!number && !isUnavailable(series->value))
            return rowError(row, Message("%1 is not a number.", quoteCell(series->value)));
        // A repeated series, or another time, begins the next scrape.
        const std::size_t key = std::hash<std::string>()(lower + '{' + std::string(series->labels));
        constexpr std::size_t kMaxSeries = 100'000;
        if (m_seen.size() >= kMaxSeries)
            return rowError(row, Message("the scrape has more than %1 series.", kMaxSeries));
        if (!series->time.empty()) {
            const auto at = m_log.clock.at(series->time, row);
            if (!at)
                return at.error();
            if (m_time && *m_time != *at) {
                if (const Status ended = endScrape(); !ended)
                    return ended;
            }
            m_time = *at;
        } else if (m_seen.contains(key)) {
            if (const Status ended = endScrape(); !ended)
                return ended;
        }
        m_seen.insert(key);
        m_row = row;
        if (!number)
            return {};
        const std::string label =
            rule->label[0] == '\0' ? std::string() : labelOf(series->labels, rule->label);
        RailSpec spec{.rule = rule->rule, .measured = rule->measured, .part = rule->part};
        for (const char* c = rule->rail; *c != '\0'; ++c)
            spec.name += *c == '$' ? label : *c == '*' ? star : std::string(1, *c);
        if (spec.name.empty())
            spec.name = std::string(series->name);
        if (spec.part == "?") {
            spec.take(kindOf(spec.name));
        }
        if (m_log.recording.format.empty()) {
            m_log.recording.format = rule->format;
            m_log.recording.format_title = rule->title;
        }
        const std::size_t before = m_log.collector.railCount();
        const auto rail = m_log.collector.rail(spec, row);
        if (!rail)
            return rail.error();
        if (m_log.collector.railCount() > before)
            m_log.recording.columns.push_back({std::string(series->name), spec.name});
        const double value = *number * rule->factor;
        const auto [place, added] = m_values.try_emplace(*rail, Value{value, row});
        if (!added && rule->added)
            place->second.value += value;
        return {};
    }

    Status finish()
    {
        if (const Status ended = endScrape(); !ended)
            return ended;
        if (m_log.recording.format.empty())
            return rowError(1, "none of the metrics is a power or an energy that is known.");
        return {};
    }

private:
    // "# scrape 2026-11-25T07:35:41.123+00:00", or any other comment that is a time.
    Status comment(std::string_view text, std::int64_t row)
    {
        text.remove_prefix(1);
        text = trimBlanks(text);
        if (text.starts_with("HELP") || text.starts_with("TYPE") || text.starts_with("EOF"))
            return text.starts_with("EOF") ? endScrape() : Status();
        for (const std::string_view word : {"scrape", "timestamp", "time", "at"}) {
            if (lowerCase(text.substr(0, word.size())) == word) {
                text.remove_prefix(word.size());
                break;
            }
        }
        while (!text.empty() && (text.front() == ':' || text.front() == ' '))
            text.remove_prefix(1);
        const auto instant = readInstant(text, m_log.options.dates);
        if (!instant || (instant->clock == Clock::Own && !m_time && m_scrapes > 0))
            return {};
        if (const Status ended = endScrape(); !ended)
            return ended;
        const auto at = m_log.clock.at(text, row);
        if (!at)
            return at.error();
        m_time = *at;
        return {};
    }

    Status endScrape()
    {
        if (m_values.empty())
            return {};
        if (!m_time) {
            const auto at = m_log.clock.atIndex(m_scrapes, m_row);
            if (!at)
                return at.error();
            m_time = *at;
        }
        ++m_scrapes;
        for (const auto& [rail, value] : m_values) {
            const Reading reading{.at_ns = *m_time, .value = value.value, .row = value.row};
            if (const Status added = m_log.collector.add(rail, reading); !added)
                return added;
        }
        m_values.clear();
        m_seen.clear();
        m_time.reset();
        return {};
    }

    struct Value {
        double value = 0.0;
        std::int64_t row = 0;
    };

    Log& m_log;
    std::map<std::size_t, Value> m_values; // values of this scrape, by rail
    std::set<std::size_t> m_seen; // hashes of the series of this scrape
    std::optional<Nanoseconds> m_time; // time of this scrape
    std::int64_t m_scrapes = 0;
    std::int64_t m_row = 0;
};

constexpr std::size_t kLengths = 2; // lengths are a column of their own
constexpr std::string_view kSampleMark = "*** Sampled system activity (";

struct PowerLine {
    const char* name; // pattern for the text before the colon, in lower case
    const char* rail;
    Measured measured;
    const char* part;
};
constexpr std::array kPowerLines{
    PowerLine{"cpu power", "cpu", Measured::Processor, "cpu"},
    PowerLine{"gpu power", "gpu", Measured::Graphics, "gpu"},
    PowerLine{"ane power", "ane", Measured::NeuralEngine, "ane"},
    PowerLine{"dram power", "dram", Measured::Memory, "dram"},
    PowerLine{"combined power*", "combined", Measured::Machine, "sum"},
    PowerLine{"package power", "package", Measured::Machine, "sum"},
    PowerLine{"*package power (cpus+gt+sa)", "package", Measured::Processor, "cpu"},
};

// A sample whose lines are being read; it counts when the next one begins.
struct OpenSample {
    Nanoseconds at_ns = 0;
    double length_s = 0.0;
    std::int64_t row = 0;
    std::map<std::string, std::pair<const PowerLine*, double>> values;
};

class SampledTextReader {
public:
    explicit SampledTextReader(Log& log)
        : m_log(log)
    {
    }

    Status line(std::string_view text, std::int64_t row)
    {
        if (text.starts_with(kSampleMark))
            return begin(text, row);
        if (text.find("Summary") != std::string_view::npos
            && text.find("***") != std::string_view::npos)
            m_summary = true; // the rest is means over the whole log
        if (!m_sample || m_summary)
            return {};
        // "CPU Power: 404 mW"; the combined power has its colon only after brackets.
        const std::size_t colon = text.rfind(':');
        if (colon == std::string_view::npos || text.size() > 200)
            return {};
        std::string name = lowerCase(trimBlanks(text.substr(0, colon)));
        if (name.find("package power") != std::string::npos
            && name.find("(cpus+gt+sa)") != std::string::npos)
            name = "package power (cpus+gt+sa)";
        for (const PowerLine& known : kPowerLines) {
            if (!matches(known.name, name))
                continue;
            if (!m_log.lines.complete())
                return {}; // the number in the last line may be truncated
            const auto number =
                m_log.numbers.read(text.substr(colon + 1), LogNumbers::kValues, row);
            const auto unit = number ? unitFrom(number->rest) : std::nullopt;
            if (!number || !unit || unit->of != Unit::Of::Power)
                return rowError(row, Message("%1 is not a power.", quoteCell(text)));
            // The first line with a name counts, because clusters follow the whole.
            m_sample->values.try_emplace(known.rail, &known, number->value * unit->factor);
            return {};
        }
        return {};
    }

    Status finish()
    {
        if (m_sample && m_usualRails > 0 && m_sample->values.size() < m_usualRails) {
            m_log.collector.note(
                Weight::Note,
                Message("The last sample, which begins at row %1, is cut off and was left out.",
                        m_sample->row));
            return {};
        }
        return end();
    }

private:
    Status begin(std::string_view text, std::int64_t row)
    {
        if (const Status ended = end(); !ended)
            return ended;
        text.remove_prefix(kSampleMark.size());
        const std::size_t close = text.find(')');
        const std::size_t open = text.find('(', close == std::string_view::npos ? 0 : close);
        const std::size_t unit = text.find("ms elapsed", open == std::string_view::npos ? 0 : open);
        if (close == std::string_view::npos || open == std::string_view::npos
            || unit == std::string_view::npos)
            return m_log.lines.complete() ? rowError(row, "the sample states no time or length.")
                                          : Status();
        const auto length =
            m_log.numbers.read(text.substr(open + 1, unit - open - 1), kLengths, row);
        if (!length || length->value < 0.0)
            return rowError(row, "the sample states no length.");
        const auto at = m_log.clock.at(text.substr(0, close), row);
        if (!at)
            return at.error();
        m_sample =
            OpenSample{.at_ns = *at, .length_s = length->value * 1e-3, .row = row, .values = {}};
        m_summary = false;
        return {};
    }

    Status end()
    {
        if (!m_sample)
            return {};
        const OpenSample sample = *std::move(m_sample);
        m_sample.reset();
        for (const auto& [rail, value] : sample.values) {
            const auto index = m_log.collector.rail({.name = rail,
                                                     .rule = Rule::Interval,
                                                     .measured = value.first->measured,
                                                     .part = value.first->part,
                                                     .coarse_stamps = true},
                                                    sample.row);
            if (!index)
                return index.error();
            const Reading reading{.at_ns = sample.at_ns,
                                  .value = value.second,
                                  .length_s = sample.length_s,
                                  .row = sample.row};
            if (const Status added = m_log.collector.add(*index, reading); !added)
                return added;
        }
        m_usualRails = sample.values.size();
        return {};
    }

    Log& m_log;
    std::optional<OpenSample> m_sample;
    bool m_summary = false;
    std::size_t m_usualRails = 0; // number of rails in the previous sample
};

// Reads all lines of a log.
template <typename Reader>
Status readAll(Log& log)
{
    Reader reader(log);
    const Status read = log.lines.forEach(
        [&](std::string_view line) { return reader.line(line, log.lines.row()); });
    return read ? reader.finish() : read;
}

} // namespace

Status readExposition(Log& log)
{
    return readAll<ExpositionReader>(log);
}

Status readSampledText(Log& log)
{
    log.recording.format = "powermetrics-text";
    log.recording.format_title = "powermetrics (text)";
    return readAll<SampledTextReader>(log);
}

} // namespace ep::powerlog
