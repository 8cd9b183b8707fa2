// SPDX-License-Identifier: GPL-3.0-or-later
// Where the charts of Insights are, and how high.
#include "pages/insights_page.h"

#include "ep/ui/charts/scene_view.h"

#include <QEvent>
#include <QGridLayout>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

namespace ep::ui {

namespace {

constexpr int kGridColumns = 6; // divisible into rows of one, two or three charts
constexpr int kMinBarsHeight = 160; // pixels
constexpr int kFewWidth = 4; // a chart with few points is at most 3/4 as high as wide
constexpr int kFewHeight = 3;
constexpr int kLowChart = 300; // pixels

} // namespace

// Makes a bar chart as tall as its bars; in a narrow one, texts are below the bars. Beside bars, a
// chart with few points does not fill the height of a large window.
void InsightsPage::fitHeights()
{
    for (const Panel& bars : {m_groups, m_costs})
        bars.chart->setFixedHeight(
            std::max(kMinBarsHeight, static_cast<int>(std::ceil(bars.chart->scene().height))));
    for (const Panel& points : {m_scaling, m_pareto, m_quality})
        points.chart->setMaximumHeight(
            m_beside ? std::max(kLowChart, points.chart->width() * kFewHeight / kFewWidth)
                     : QWIDGETSIZE_MAX);
}

bool InsightsPage::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::Resize)
        QMetaObject::invokeMethod(this, &InsightsPage::fitHeights, Qt::QueuedConnection);
    return QWidget::eventFilter(watched, event);
}

void InsightsPage::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    constexpr int kThreeCharts = 1000; // pixels
    constexpr int kTwoCharts = 720;
    const int columns = width() < kTwoCharts ? 1 : width() < kThreeCharts ? 2 : 3;
    constexpr int kBeside = 2200;
    const bool wide = width() >= kBeside;
    if (columns == m_columns && wide == m_wide)
        return;
    m_columns = columns;
    m_wide = wide;
    arrange();
}

// Puts charts of the same kind side by side: points, which need height, above bars, which do not.
// A note beside the bars says which quality is unknown.
void InsightsPage::arrange()
{
    auto* grid = static_cast<QGridLayout*>(m_content->layout());
    for (int row = 1; row < grid->rowCount(); ++row)
        grid->setRowStretch(row, 0);
    for (int column = 0; column < kGridColumns; ++column)
        grid->setColumnStretch(column, 1);
    m_beside = arrangeBeside();
    if (m_beside)
        return;
    using Row = std::vector<const Panel*>;
    std::vector<Row> rows{{&m_scaling, &m_pareto}, {&m_groups, &m_costs}};
    if (m_columns == 3)
        rows[m_qualityKnown ? 0 : 1].push_back(&m_quality);
    else
        rows.push_back({&m_quality});
    if (m_columns == 1)
        rows = {{&m_scaling}, {&m_pareto}, {&m_groups}, {&m_costs}, {&m_quality}};
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const int row = 1 + static_cast<int>(i);
        const int span = kGridColumns / static_cast<int>(rows[i].size());
        bool grows = false;
        for (std::size_t j = 0; j < rows[i].size(); ++j) {
            const Panel& panel = *rows[i][j];
            grid->addWidget(panel.box, row, static_cast<int>(j) * span, 1, span);
            grows |= panel.chart != m_groups.chart && panel.chart != m_costs.chart
                && (panel.chart != m_quality.chart || m_qualityKnown);
        }
        grid->setRowStretch(row, grows ? 1 : 0);
    }
}

// Puts the bars in a column beside charts of few points, if the window is wide enough.
bool InsightsPage::arrangeBeside()
{
    if (!m_wide || !m_few || m_qualityKnown)
        return false;
    auto* grid = static_cast<QGridLayout*>(m_content->layout());
    constexpr int kSpan = kGridColumns / 3;
    const std::array column{&m_groups, &m_costs, &m_quality};
    const int rows = static_cast<int>(column.size());
    grid->addWidget(m_scaling.box, 1, 0, rows, kSpan);
    grid->addWidget(m_pareto.box, 1, kSpan, rows, kSpan);
    for (int i = 0; i < rows; ++i)
        grid->addWidget(column[static_cast<std::size_t>(i)]->box, 1 + i, 2 * kSpan, 1, kSpan);
    grid->setRowStretch(rows, 1);
    return true;
}

} // namespace ep::ui
