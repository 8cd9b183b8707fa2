// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/answer.h"

#include "text.h"

#include "ep/core/format.h"
#include "ep/core/known_energy.h"
#include "ep/ui/theme.h"
#include "ep/viz/metric.h"

#include <QCoreApplication>

#include <algorithm>
#include <array>

namespace ep::ui {

namespace {

constexpr std::size_t kMostBars = 3;

struct RankedPart {
    QString title;
    Tally sum;
    std::optional<Component> component;
    std::optional<Phase> phase;
};

double amount(const Tally& sum, bool byEnergy)
{
    return byEnergy ? sum.energy_mj.value_or(Millijoules{0.0}).value
                    : static_cast<double>(sum.duration_ns);
}

// Components over all layers, and the sections next to the layers.
std::vector<RankedPart> componentsOf(const Run& run, std::span<const ComponentTotal> totals)
{
    std::array<Tally, kComponentCount> components{};
    for (const ComponentTotal& total : totals)
        components[static_cast<std::size_t>(total.component)].add(total.sum);
    std::vector<RankedPart> parts;
    for (std::size_t i = 0; i < kComponentCount; ++i) {
        const auto component = static_cast<Component>(i);
        if (components[i].spans > 0)
            parts.push_back({toQString(viz::title(component)), components[i], component, {}});
    }
    if (parts.empty())
        return parts;
    for (const Section section : {Section::Embedding, Section::LmHead, Section::Sampling}) {
        Tally sum;
        for (const SectionSpan& span : run.trace.sections) {
            if (span.section == section)
                sum.add(tallyOf(span.time, span.energy));
        }
        if (sum.spans > 0)
            parts.push_back({toQString(viz::title(section)), sum, {}, {}});
    }
    return parts;
}

std::vector<RankedPart> phasesOf(const Run& run)
{
    std::vector<RankedPart> parts;
    for (const PhaseSpan& span : run.trace.phases) {
        if (span.phase != Phase::Idle)
            parts.push_back(
                {toQString(viz::title(span.phase)), knownEnergy(run.trace, span), {}, span.phase});
    }
    return parts;
}

void rank(std::vector<RankedPart>& parts, bool byEnergy)
{
    std::stable_sort(parts.begin(), parts.end(), [&](const RankedPart& a, const RankedPart& b) {
        return amount(a.sum, byEnergy) > amount(b.sum, byEnergy);
    });
}

QString percent(double share)
{
    return toQString(formatPercent(share));
}

} // namespace

QString windowAnswerWords(const char* text)
{
    return QCoreApplication::translate("ep::ui::Answer", text);
}

Answer answerOf(const Run& run, std::span<const ComponentTotal> totals, AnswerWords words)
{
    Tally whole = knownEnergy(run);
    const bool byEnergy = whole.energy_mj && whole.energy_mj->value > 0.0;
    whole.duration_ns = run.trace.time.duration_ns();
    const double all = amount(whole, byEnergy);
    std::vector<RankedPart> phases = phasesOf(run);
    std::vector<RankedPart> parts = componentsOf(run, totals);
    rank(phases, byEnergy);
    rank(parts, byEnergy);
    const std::vector<RankedPart>& ranked = parts.empty() ? phases : parts;
    Answer answer;
    if (ranked.empty() || all <= 0.0)
        return answer;
    answer.basis = byEnergy ? provenanceLabel(whole.provenance) : words("time, no energy");
    for (const RankedPart& part : std::span(ranked).first(std::min(ranked.size(), kMostBars))) {
        const double share = amount(part.sum, byEnergy) / all;
        const QString value =
            byEnergy ? energyText(part.sum.energy_mj) : durationText(part.sum.duration_ns);
        answer.bars.push_back({.title = part.title,
                               .value = value + QStringLiteral(" · ") + percent(share),
                               .share = std::clamp(share, 0.0, 1.0),
                               .component = part.component,
                               .phase = part.phase});
    }
    const QString total = byEnergy ? energyText(whole.energy_mj) : durationText(whole.duration_ns);
    const RankedPart& first = ranked.front();
    const QString lead = (byEnergy ? words("%1 took %2 of the %3 of this run")
                                   : words("%1 took %2 of the %3 of this run, by time"))
                             .arg(first.title, percent(amount(first.sum, byEnergy) / all), total);
    answer.sentence = parts.empty() || phases.empty()
        ? words("%1.").arg(lead)
        : words("%1; %2 took %3.")
              .arg(lead, phases.front().title, percent(amount(phases.front().sum, byEnergy) / all));
    return answer;
}

} // namespace ep::ui
