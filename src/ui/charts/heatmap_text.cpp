// SPDX-License-Identifier: GPL-3.0-or-later
#include "heatmap_text.h"

#include "chart_paint.h"

#include "ep/core/format.h"
#include "ep/ui/terms.h"
#include "ep/ui/theme.h"

#include <QObject>

#include <algorithm>
#include <cmath>

namespace ep::ui {

namespace {

constexpr double kCellMargin = 2.0;

} // namespace

QString number(const viz::DisplayUnit& unit, const std::optional<double>& value, bool withUnit)
{
    return value ? toQString(viz::formatIn(unit, *value, withUnit)) : QStringLiteral("—");
}

std::string GridNumbers::text(const std::optional<double>& value) const
{
    if (!value)
        return kMissingText;
    const double shown = *value * unit.factor;
    const double least = std::pow(10.0, -decimals);
    if (std::abs(shown) >= least / 2.0)
        return formatFixed(shown, decimals);
    return shown > 0.0 ? '<' + formatFixed(least, decimals)
                       : "0"; // a small negative value is noise
}

std::string GridNumbers::fitting(const std::optional<double>& value, double width,
                                 const viz::SceneFont& font) const
{
    std::string shown = text(value);
    return font.width(shown) <= width - kCellMargin ? shown : std::string();
}

GridNumbers gridNumbers(viz::HeatmapMetric metric, double high, double width,
                        const viz::SceneFont& font)
{
    constexpr int kMaxDecimals = 6;
    const auto of = [&](double largest) {
        GridNumbers numbers{viz::displayUnit(viz::unit(metric), largest)};
        const double shown = std::abs(high * numbers.unit.factor);
        // Three significant digits for the largest.
        const int decimals =
            shown > 0.0 ? 2 - static_cast<int>(std::floor(std::log10(shown) + 1e-9)) : 0;
        numbers.decimals = std::clamp(decimals, 0, kMaxDecimals);
        while (numbers.decimals > 0 && numbers.fitting(high, width, font).empty())
            --numbers.decimals;
        return numbers;
    };
    GridNumbers fine = of(high / 10.0);
    return fine.fitting(high, width, font).empty() ? of(high) : fine;
}

double numberWidth(const viz::HeatmapGeometry& geometry)
{
    if (geometry.empty())
        return 0.0;
    return geometry.cell_labels || geometry.row_means.empty() ? geometry.cell(0, 0).width
                                                              : geometry.row_means.width;
}

QString reductionText(const viz::HeatmapData& data, bool steps)
{
    const QString one = steps ? translated("1 step") : translated("1 token");
    const QString many = steps ? translated("%1 steps") : translated("%1 tokens");
    const QString tokens = data.tokens == 1 ? one : many.arg(data.tokens);
    if (data.metric == viz::HeatmapMetric::ActivationMax)
        return translated("maximum of %1").arg(tokens);
    const bool fades = data.metric == viz::HeatmapMetric::TimeMs || viz::needsEnergy(data.metric);
    if (data.reduction == viz::CellReduction::Recent && fades)
        return translated("latest of %1, older ones fade").arg(tokens);
    if (data.reduction == viz::CellReduction::Median && fades)
        return translated("median of %1").arg(tokens);
    const bool summed = data.reduction == viz::CellReduction::Sum
        && (data.metric == viz::HeatmapMetric::TimeMs || data.metric == viz::HeatmapMetric::EnergyMj
            || data.metric == viz::HeatmapMetric::NetEnergyMj);
    return (summed ? translated("sum of %1") : translated("mean of %1")).arg(tokens);
}

QString absenceText(const viz::HeatmapData& data)
{
    const QString what = term(viz::title(data.metric));
    switch (data.absence) {
    case viz::Absence::None:
        break;
    case viz::Absence::NoEnergy:
        return data.allMissing() ? translated("No energy: no power source covered this run.")
                                 : translated("No energy: no power source covered this part.");
    case viz::Absence::NoBaseline:
        return translated("%1 needs the idle power, which was not measured: set a baseline "
                          "duration for the next run.")
            .arg(what);
    case viz::Absence::Depth:
        return translated("%1 is recorded only at depth deep.").arg(what);
    case viz::Absence::Pending:
        return translated("Summing the figures of the operations…");
    case viz::Absence::NotRecorded:
        return translated("%1 was not recorded.").arg(what);
    case viz::Absence::NotHere:
        return translated("This figure does not apply to this component.");
    }
    return {};
}

QString provenanceText(const viz::HeatmapData& data, const std::string& source)
{
    QString text = energyLabel(source, data.provenance);
    if (data.partial && data.provenance != Provenance::Missing)
        text += translated(", partly missing");
    return text;
}

} // namespace ep::ui
