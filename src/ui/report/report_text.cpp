// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/reports.h"

#include "ep/core/clock.h"
#include "ep/core/format.h"
#include "ep/energy/insights.h"

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

const char* meaning(Provenance provenance)
{
    switch (provenance) {
    case Provenance::Measured:
        return "integrated from sensor samples over the windows they cover";
    case Provenance::Attributed:
        return "shares of measured windows, divided among the work inside them";
    case Provenance::Calibrated:
        return "attributed with unit costs measured on this machine";
    case Provenance::Modelled:
        return "computed from the load of the machine and its rated power, without any sensor";
    case Provenance::Missing:
        return "unavailable: no power source was used, or it does not cover the run";
    }
    return "";
}

std::string qualityText(const PowerQuality& quality)
{
    std::string text = "Quality of the power samples: " + std::string(name(quality.verdict)) + ". "
        + std::to_string(quality.samples) + " samples, median interval "
        + formatSignificant(quality.median_interval_ms) + " ms (requested "
        + std::to_string(quality.asked_interval_ms) + "), 95th percentile "
        + formatSignificant(quality.p95_interval_ms) + " ms, largest gap "
        + formatSignificant(quality.largest_gap_ms) + " ms; they cover "
        + formatPercent(quality.coverage) + " of the run.";
    for (const std::string& reason : quality.reasons)
        text += ' ' + reason;
    return text;
}

std::string weightsText(const RunInfo& info)
{
    if (info.model.weight_bytes <= 0)
        return kMissingText;
    const auto bits = energy::valueOf(energy::RunFeature::BitsPerWeight, info);
    return formatBytes(info.model.weight_bytes)
        + (bits ? ", " + formatSignificant(*bits) + " bits per weight" : "");
}

} // namespace

std::vector<std::vector<std::string>> manifestOf(const RunInfo& info)
{
    const SamplingSettings& s = info.sampling;
    std::vector<std::vector<std::string>> rows{
        {"Run", info.id},
        {"Created", isoTimestamp(info.created_at_ms)},
        {"Status",
         std::string(name(info.status))
             + (info.status_message.empty() ? "" : ": " + info.status_message)},
        {"Model", info.model.name + " (" + orDash(info.model.architecture) + ")"},
        {"Fingerprint", orDash(info.model.fingerprint)},
        {"Parameters", count(info.model.parameters)},
        {"Layers x width",
         std::to_string(info.model.layers) + " x " + std::to_string(info.model.hidden_size)},
        {"Heads (keys and values)",
         std::to_string(info.model.attention_heads) + " (" + std::to_string(info.model.kv_heads)
             + ")"},
        {"Weights in memory", weightsText(info)},
        {"Device, number format",
         info.device + ", " + info.dtype
             + (info.model.quantization.empty() ? "" : " (" + info.model.quantization + ")")},
        {"Depth", std::string(name(info.depth))},
        {"Attention, cache",
         orDash(info.execution.attention) + ", " + orDash(info.execution.cache)},
        {"Kernels", orDash(info.profiling.kernels)},
        {"Tokens in, out",
         std::to_string(info.input_tokens) + ", " + std::to_string(info.output_tokens)},
        {"Sequences", std::to_string(info.batch.empty() ? 1 : info.batch.size())},
        {"Sampling",
         "temperature " + formatSignificant(s.temperature) + ", top-k " + std::to_string(s.top_k)
             + ", top-p " + formatSignificant(s.top_p) + ", min-p " + formatSignificant(s.min_p)
             + ", repetition penalty " + formatSignificant(s.repetition_penalty) + ", seed "
             + std::to_string(s.seed)},
        {"Power source",
         info.power.source + (info.power.detail.empty() ? "" : ": " + info.power.detail)},
        {"Tags", joined(info.tags)},
        {"Experiment", orDash(info.experiment)},
        {"Machine", joined({orDash(info.environment.machine), orDash(info.environment.cpu)})},
        {"System", orDash(info.environment.os)},
        {"Threads", std::to_string(info.environment.threads)},
        {"LibTorch, BLAS",
         orDash(info.environment.torch_version) + ", " + orDash(info.environment.blas)},
        {"Energy Profiler", orDash(info.environment.app_version)}};
    return rows;
}

std::vector<std::string> methodOf(const Run& run)
{
    const PowerInfo& power = run.info.power;
    const Provenance provenance = run.metrics.energy.provenance;
    std::vector<std::string> method;
    method.push_back("The joules are " + std::string(name(provenance)) + ": " + meaning(provenance)
                     + ". The power source is " + power.source
                     + (power.detail.empty() ? "" : " (" + power.detail + ")") + "."
                     + (power.notice.empty() ? "" : " " + power.notice));
    if (power.quality)
        method.push_back(qualityText(*power.quality));
    if (const auto& attribution = power.attribution) {
        method.push_back(
            "Energy was split over sections, layers and components by "
            + std::string(name(attribution->method))
            + (attribution->note.empty() ? std::string() : " (" + attribution->note + ")")
            + "; the parts add up to the whole within " + formatPercent(attribution->closure)
            + ".");
    }
    if (power.baseline && power.baseline->total_mw) {
        method.push_back("Idle power before the run: " + formatPower(power.baseline->total_mw)
                         + " over " + formatDuration(power.baseline->duration_ns)
                         + ". Net energy is the energy above it.");
    } else {
        method.emplace_back("Idle power was not measured, so all energies are gross.");
    }
    method.emplace_back(
        "A step is one forward pass; token 0 is produced by the prefill and includes its energy. "
        "All times are from one monotonic clock. Missing values are a dash, never a zero.");
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

} // namespace ep::ui
