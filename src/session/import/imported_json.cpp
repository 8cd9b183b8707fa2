// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/session/import_power.h"

#include <nlohmann/json.hpp>

namespace ep::session {

namespace {

using ImportJson = nlohmann::ordered_json;

ImportJson valueOrNull(const auto& value)
{
    return value ? ImportJson(*value) : ImportJson();
}

const char* clockName(powerlog::Clock clock)
{
    switch (clock) {
    case powerlog::Clock::Epoch:
        return "epoch";
    case powerlog::Clock::Local:
        return "local";
    case powerlog::Clock::Own:
        break;
    }
    return "own";
}

ImportJson railsJson(const powerlog::Recording& recording)
{
    ImportJson rails = ImportJson::object();
    for (const powerlog::RailRecording& rail : recording.rails) {
        rails[rail.name] = {{"joules", rail.poor ? ImportJson() : ImportJson(rail.joules)},
                            {"joules_as_read", rail.joules},
                            {"rule", powerlog::name(rail.rule)},
                            {"samples", rail.samples},
                            {"unavailable", rail.unavailable},
                            {"covered_s", rail.covered_s},
                            {"least_w", rail.least_w},
                            {"most_w", rail.most_w},
                            {"part", rail.part}};
    }
    return rails;
}

ImportJson phasesJson(const PowerImport& imported)
{
    ImportJson phases = ImportJson::array();
    for (const ImportedPhase& phase : imported.phases) {
        // Under the name that the figure has in the API; null for the others.
        const auto perToken = [&](bool here) {
            return valueOrNull(here ? phase.joulesPerToken() : std::nullopt);
        };
        const bool together = phase.requests > 1;
        phases.push_back(
            {{"request", phase.request + 1},
             {"requests", phase.requests},
             {"phase", std::string(name(phase.phase))},
             {"begin", static_cast<double>(phase.time.begin_ns) * 1e-9},
             {"seconds", toSeconds(phase.time.duration_ns())},
             {"tokens", valueOrNull(phase.tokens)},
             {"windows", phase.windows},
             {"joules", valueOrNull(phase.joules)},
             {"edge_joules", phase.joules ? ImportJson(phase.edge_joules) : ImportJson()},
             {"joules_per_token", perToken(together)},
             {"joules_per_input_token", perToken(!together && phase.phase == Phase::Prefill)},
             {"joules_per_output_token", perToken(!together && phase.phase == Phase::Decode)},
             {"refusal", phase.refusal}});
    }
    return phases;
}

} // namespace

std::string importedPowerJson(const PowerImport& imported, bool stored)
{
    const powerlog::Recording& recording = imported.recording;
    ImportJson json;
    json["format"] = recording.format;
    json["format_title"] = recording.format_title;
    json["rows"] = recording.rows;
    json["first"] = static_cast<double>(recording.first_ns + imported.zone_ns) * 1e-9;
    json["last"] = static_cast<double>(recording.last_ns + imported.zone_ns) * 1e-9;
    json["clock"] = clockName(recording.clock);
    json["rails"] = railsJson(recording);
    json["columns"] = ImportJson::array();
    for (const powerlog::ColumnUse& column : recording.columns)
        json["columns"].push_back({{"header", column.header}, {"meaning", column.meaning}});
    json["notes"] = imported.notes;
    json["verdict"] = powerlog::verdictName(recording.verdict());
    json["offset"] = imported.offset ? ImportJson({{"seconds", imported.offset->seconds},
                                                   {"low_s", imported.offset->low_s},
                                                   {"high_s", imported.offset->high_s},
                                                   {"correlation", imported.offset->correlation}})
                                     : ImportJson();
    json["requests"] = imported.requests
        ? ImportJson({{"format", imported.requests->format},
                      {"model", imported.requests->model},
                      {"count", imported.requests->requests.size()}})
        : ImportJson();
    json["phases"] = phasesJson(imported);
    json["run"] = stored ? ImportJson(imported.run.info.id) : ImportJson();
    return json.dump(2, ' ', false, ImportJson::error_handler_t::replace) + '\n';
}

} // namespace ep::session
