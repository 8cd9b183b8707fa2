// SPDX-License-Identifier: GPL-3.0-or-later
#include "answer_text.h"

#include "run_text.h"
#include "terminal.h"

#include "ep/core/format.h"
#include "ep/core/known_energy.h"
#include "ep/core/run_figure.h"
#include "ep/core/stated_deviation.h"
#include "ep/energy/energy_origin.h"

#include <algorithm>
#include <array>

namespace ep::app {

namespace {

// How the energy of the run was obtained: "Measured by rapl".
std::string originText(const Run& run)
{
    const std::string& source = run.info.power.source;
    const Provenance provenance = knownEnergy(run).provenance;
    if (provenance == Provenance::Missing && (source == "none" || source.empty()))
        return "No power source, so no energy: see energy-profiler doctor";
    return filled(energy::originOf(source, provenance).statement, {source});
}

// How the energy was obtained, and as many reasons for its quality as two lines hold.
std::string trustText(const Run& run)
{
    constexpr std::ptrdiff_t kLines = 2;
    std::string text = originText(run);
    const auto& quality = run.info.power.quality;
    if (!quality)
        return wrapped(text + '.') + '\n';
    text += "; quality " + std::string(name(quality->verdict));
    std::string fits = wrapped(text + '.');
    for (std::size_t i = 0; i < quality->reasons.size(); ++i) {
        text += (i == 0 ? ": " : " ") + quality->reasons[i].english();
        std::string longer = wrapped(text);
        if (i > 0 && std::ranges::count(longer, '\n') >= kLines)
            break;
        fits = std::move(longer);
    }
    return fits + '\n';
}

// "± 5.9 %": the half of the 95 % interval.
std::string relativeInterval(double value, const std::optional<Millijoules>& sd)
{
    if (!sd || !(value > 0.0))
        return {};
    return " ± " + formatPercent(kHalfInterval95 * sd->value / value);
}

std::string withInterval(const Tally& sum)
{
    const auto sd = statedDeviation(sum.sd_mj, sum.provenance);
    return formatEnergy(sum)
        + (sum.energy_mj && !sum.partial() ? relativeInterval(sum.energy_mj->value, sd)
                                           : std::string());
}

std::string energyValue(const Run& run)
{
    const Tally known = knownEnergy(run);
    std::string text = formatEnergy(known);
    if (!known.energy_mj)
        return text;
    const auto sd = statedDeviation(known.sd_mj, known.provenance);
    text += sd && !known.partial() ? ' ' + formatInterval95(*sd) : " (no interval)";
    if (run.metrics.mean_power_mw)
        text += ", " + formatPower(run.metrics.mean_power_mw) + " on average";
    return text;
}

std::string perTokenValue(const Run& run)
{
    struct Figure {
        RunFigure figure;
        const char* of;
    };
    constexpr std::array kFigures{
        Figure{RunFigure::JoulesPerToken, " per output token"},
        Figure{RunFigure::JoulesPerTotalToken, " per input and output token"},
        Figure{RunFigure::JoulesPerOutputToken, " per decoded token"}};
    const Tally whole = knownEnergy(run);
    std::string text;
    for (const Figure& one : kFigures) {
        const auto value = valueOf(one.figure, run.info, run.metrics);
        if (!value)
            continue;
        Tally from = whole;
        if (one.figure == RunFigure::JoulesPerOutputToken) {
            const auto decode =
                std::ranges::find(run.trace.phases, Phase::Decode, &PhaseSpan::phase);
            from = decode == run.trace.phases.end() ? Tally() : knownEnergy(run.trace, *decode);
        }
        const auto sd = statedDeviation(from.sd_mj, from.provenance);
        text += (text.empty() ? "" : ", ") + formatCell(one.figure, value)
            + (from.complete() ? relativeInterval(from.energy_mj->value, sd) : std::string())
            + one.of;
    }
    return text;
}

std::string tokensValue(const Run& run)
{
    std::string text = energy::factOf({run.info, run.metrics}, "tokens").value.english() + ", "
        + formatDuration(run.metrics.duration_ns);
    if (const auto& first = run.metrics.time_to_first_token_ns)
        text += "; first after " + formatDuration(*first);
    if (const auto speed = valueOf(RunFigure::TokensPerSecond, run.info, run.metrics))
        text += ", then " + formatFigure(RunFigure::TokensPerSecond, speed);
    return text;
}

// The phases that users know; preparation and the time between phases count as the rest.
std::string phasesValue(const Run& run)
{
    std::string text;
    Tally named;
    for (const PhaseSpan& phase : run.trace.phases) {
        if (phase.phase == Phase::Idle || phase.phase == Phase::PreInference
            || phase.phase == Phase::PostInference)
            continue;
        const Tally known = knownEnergy(run.trace, phase);
        named.add(known);
        text += std::string(name(phase.phase)) + ' ' + withInterval(known) + " in "
            + formatDuration(known.duration_ns) + ", ";
    }
    if (text.empty())
        return text;
    const Tally rest = knownEnergy(run) - named;
    return text + "rest " + formatEnergy(rest) + " in " + formatDuration(rest.duration_ns);
}

} // namespace

std::string openingText(const Run& run, const Message& answer)
{
    return wrapped(answer.english()) + '\n' + trustText(run);
}

std::string figuresText(const Run& run)
{
    std::string text = titledLine("energy", energyValue(run));
    for (const auto& [title, value] :
         {std::pair{"J/token", perTokenValue(run)}, std::pair{"tokens", tokensValue(run)},
          std::pair{"phases", phasesValue(run)}}) {
        if (!value.empty())
            text += titledLine(title, value);
    }
    if (run.info.status == RunStatus::Complete && !run.info.status_message.empty())
        text += titledLine("note", run.info.status_message.english());
    return text;
}

std::string savedLine(const Run& run, const std::filesystem::path& database)
{
    const std::string whole =
        titledLine("saved", shortId(run.info.id) + " in " + database.string());
    return std::ranges::count(whole, '\n') == 1 ? whole : titledLine("saved", shortId(run.info.id));
}

} // namespace ep::app
