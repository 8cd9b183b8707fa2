// SPDX-License-Identifier: GPL-3.0-or-later
// The text of powermetrics: a header for each sample, then lines such as "CPU Power: 404 mW".
#include "formats.h"
#include "log.h"

#include <array>
#include <map>
#include <optional>

namespace ep::powerlog {

namespace {

using energy::Measured;

constexpr std::size_t kLengths = 2; // a column of its own
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

    Status line(std::string_view text, std::int64_t row);
    Status finish();

private:
    Status begin(std::string_view text, std::int64_t row);
    Status end();

    Log& m_log;
    std::optional<OpenSample> m_sample;
    bool m_summary = false;
    std::size_t m_usualRails = 0; // number of rails in the previous sample
};

Status SampledTextReader::begin(std::string_view text, std::int64_t row)
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
    const auto length = m_log.numbers.read(text.substr(open + 1, unit - open - 1), kLengths, row);
    if (!length || length->value < 0.0)
        return rowError(row, "the sample states no length.");
    const auto at = m_log.clock.at(text.substr(0, close), row);
    if (!at)
        return at.error();
    m_sample = OpenSample{.at_ns = *at, .length_s = length->value * 1e-3, .row = row, .values = {}};
    m_summary = false;
    return {};
}

Status SampledTextReader::end()
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

Status SampledTextReader::line(std::string_view text, std::int64_t row)
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
            return {}; // its number may be truncated
        const auto number = m_log.numbers.read(text.substr(colon + 1), LogNumbers::kValues, row);
        const auto unit = number ? unitFrom(number->rest) : std::nullopt;
        if (!number || !unit || unit->of != Unit::Of::Power)
            return rowError(row, Message("%1 is not a power.", quoteCell(text)));
        // The first line with a name counts, because clusters follow the whole.
        m_sample->values.try_emplace(known.rail, &known, number->value * unit->factor);
        return {};
    }
    return {};
}

Status SampledTextReader::finish()
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

} // namespace

Status readSampledText(Log& log)
{
    log.recording.format = "powermetrics-text";
    log.recording.format_title = "powermetrics (text)";
    SampledTextReader reader(log);
    const Status read = log.lines.forEach(
        [&](std::string_view line) { return reader.line(line, log.lines.row()); });
    return read ? reader.finish() : read;
}

} // namespace ep::powerlog
