// SPDX-License-Identifier: GPL-3.0-or-later
#include "run_row.h"

#include <nlohmann/json.hpp>

#include <limits>

namespace ep::store {

namespace {

using nlohmann::json;

std::string tagsToJson(const std::vector<std::string>& tags)
{
    return json(tags).dump(-1, ' ', false, json::error_handler_t::replace);
}

std::vector<std::string> tagsFromJson(const std::string& text)
{
    std::vector<std::string> tags;
    const json parsed = json::parse(text, nullptr, false);
    if (!parsed.is_array())
        return tags;
    for (const json& tag : parsed) {
        if (tag.is_string())
            tags.push_back(tag.get<std::string>());
    }
    return tags;
}

double orNan(const std::optional<double>& value)
{
    return value.value_or(std::numeric_limits<double>::quiet_NaN());
}

} // namespace

RunRow rowOf(const RunInfo& info, const RunMetrics& metrics)
{
    RunRow row;
    row.info = info;
    row.metrics = metrics;
    row.tags_json = tagsToJson(info.tags);
    if (const auto& quality = info.power.quality) {
        row.asked_interval_ms = quality->asked_interval_ms;
        row.sample_count = quality->samples;
        row.median_interval_ms = quality->median_interval_ms;
        row.p95_interval_ms = quality->p95_interval_ms;
        row.largest_gap_ms = quality->largest_gap_ms;
        row.coverage = quality->coverage;
    }
    return row;
}

RunSummary summaryOf(RunRow row)
{
    row.info.tags = tagsFromJson(row.tags_json);
    if (row.sample_count) {
        row.info.power.quality = PowerQuality{
            .asked_interval_ms = row.asked_interval_ms.value_or(0),
            .samples = *row.sample_count,
            .median_interval_ms = orNan(row.median_interval_ms),
            .p95_interval_ms = orNan(row.p95_interval_ms),
            .largest_gap_ms = orNan(row.largest_gap_ms),
            .coverage = orNan(row.coverage),
        };
    }
    return {std::move(row.info), std::move(row.metrics)};
}

std::string runColumnNames()
{
    std::string names;
    const RunRow row;
    visitColumns(row, [&](std::string_view name, const auto&) {
        names += names.empty() ? "" : ", ";
        names += name;
    });
    return names;
}

} // namespace ep::store
