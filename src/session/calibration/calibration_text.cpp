// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/core/format.h"
#include "ep/session/calibrate.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <vector>

namespace ep::session {

namespace {

using CalibrationJson = nlohmann::ordered_json;

std::vector<CalibratedKind> largestFirst(const CalibrationRecord& record)
{
    std::vector<CalibratedKind> kinds = record.kinds;
    std::ranges::stable_sort(kinds, std::ranges::greater{}, &CalibratedKind::share);
    return kinds;
}

std::string inColumn(std::string text, std::size_t width)
{
    text.resize(std::max(width, text.size()), ' ');
    return text;
}

std::string kindLine(const CalibratedKind& kind, double tokenJoules)
{
    std::string line = inColumn(kind.kind, 26) + inColumn(formatPercent(kind.share), 9)
        + inColumn("± " + formatPercent(kHalfInterval95 * kind.tau * kind.share), 12)
        + inColumn(formatEnergy(Millijoules{1e3 * kind.share * tokenJoules}) + " per token", 20);
    if (kind.bytes > 0.0 && kind.share > 0.0)
        line += inColumn(
            formatSignificant(1e12 * kind.share * tokenJoules / kind.bytes) + " pJ/byte", 16);
    if (kind.doubled_share)
        line += "more often in a token: " + formatPercent(*kind.doubled_share);
    if (!kind.problem.empty())
        line += "\n    not used: " + kind.problem;
    return line + '\n';
}

CalibrationJson shareJson(const std::optional<double>& value)
{
    return value ? CalibrationJson(*value) : CalibrationJson();
}

} // namespace

std::string calibrationToText(const CalibrationReport& report)
{
    const CalibrationRecord& record = report.record;
    std::string text = record.model + ", " + record.dtype + " on " + record.device + ", "
        + record.source + ": a token takes " + formatEnergy(Millijoules{1e3 * record.token_joules})
        + " beyond the idle machine's " + formatPower(Milliwatts{1e3 * record.idle_watts}) + "\n\n";
    for (const CalibratedKind& kind : largestFirst(record))
        text += kindLine(kind, record.token_joules);
    text += "\nTogether " + formatPercent(record.kappa) + " of a token ± "
        + formatPercent(kHalfInterval95 * record.kappa_sd) + "; drift "
        + formatPercent(record.drift) + "; " + formatSignificant(report.seconds) + " s\n";
    if (!report.usable())
        text += "\nNot used: " + report.refusal.english() + '\n';
    return text;
}

std::string calibrationToJson(const CalibrationReport& report)
{
    const CalibrationRecord& record = report.record;
    CalibrationJson kinds = CalibrationJson::array();
    for (const CalibratedKind& kind : record.kinds) {
        kinds.push_back({{"kind", kind.kind},
                         {"calls", kind.calls},
                         {"footprint_bytes", kind.footprint_bytes},
                         {"flops", kind.flops},
                         {"bytes", kind.bytes},
                         {"seconds", kind.seconds},
                         {"share", kind.share},
                         {"share_sd", kind.share_sd},
                         {"doubled_share", shareJson(kind.doubled_share)},
                         {"doubled_share_sd", shareJson(kind.doubled_share_sd)},
                         {"tau", kind.tau},
                         {"problem", kind.problem}});
    }
    const CalibrationJson json{{"format", "energy-profiler-calibration"},
                               {"version", 1},
                               {"id", record.id},
                               {"machine", record.machine},
                               {"os", record.os},
                               {"device", record.device},
                               {"dtype", record.dtype},
                               {"model", record.model},
                               {"fingerprint", record.fingerprint},
                               {"attention", record.attention},
                               {"kernels", record.kernels},
                               {"threads", record.threads},
                               {"source", record.source},
                               {"position", record.position},
                               {"measured_at_ms", record.measured_at_ms},
                               {"idle_watts", record.idle_watts},
                               {"token_joules", record.token_joules},
                               {"token_seconds", record.token_seconds},
                               {"drift", record.drift},
                               {"kappa", record.kappa},
                               {"kappa_sd", record.kappa_sd},
                               {"refusal", report.refusal},
                               {"kinds", kinds}};
    return json.dump(2, ' ', false, CalibrationJson::error_handler_t::replace);
}

} // namespace ep::session
