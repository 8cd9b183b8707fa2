// SPDX-License-Identifier: GPL-3.0-or-later
#include "heatmap_scene.h"

#include "chart_paint.h"

#include "ep/core/format.h"
#include "ep/ui/terms.h"
#include "ep/ui/theme.h"
#include "ep/viz/colour.h"
#include "ep/viz/scale_legend.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

namespace ep::ui {

namespace {

constexpr double kMargin = 6.0;

class HeatmapPainter {
public:
    HeatmapPainter(viz::Scene& scene, const viz::HeatmapData& data,
                   const viz::HeatmapGeometry& geometry, const viz::HeatmapScale& scale,
                   const viz::SceneFont& font)
        : m_scene(scene)
        , m_data(data)
        , m_geometry(geometry)
        , m_scale(scale)
        , m_font(font)
        , m_numbers(gridNumbers(data.metric, scale.high, numberWidth(geometry), font))
        , m_line(font.line_height)
    {
    }

    void cells()
    {
        for (int row = 0; row < m_data.layers; ++row) {
            for (int column = 0; column < static_cast<int>(m_data.components.size()); ++column)
                cell(m_geometry.cell(row, column), m_data.at(row, column));
        }
        if (m_data.allMissing())
            viz::addNotice(m_scene, m_geometry.plot, absenceText(m_data).toStdString(), m_font);
        const viz::Rect& plot = m_geometry.plot;
        m_scene.items.push_back(viz::SceneRect{
            .rect = {plot.x - 0.5, plot.y - 0.5, plot.width + 1.0, plot.height + 1.0},
            .stroke = viz::Paint{viz::Ink::Outline}});
    }

    void columnHeaders()
    {
        const viz::Rect& names = m_geometry.column_header;
        for (std::size_t c = 0; c < m_data.components.size(); ++c) {
            const bool upwards = m_geometry.vertical_names;
            text({.at = {middleOf(c), upwards ? names.bottom() - kMargin / 2.0 : names.centre().y},
                  .text = std::string(viz::shortName(m_data.components[c])),
                  .align = upwards ? viz::TextAlign::Left : viz::TextAlign::Centre,
                  .upwards = upwards});
        }
        corner(names, translated("Layer").toStdString());
        const viz::Rect& means = m_geometry.column_means;
        if (means.empty())
            return;
        corner(means, translated("mean").toStdString());
        for (std::size_t c = 0; c < m_data.components.size(); ++c) {
            const double width = m_geometry.column_edges[c + 1] - m_geometry.column_edges[c];
            text({.at = {middleOf(c), means.centre().y},
                  .text = m_numbers.fitting(m_data.columnMean(static_cast<int>(c)), width, m_font),
                  .align = viz::TextAlign::Centre,
                  .ink = viz::Ink::Muted});
        }
    }

    void rowHeaders()
    {
        const viz::Rect& numbers = m_geometry.row_header;
        const viz::Rect& means = m_geometry.row_means;
        if (!means.empty()) {
            const viz::Rect& head = m_geometry.column_means.empty() ? m_geometry.column_header
                                                                    : m_geometry.column_means;
            text({.at = {means.right(), head.bottom() - m_line / 2.0},
                  .text = translated("mean").toStdString(),
                  .align = viz::TextAlign::Right,
                  .ink = viz::Ink::Muted});
        }
        for (int row = 0; row < m_data.layers; row += m_geometry.row_label_step) {
            const double middle = m_geometry.cell(row, 0).centre().y;
            text({.at = {numbers.right() - kMargin, middle},
                  .text = std::to_string(m_data.layerOf(row)),
                  .align = viz::TextAlign::Right});
            if (!means.empty())
                text({.at = {means.right(), middle},
                      .text = m_numbers.text(m_data.rowMean(row)),
                      .align = viz::TextAlign::Right,
                      .ink = viz::Ink::Muted});
        }
    }

    void legend(const HeatmapOrigin& origin, double width)
    {
        if (m_geometry.legend.empty())
            return;
        viz::ScaleLegend legend;
        legend.low = number(m_numbers.unit, m_scale.low, false).toStdString();
        if (!m_data.allMissing())
            legend.high = (m_scale.exceeded ? "≥ " : "")
                + number(m_numbers.unit, m_scale.high, true).toStdString();
        legend.caption =
            translated("%1, %2 · %3")
                .arg(term(viz::title(m_data.metric)), reductionText(m_data, origin.steps),
                     provenanceText(m_data, origin.source))
                .toStdString();
        legend.provenance = m_data.provenance;
        if (std::ranges::any_of(m_data.values, [](const auto& value) { return !value; }))
            legend.missing = provenanceLabel(Provenance::Missing).toStdString();
        viz::Rect area = m_geometry.legend;
        area.width = width - 8.0 - area.x; // the plot may be narrower than the picture
        viz::addScaleLegend(m_scene, area, legend, m_font);
    }

private:
    void text(viz::SceneText text)
    {
        if (!text.text.empty())
            m_scene.items.push_back(std::move(text));
    }
    double middleOf(std::size_t column) const
    {
        return (m_geometry.column_edges[column] + m_geometry.column_edges[column + 1]) / 2.0;
    }

    void cell(const viz::Rect& area, const std::optional<double>& value)
    {
        const viz::Paint fill =
            value ? viz::Paint{.amount = m_scale.fraction(*value)} : viz::Paint{viz::Ink::Surface};
        m_scene.items.push_back(
            viz::SceneRect{.rect = area,
                           .fill = fill,
                           .hatch = value ? Provenance::Measured : Provenance::Missing});
        if (m_geometry.cell_labels)
            text({.at = area.centre(),
                  .text = m_numbers.fitting(value, area.width, m_font),
                  .align = viz::TextAlign::Centre,
                  .on = fill});
    }

    void corner(const viz::Rect& row, const std::string& word)
    {
        text({.at = {m_geometry.row_header.right() - kMargin, row.bottom() - m_line / 2.0},
              .text = word,
              .align = viz::TextAlign::Right,
              .ink = viz::Ink::Muted});
    }

    viz::Scene& m_scene;
    const viz::HeatmapData& m_data;
    const viz::HeatmapGeometry& m_geometry;
    const viz::HeatmapScale& m_scale;
    const viz::SceneFont& m_font;
    GridNumbers m_numbers;
    double m_line;
};

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
    case viz::Absence::BelowIdle:
        return translated("No net energy: the idle machine needs more in the same time.");
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

viz::HeatmapStyle heatmapStyle(const viz::SceneFont& font, double width)
{
    viz::HeatmapStyle style;
    style.char_width = font.char_width;
    style.line_height = font.line_height + 2.0;
    style.legend_height = viz::scaleLegendHeight(font, width);
    style.corner_width = std::max(font.width(translated("Layer").toStdString()),
                                  font.width(translated("mean").toStdString()));
    return style;
}

viz::Scene heatmapScene(const viz::HeatmapData& data, const viz::HeatmapGeometry& geometry,
                        const viz::HeatmapScale& scale, const HeatmapOrigin& origin,
                        const HeatmapPaper& paper)
{
    viz::Scene scene;
    scene.width = paper.width;
    scene.height = paper.height;
    scene.summary = viz::summarize(data);
    HeatmapPainter painter(scene, data, geometry, scale, paper.font);
    painter.cells();
    painter.columnHeaders();
    painter.rowHeaders();
    painter.legend(origin, paper.width);
    return scene;
}

double GrowingScale::of(const viz::HeatmapData& shown)
{
    constexpr double kHeadroom = 1.25; // so that the next heatmaps fit without a new scale
    const bool other = std::exchange(m_metric, shown.metric) != shown.metric;
    if (std::exchange(m_reduction, shown.reduction) != shown.reduction || other)
        reset();
    std::vector<double> present;
    for (const auto& value : shown.values) {
        if (value)
            present.push_back(*value);
    }
    const double top = std::max(0.0, viz::scaleTop(std::move(present)));
    if (!m_high || top > *m_high)
        m_high = kHeadroom * top;
    return *m_high;
}

} // namespace ep::ui
