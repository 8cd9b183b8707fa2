// SPDX-License-Identifier: GPL-3.0-or-later
#include "energy_text.h"

#include "run_text.h"
#include "terminal.h"
#include "text_table.h"

#include "ep/core/disturbed_tokens.h"
#include "ep/core/format.h"
#include "ep/core/metrics.h"
#include "ep/core/run_figure.h"
#include "ep/core/stated_deviation.h"
#include "ep/energy/baseline.h"

#include <algorithm>
#include <array>
#include <iterator>

namespace ep::app {

namespace {

std::string netLine(const Run& run)
{
    const EnergyValue& energy = run.metrics.energy;
    const Nanoseconds duration = run.metrics.duration_ns;
    const auto idle = staticEnergy(duration, run.info.power.baseline);
    std::string text = formatEnergy(energy.total_mj);
    const auto stated = statedDeviation(energy.sd_mj, energy.provenance);
    if (stated)
        text += ' ' + formatInterval95(*stated);
    if (!idle)
        return text + " gross; net unknown without a baseline";
    const auto& baseline = run.info.power.baseline;
    const auto net = netEnergy(energy.total_mj, duration, baseline);
    if (energy.total_mj && !net)
        return text + " gross; net unknown: the baseline needs more in the same time, "
            + formatEnergy(idle);
    text += " gross; " + formatEnergy(net);
    if (const auto sd = energy::netDeviation(stated, duration, baseline))
        text += ' ' + formatInterval95(*sd);
    text += " net (dynamic); " + formatEnergy(idle) + " static";
    if (energy.total_mj && energy.total_mj->value > 0.0)
        text += ", " + formatPercent(*idle / *energy.total_mj);
    return text;
}

std::string railTable(const Run& run)
{
    using Align = TextTable::Align;
    TextTable table({{"rail"},
                     {"energy", Align::Right},
                     {"net", Align::Right},
                     {"peak", Align::Right},
                     {"at", Align::Right}});
    const EnergyValue& energy = run.metrics.energy;
    const auto net =
        energy::netRails(energy.rails_mj, run.metrics.duration_ns, run.info.power.baseline);
    const auto peaks = peaksOf(run.trace);
    for (const Rail rail : kRails) {
        if (!energy.rails_mj[rail])
            continue;
        auto peak = peaks[rail];
        if (peak) // a run shorter than a window has a share of it that may be above its mean
            peak->power =
                std::max(peak->power, meanPower(*energy.rails_mj[rail], run.metrics.duration_ns));
        table.addRow({std::string(name(rail)), formatEnergy(energy.rails_mj[rail]),
                      formatEnergy(net[rail]),
                      peak ? formatPower(peak->power) : std::string(kMissingText),
                      peak ? formatDuration(peak->at_ns - run.trace.time.begin_ns)
                           : std::string(kMissingText)});
    }
    if (const auto outside = energy::outsideRails(energy))
        table.addRow(
            {"not in any rail", formatEnergy(outside), kMissingText, kMissingText, kMissingText});
    return table.toString();
}

std::string edpLine(const Run& run)
{
    const auto text = [](std::optional<double> edp) {
        return formatFigure(RunFigure::EnergyDelayProduct, edp);
    };
    std::string line = "run " + text(run.metrics.edp_joule_seconds);
    for (const PhaseSpan& phase : run.trace.phases) {
        if (phase.phase == Phase::Prefill || phase.phase == Phase::Decode)
            line.append(", ")
                .append(name(phase.phase))
                .append(" ")
                .append(text(energyDelayProduct(phase.energy.total_mj, phase.time.duration_ns())));
    }
    double sum = 0.0;
    std::size_t known = 0;
    for (const TokenSpan& token : run.trace.tokens) {
        if (const auto edp = energyDelayProduct(token.energy.total_mj, token.time.duration_ns())) {
            sum += *edp;
            ++known;
        }
    }
    if (known > 0)
        line += ", token " + text(sum / static_cast<double>(known)) + " (mean)";
    return line;
}

std::string tariffLine(const Run& run, const energy::Tariff& tariff)
{
    const Millijoules energy = *run.metrics.energy.total_mj;
    std::string text = formatMoney(energy::costUsd(energy, tariff)) + " at "
        + formatSignificant(tariff.usd_per_kwh) + " USD/kWh; "
        + formatMass(energy::emittedGrams(energy, tariff)) + " CO2 at "
        + formatSignificant(tariff.grams_per_kwh) + " g/kWh (" + tariff.region;
    if (!tariff.date.empty())
        text += ", " + tariff.date;
    return text + ")";
}

} // namespace

std::string attributionLine(const AttributionRecord& record)
{
    std::string text = "split by " + std::string(name(record.method));
    if (!record.note.empty())
        text += " (" + record.note + ")";
    if (record.method != AttributionMethod::Time && record.fit) {
        for (const Rail rail : kRails) {
            const auto& costs = record.fit->rails[rail];
            if (!costs)
                continue;
            text.append("; ").append(name(rail)).append(" ");
            text += formatSignificant(costs->pj_per_byte) + " pJ/byte, "
                + formatSignificant(costs->pj_per_flop) + " pJ/FLOP, "
                + formatPower(Milliwatts{costs->time_mw});
        }
        text += "; " + std::to_string(record.fit->windows) + " windows, condition number "
            + formatSignificant(record.fit->condition);
    }
    if (record.offset_applied)
        text += "; power shifted by " + formatSignificant(toMilliseconds(record.offset_ns)) + " ms";
    return text + "; closure " + formatSignificant(record.closure);
}

std::string baselineLine(const BaselineRecord& baseline)
{
    std::string text = formatPower(baseline.total_mw);
    if (baseline.total_sd_mw)
        text += ", standard deviation " + formatPower(baseline.total_sd_mw);
    return text + " over " + formatDuration(baseline.duration_ns) + ", "
        + std::to_string(baseline.samples) + " samples, "
        + (baseline.moment == BaselineMoment::BeforeLoad ? "before the model was loaded"
                                                         : "after the model was loaded")
        + "; " + formatDuration(baseline.age_ns) + " old";
}

std::string verdictLine(const PowerQuality& quality)
{
    std::string text(name(quality.verdict));
    for (const std::string& reason : quality.reasons)
        text += (&reason == &quality.reasons.front() ? ": " : " ") + reason;
    return text;
}

namespace {

// Empty unless the energy of decoded tokens is known.
std::string typicalLine(const Run& run)
{
    const auto& joules = run.metrics.joules_per_typical_token;
    if (!joules)
        return {};
    const auto decoded = std::ranges::count(run.trace.tokens, Phase::Decode, &TokenSpan::phase);
    const auto used = std::ssize(typicalTokens(run.trace.tokens));
    std::string text = formatFigure(RunFigure::JoulesPerTypicalToken, joules)
        + ", the median of the decoded tokens";
    if (used < decoded) {
        text += " without the " + std::to_string(decoded - used) + " of " + std::to_string(decoded)
            + " that other programs disturbed";
    }
    return titledLine("typical", text);
}

} // namespace

std::string energyDetails(const Run& run, const energy::Tariff& tariff)
{
    const PowerInfo& power = run.info.power;
    std::string text;
    if (power.quality)
        text += titledLine("quality", verdictLine(*power.quality));
    if (!run.metrics.energy.total_mj) {
        if (power.attribution)
            text += titledLine("method", attributionLine(*power.attribution));
        return text;
    }
    if (power.baseline)
        text += titledLine("baseline", baselineLine(*power.baseline));
    text += titledLine("total", netLine(run));
    if (power.attribution)
        text += titledLine("method", attributionLine(*power.attribution));
    text += typicalLine(run);
    text += titledLine("EDP", edpLine(run));
    if (const auto share = energy::utilisation(RunSummary{run.info, run.metrics}))
        text += titledLine("load",
                           formatPercent(*share) + " of the rated " + formatPower(power.rated_mw));
    text += titledLine("cost", tariffLine(run, tariff));
    if (const auto share = energy::batteryShare(run.metrics.energy.total_mj, power.battery_mj))
        text += titledLine("battery", formatSignificant(*share * 100.0) + " % of a full battery");
    const auto answers = energy::answersPerCharge(RunSummary{run.info, run.metrics});
    if (answers.in_a_row) {
        text += titledLine("charge",
                           formatSignificant(*answers.in_a_row) + " answers like this in a row, "
                               + (answers.every_three_minutes
                                      ? formatSignificant(*answers.every_three_minutes)
                                      : std::string(kMissingText))
                               + " at one every three minutes"
                               + (answers.reason.empty() ? "" : "; " + answers.reason));
    } else {
        text += titledLine("charge", kMissingText + std::string("  ") + answers.reason);
    }
    for (const SecondarySource& other : run.trace.secondary) {
        std::string said = other.source + ": " + std::to_string(other.samples.size()) + " samples";
        if (!other.notice.empty())
            said += "; " + other.notice;
        text += titledLine("also", said);
    }
    return text + '\n' + railTable(run);
}

} // namespace ep::app
