// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/energy/ledger.h"

#include "ep/core/energy_value.h"
#include "ep/core/metrics.h"
#include "ep/core/run_tree.h"
#include "ep/core/time_range.h"

#include <algorithm>
#include <map>
#include <unordered_map>
#include <utility>

namespace ep::energy {
namespace {

// A node of a run's tree and its part inside a range (ledger.h defines the rule).
struct CutNode {
    TimeRange time;
    EnergyValue whole;
    TimeRange inside; // its time within the range; may be empty
    EnergyValue cut; // energy of that time
};

template <typename Energy>
std::optional<double> valueOf(const Energy& energy)
{
    return energy ? std::optional(energy->value) : std::nullopt;
}

class NodeCutter {
public:
    // timeline: by time; must outlive this object.
    NodeCutter(const EnergyTimeline& timeline, const TimeRange& range)
        : m_timeline(timeline)
        , m_range(range)
    {
    }

    // children of the node, in order of time, not overlapping
    CutNode cut(const TimeRange& time, const EnergyValue& energy,
                const std::vector<CutNode>& children) const
    {
        CutNode node{time, energy, intersection(time, m_range), {}};
        if (node.inside.empty())
            return node;
        if (m_range.contains(time)) {
            node.cut = energy;
            return node;
        }
        const double rest = gapShare(time, children);
        // The children's energy inside the range, plus the same share of the remainder.
        const auto part = [&](auto channelOf) -> std::optional<double> {
            const std::optional<double> whole = valueOf(channelOf(energy));
            if (!whole)
                return std::nullopt;
            double explained = 0.0;
            double inside = 0.0;
            for (const CutNode& child : children) {
                const auto ofChild = valueOf(channelOf(child.whole));
                if (!ofChild)
                    return std::nullopt;
                explained += *ofChild;
                inside += valueOf(channelOf(child.cut)).value_or(0.0);
            }
            return inside + (*whole - explained) * rest;
        };
        const auto total = part([](const EnergyValue& value) { return value.total_mj; });
        if (!total)
            return node;
        node.cut.total_mj = Millijoules{*total};
        node.cut.provenance = std::max(energy.provenance, Provenance::Attributed);
        const double share = energy.total_mj->value != 0.0 ? *total / energy.total_mj->value : rest;
        for (std::size_t rail = 0; rail < kRailCount; ++rail) {
            const auto own =
                part([rail](const EnergyValue& value) { return value.rails_mj.values[rail]; });
            if (own)
                node.cut.rails_mj.values[rail] = Millijoules{*own};
            else if (const auto& whole = energy.rails_mj.values[rail])
                node.cut.rails_mj.values[rail] = *whole * share; // children have no rails
        }
        return node;
    }

    CutNode cut(const TimeRange& time, std::optional<Millijoules> energy,
                const std::vector<CutNode>& children) const
    {
        EnergyValue value;
        value.total_mj = energy;
        if (energy)
            value.provenance = Provenance::Attributed;
        return cut(time, value, children);
    }

private:
    // Samples' energy in this time.
    double weight(const TimeRange& time) const
    {
        return m_timeline.totalOver(time).value_or(Millijoules{}).value;
    }

    // Of the node's time outside its children, the fraction that lies inside the range.
    double gapShare(const TimeRange& time, const std::vector<CutNode>& children) const
    {
        double energy = 0.0;
        double energyInside = 0.0;
        double length = 0.0;
        double lengthInside = 0.0;
        const auto add = [&](const TimeRange& gap) {
            if (gap.empty())
                return;
            const TimeRange inside = intersection(gap, m_range);
            energy += weight(gap);
            energyInside += weight(inside);
            length += static_cast<double>(gap.duration_ns());
            lengthInside += static_cast<double>(inside.duration_ns());
        };
        Nanoseconds until = time.begin_ns;
        for (const CutNode& child : children) {
            add({until, child.time.begin_ns});
            until = std::max(until, child.time.end_ns);
        }
        add({until, time.end_ns});
        if (energy > 0.0)
            return energyInside / energy;
        return length > 0.0 ? lengthInside / length : 0.0;
    }

    const EnergyTimeline& m_timeline;
    TimeRange m_range;
};

constexpr std::int32_t kTokensAtOnce = 32;

Nanoseconds shiftOf(const Run& run)
{
    const auto& attribution = run.info.power.attribution;
    return attribution && attribution->offset_applied ? attribution->offset_ns : 0;
}

template <typename Span>
std::vector<Span> touching(const std::vector<Span>& spans, const TimeRange& range)
{
    std::vector<Span> result;
    for (const Span& span : spans) {
        if (!intersection(span.time, range).empty())
            result.push_back(span);
    }
    return result;
}

class ExcerptBuilder {
public:
    ExcerptBuilder(const Run& run, const EnergyTimeline& timeline, const TimeRange& range)
        : m_run(run)
        , m_cutter(timeline, range)
        , m_range(range)
    {
        for (const TokenSpan& token : run.trace.tokens) {
            m_parts.setProvenance(token.index, token.energy.provenance);
            m_tokens.emplace(token.index, token.time);
        }
    }

    void add(const RunTrace& steps, TokenRange tokens)
    {
        for (const TokenSpan& token : m_run.trace.tokens) {
            if (!tokens.contains(token.index) || intersection(token.time, m_range).empty())
                continue;
            RunTrace step;
            for (const SpanLevel level : kStepLevels) {
                const auto spans = spansOf(steps, level, token.index);
                step.spans(level).assign(spans.begin(), spans.end());
            }
            if (!m_range.contains(token.time))
                cut(token, step);
            m_parts.add(step);
        }
    }

    Excerpt finish()
    {
        Excerpt result;
        result.run.info = m_run.info;
        RunTrace& trace = result.run.trace;
        const RunTrace& whole = m_run.trace;
        trace.time = intersection(whole.time, m_range);
        std::vector<CutNode> phases;
        for (const PhaseSpan& phase : whole.phases) {
            const CutNode node = cutPhase(phase);
            if (!node.inside.empty())
                trace.phases.push_back({phase.phase, node.inside, node.cut});
            if (phase.phase != Phase::Idle)
                phases.push_back(node);
        }
        for (const Span& section : touching(whole.sections, m_range)) {
            const CutNode node = cutSection(section);
            Span& own = trace.sections.emplace_back(section);
            own.time = node.inside;
            own.setEnergy(node.cut);
        }
        for (const TokenSpan& token : touching(whole.tokens, m_range)) {
            const CutNode node = cutToken(token);
            TokenSpan& own = trace.tokens.emplace_back(token);
            own.time = node.inside;
            own.energy = node.cut;
        }
        const CutNode run = m_cutter.cut(whole.time, m_run.metrics.energy, phases);
        result.run.metrics = computeMetrics(trace, m_run.info.input_tokens, run.cut, server(trace));
        if (server(trace) == nullptr
            && (trace.tokens.empty() || trace.tokens.front().phase != Phase::Prefill))
            result.run.metrics.time_to_first_token_ns.reset();
        result.run.metrics.peak_power_mw =
            peakPower(peakInside(), result.run.metrics.mean_power_mw);
        result.sum = run.cut.total_mj ? tallyOf(run.inside, run.cut) : knownPart(phases);
        const PhaseErrors errors(trace.tokens, trace.phases);
        result.parts = m_parts.finish(errors);
        result.totals = m_parts.totals(errors);
        return result;
    }

private:
    // A server's figures describe the whole request, so a part of it has none.
    const ServerRecord* server(const RunTrace& cut) const
    {
        const auto& record = m_run.info.profiling.server;
        return record && cut.time == m_run.trace.time ? &*record : nullptr;
    }

    CutNode cutSpan(Span& span, const std::vector<CutNode>& children)
    {
        const CutNode node = m_cutter.cut(span.time, span.energy_mj, children);
        span.time = node.inside;
        span.energy_mj = node.cut.total_mj;
        return node;
    }

    // Bottom-up; nodes outside the range are dropped.
    void cut(const TokenSpan& token, RunTrace& step)
    {
        std::vector<CutNode> inner;
        for (auto level = kStepLevels.rbegin(); level != kStepLevels.rend(); ++level) {
            std::vector<CutNode> nodes;
            for (Span& span : step.spans(*level))
                nodes.push_back(cutSpan(span, childrenOf(span.time, inner)));
            std::erase_if(step.spans(*level), [](const Span& span) { return span.time.empty(); });
            if (*level != SpanLevel::Layer || !nodes.empty())
                inner = std::move(nodes);
        }
        m_layers[token.index] = std::move(inner); // its components, if the layers are unknown
    }

    static std::vector<CutNode> childrenOf(const TimeRange& parent,
                                           const std::vector<CutNode>& nodes)
    {
        std::vector<CutNode> children;
        for (const CutNode& node : nodes) {
            if (parent.contains(node.time))
                children.push_back(node);
        }
        return children;
    }

    // Maximum over the windows that overlap the range, like the peak of a run.
    std::optional<Milliwatts> peakInside() const
    {
        RunTrace trace;
        trace.time = intersection(m_run.trace.time, m_range);
        for (const PowerSample& sample : m_run.trace.samples) {
            if (!intersection(sample.window, trace.time).empty())
                trace.samples.push_back(sample);
        }
        const auto peak = peakOf(trace);
        return peak ? std::optional(peak->power) : std::nullopt;
    }

    // If the whole is unknown: sum of the known phases, and of the tokens of the other phases.
    Tally knownPart(const std::vector<CutNode>& phases) const
    {
        Tally sum;
        Nanoseconds inNodes = 0;
        const auto add = [&](const CutNode& node) {
            sum.add(tallyOf(node.inside, node.cut));
            inNodes += node.inside.duration_ns();
        };
        for (const CutNode& phase : phases) {
            if (phase.cut.total_mj) {
                add(phase);
                continue;
            }
            for (const TokenSpan& token : m_run.trace.tokens) {
                if (phase.inside.contains(intersection(token.time, m_range))
                    && !intersection(token.time, m_range).empty())
                    add(cutToken(token));
            }
        }
        const Nanoseconds rest = intersection(m_run.trace.time, m_range).duration_ns() - inNodes;
        if (rest > 0)
            sum.add(rest, std::nullopt, Provenance::Missing);
        return sum;
    }

    CutNode cutSection(const Span& section) const
    {
        if (m_range.contains(section.time))
            return m_cutter.cut(section.time, section.energy(), {});
        const auto layers = m_layers.find(section.token);
        const bool deeper = section.section == Section::Layers && layers != m_layers.end();
        return m_cutter.cut(section.time, section.energy(),
                            deeper ? childrenOf(section.time, layers->second)
                                   : std::vector<CutNode>());
    }

    CutNode cutToken(const TokenSpan& token) const
    {
        std::vector<CutNode> sections;
        if (!m_range.contains(token.time)) {
            for (const Span& section : m_run.trace.sections) {
                if (section.token == token.index && token.time.contains(section.time))
                    sections.push_back(cutSection(section));
            }
        }
        return m_cutter.cut(token.time, token.energy, sections);
    }

    // The children are the phase's tokens, and its sections outside of tokens.
    CutNode cutPhase(const PhaseSpan& phase) const
    {
        std::vector<CutNode> children;
        if (!m_range.contains(phase.time)) {
            for (const TokenSpan& token : m_run.trace.tokens) {
                if (token.phase == phase.phase && phase.time.contains(token.time))
                    children.push_back(cutToken(token));
            }
            for (const Span& section : m_run.trace.sections) {
                const bool loose = section.phase == phase.phase && !inToken(section);
                if (loose && phase.time.contains(section.time))
                    children.push_back(cutSection(section));
            }
        }
        return m_cutter.cut(phase.time, phase.energy, children);
    }

    bool inToken(const Span& section) const
    {
        if (section.token == kNoToken)
            return false;
        const auto token = m_tokens.find(section.token);
        return token != m_tokens.end() && token->second.contains(section.time);
    }

    const Run& m_run;
    NodeCutter m_cutter;
    TimeRange m_range;
    BreakdownBuilder m_parts;
    std::unordered_map<std::int32_t, TimeRange> m_tokens;
    std::map<std::int32_t, std::vector<CutNode>> m_layers; // layers of tokens that the range cuts
};

} // namespace

Tally tallyOf(const RunBreakdown& parts, const PartOfLayer& part)
{
    Tally sum;
    const auto fits = [&](std::int32_t layer) { return !part.layer || *part.layer == layer; };
    if (part.operation) {
        for (const RunBreakdown::OfOperation& of : parts.operations) {
            if (fits(of.layer) && of.operation == *part.operation
                && (!part.component || of.component == *part.component))
                sum.add(of.sum);
        }
    } else if (part.component) {
        for (const RunBreakdown::OfComponent& of : parts.components) {
            if (fits(of.layer) && of.component == *part.component)
                sum.add(of.sum);
        }
    } else {
        for (const RunBreakdown::OfTokenLayer& of : parts.token_layers) {
            if (fits(of.layer))
                sum.add(of.sum);
        }
    }
    return sum;
}

Ledger::Ledger(RunPtr run)
    : m_run(std::move(run))
    , m_timeline(m_run->trace.samples, {}, shiftOf(*m_run))
{
}

TokenRange Ledger::touched(const TimeRange& range) const
{
    TokenRange tokens;
    for (const TokenSpan& token : m_run->trace.tokens) {
        if (intersection(token.time, range).empty())
            continue;
        if (tokens.empty())
            tokens = {token.index, token.index};
        tokens.first = std::min(tokens.first, token.index);
        tokens.last = std::max(tokens.last, token.index + 1);
    }
    return tokens;
}

Result<Excerpt> Ledger::excerpt(const TimeRange& range, const ReadSteps& steps) const
{
    ExcerptBuilder builder(*m_run, m_timeline, range);
    const TokenRange tokens = touched(range);
    for (std::int32_t first = tokens.first; first < tokens.last; first += kTokensAtOnce) {
        const TokenRange some{first, std::min(first + kTokensAtOnce, tokens.last)};
        const Result<const RunTrace*> read = steps(some);
        if (!read)
            return read.error();
        builder.add(**read, some);
    }
    return builder.finish();
}

Excerpt Ledger::excerpt(const TimeRange& range) const
{
    ExcerptBuilder builder(*m_run, m_timeline, range);
    builder.add(m_run->trace, touched(range));
    return builder.finish();
}

} // namespace ep::energy
