// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/ui/charts/flame_view.h"

#include "chart_paint.h"

#include "ep/core/format.h"
#include "ep/core/no_layers.h"
#include "ep/ui/charts/chart_export.h"
#include "ep/ui/terms.h"

#include <QFontMetricsF>
#include <QKeyEvent>
#include <QMouseEvent>

#include <algorithm>
#include <cmath>

namespace ep::ui {

FlameView::FlameView(QWidget* parent)
    : TimeView(parent)
    , m_emptyText(tr("No spans were recorded."))
{
    setAccessibleName(tr("Span timeline"));
    setAccessibleDescription(m_emptyText);
    addExportActions(*this, QStringLiteral("spans"));
}

void FlameView::runChanged()
{
    const RunPtr run = controller()->run();
    m_data = run ? viz::FlameData(run->trace) : viz::FlameData();
    m_cursor.reset();
    setAccessibleDescription(
        m_data.size() == 0
            ? m_emptyText
            : tr("%1 spans in %2 levels").arg(m_data.size()).arg(m_data.levels().size()));
    relayout();
    wantSteps();
}

void FlameView::addStep(int token, const RunTrace& step)
{
    const std::size_t before = m_data.size();
    m_data.addStep(token, step);
    if (m_cursor && m_data.size() != before && m_cursor->level >= viz::FlameLevel::Layer)
        m_cursor.reset(); // indices have changed
    relayout();
}

void FlameView::setEmptyText(const QString& text)
{
    m_emptyText = text;
    relayout();
}

void FlameView::wantSteps()
{
    const RunPtr run = controller()->run();
    if (!run || run->info.depth == Depth::None)
        return;
    const auto missing = m_data.missingSteps(visibleTime());
    if (missing.empty() || missing.size() > static_cast<std::size_t>(kMaxSteps))
        return;
    Q_EMIT stepsWanted(QList<int>(missing.begin(), missing.end()));
}

QString FlameView::note() const
{
    const RunPtr run = controller() ? controller()->run() : nullptr;
    if (!run || m_data.size() == 0)
        return {};
    if (run->info.depth == Depth::None)
        return term(whyNoLayers(run->info));
    const auto missing = m_data.missingSteps(visibleTime());
    if (missing.size() > static_cast<std::size_t>(kMaxSteps))
        return tr("Zoom in to %1 tokens or fewer to see their layers and components.")
            .arg(kMaxSteps);
    return missing.empty() ? QString() : tr("Loading layers and components…");
}

void FlameView::relayout()
{
    const QFontMetricsF metrics(font());
    double names = 0.0;
    for (std::size_t i = 0; i < viz::kFlameLevelCount; ++i)
        names = std::max(
            names, metrics.horizontalAdvance(term(viz::title(static_cast<viz::FlameLevel>(i)))));
    const double left = std::ceil(names + 16.0);
    const double bottom = std::ceil(metrics.height() + 8.0 + legendHeight());
    m_plot = alignedPlot({left, 4.0, std::max(10.0, width() - left - 12.0),
                          std::max(10.0, height() - bottom - 4.0)});
    viz::FlameStyle style;
    style.char_width = metrics.averageCharWidth();
    const auto rows = static_cast<double>(std::max<std::size_t>(1, m_data.levels().size()));
    style.row_height =
        std::clamp(std::floor(m_plot.height() / rows), 12.0, std::max(24.0, metrics.height() + 10));
    m_geometry = viz::layoutFlame(m_data, visibleTime(),
                                  {m_plot.x(), m_plot.y(), m_plot.width(), m_plot.height()}, style);
    contentChanged();
}

QRectF FlameView::plotRect() const
{
    return m_plot;
}

bool FlameView::hasContent() const
{
    return m_data.size() > 0;
}

void FlameView::themeChanged()
{
    relayout();
}

void FlameView::visibleTimeChanged()
{
    relayout();
    wantSteps();
}

void FlameView::searchChanged()
{
    contentChanged();
}

void FlameView::resizeEvent(QResizeEvent* event)
{
    TimeView::resizeEvent(event);
    relayout();
}

const viz::FlameSpan& FlameView::span(const Cursor& cursor) const
{
    return m_data.spans(cursor.level)[cursor.index];
}

bool FlameView::matches(const viz::FlameBox& box) const
{
    if (!controller() || controller()->searchText().isEmpty())
        return true;
    const auto& spans = m_data.spans(box.level);
    for (std::size_t i = box.first; i < box.first + std::min<std::size_t>(box.count, 64); ++i) {
        QString text = term(viz::title(box.level, spans[i]));
        if (box.level == viz::FlameLevel::Token && controller()->run()) {
            const auto& tokens = controller()->run()->trace.tokens;
            if (i < tokens.size())
                text += QLatin1Char(' ') + toQString(tokens[i].text);
        }
        if (matchesSearch(text))
            return true;
    }
    return false;
}

// Selects the span's part of the model in the controller.
void FlameView::choose(const Cursor& cursor)
{
    const viz::FlameSpan at = span(cursor); // a copy: selecting may load steps
    moveTo(cursor);
    pin(detailsOf(cursor));
    switch (cursor.level) {
    case viz::FlameLevel::Phase:
        controller()->selectPhase(static_cast<Phase>(at.word));
        break;
    case viz::FlameLevel::Token:
        controller()->selectToken(at.token);
        break;
    case viz::FlameLevel::Section:
        controller()->selectTime(at.time);
        break;
    case viz::FlameLevel::Layer:
    case viz::FlameLevel::Component:
    case viz::FlameLevel::Operation: {
        viz::Selection next =
            controller()->index().withTokens(controller()->selection(), {at.token, at.token + 1});
        next.layer = at.layer;
        next.component.reset();
        next.operation.reset();
        if (cursor.level == viz::FlameLevel::Component)
            next.component = static_cast<Component>(at.word);
        if (cursor.level == viz::FlameLevel::Operation) {
            next.component = static_cast<Component>(at.component);
            next.operation = static_cast<Operation>(at.word);
        }
        controller()->select(next);
        break;
    }
    }
}

void FlameView::moveTo(const Cursor& cursor)
{
    m_cursor = cursor;
    const TimeRange time = span(cursor).time;
    if (intersection(time, visibleTime()).empty()) {
        const Nanoseconds middle = time.begin_ns + time.duration_ns() / 2;
        const TimeRange shown = visibleTime();
        controller()->show(viz::panned(shown, middle - shown.begin_ns - shown.duration_ns() / 2,
                                       controller()->full()));
    }
    setAccessibleDescription(describe(cursor.level, cursor.index));
    update();
}

void FlameView::zoomTo(const viz::FlameSpan& at)
{
    controller()->show(at.time);
}

void FlameView::clicked(const QPointF& position, Qt::KeyboardModifiers)
{
    const auto hit = m_geometry.hit(toPoint(position));
    if (!hit)
        return;
    const viz::FlameBox box = m_geometry.boxes[*hit];
    if (box.count == 1)
        choose({box.level, box.first});
    else
        showBox(box); // zooms to where they can be told apart
}

void FlameView::showBox(const viz::FlameBox& box)
{
    const auto& spans = m_data.spans(box.level);
    controller()->show(
        {spans[box.first].time.begin_ns, spans[box.first + box.count - 1].time.end_ns});
}

void FlameView::mouseDoubleClickEvent(QMouseEvent* event)
{
    const auto hit = hasContent() ? m_geometry.hit(toPoint(event->position())) : std::nullopt;
    if (event->button() != Qt::LeftButton || !hit || !controller()) {
        TimeView::mouseDoubleClickEvent(event);
        return;
    }
    showBox(m_geometry.boxes[*hit]);
}

std::optional<FlameView::Cursor> FlameView::neighbour(int direction) const
{
    const auto& spans = m_data.spans(m_cursor->level);
    if (direction < 0 ? m_cursor->index == 0 : m_cursor->index + 1 >= spans.size())
        return std::nullopt;
    return Cursor{m_cursor->level, direction < 0 ? m_cursor->index - 1 : m_cursor->index + 1};
}

std::optional<FlameView::Cursor> FlameView::around(int direction) const
{
    const TimeRange time = span(*m_cursor).time;
    const auto levels = m_data.levels();
    auto at = std::find(levels.begin(), levels.end(), m_cursor->level);
    while (true) {
        if (direction < 0 ? at == levels.begin() : at + 1 == levels.end())
            return std::nullopt;
        at += direction;
        const auto& spans = m_data.spans(*at);
        // Parent: the span that contains its start; child: the first that starts inside it.
        const Nanoseconds begin = time.begin_ns;
        const auto found =
            std::partition_point(spans.begin(), spans.end(), [&](const viz::FlameSpan& s) {
                return direction < 0 ? s.time.end_ns <= begin : s.time.begin_ns < begin;
            });
        const bool fits = found != spans.end()
            && (direction < 0 ? found->time.contains(begin) : found->time.begin_ns < time.end_ns);
        if (fits)
            return Cursor{*at, static_cast<std::size_t>(found - spans.begin())};
    }
}

void FlameView::keyPressEvent(QKeyEvent* event)
{
    if (!hasContent() || !controller()) {
        TimeView::keyPressEvent(event);
        return;
    }
    std::optional<Cursor> next;
    switch (event->key()) {
    case Qt::Key_Left:
    case Qt::Key_Right:
    case Qt::Key_Up:
    case Qt::Key_Down:
        if (!m_cursor)
            next = Cursor{m_data.levels().front(), 0};
        else if (event->key() == Qt::Key_Left || event->key() == Qt::Key_Right)
            next = neighbour(event->key() == Qt::Key_Left ? -1 : 1);
        else
            next = around(event->key() == Qt::Key_Up ? -1 : 1);
        if (next)
            choose(*next);
        return;
    case Qt::Key_Return:
    case Qt::Key_Enter:
        if (m_cursor)
            zoomTo(span(*m_cursor));
        return;
    default:
        TimeView::keyPressEvent(event);
    }
}

QSize FlameView::sizeHint() const
{
    return {640, 200};
}

QSize FlameView::minimumSizeHint() const
{
    return {240, 150};
}

} // namespace ep::ui
