// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/ui/charts/flame_view.h"

#include "chart_paint.h"
#include "cost_text.h"

#include "ep/core/format.h"
#include "ep/core/no_layers.h"
#include "ep/ui/charts/chart_export.h"
#include "ep/ui/terms.h"
#include "ep/viz/axis.h"

#include <QFontMetricsF>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace ep::ui {
namespace {

constexpr std::size_t kMaxSpanRows = 100'000; // maximum for the table

std::optional<double> powerMw(const viz::FlameSpan& span)
{
    const double seconds = toSeconds(span.time.duration_ns());
    if (!span.hasEnergy() || !(seconds > 0.0))
        return std::nullopt;
    return static_cast<double>(span.energy_mj) / seconds;
}

} // namespace

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

void FlameView::visibleTimeChanged()
{
    relayout();
    wantSteps();
}

void FlameView::resizeEvent(QResizeEvent* event)
{
    TimeView::resizeEvent(event);
    relayout();
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

void FlameView::clicked(const QPointF& position, Qt::KeyboardModifiers)
{
    const auto hit = m_geometry.hit(toPoint(position));
    if (!hit)
        return;
    const viz::FlameBox box = m_geometry.boxes[*hit];
    if (box.count == 1)
        choose({box.level, box.first});
    else
        showBox(box); // zooms to where the spans can be told apart
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
            controller()->show(span(*m_cursor).time);
        return;
    default:
        TimeView::keyPressEvent(event);
    }
}

// Descriptions of a span of the timeline: its details, its tool tip, its row in the table, and its
// colour.

QColor FlameView::colourOf(const viz::FlameBox& box) const
{
    const viz::FlameSpan& first = m_data.spans(box.level)[box.first];
    if (box.level == viz::FlameLevel::Phase)
        return theme().phase(static_cast<Phase>(first.word));
    // Colours show power, which is nearly the same for merged neighbours, or parts if power is the
    // same everywhere.
    const auto power = powerMw(first);
    const auto part = viz::partOf(box.level, first);
    if (m_data.powerIsEven() && part && box.count == 1)
        return theme().part(*part);
    if (power && !m_data.powerIsEven() && m_data.largestPowerMw() > 0.0)
        return theme().scale(std::min(1.0, *power / m_data.largestPowerMw()));
    return toColour(
        viz::mix(toRgb(theme().surface), toRgb(theme().outline), box.first % 2 == 0 ? 0.25 : 0.4));
}

QString FlameView::describe(viz::FlameLevel level, std::size_t index) const
{
    const ChartDetails details = detailsOf({level, index});
    QStringList parts;
    for (const ChartDetails::Row& row : details.rows)
        parts << row.name + QLatin1Char(' ') + row.value;
    return details.title + QStringLiteral(": ") + parts.join(QStringLiteral(", "));
}

ChartDetails FlameView::detailsOf(const Cursor& cursor) const
{
    const viz::FlameSpan& at = span(cursor);
    ChartDetails details;
    details.title = term(viz::title(cursor.level, at));
    const auto add = [&](const QString& name, const QString& value) {
        details.rows.emplace_back(name, value);
    };
    if (cursor.level == viz::FlameLevel::Operation)
        add(tr("Component"), toQString(name(static_cast<Component>(at.component))));
    if (at.layer != kNoLayer && cursor.level != viz::FlameLevel::Layer)
        add(tr("Layer"), QString::number(at.layer));
    if (at.token != kNoToken && cursor.level != viz::FlameLevel::Token)
        add(tr("Token"), QString::number(at.token));
    const RunPtr run = controller() ? controller()->run() : nullptr;
    if (run)
        add(tr("From"), toQString(formatDuration(at.time.begin_ns - run->trace.time.begin_ns)));
    add(tr("Time"), toQString(formatDuration(at.time.duration_ns())));
    add(tr("Energy"),
        toQString(formatEnergy(at.hasEnergy()
                                   ? std::optional(Millijoules{static_cast<double>(at.energy_mj)})
                                   : std::nullopt)));
    if (const auto power = powerMw(at))
        add(tr("Mean power"), toQString(formatPower(Milliwatts{*power})));
    if (run) {
        // The energy of a span smaller than a token is attributed, not measured.
        Provenance provenance = run->metrics.energy.provenance;
        if (!at.hasEnergy())
            provenance = Provenance::Missing;
        else if (cursor.level >= viz::FlameLevel::Layer)
            provenance = std::max(provenance, Provenance::Attributed);
        add(tr("Provenance"), energyWord(provenance));
    }
    return details;
}

QString FlameView::toolTipAt(const QPointF& position) const
{
    const auto hit = m_geometry.hit(toPoint(position));
    if (!hit)
        return {};
    const viz::FlameBox& box = m_geometry.boxes[*hit];
    if (box.count > 1) {
        const auto& spans = m_data.spans(box.level);
        return tr("%1 spans within %2; click to zoom in and tell them apart")
            .arg(QString::number(box.count),
                 toQString(formatDuration(spans[box.first + box.count - 1].time.end_ns
                                          - spans[box.first].time.begin_ns)));
    }
    const ChartDetails details = detailsOf({box.level, box.first});
    QStringList lines{details.title};
    for (const ChartDetails::Row& row : details.rows)
        lines << row.name + QStringLiteral(": ") + row.value;
    return lines.join(QLatin1Char('\n'));
}

ChartTable FlameView::table() const
{
    ChartTable table;
    table.headings << tr("Level") << tr("Name") << tr("Token") << tr("Layer") << tr("Begin (ms)")
                   << tr("Time (ms)") << tr("Energy (mJ)");
    const RunPtr run = controller() ? controller()->run() : nullptr;
    const Nanoseconds origin = run ? run->trace.time.begin_ns : 0;
    const TimeRange visible = visibleTime();
    for (const viz::FlameLevel level : m_data.levels()) {
        const auto& spans = m_data.spans(level);
        auto at = std::partition_point(spans.begin(), spans.end(), [&](const viz::FlameSpan& s) {
            return s.time.end_ns <= visible.begin_ns;
        });
        for (; at != spans.end() && at->time.begin_ns < visible.end_ns
             && table.rows.size() < kMaxSpanRows;
             ++at) {
            table.rows.push_back(
                {textCell(term(viz::title(level))), textCell(term(viz::title(level, *at))),
                 at->token != kNoToken ? numberCell(at->token) : missingCell(),
                 at->layer != kNoLayer ? numberCell(at->layer) : missingCell(),
                 numberCell(toMilliseconds(at->time.begin_ns - origin), 9),
                 numberCell(toMilliseconds(at->time.duration_ns())),
                 at->hasEnergy() ? numberCell(static_cast<double>(at->energy_mj)) : missingCell()});
        }
    }
    return table;
}

void FlameView::paintContent(QPainter& painter)
{
    if (!hasContent()) {
        paintEmptyText(painter, m_emptyText);
        return;
    }
    const QFontMetricsF metrics(font());
    for (std::size_t row = 0; row < m_geometry.rows.size(); ++row) {
        const double y = m_geometry.top + static_cast<double>(row) * m_geometry.row_height;
        painter.setPen(theme().mutedText);
        painter.drawText(QRectF(8.0, y, m_plot.left() - 16.0, m_geometry.row_height),
                         Qt::AlignRight | Qt::AlignVCenter, term(viz::title(m_geometry.rows[row])));
    }
    const RunPtr run = controller() ? controller()->run() : nullptr;
    for (const viz::FlameBox& box : m_geometry.boxes) {
        QRectF rect = toRectF(box.rect).adjusted(0.0, 1.0, 0.0, -1.0);
        const QColor fill = colourOf(box);
        painter.fillRect(rect, fill);
        if (box.count > 1) // a line along the bottom marks several spans
            painter.fillRect(QRectF(rect.left(), rect.bottom() - 2.0, rect.width(), 2.0),
                             theme().mutedText);
        else if (rect.width() >= 3.0) // a separator before the next box
            painter.fillRect(QRectF(rect.right() - 1.0, rect.top(), 1.0, rect.height()),
                             theme().surface);
        if (box.label_fits) {
            painter.setPen(theme().textOn(fill));
            paintElided(painter, rect.adjusted(3.0, 0.0, -2.0, 0.0),
                        Qt::AlignLeft | Qt::AlignVCenter, labelOf(box));
        }
        if (!matches(box))
            paintVeil(painter, rect, theme());
    }
    const double below = m_geometry.top + m_geometry.height();
    if (const QString text = note();
        !text.isEmpty() && below + metrics.height() < m_plot.bottom()) {
        painter.setPen(theme().mutedText);
        painter.drawText(QRectF(m_plot.left(), below, m_plot.width(), m_plot.bottom() - below),
                         Qt::AlignCenter | Qt::TextWordWrap, text);
    }
    painter.setPen(QPen(theme().outline, 1.0));
    painter.drawLine(m_plot.bottomLeft(), m_plot.bottomRight());
    paintTimeTicks(painter, run ? run->trace.time.begin_ns : 0);
    const QRectF bar(m_plot.left(), height() - legendHeight(), m_plot.width(), legendHeight());
    std::array<bool, kRunPartCount> parts{};
    for (const viz::FlameBox& box : m_geometry.boxes) {
        if (const auto part = viz::partOf(box.level, m_data.spans(box.level)[box.first]))
            parts[static_cast<std::size_t>(*part)] = true;
    }
    if (m_data.powerIsEven())
        paintPartLegend(painter, bar, theme(), parts,
                        run ? run->metrics.energy.provenance : Provenance::Missing);
    else
        paintScaleLegend(painter, bar, theme(), legend());
}

viz::ScaleLegend FlameView::legend() const
{
    viz::ScaleLegend legend;
    const RunPtr run = controller() ? controller()->run() : nullptr;
    if (m_data.largestPowerMw() > 0.0) {
        const auto unit = viz::displayUnit("mW", m_data.largestPowerMw());
        legend.low = viz::formatIn(unit, 0.0, false);
        legend.high = viz::formatIn(unit, m_data.largestPowerMw());
        legend.provenance = run ? run->metrics.energy.provenance : Provenance::Missing;
        legend.caption =
            tr("Mean power of a span · phases have the colours of the other charts").toStdString();
    } else {
        legend.caption =
            tr("Grey: no energy is known · phases have the colours of the other charts")
                .toStdString();
    }
    return legend;
}

QString FlameView::legendText() const
{
    const viz::ScaleLegend shown = legend();
    return shown.high.empty()
        ? toQString(shown.caption)
        : tr("%1 – %2: %3")
              .arg(toQString(shown.low), toQString(shown.high), toQString(shown.caption));
}

double FlameView::legendHeight() const
{
    return scaleLegendHeight(QFontMetricsF(font()), width());
}

// A token's label is its text, which says more than its number.
QString FlameView::labelOf(const viz::FlameBox& box) const
{
    const viz::FlameSpan& span = m_data.spans(box.level)[box.first];
    const RunPtr run = controller() ? controller()->run() : nullptr;
    if (box.level == viz::FlameLevel::Token && run) {
        const auto token = std::ranges::find(run->trace.tokens, span.token, &TokenSpan::index);
        const QString text =
            token == run->trace.tokens.end() ? QString() : toQString(token->text).simplified();
        if (!text.isEmpty())
            return text;
    }
    return term(viz::title(box.level, span));
}

void FlameView::paintOverlay(QPainter& painter)
{
    TimeView::paintOverlay(painter);
    if (!m_cursor || !hasContent())
        return;
    const auto row = std::find(m_geometry.rows.begin(), m_geometry.rows.end(), m_cursor->level);
    if (row == m_geometry.rows.end())
        return;
    const TimeRange time = span(*m_cursor).time;
    if (intersection(time, visibleTime()).empty())
        return;
    const viz::TimeAxis axis = timeAxis();
    const double left = std::max(m_plot.left(), axis.toX(time.begin_ns));
    const double right = std::min(m_plot.right(), axis.toX(time.end_ns));
    const double y =
        m_geometry.top + static_cast<double>(row - m_geometry.rows.begin()) * m_geometry.row_height;
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(theme().focus, 2.0));
    painter.drawRect(QRectF(left, y, std::max(3.0, right - left), m_geometry.row_height)
                         .adjusted(1.0, 1.0, -1.0, -1.0));
}

} // namespace ep::ui
