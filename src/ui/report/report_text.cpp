// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/report_words.h"
#include "report/reports.h"
#include "text.h"

#include "ep/core/clock.h"
#include "ep/core/format.h"
#include "ep/core/known_energy.h"
#include "ep/core/stated_tokens.h"
#include "ep/energy/insights.h"
#include "ep/energy/quality.h"
#include "ep/ui/terms.h"
#include "ep/ui/theme.h"

#include <algorithm>
#include <cctype>

namespace ep::ui {

namespace {

std::string count(std::int64_t value)
{
    return value > 0 ? formatCount(value) : std::string(kMissingText);
}

std::string joined(const std::vector<std::string>& texts)
{
    std::string all;
    for (const std::string& text : texts)
        all += (all.empty() ? "" : ", ") + text;
    return all.empty() ? std::string(kMissingText) : all;
}

std::string orDash(const std::string& text)
{
    return text.empty() ? std::string(kMissingText) : text;
}

std::string meaning(Provenance provenance, const std::string& source)
{
    if (provenance != Provenance::Missing && source == "simulated")
        return said("those of a simulated machine, which say nothing about a real one");
    if (provenance != Provenance::Missing && source == "replay")
        return said("those of a recorded capture, which say nothing about this machine");
    switch (provenance) {
    case Provenance::Measured:
        return said("integrated from sensor samples over the windows they cover");
    case Provenance::Attributed:
        return said("shares of measured windows, divided among the work inside them");
    case Provenance::Calibrated:
        return said("attributed with unit costs measured on this machine");
    case Provenance::Modelled:
        return said(
            "computed from the load of the machine and its rated power, without any sensor");
    case Provenance::Imported:
        return said("read from another program's recording of power");
    case Provenance::Missing:
        return said("unavailable: no power source was used, or it does not cover the run");
    }
    return {};
}

std::string qualityText(const PowerQuality& quality)
{
    std::string text = said(
        "Quality of the power samples: %1. %2 samples, median interval %3 ms (requested %4), 95th "
        "percentile %5 ms, largest gap %6 ms; they cover %7 of the run.",
        term(name(quality.verdict)).toStdString(), std::to_string(quality.samples),
        formatSignificant(quality.median_interval_ms), std::to_string(quality.asked_interval_ms),
        formatSignificant(quality.p95_interval_ms), formatSignificant(quality.largest_gap_ms),
        energy::coverageText(quality.coverage));
    for (const std::string& reason : quality.reasons)
        text += ' ' + term(reason).toStdString();
    return text;
}

std::string weightsText(const RunInfo& info)
{
    if (info.model.weight_bytes <= 0)
        return kMissingText;
    const auto bits = energy::valueOf(energy::RunFeature::BitsPerWeight, info);
    return formatBytes(info.model.weight_bytes)
        + (bits ? ", " + said("%1 bits per weight", formatSignificant(*bits)) : std::string());
}

} // namespace

std::vector<std::vector<std::string>> manifestOf(const RunInfo& info)
{
    const SamplingSettings& s = info.sampling;
    std::vector<std::vector<std::string>> rows{
        {said("Run"), info.id},
        {said("Created"), isoTimestamp(info.created_at_ms)},
        {said("Status"),
         statusText(info.status).toStdString()
             + (info.status_message.empty() ? "" : ": " + info.status_message)},
        {said("Model"), info.model.name + " (" + orDash(info.model.architecture) + ")"},
        {said("Fingerprint"), orDash(info.model.fingerprint)},
        {said("Parameters"), count(info.model.parameters)},
        {said("Layers x width"),
         std::to_string(info.model.layers) + " x " + std::to_string(info.model.hidden_size)},
        {said("Heads (keys and values)"),
         std::to_string(info.model.attention_heads) + " (" + std::to_string(info.model.kv_heads)
             + ")"},
        {said("Weights in memory"), weightsText(info)},
        {said("Device, number format"),
         info.device + ", " + info.dtype
             + (info.model.quantization.empty() ? "" : " (" + info.model.quantization + ")")},
        {said("Depth"), term(name(info.depth)).toStdString()},
        {said("Attention, cache"),
         orDash(info.execution.attention) + ", " + orDash(info.execution.cache)},
        {said("Kernels"), orDash(info.profiling.kernels)},
        {said("Tokens in, out"),
         tokensText(inputTokens(info)) + ", " + tokensText(outputTokens(info))},
        {said("Sequences"), std::to_string(info.batch.empty() ? 1 : info.batch.size())},
        {said("Sampling"),
         said("temperature %1, top-k %2, top-p %3, min-p %4, repetition penalty %5, seed %6",
              formatSignificant(s.temperature), std::to_string(s.top_k), formatSignificant(s.top_p),
              formatSignificant(s.min_p), formatSignificant(s.repetition_penalty),
              std::to_string(s.seed))},
        {said("Power source"),
         info.power.source
             + (info.power.detail.empty() ? "" : ": " + term(info.power.detail).toStdString())},
        {said("Tags"), orDash(shownTagsText(info.tags).toStdString())},
        {said("Experiment"), orDash(info.experiment)},
        {said("Machine"), joined({orDash(info.environment.machine), orDash(info.environment.cpu)})},
        {said("System"), orDash(info.environment.os)},
        {said("Threads"), std::to_string(info.environment.threads)},
        {said("LibTorch, BLAS"),
         orDash(info.environment.torch_version) + ", " + orDash(info.environment.blas)},
        {said("Energy Profiler"), orDash(info.environment.app_version)}};
    return rows;
}

std::vector<std::string> methodOf(const Run& run)
{
    const PowerInfo& power = run.info.power;
    const Provenance provenance = run.metrics.energy.provenance;
    std::vector<std::string> method;
    method.push_back(
        said("The joules are %1: %2. The power source is %3.",
             energyLabel(power.source, provenance).toStdString(), meaning(provenance, power.source),
             power.source
                 + (power.detail.empty() ? "" : " (" + term(power.detail).toStdString() + ")"))
        + (power.notice.empty() ? "" : " " + term(power.notice).toStdString()));
    if (power.quality)
        method.push_back(qualityText(*power.quality));
    if (const auto& attribution = power.attribution) {
        method.push_back(said(
            "Energy was split over sections, layers and components by %1; the parts add up to "
            "the whole within %2.",
            term(name(attribution->method)).toStdString()
                + (attribution->note.empty() ? std::string()
                                             : " (" + term(attribution->note).toStdString() + ")"),
            formatPercent(attribution->closure)));
    }
    if (const auto clean = joulesPerTokenUnrecorded(run.info, run.metrics)) {
        method.push_back(said("All figures contain the cost of recording; without it, the energy "
                              "per token is %1.",
                              formatFigure(RunFigure::JoulesPerToken, clean)));
    }
    if (power.baseline && power.baseline->total_mw) {
        method.push_back(said(
            "Idle power before the run: %1 over %2. Net energy is the energy above it.",
            formatPower(power.baseline->total_mw), formatDuration(power.baseline->duration_ns)));
    } else {
        method.push_back(said("Idle power was not measured, so all energies are gross."));
    }
    method.push_back(
        said("A step is one forward pass; token 0 is produced by the prefill and includes its "
             "energy. All times are from one monotonic clock. Missing values are a dash, never a "
             "zero."));
    return method;
}

std::string fileNameOf(const viz::Scene& scene)
{
    std::string name;
    for (const char c : scene.title) {
        const auto byte = static_cast<unsigned char>(c);
        if (byte < 0x80 && std::isalnum(byte))
            name += static_cast<char>(std::tolower(byte));
        else if (!name.empty() && name.back() != '-')
            name += '-';
    }
    while (!name.empty() && name.back() == '-')
        name.pop_back();
    return name.empty() ? "chart" : name;
}

std::string worded(const Message& text)
{
    return term(text).toStdString();
}

std::string word(RunFigure figure)
{
    return worded(title(figure));
}

ChartSize gridSize(std::size_t rows)
{
    return {900.0, std::clamp(150.0 + 18.0 * static_cast<double>(rows), 220.0, 900.0)};
}

std::string intervalText(RunFigure metric, const std::optional<energy::Interval>& interval,
                         bool sign)
{
    return interval ? said("%1 to %2", formatFigure(metric, interval->low, sign),
                           formatFigure(metric, interval->high, sign))
                    : std::string(kMissingText);
}

} // namespace ep::ui
