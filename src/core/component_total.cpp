// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/core/component_total.h"

#include <algorithm>
#include <cmath>

namespace ep {

namespace {

// Row of a layer's cells. Components with names of their own, which few runs have, get further
// rows beyond all layers.
std::int32_t rowOf(std::int32_t layer, Component component)
{
    constexpr std::uint32_t kBeyondLayers = 1U << 28U;
    const auto page = static_cast<std::uint32_t>(component) / kComponentCount;
    return static_cast<std::int32_t>(static_cast<std::uint32_t>(layer)
                                     + static_cast<std::uint32_t>(page) * kBeyondLayers);
}

} // namespace

void TotalsBuilder::add(const ComponentSpan& span, Provenance ofToken)
{
    Cell& cell = m_layers[rowOf(span.layer, span.component)]
                         [static_cast<std::size_t>(span.component) % kComponentCount];
    ComponentTotal& total = cell.total;
    total.layer = span.layer;
    total.component = span.component;
    if (total.tokens == 0 || span.token != cell.last_token)
        ++total.tokens;
    cell.last_token = span.token;
    // A component has a share of its token's energy, which is attributed at best.
    Tally& sum = span.token == 0 ? cell.prefill : cell.decode;
    sum.add(wrappingDifference(span.time.end_ns, span.time.begin_ns), span.energy_mj,
            std::max(ofToken, Provenance::Attributed), span.energy_notes.deviation());
    if (span.stats) {
        ++total.stats_spans;
        cell.mean_abs += static_cast<double>(span.stats->mean_abs);
        cell.std += static_cast<double>(span.stats->std);
        if (!std::isnan(span.stats->max_abs))
            cell.max_abs = std::max(cell.max_abs, static_cast<double>(span.stats->max_abs));
        cell.sparsity += static_cast<double>(span.stats->sparsity);
    }
    if (span.work) {
        ++cell.work_spans;
        cell.work.flops = wrappingSum(cell.work.flops, span.work->flops);
        cell.work.bytes = wrappingSum(cell.work.bytes, span.work->bytes);
    }
}

std::vector<ComponentTotal> TotalsBuilder::finish(const PhaseErrors& errors) const
{
    std::vector<ComponentTotal> totals;
    for (const auto& [layer, cells] : m_layers) {
        for (const Cell& cell : cells) {
            if (cell.total.tokens == 0)
                continue;
            ComponentTotal& total = totals.emplace_back(cell.total);
            if (cell.prefill.spans > 0)
                total.sum.add(errors.averaged(cell.prefill, Phase::Prefill));
            if (cell.decode.spans > 0)
                total.sum.add(errors.averaged(cell.decode, Phase::Decode));
            if (total.stats_spans > 0) {
                const auto n = static_cast<double>(total.stats_spans);
                total.stats = ActivationStats{
                    static_cast<float>(cell.mean_abs / n), static_cast<float>(cell.std / n),
                    static_cast<float>(cell.max_abs), static_cast<float>(cell.sparsity / n)};
            }
            if (cell.work_spans == total.sum.spans)
                total.work = cell.work;
        }
    }
    std::sort(totals.begin(), totals.end(), [](const ComponentTotal& a, const ComponentTotal& b) {
        return a.layer != b.layer ? a.layer < b.layer : a.component < b.component;
    });
    return totals;
}

std::vector<ComponentTotal> totalsOf(const RunTrace& trace)
{
    std::unordered_map<std::int32_t, Provenance> provenance;
    for (const TokenSpan& token : trace.tokens)
        provenance[token.index] = token.energy.provenance;
    TotalsBuilder builder;
    for (const ComponentSpan& span : trace.components) {
        const auto found = provenance.find(span.token);
        builder.add(span, found == provenance.end() ? Provenance::Missing : found->second);
    }
    return builder.finish(PhaseErrors(trace.tokens, trace.phases));
}

} // namespace ep
