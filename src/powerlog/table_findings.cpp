// SPDX-License-Identifier: GPL-3.0-or-later
#include "table_reader.h"

#include "ep/core/format.h"

#include <array>

namespace ep::powerlog {

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
