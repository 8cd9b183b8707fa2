// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/ui/models/live_counters.h"

#include "ep/core/known_energy.h"
#include "ep/core/metrics.h"
#include "ep/core/stated_tokens.h"
#include "ep/core/units.h"

#include <algorithm>
#include <cstdint>

namespace ep::ui {

namespace {

// Counts in the sections of the answer, which exclude the prefill.
void count(const TokenSpan& token, std::string_view section, const EnergyValue& energy,
           std::vector<AnswerSection>& sections)
{
    if (section.empty() || token.phase != Phase::Decode)
        return;
    if (sections.empty() || sections.back().name != section)
        sections.push_back({.name = section, .time = token.time});
    AnswerSection& last = sections.back();
    last.time.end_ns = token.time.end_ns;
    ++last.tokens;
    last.energy.add(tallyOf(token.time, energy));
}

} // namespace

void LiveCounters::start(const session::RunStarted& started)
{
    m_started = true;
    m_source = started.info.power.source;
    m_maxTokens = started.info.max_new_tokens * batchSize(started.info);
    m_begin = started.time.begin_ns;
}

void LiveCounters::add(const TokenSpan& token, std::string_view section)
{
    if (m_tokens == 0) {
        m_firstEnd = token.time.end_ns;
        m_prefillTokens = token.sequences;
    }
    m_tokens += token.sequences;
    m_lastEnd = token.time.end_ns;
    if (token.energy.total_mj) {
        m_uncovered.push_back({token, section});
        takeCovered();
    } else {
        count(token, section, {}, m_sections);
    }
}

std::vector<AnswerSection> LiveCounters::sections() const
{
    std::vector<AnswerSection> sections = m_sections;
    if (samplesHaveStopped()) {
        for (const Uncovered& each : m_uncovered)
            count(each.token, each.section, {}, sections);
    }
    return sections;
}

void LiveCounters::takeCovered()
{
    std::size_t covered = 0;
    for (;
         covered < m_uncovered.size() && m_uncovered[covered].token.time.end_ns <= m_sampled.end_ns;
         ++covered) {
        const TokenSpan& token = m_uncovered[covered].token;
        m_provenance = m_tokensWithEnergy == 0 ? token.energy.provenance
                                               : std::max(m_provenance, token.energy.provenance);
        m_tokensWithEnergy += token.sequences;
        count(token, m_uncovered[covered].section, token.energy, m_sections);
    }
    m_uncovered.erase(m_uncovered.begin(),
                      m_uncovered.begin() + static_cast<std::ptrdiff_t>(covered));
}

void LiveCounters::add(const PowerSample& sample)
{
    m_sampled =
        m_samples == 0 ? sample.window : TimeRange{m_sampled.begin_ns, sample.window.end_ns};
    m_window = sample.window.duration_ns();
    ++m_samples;
    m_power = sample.total_mw;
    if (m_tokensWithEnergy == 0)
        m_provenance = sample.modelled ? Provenance::Modelled : Provenance::Attributed;
    const Nanoseconds inRun =
        m_started ? sample.window.end_ns - std::max(sample.window.begin_ns, m_begin) : 0;
    if (m_power && inRun > 0)
        m_sampledEnergy += energyOf(*m_power, inRun);
    takeCovered();
}

bool LiveCounters::samplesHaveStopped() const
{
    constexpr Nanoseconds kMaxMissing = 3; // number of windows; one reading may be late
    return m_samples > 0 && m_lastEnd - m_sampled.end_ns > kMaxMissing * m_window;
}

void LiveCounters::finish(const Run& run)
{
    m_started = true;
    m_finished = true;
    m_source = run.info.power.source;
    m_tokens = run.info.output_tokens;
    m_begin = run.trace.time.begin_ns;
    m_end = run.trace.time.end_ns;
    m_finalTokensPerSecond = run.metrics.tokens_per_second;
    m_finalJoulesPerToken = run.metrics.joules_per_token;
    const Tally known = knownEnergy(run);
    m_finalEnergy = known.energy_mj;
    m_atLeast = known.partial();
    m_power = run.metrics.mean_power_mw;
    m_provenance = run.metrics.energy.provenance;
}

std::optional<int> LiveCounters::percent() const
{
    if (!m_started || m_finished || m_maxTokens <= 0)
        return std::nullopt;
    return static_cast<int>(
        std::min<std::int64_t>(100, std::int64_t{100} * m_tokens / m_maxTokens));
}

Nanoseconds LiveCounters::elapsed(Nanoseconds now) const
{
    if (!m_started)
        return 0;
    return std::max<Nanoseconds>(0, (m_finished ? m_end : now) - m_begin);
}

std::optional<double> LiveCounters::tokensPerSecond() const
{
    if (m_finished)
        return m_finalTokensPerSecond;
    if (m_tokens <= m_prefillTokens || m_lastEnd <= m_firstEnd)
        return std::nullopt;
    return (m_tokens - m_prefillTokens) / toSeconds(m_lastEnd - m_firstEnd);
}

std::optional<double> LiveCounters::joulesPerToken() const
{
    if (m_finished)
        return m_finalJoulesPerToken;
    return joulesPer(energy(), m_tokensWithEnergy); // like the run's own figure
}

std::optional<Millijoules> LiveCounters::energy() const
{
    if (m_finished)
        return m_finalEnergy;
    if (m_sampledEnergy.value <= 0.0 || samplesHaveStopped())
        return std::nullopt;
    return m_sampledEnergy;
}

std::optional<Nanoseconds> LiveCounters::remaining() const
{
    const auto rate = tokensPerSecond();
    if (m_finished || !rate || *rate <= 0.0 || m_tokens >= m_maxTokens)
        return std::nullopt;
    return static_cast<Nanoseconds>((m_maxTokens - m_tokens) / *rate * 1e9);
}

std::optional<double> LiveCounters::samplesPerSecond() const
{
    if (m_samples < 2 || m_sampled.empty())
        return std::nullopt;
    return m_samples / toSeconds(m_sampled.duration_ns());
}

} // namespace ep::ui
