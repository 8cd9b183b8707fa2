// SPDX-License-Identifier: GPL-3.0-or-later
// Property lists of powermetrics, which asitop also writes.
#include "log.h"

#include "ep/power/plist_splitter.h"
#include "ep/power/powermetrics_document.h"

#include <optional>

namespace ep::powerlog {

namespace {

using energy::Measured;

class PlistLogReader {
public:
    explicit PlistLogReader(Log& log)
        : m_log(log)
    {
    }

    Status take(std::string_view document, std::int64_t row);
    Status finish(int discarded);

private:
    Status add(const char* rail, Measured measured, const char* part,
               std::optional<std::int64_t> energyMj, std::optional<double> powerMw,
               Reading reading);

    Log& m_log;
    std::int64_t m_documents = 0;
    std::int64_t m_unusable = 0;
    std::optional<Error> m_firstError;
};

Status PlistLogReader::add(const char* rail, Measured measured, const char* part,
                           std::optional<std::int64_t> energyMj, std::optional<double> powerMw,
                           Reading reading)
{
    if (energyMj)
        reading.value = static_cast<double>(*energyMj) * 1e-3 / reading.length_s;
    else if (powerMw)
        reading.value = *powerMw * 1e-3;
    else
        return {};
    const auto index = m_log.collector.rail({.name = rail,
                                             .rule = Rule::Interval,
                                             .measured = measured,
                                             .part = part,
                                             .coarse_stamps = true},
                                            reading.row);
    return index ? m_log.collector.add(*index, reading) : index.error();
}

Status PlistLogReader::take(std::string_view text, std::int64_t row)
{
    const auto document = power::readPowermetricsDocument(text);
    if (!document || !document->elapsed_ns || *document->elapsed_ns <= 0) {
        ++m_unusable;
        if (!document && !m_firstError)
            m_firstError = document.error();
        return {};
    }
    Reading reading{.length_s = toSeconds(*document->elapsed_ns), .row = row};
    const auto at = document->timestamp.empty() ? m_log.clock.atIndex(m_documents, row)
                                                : m_log.clock.at(document->timestamp, row);
    if (!at)
        return at.error();
    reading.at_ns = *at;
    ++m_documents;
    const auto& d = *document;
    const auto gpu = d.gpu_energy_mj ? d.gpu_energy_mj : d.gpu_section_energy_mj;
    struct Row {
        const char* rail;
        Measured measured;
        const char* part;
        std::optional<std::int64_t> energy_mj;
        std::optional<double> power_mw;
    };
    const auto milli = [](const std::optional<double>& value) {
        return value ? std::optional(*value * 1e3) : std::nullopt;
    };
    const bool intel = d.package_watts.has_value();
    const Row rows[] = {
        {"cpu", Measured::Processor, "cpu", d.cpu_energy_mj, d.cpu_power_mw},
        {"gpu", Measured::Graphics, "gpu", gpu, d.gpu_power_mw},
        {"ane", Measured::NeuralEngine, "ane", d.ane_energy_mj, d.ane_power_mw},
        {"dram", Measured::Memory, "dram", d.dram_energy_mj, d.dram_power_mw},
        {"combined", Measured::Machine, "sum", {}, d.combined_power_mw},
        {"package", intel ? Measured::Processor : Measured::Machine, intel ? "cpu" : "sum",
         d.package_energy_mj, intel ? milli(d.package_watts) : d.package_power_mw},
    };
    for (const Row& one : rows) {
        if (const Status added =
                add(one.rail, one.measured, one.part, one.energy_mj, one.power_mw, reading);
            !added)
            return added;
    }
    return {};
}

Status PlistLogReader::finish(int discarded)
{
    if (m_documents == 0 && m_firstError)
        return rowError(1, m_firstError->message);
    const std::int64_t lost = m_unusable + discarded;
    if (lost > 0)
        m_log.collector.note(
            Weight::Note,
            Message("%1 property lists are cut off or unusable and were left out.", lost));
    return {};
}

} // namespace

Status readPlistLog(Log& log)
{
    log.recording.format = "powermetrics-plist";
    log.recording.format_title = "powermetrics, asitop (property lists)";
    power::PlistSplitter splitter;
    PlistLogReader reader(log);
    const auto drain = [&](std::int64_t row) -> Status {
        while (const auto document = splitter.next()) {
            if (const Status taken = reader.take(*document, row); !taken)
                return taken;
        }
        return {};
    };
    const Status all = log.lines.forEach([&](std::string_view line) -> Status {
        splitter.append(line);
        splitter.append("\n");
        return line.find("</plist>") == std::string_view::npos ? Status() : drain(log.lines.row());
    });
    if (!all)
        return all;
    splitter.finish();
    if (const Status drained = drain(log.lines.row()); !drained)
        return drained;
    return reader.finish(splitter.discarded());
}

} // namespace ep::powerlog
