// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/run_search.h"

#include "text.h"

#include "ep/core/format.h"
#include "ep/ui/terms.h"
#include "ep/viz/metric.h"

#include <QStringList>

namespace ep::ui {

namespace {

// Energy of the matches, and of everything searched.
struct Share {
    double matching = 0.0;
    double all = 0.0;

    void add(const std::optional<Millijoules>& energy, bool matches)
    {
        if (!energy)
            return;
        all += energy->value;
        if (matches)
            matching += energy->value;
    }
    std::optional<double> value(int hits) const
    {
        return hits > 0 && all > 0.0 ? std::optional(matching / all) : std::nullopt;
    }
};

QString withShare(const QString& text, const std::optional<double>& share)
{
    return share ? text + QStringLiteral(" (%1)").arg(toQString(formatPercent(*share))) : text;
}

} // namespace

SearchResult searchRun(std::span<const TokenSpan> tokens, std::span<const ComponentTotal> parts,
                       const QString& text)
{
    SearchResult result;
    if (text.isEmpty())
        return result;
    Share partEnergy;
    for (const ComponentTotal& part : parts) {
        const QString name = QStringLiteral("layer %1 ").arg(part.layer)
            + toQString(ep::name(part.component)) + QLatin1Char(' ')
            + term(viz::title(part.component));
        const bool matches = name.contains(text, Qt::CaseInsensitive);
        partEnergy.add(part.sum.energy_mj, matches);
        if (!matches)
            continue;
        ++result.parts;
        result.hits.push_back({std::nullopt, part.layer, part.component});
    }
    Share tokenEnergy;
    for (const TokenSpan& token : tokens) {
        const bool matches = toQString(token.text).contains(text, Qt::CaseInsensitive);
        tokenEnergy.add(token.energy.total_mj, matches);
        if (!matches)
            continue;
        ++result.tokens;
        result.hits.push_back({token.index, std::nullopt, std::nullopt});
    }
    result.partShare = partEnergy.value(result.parts);
    result.tokenShare = tokenEnergy.value(result.tokens);
    return result;
}

QString describe(const SearchResult& result)
{
    if (result.hits.empty())
        return translated("no matches");
    QStringList parts;
    if (result.parts > 0)
        parts << withShare(result.parts == 1 ? translated("1 cell")
                                             : translated("%1 cells").arg(result.parts),
                           result.partShare);
    if (result.tokens > 0)
        parts << withShare(result.tokens == 1 ? translated("1 token")
                                              : translated("%1 tokens").arg(result.tokens),
                           result.tokenShare);
    const QString found = parts.join(QStringLiteral(", "));
    return result.partShare || result.tokenShare ? found + translated(" of the energy") : found;
}

} // namespace ep::ui
