// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/ui/charts/waterfall_view.h"

#include "chart_paint.h"
#include "cost_text.h"

#include "ep/core/stated_deviation.h"
#include "ep/ui/charts/chart_export.h"
#include "ep/ui/terms.h"

#include <QFontMetricsF>
#include <QKeyEvent>
#include <QPainter>
#include <QScrollBar>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>

namespace ep::ui {

namespace {

constexpr double kZoom = 1.25;

viz::WaterfallStyle waterfallStyle(const QFontMetricsF& metrics)
{
    viz::WaterfallStyle style;
    style.char_width = metrics.averageCharWidth();
    style.line_height = metrics.height() + 4.0;
    return style;
}

} // namespace

WaterfallView::WaterfallView(QWidget* parent)
    : ItemView(parent)
    , m_scroll(new QScrollBar(Qt::Horizontal, this))
{
    setAccessibleName(tr("Tokens as stacked bars with their running sum"));
    m_scroll->setAccessibleName(tr("Tokens in view"));
    m_scroll->hide();
    connect(m_scroll, &QScrollBar::valueChanged, this, [this](int first) {
        const auto begin = static_cast<std::size_t>(first);
        setWindow({begin, begin + m_window.size()});
    });
    addExportActions(*this, QStringLiteral("waterfall"));
}

void WaterfallView::setCosts(TokenCostsPtr costs)
{
    const std::size_t before = count();
    m_costs = std::move(costs);
    if (count() != before)
        m_window = {0, count()};
    relayout();
}

void WaterfallView::setWindow(viz::TokenWindow window)
{
    window = viz::clampedWindow(window, count());
    if (window == m_window)
        return;
    m_window = window;
    relayout();
    Q_EMIT windowChanged();
}

void WaterfallView::relayout()
{
    const bool part = m_window.size() < count();
    const int bar = part ? m_scroll->sizeHint().height() : 0;
    m_scroll->setVisible(part);
    if (part) {
        const QSignalBlocker quiet(m_scroll);
        m_scroll->setGeometry(0, height() - bar, width(), bar);
        m_scroll->setRange(0, static_cast<int>(count() - m_window.size()));
        m_scroll->setPageStep(static_cast<int>(m_window.size()));
        m_scroll->setValue(static_cast<int>(m_window.first));
    }
    const QFontMetricsF metrics(font());
    const double legend = headHeight();
    m_geometry = m_costs
        ? viz::layoutWaterfall(*m_costs, m_window,
                               {0.0, legend, static_cast<double>(width()), height() - legend - bar},
                               waterfallStyle(metrics))
        : viz::WaterfallGeometry{};
    itemsChanged();
    showCursor();
}

// Height of the legend and, in a narrow chart, the caption below it.
double WaterfallView::headHeight() const
{
    const double line = QFontMetricsF(font()).height() + 4.0;
    return width() < kWide ? 2.0 * line : line;
}

// Moves the cursor to the bar of the selected token.
void WaterfallView::showCursor()
{
    if (!controller() || !m_costs)
        return;
    const auto token = controller()->token();
    int found = -1;
    for (std::size_t i = 0; token && i < m_geometry.bars.size(); ++i)
        for (std::size_t at = m_geometry.bars[i].tokens.first; at < m_geometry.bars[i].tokens.last;
             ++at)
            if (m_costs->tokens[at].index == *token)
                found = static_cast<int>(i);
    setCurrentItem(found);
}

void WaterfallView::selectionChanged()
{
    if (!m_choosing)
        showCursor();
    contentChanged(); // because unselected bars are dimmed
}

QString WaterfallView::describeItem(std::size_t item) const
{
    const viz::WaterfallBar& bar = m_geometry.bars[item];
    const viz::TokenCost& first = m_costs->tokens[bar.tokens.first];
    const viz::CostMetric metric = m_costs->metric;
    QString text;
    if (bar.tokens.size() == 1) {
        const Provenance provenance = first.value ? first.cost.provenance : Provenance::Missing;
        text = tr("Token %1 (“%2”, position %3): %4")
                   .arg(first.index)
                   .arg(toQString(first.text).simplified())
                   .arg(first.position)
                   .arg(costText(metric, first.value));
        const auto stated = statedDeviation(first.cost.sd_mj, provenance);
        if (first.value && metric != viz::CostMetric::Time && stated)
            text += QLatin1Char(' ') + intervalText(metric, stated->value);
        text += QLatin1Char(' ')
            + provenanceText(metric, provenance, first.cost.partial(), powerSource());
        for (const viz::Part part : viz::kParts)
            if (const auto& value = first.parts[static_cast<std::size_t>(part)])
                text += tr("\n%1: %2").arg(term(viz::title(part)), costText(metric, *value));
        if (bar.clipped)
            text += tr("\nThe bar is truncated: it exceeds the axis.");
    } else {
        text = tr("Tokens %1 to %2: mean %3 %4, %5 to %6")
                   .arg(first.index)
                   .arg(m_costs->tokens[bar.tokens.last - 1].index)
                   .arg(costText(metric, bar.value),
                        provenanceText(metric, m_costs->provenance, false, powerSource()),
                        costText(metric, bar.value ? std::optional(bar.least) : std::nullopt),
                        costText(metric, bar.value ? std::optional(bar.most) : std::nullopt));
    }
    if (bar.disturbed)
        text += tr("\nDisturbed: other programs took processors away.");
    return text + tr("\nSum so far: %1").arg(costText(metric, bar.cumulative));
}

QRectF WaterfallView::itemRect(std::size_t item) const
{
    return toRectF(m_geometry.bars[item].rect);
}

std::optional<std::size_t> WaterfallView::itemAt(viz::Point point) const
{
    return m_geometry.hit(point);
}

QString WaterfallView::searchableText(std::size_t item) const
{
    const viz::TokenWindow& tokens = m_geometry.bars[item].tokens;
    QString text(QLatin1Char('\n')); // an empty token matches nothing and is dimmed
    for (std::size_t at = tokens.first; at < tokens.last; ++at)
        text += toQString(m_costs->tokens[at].text) + QLatin1Char('\n');
    return text;
}

QString WaterfallView::summary() const
{
    if (!m_costs || m_geometry.empty())
        return emptyText();
    if (m_geometry.all_missing)
        return tr("%1 is missing for all tokens").arg(term(viz::title(m_costs->metric)));
    return tr("%1 of %2 tokens, sum %3")
        .arg(term(viz::title(m_costs->metric)))
        .arg(count())
        .arg(costText(m_costs->metric, m_geometry.bars.back().cumulative));
}

void WaterfallView::choose(std::size_t item)
{
    if (!controller())
        return;
    const viz::TokenWindow& tokens = m_geometry.bars[item].tokens;
    m_choosing = true;
    controller()->selectTokens(viz::TokenRange{m_costs->tokens[tokens.first].index,
                                               m_costs->tokens[tokens.last - 1].index + 1});
    m_choosing = false;
}

ChartTable WaterfallView::table() const
{
    ChartTable table;
    if (!m_costs)
        return table;
    const QString unit = toQString(viz::unit(m_costs->metric));
    table.headings << tr("Token") << tr("Position") << tr("Text")
                   << tr("%1 (%2)").arg(term(viz::title(m_costs->metric)), unit)
                   << tr("Provenance");
    for (const viz::Part part : viz::kParts)
        table.headings << tr("%1 (%2)").arg(term(viz::title(part)), unit);
    for (const viz::TokenCost& token : m_costs->tokens) {
        auto& row = table.rows.emplace_back();
        row = {
            numberCell(token.index), numberCell(token.position), textCell(toQString(token.text)),
            numberCell(token.value),
            textCell(energyWord(m_costs->metric == viz::CostMetric::Time ? Provenance::Measured
                                                                         : token.cost.provenance))};
        for (const auto& part : token.parts)
            row.push_back(numberCell(part));
    }
    return table;
}

void WaterfallView::wheelEvent(QWheelEvent* event)
{
    const QPoint turn = event->angleDelta();
    const viz::Rect& plot = m_geometry.plot;
    if (m_geometry.empty() || turn.isNull()) {
        event->ignore();
        return;
    }
    const bool sideways =
        std::abs(turn.x()) > std::abs(turn.y()) || (event->modifiers() & Qt::ShiftModifier);
    if (sideways) {
        const int by = turn.x() != 0 ? turn.x() : turn.y();
        const double share = -static_cast<double>(by) / 120.0 * 0.1;
        const auto tokens = static_cast<std::int64_t>(
            std::ceil(std::abs(share * static_cast<double>(m_window.size()))));
        setWindow(viz::pannedWindow(m_window, share < 0.0 ? -tokens : tokens, count()));
    } else {
        const double anchor =
            std::clamp((event->position().x() - plot.x) / std::max(1.0, plot.width), 0.0, 1.0);
        setWindow(viz::zoomedWindow(m_window, anchor, turn.y() > 0 ? 1.0 / kZoom : kZoom, count()));
    }
    event->accept();
}

void WaterfallView::keyPressEvent(QKeyEvent* event)
{
    const bool plain =
        !(event->modifiers() & (Qt::ControlModifier | Qt::AltModifier | Qt::MetaModifier));
    const auto step = static_cast<std::int64_t>(std::max<std::size_t>(1, m_window.size() / 5));
    if (!plain || count() == 0) {
        ItemView::keyPressEvent(event);
        return;
    }
    switch (event->key()) {
    case Qt::Key_W:
    case Qt::Key_Plus:
    case Qt::Key_Equal:
        setWindow(viz::zoomedWindow(m_window, 0.5, 1.0 / kZoom, count()));
        break;
    case Qt::Key_S:
    case Qt::Key_Minus:
        setWindow(viz::zoomedWindow(m_window, 0.5, kZoom, count()));
        break;
    case Qt::Key_A:
        setWindow(viz::pannedWindow(m_window, -step, count()));
        break;
    case Qt::Key_D:
        setWindow(viz::pannedWindow(m_window, step, count()));
        break;
    case Qt::Key_0:
        setWindow({0, count()});
        break;
    default:
        ItemView::keyPressEvent(event);
    }
}

} // namespace ep::ui
