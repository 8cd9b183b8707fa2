// SPDX-License-Identifier: GPL-3.0-or-later
#include "support/sample_run.h"

#include "support/sample_records.h"

#include <algorithm>
#include <array>

namespace ep::test {

namespace {

constexpr Nanoseconds kMicrosecond = 1'000;
constexpr Nanoseconds kRunBegin = 5'000'000'000;
constexpr Nanoseconds kWindow = 5'000'000;
constexpr Nanoseconds kMargin = 2 * kWindow; // idle samples before and after the run
constexpr Nanoseconds kGap = 20 * kMicrosecond; // time that no child explains, at every level

constexpr std::array kComponents{
    Component::InputLayernorm,
    Component::QProj,
    Component::KProj,
    Component::VProj,
    Component::Attention,
    Component::OProj,
    Component::PostAttentionLayernorm,
    Component::GateProj,
    Component::UpProj,
    Component::Activation,
    Component::DownProj,
    Component::Residual,
};

constexpr std::array kOperations{
    Operation::Rotary,    Operation::QkMatmul, Operation::Scale,
    Operation::MaskApply, Operation::Softmax,  Operation::ValueMatmul,
};

constexpr std::array kWords{"The", " cat", " sat", " on", " the", " mat", ",", " caf\u00e9"};

// Contiguous windows of known power, and the running integral of each rail.
class PowerTrace {
public:
    PowerTrace(Nanoseconds begin, Nanoseconds end)
        : m_begin(begin)
    {
        PerRail<Millijoules> sum;
        for (const Rail rail : {Rail::Cpu, Rail::Gpu, Rail::Ane, Rail::System})
            sum[rail] = Millijoules{0.0};
        m_sums.push_back(sum);
        for (std::int64_t i = 0; begin + i * kWindow < end; ++i)
            append(i);
    }

    const std::vector<PowerSample>& samples() const { return m_samples; }

    EnergyValue over(const TimeRange& range) const
    {
        EnergyValue energy;
        const PerRail<Millijoules> from = integralAt(range.begin_ns);
        const PerRail<Millijoules> to = integralAt(range.end_ns);
        for (std::size_t rail = 0; rail < kRailCount; ++rail) {
            if (to.values[rail])
                energy.rails_mj.values[rail] = *to.values[rail] - *from.values[rail];
        }
        energy.total_mj = totalOf(energy.rails_mj);
        const Nanoseconds firstWhole = (range.begin_ns - m_begin + kWindow - 1) / kWindow;
        const bool holdsWindow = m_begin + (firstWhole + 1) * kWindow <= range.end_ns;
        energy.provenance = holdsWindow ? Provenance::Measured : Provenance::Attributed;
        return energy;
    }

private:
    void append(std::int64_t i)
    {
        PowerSample sample;
        sample.window = {m_begin + i * kWindow, m_begin + (i + 1) * kWindow};
        sample.power_mw[Rail::Cpu] = Milliwatts{4000.0 + 250.0 * static_cast<double>(i % 7)};
        sample.power_mw[Rail::Gpu] = Milliwatts{2000.0 + 125.5 * static_cast<double>(i % 5)};
        sample.power_mw[Rail::Ane] = Milliwatts{0.0};
        sample.power_mw[Rail::System] = Milliwatts{9000.0 + 100.25 * static_cast<double>(i % 11)};
        sample.energy_mj[Rail::Cpu] = energyOf(*sample.power_mw[Rail::Cpu], kWindow);
        sample.total_mw = totalOf(sample.power_mw);
        sample.arrival_ns = sample.window.end_ns + 300 * kMicrosecond;
        m_samples.push_back(sample);
        PerRail<Millijoules> sum = m_sums.back();
        for (std::size_t rail = 0; rail < kRailCount; ++rail) {
            if (sum.values[rail])
                *sum.values[rail] += energyOf(*sample.power_mw.values[rail], kWindow);
        }
        m_sums.push_back(sum);
    }

    PerRail<Millijoules> integralAt(Nanoseconds t) const
    {
        const auto index = static_cast<std::size_t>((t - m_begin) / kWindow);
        PerRail<Millijoules> sum = m_sums[index];
        const Nanoseconds inside = (t - m_begin) % kWindow;
        for (std::size_t rail = 0; rail < kRailCount && inside > 0; ++rail) {
            if (sum.values[rail])
                *sum.values[rail] += energyOf(*m_samples[index].power_mw.values[rail], inside);
        }
        return sum;
    }

    Nanoseconds m_begin;
    std::vector<PowerSample> m_samples;
    std::vector<PerRail<Millijoules>>
        m_sums; // at the beginning of each window, and at the end of the last one
};

// Places spans one after another; its clock only moves forward.
class Timeline {
public:
    Timeline(RunTrace& trace, const SampleRunShape& shape)
        : m_trace(trace)
        , m_shape(shape)
    {
    }

    void build()
    {
        const Nanoseconds begin = m_now;
        m_now += kGap;
        outsideTokens(Phase::PreInference,
                      {Section::Tokenization, Section::TensorTransfer, Section::KvCacheInit});
        steps(Phase::Prefill, 0, std::min(1, m_shape.tokens));
        steps(Phase::Decode, 1, m_shape.tokens);
        outsideTokens(Phase::PostInference,
                      {Section::TensorTransfer, Section::Detokenization, Section::MemoryCleanup});
        m_trace.time = {begin, m_now};
    }

private:
    void outsideTokens(Phase phase, std::initializer_list<Section> sections)
    {
        const Nanoseconds begin = m_now;
        for (const Section section : sections)
            plainSection(phase, section, kNoToken);
        closePhase(phase, begin);
    }

    void steps(Phase phase, int first, int end)
    {
        if (first >= end)
            return;
        const Nanoseconds begin = m_now;
        for (int token = first; token < end; ++token)
            step(phase, token);
        closePhase(phase, begin);
    }

    void closePhase(Phase phase, Nanoseconds begin)
    {
        m_now += kGap;
        m_trace.phases.push_back({phase, {begin, m_now}, {}});
        m_now += kGap;
    }

    void plainSection(Phase phase, Section section, std::int32_t token)
    {
        const Nanoseconds begin = m_now;
        m_now += 150 * kMicrosecond + 30 * kMicrosecond * static_cast<Nanoseconds>(section);
        m_trace.sections.push_back(Span::ofSection(phase, section, token, {begin, m_now}));
    }

    void step(Phase phase, std::int32_t token)
    {
        const Nanoseconds begin = m_now;
        plainSection(phase, Section::Embedding, token);
        plainSection(phase, Section::PositionEmbedding, token);
        const std::size_t place = m_trace.sections.size();
        m_trace.sections.push_back(Span::ofSection(phase, Section::Layers, token, {m_now, m_now}));
        for (std::int32_t layer = 0; layer < m_shape.layers; ++layer)
            oneLayer(token, layer);
        m_now += kGap;
        m_trace.sections[place].time.end_ns = m_now;
        plainSection(phase, Section::FinalNorm, token);
        plainSection(phase, Section::LmHead, token);
        const bool prefill = phase == Phase::Prefill;
        if (!prefill)
            plainSection(phase, Section::Sampling, token);
        plainSection(phase, prefill ? Section::KvCacheStore : Section::KvCacheAppend, token);
        m_now += kGap;

        TokenSpan span;
        span.index = token;
        span.position = m_shape.input_tokens + token;
        span.id = 100 + token;
        span.text = kWords[static_cast<std::size_t>(token) % kWords.size()];
        span.phase = phase;
        span.time = {begin, m_now};
        span.probability = 1.0F / static_cast<float>(2 + token % 9);
        m_trace.tokens.push_back(span);
        m_now += kGap;
    }

    ActivationStats statsOf(std::int32_t token, std::int32_t layer, int part) const
    {
        const float x = 0.1F * static_cast<float>(1 + (token + 3 * layer + 7 * part) % 13);
        return {x, 1.25F * x, 8.0F * x, x / 10.0F};
    }

    void oneLayer(std::int32_t token, std::int32_t layer)
    {
        const Nanoseconds begin = m_now;
        for (const Component component : kComponents)
            oneComponent(token, layer, component);
        m_now += kGap;
        m_trace.layers.push_back(Span::ofLayer(token, layer, {begin, m_now}));
        m_trace.layers.back().stats = statsOf(token, layer, 0);
    }

    void oneComponent(std::int32_t token, std::int32_t layer, Component component)
    {
        const Nanoseconds begin = m_now;
        const int part = static_cast<int>(component);
        if (m_shape.deep && component == Component::Attention) {
            for (const Operation operation : kOperations) {
                const Nanoseconds from = m_now;
                m_now += 40 * kMicrosecond + 7 * kMicrosecond * static_cast<int>(operation);
                m_trace.operations.push_back(
                    Span::ofOperation(token, layer, component, operation, {from, m_now}));
            }
        }
        m_now += 100 * kMicrosecond + 17 * kMicrosecond * ((part * 5 + layer + token) % 29);
        Span& span = m_trace.components.emplace_back(
            Span::ofComponent(token, layer, component, {begin, m_now}));
        span.stats = statsOf(token, layer, part);
        span.work = SpanWork{2'000 + 64 * part, 1'000 + 16 * part};
    }

    RunTrace& m_trace;
    const SampleRunShape& m_shape;
    Nanoseconds m_now = kRunBegin;
};

void fillEnergies(Run& run)
{
    RunTrace& trace = run.trace;
    const PowerTrace power(trace.time.begin_ns - kMargin, trace.time.end_ns + kMargin);
    trace.samples = power.samples();
    for (PowerSample& sample : trace.samples) {
        const TimeRange inside = intersection(sample.window, trace.time);
        Nanoseconds longest = kWindow - inside.duration_ns();
        for (const PhaseSpan& phase : trace.phases) {
            const Nanoseconds shared = intersection(sample.window, phase.time).duration_ns();
            if (shared > longest) {
                longest = shared;
                sample.phase = phase.phase;
            }
        }
        sample.phase_confidence = static_cast<double>(longest) / static_cast<double>(kWindow);
    }
    for (PhaseSpan& phase : trace.phases)
        phase.energy = power.over(phase.time);
    for (Span& section : trace.sections)
        section.setEnergy(power.over(section.time));
    for (TokenSpan& token : trace.tokens) {
        token.energy = power.over(token.time);
        token.power_snapshot_mw = meanPower(*token.energy.total_mj, token.time.duration_ns());
    }
    for (const SpanLevel level : kStepLevels) {
        for (Span& span : trace.spans(level))
            span.energy_mj = power.over(span.time).total_mj;
    }
    run.metrics.energy = power.over(trace.time);

    run.info.power = {"replay", "made-up capture", "", PowerQuality{}};
    run.info.power.quality->asked_interval_ms = kWindow / 1'000'000;
    run.info.power.quality->samples = static_cast<std::int64_t>(trace.samples.size());
    run.info.power.quality->median_interval_ms = toMilliseconds(kWindow);
    run.info.power.quality->p95_interval_ms = toMilliseconds(kWindow);
    run.info.power.quality->coverage = 1.0;
}

Millijoules energyOfPhase(const RunTrace& trace, Phase wanted)
{
    for (const PhaseSpan& phase : trace.phases) {
        if (phase.phase == wanted && phase.energy.total_mj)
            return *phase.energy.total_mj;
    }
    return {0.0};
}

void fillEnergyMetrics(Run& run, int decoded)
{
    RunMetrics& metrics = run.metrics;
    const double joules = metrics.energy.total_mj->value / 1000.0;
    const double seconds = toSeconds(metrics.duration_ns);
    metrics.joules_per_token = joules / std::max(1, run.info.output_tokens);
    metrics.joules_per_input_token =
        energyOfPhase(run.trace, Phase::Prefill).value / 1000.0 / run.info.input_tokens;
    if (decoded > 0) {
        metrics.joules_per_output_token =
            energyOfPhase(run.trace, Phase::Decode).value / 1000.0 / decoded;
    }
    metrics.tokens_per_joule = run.info.output_tokens / joules;
    metrics.mean_power_mw = meanPower(*metrics.energy.total_mj, metrics.duration_ns);
    metrics.edp_joule_seconds = joules * seconds;
    metrics.peak_power_mw = Milliwatts{0.0};
    for (const PowerSample& sample : run.trace.samples)
        metrics.peak_power_mw = std::max(*metrics.peak_power_mw, *sample.total_mw);
}

void fillMetrics(Run& run)
{
    const RunTrace& trace = run.trace;
    run.metrics.duration_ns = trace.time.duration_ns();
    if (!trace.tokens.empty()) {
        run.metrics.time_to_first_token_ns = trace.tokens.front().time.end_ns - trace.time.begin_ns;
        run.metrics.inter_token_p95_ns = 12'345;
        run.metrics.prefill_tokens_per_second = 321.5;
    }
    const int decoded = std::max(0, static_cast<int>(trace.tokens.size()) - 1);
    if (decoded > 0) {
        const Nanoseconds decode =
            trace.tokens.back().time.end_ns - trace.tokens.front().time.end_ns;
        run.metrics.tokens_per_second = decoded / toSeconds(decode);
    }
    if (run.metrics.energy.total_mj)
        fillEnergyMetrics(run, decoded);
}

void fillInfo(RunInfo& info, const SampleRunShape& shape)
{
    info.id = shape.id;
    info.title = "A cat, sitting";
    info.notes = "First line\nsecond line";
    info.chat_template = true;
    info.status = RunStatus::Complete;
    info.created_at_ms = shape.created_at_ms;
    info.prompt = "Once upon a time, \"there\" was a\nna\u00efve cat";
    info.input_tokens = shape.input_tokens;
    info.output_tokens = shape.tokens;
    info.max_new_tokens = shape.tokens + 2;
    info.depth = shape.deep ? Depth::Deep : Depth::Module;
    info.device = "cpu";
    info.dtype = "f32";
    info.sampling = {.temperature = 0.7,
                     .top_k = 40,
                     .top_p = 0.95,
                     .min_p = 0.05,
                     .repetition_penalty = 1.1,
                     .seed = 18'446'744'073'709'551'615U,
                     .stop = {"\n\n", "The end"}};
    info.tags = {"sample", "two words"};
    info.experiment = "first light";
    info.model = {.name = "tiny-llama",
                  .path = "/models/tiny-llama",
                  .architecture = "LlamaForCausalLM",
                  .parameters = 1'234'567,
                  .active_parameters = 1'134'567,
                  .embedding_parameters = 32'768,
                  .attention_parameters = 24'576,
                  .mlp_parameters = 67'584,
                  .layers = shape.layers,
                  .hidden_size = 64,
                  .intermediate_size = 176,
                  .attention_heads = 4,
                  .kv_heads = 2,
                  .head_dim = 16,
                  .vocabulary_size = 512,
                  .context_length = 256,
                  .experts = 4,
                  .experts_per_token = 2,
                  .weight_bytes = 4'938'268,
                  .kv_bytes_per_token = 512,
                  .stored_dtype = "bf16",
                  .quantization = "",
                  .fingerprint = "0123456789abcdef"};
    info.power = {"none", "", "no power source: timing only", {}};
    info.environment = {"0.1.0", "Linux 6.1", "x86_64", "Made-up CPU", 2, "2.6.0", "OpenBLAS"};
    info.execution = {
        "made-up attention", "growing", 4096, {"2 tensors are not used: a, b."}, 1'500'000};
}

} // namespace

Run makeSampleRun(const SampleRunShape& shape)
{
    Run run;
    fillInfo(run.info, shape);
    Timeline(run.trace, shape).build();
    for (const TokenSpan& token : run.trace.tokens)
        run.info.response += token.text;
    if (shape.power)
        fillEnergies(run);
    fillMetrics(run);
    if (shape.power)
        addSampleRecords(run);
    return run;
}

} // namespace ep::test
