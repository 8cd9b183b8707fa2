// SPDX-License-Identifier: GPL-3.0-or-later
#include "heatmap_text.h"

#include "chart_paint.h"

#include "ep/core/format.h"
#include "ep/ui/terms.h"
#include "ep/ui/theme.h"

#include <QObject>

namespace ep::ui {

QString number(const viz::DisplayUnit& unit, const std::optional<double>& value, bool withUnit)
{
    return value ? toQString(viz::formatIn(unit, *value, withUnit)) : QStringLiteral("—");
}

QString fittingNumber(const viz::DisplayUnit& unit, const std::optional<double>& value,
                      double width, const QFontMetricsF& metrics)
{
    constexpr double kMargin = 2.0;
    QString text = number(unit, value, false);
    for (int digits = 2; value && metrics.horizontalAdvance(text) > width - kMargin; --digits) {
        if (digits == 0)
            return {};
        text = toQString(formatSignificant(*value * unit.factor, digits));
    }
    return text;
}

QString reductionText(const viz::HeatmapData& data)
{
    const QString tokens =
        data.tokens == 1 ? QObject::tr("1 token") : QObject::tr("%1 tokens").arg(data.tokens);
    if (data.metric == viz::HeatmapMetric::ActivationMax)
        return QObject::tr("maximum of %1").arg(tokens);
    const bool fades = data.metric == viz::HeatmapMetric::TimeMs || viz::needsEnergy(data.metric);
    if (data.reduction == viz::CellReduction::Recent && fades)
        return QObject::tr("latest of %1, older ones fade").arg(tokens);
    if (data.reduction == viz::CellReduction::Median && fades)
        return QObject::tr("median of %1").arg(tokens);
    const bool summed = data.reduction == viz::CellReduction::Sum
        && (data.metric == viz::HeatmapMetric::TimeMs || data.metric == viz::HeatmapMetric::EnergyMj
            || data.metric == viz::HeatmapMetric::NetEnergyMj);
    return (summed ? QObject::tr("sum of %1") : QObject::tr("mean of %1")).arg(tokens);
}

QString absenceText(const viz::HeatmapData& data)
{
    const QString what = term(viz::title(data.metric));
    switch (data.absence) {
    case viz::Absence::None:
        break;
    case viz::Absence::NoEnergy:
        return data.allMissing() ? QObject::tr("No energy: no power source covered this run.")
                                 : QObject::tr("No energy: no power source covered this part.");
    case viz::Absence::NoBaseline:
        return QObject::tr("%1 needs the idle power, which was not measured: set a baseline "
                           "duration for the next run.")
            .arg(what);
    case viz::Absence::Depth:
        return QObject::tr("%1 is recorded only at depth deep.").arg(what);
    case viz::Absence::Pending:
        return QObject::tr("Summing the figures of the operations…");
    case viz::Absence::NotRecorded:
        return QObject::tr("%1 was not recorded.").arg(what);
    case viz::Absence::NotHere:
        return QObject::tr("This figure does not apply to this component.");
    }
    return {};
}

QString provenanceText(const viz::HeatmapData& data, const std::string& source)
{
    QString text = energyLabel(source, data.provenance);
    if (data.partial && data.provenance != Provenance::Missing)
        text += QObject::tr(", partly missing");
    return text;
}

} // namespace ep::ui
