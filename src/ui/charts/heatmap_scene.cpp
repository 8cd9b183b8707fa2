// SPDX-License-Identifier: GPL-3.0-or-later
#include "heatmap_scene.h"

#include "heatmap_text.h"

#include "ep/ui/terms.h"
#include "ep/ui/theme.h"
#include "ep/viz/axis.h"
#include "ep/viz/scale_legend.h"

#include <algorithm>
#include <utility>

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

} // namespace

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

} // namespace ep::ui
