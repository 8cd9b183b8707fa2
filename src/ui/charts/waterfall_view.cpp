// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/ui/charts/waterfall_view.h"

#include "chart_paint.h"
#include "cost_text.h"

#include "ep/core/stated_deviation.h"
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

constexpr std::size_t kMaxMarkedShare = 4; // marks on more than a quarter would mean nothing

// A diamond, since crosses mark outliers in the chart below.
void paintDiamond(QPainter& painter, const QPointF& centre, const Theme& theme)
{
    constexpr double kArm = 3.5;
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme.text);
    painter.drawPolygon(QPolygonF{centre + QPointF(0.0, -kArm), centre + QPointF(kArm, 0.0),
                                  centre + QPointF(0.0, kArm), centre + QPointF(-kArm, 0.0)});
    painter.restore();
}

} // namespace

WaterfallView::WaterfallView(QWidget* parent)
    : GeometryView(tr("Tokens as stacked bars with their running sum"), QStringLiteral("waterfall"),
                   parent)
    , m_scroll(new QScrollBar(Qt::Horizontal, this))
{
    m_scroll->setAccessibleName(tr("Tokens in view"));
    m_scroll->hide();
    connect(m_scroll, &QScrollBar::valueChanged, this, [this](int first) {
        const auto begin = static_cast<std::size_t>(first);
        setWindow({begin, begin + m_window.size()});
    });
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
    if (!choosing())
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
        for (const RunPart part : kRunParts)
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
    controller()->selectTokens(viz::TokenRange{m_costs->tokens[tokens.first].index,
                                               m_costs->tokens[tokens.last - 1].index + 1});
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
    for (const RunPart part : kRunParts)
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

std::size_t WaterfallView::disturbedTokens() const
{
    return static_cast<std::size_t>(
        std::ranges::count(m_costs->tokens, true, &viz::TokenCost::disturbed));
}

bool WaterfallView::marksDisturbed() const
{
    return disturbedTokens() * kMaxMarkedShare <= count();
}

// Hatches the bars after the answer; returns the area they cover.
QRectF WaterfallView::paintAnswerEnd(QPainter& painter, const QRectF& plot) const
{
    const auto end = controller() ? controller()->answerEnd() : std::nullopt;
    if (!end)
        return {};
    for (const viz::WaterfallBar& bar : m_geometry.bars) {
        if (m_costs->tokens[bar.tokens.last - 1].index < *end)
            continue;
        const double left = toRectF(bar.rect).left();
        const QRectF after(left, plot.top(), plot.right() - left, plot.height());
        painter.save();
        painter.setPen(QPen(theme().warning, 2.0));
        painter.drawLine(after.topLeft(), after.bottomLeft());
        painter.fillRect(after, QBrush(theme().warning, Qt::BDiagPattern));
        painter.restore();
        return after;
    }
    return {};
}

void WaterfallView::paintContent(QPainter& painter)
{
    if (m_geometry.empty()) {
        paintEmptyText(painter, emptyText());
        return;
    }
    const viz::CostMetric metric = m_costs->metric;
    const QRectF plot = toRectF(m_geometry.plot);
    if (m_geometry.all_missing) {
        paintMissing(painter, plot, theme());
        paintNotice(painter, plot, theme(),
                    tr("%1: — (missing). Select time, or make a run with a power source.")
                        .arg(term(viz::title(metric))));
        return;
    }
    paintValueAxis(painter, plot, theme(), m_geometry.values);
    paintValueAxis(painter, plot, theme(), m_geometry.sums, AxisSide::Right);
    const auto shown = paintBars(painter, plot);
    dimUnmatched(painter);
    const QRectF after = paintAnswerEnd(painter, plot);
    paintSum(painter);
    paintClipped(painter, plot);
    if (!after.isNull()) // drawn over the line of the sum
        paintNotice(painter, after, theme(), tr("after the answer"));
    paintBottomAxis(painter, plot, theme(), m_geometry.tokens);
    paintCaption(painter, shown);
}

std::array<bool, kRunPartCount> WaterfallView::paintBars(QPainter& painter,
                                                         const QRectF& plot) const
{
    const bool marked = marksDisturbed();
    std::array<bool, kRunPartCount> shown{};
    const auto chosen = controller() ? controller()->selection().tokens : std::nullopt;
    for (const viz::WaterfallBar& bar : m_geometry.bars) {
        const QRectF column = toRectF(bar.rect);
        if (!bar.value) {
            paintMissing(painter, column, theme());
            continue;
        }
        const std::int32_t first = m_costs->tokens[bar.tokens.first].index;
        const std::int32_t last = m_costs->tokens[bar.tokens.last - 1].index;
        const bool dimmed =
            chosen && !chosen->empty() && (last < chosen->first || first >= chosen->last);
        painter.setOpacity(dimmed ? 0.35 : 1.0);
        for (const RunPart part : kRunParts) {
            const viz::Rect& segment = bar.segments[static_cast<std::size_t>(part)];
            if (segment.empty())
                continue;
            shown[static_cast<std::size_t>(part)] = true;
            paintPart(painter, toRectF(segment), theme(), part);
        }
        if (bar.tokens.size() > 1 && bar.most > bar.least) { // shows the spread within the mean
            const auto toY = [&](double value) {
                return plot.bottom()
                    - plot.height() * std::clamp(value / m_geometry.ceiling, 0.0, 1.0);
            };
            painter.setPen(QPen(theme().text, 1.0));
            const double x = std::floor(column.center().x()) + 0.5;
            painter.drawLine(QPointF(x, toY(bar.least)), QPointF(x, toY(bar.most)));
        }
        painter.setOpacity(1.0);
        if (bar.disturbed && marked) { // above the bar
            constexpr double kAbove = 5.0;
            const double top = bar.clipped ? plot.top() + 3.0 * kAbove : plot.top() + kAbove;
            paintDiamond(painter, QPointF(column.center().x(), std::max(bar.top - kAbove, top)),
                         theme());
        }
    }
    return shown;
}

// Draws an arrow, and the value if there is room for it.
void WaterfallView::paintClipped(QPainter& painter, const QRectF& plot) const
{
    const QFontMetricsF metrics(font());
    double free = plot.left();
    for (const viz::WaterfallBar& bar : m_geometry.bars) {
        if (!bar.clipped)
            continue;
        QPolygonF arrow;
        const QPointF top(toRectF(bar.rect).center().x(), plot.top() + 1.0);
        arrow << top << top + QPointF(-4.0, 6.0) << top + QPointF(4.0, 6.0);
        painter.setPen(QPen(theme().text, 1.0));
        painter.setBrush(theme().surface);
        painter.drawPolygon(arrow);
        const QString value = costText(m_costs->metric, bar.value);
        const QRectF label(top.x() + 6.0, plot.top(), metrics.horizontalAdvance(value) + 4.0,
                           metrics.height());
        if (label.left() < free || label.right() > plot.right())
            continue;
        QColor behind = theme().surface;
        behind.setAlphaF(0.75F);
        painter.fillRect(label, behind);
        painter.setPen(theme().text);
        painter.drawText(label, Qt::AlignCenter | Qt::TextSingleLine, value);
        free = label.right() + 4.0;
    }
}

void WaterfallView::paintSum(QPainter& painter) const
{
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    QPolygonF line;
    for (const viz::Point& point : m_geometry.cumulative)
        line << QPointF(point.x, point.y);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(theme().surface, 4.0));
    painter.drawPolyline(line);
    painter.setPen(QPen(theme().text, 2.0, Qt::DashLine));
    painter.drawPolyline(line);
    painter.restore();
}

QString WaterfallView::captionText() const
{
    const viz::CostMetric metric = m_costs->metric;
    QString caption = tr("– – running sum (right axis) · %1 %2")
                          .arg(term(viz::title(metric)),
                               provenanceText(metric, m_costs->provenance, false, powerSource()));
    const RunPtr run = controller() ? controller()->run() : nullptr;
    if (run && run->info.batch.size() > 1)
        caption += tr(" · per step of %1 sequences").arg(run->info.batch.size());
    if (const std::size_t disturbed = disturbedTokens(); disturbed > 0 && marksDisturbed())
        caption += tr(" · ◆ disturbed by other programs");
    else if (disturbed > 0)
        caption += tr(" · %1 of %2 disturbed by other programs")
                       .arg(disturbed)
                       .arg(m_costs->tokens.size());
    if (m_geometry.tokens_per_bar > 1)
        caption += tr(" · mean of %1 tokens each, line: minimum to maximum")
                       .arg(m_geometry.tokens_per_bar);
    return caption;
}

void WaterfallView::paintCaption(QPainter& painter,
                                 const std::array<bool, kRunPartCount>& shown) const
{
    const QFontMetricsF metrics(font());
    const QRectF top(8.0, 2.0, width() - 16.0, metrics.height() + 4.0);
    const double used = paintPartLegend(painter, top, theme(), shown, m_costs->provenance);
    const QString caption = captionText();
    painter.setPen(theme().mutedText);
    if (width() < kWide)
        paintElided(painter, top.translated(0.0, top.height()), Qt::AlignLeft | Qt::AlignVCenter,
                    caption);
    else if (top.width() - used > 60.0)
        paintElided(painter, top.adjusted(used, 0.0, 0.0, 0.0), Qt::AlignRight | Qt::AlignVCenter,
                    caption);
}

} // namespace ep::ui
