// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/ui/charts/item_view.h"

#include "chart_paint.h"

#include "ep/ui/charts/chart_export.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>

#include <algorithm>
#include <utility>

namespace ep::ui {

namespace {

constexpr std::size_t kPage = 10;

} // namespace

void ItemCursor::press(const QMouseEvent& event, std::optional<std::size_t> item)
{
    if (event.button() == Qt::LeftButton)
        pressed = item;
}

std::optional<std::size_t> ItemCursor::release(const QMouseEvent& event,
                                               std::optional<std::size_t> item)
{
    const auto before = std::exchange(pressed, std::nullopt);
    return event.button() == Qt::LeftButton && before == item ? before : std::nullopt;
}

std::optional<std::size_t> ItemCursor::moved(int key, std::size_t count) const
{
    if (count == 0)
        return std::nullopt;
    const std::size_t last = count - 1;
    const std::size_t at = std::min(current.value_or(0), last);
    switch (key) {
    case Qt::Key_Left:
    case Qt::Key_Up:
        return at > 0 ? at - 1 : 0;
    case Qt::Key_Right:
    case Qt::Key_Down:
        return current ? std::min(at + 1, last) : 0; // the first key press only shows the cursor
    case Qt::Key_PageUp:
        return at > kPage ? at - kPage : 0;
    case Qt::Key_PageDown:
        return std::min(at + kPage, last);
    case Qt::Key_Home:
        return 0;
    case Qt::Key_End:
        return last;
    default:
        return std::nullopt;
    }
}

ItemView::ItemView(const QString& name, const QString& exportName, QWidget* parent)
    : PaintedView(parent)
    , m_emptyText(tr("No run is open."))
{
    setAccessibleName(name);
    addExportActions(*this, exportName);
}

void ItemView::setCurrentItem(int item)
{
    if (item < 0)
        moveTo(std::nullopt);
    else if (static_cast<std::size_t>(item) < itemCount())
        moveTo(static_cast<std::size_t>(item));
}

void ItemView::setEmptyText(const QString& text)
{
    m_emptyText = text;
    if (itemCount() == 0)
        setAccessibleDescription(text);
    contentChanged();
}

bool ItemView::isDimmed(std::size_t item) const
{
    const QString text = searchableText(item);
    return !text.isEmpty() && !matchesSearch(text);
}

void ItemView::dimUnmatched(QPainter& painter) const
{
    if (!controller() || controller()->searchText().isEmpty())
        return;
    for (std::size_t item = 0; item < itemCount(); ++item) {
        if (isDimmed(item))
            paintVeil(painter, itemRect(item), theme());
    }
}

void ItemView::resizeEvent(QResizeEvent* event)
{
    PaintedView::resizeEvent(event);
    relayout();
}

void ItemView::itemsChanged()
{
    resetItems(std::nullopt);
    contentChanged();
}

void ItemView::resetItems(std::optional<std::size_t> kept)
{
    m_at = {.current = kept};
    setAccessibleDescription(itemCount() == 0 ? m_emptyText : summary());
}

void ItemView::moveTo(std::optional<std::size_t> item)
{
    if (m_at.current == item)
        return;
    m_at.current = item;
    setAccessibleDescription(item ? describeItem(*item) : summary());
    currentMoved();
    update();
}

void ItemView::chooseQuietly(std::size_t item)
{
    m_choosing = true;
    choose(item);
    m_choosing = false;
}

// Splits the description into a heading and rows: "Layer 2: 12 mJ", then "name: value"
// lines.
ChartDetails ItemView::detailsOf(std::size_t item) const
{
    const QString separator = QStringLiteral(": ");
    ChartDetails details;
    const QStringList lines = describeItem(item).split(QLatin1Char('\n'));
    for (const QString& line : lines) {
        const auto colon = line.indexOf(separator);
        const QString name = colon > 0 ? line.left(colon) : QString();
        const QString value = colon > 0 ? line.mid(colon + separator.size()) : line;
        if (details.title.isEmpty()) {
            details.title = colon > 0 ? name : line;
            if (colon > 0)
                details.rows.emplace_back(tr("Value"), value);
        } else {
            details.rows.emplace_back(name, value);
        }
    }
    return details;
}

void ItemView::setHover(std::optional<std::size_t> item)
{
    if (m_at.hovered == item)
        return;
    m_at.hovered = item;
    hoverChanged();
    update();
}

void ItemView::paintRing(QPainter& painter, const QRectF& area, bool current,
                         Qt::PenJoinStyle join) const
{
    const auto frame = [&](const QColor& colour, double width) {
        painter.setPen(QPen(colour, width, Qt::SolidLine, Qt::SquareCap, join));
        painter.drawRect(area);
    };
    painter.setBrush(Qt::NoBrush);
    if (current)
        frame(theme().surface, 4.0); // separates the ring from items of any colour
    frame(current ? theme().focus : theme().text, current ? 2.0 : 1.0);
}

void ItemView::paintMark(QPainter& painter, std::size_t item, bool current) const
{
    paintRing(painter, itemRect(item).adjusted(0.5, 0.5, -0.5, -0.5), current);
}

void ItemView::paintOverlay(QPainter& painter)
{
    if (m_at.hovered && isHoverShown() && *m_at.hovered < itemCount())
        paintMark(painter, *m_at.hovered, false);
    if (m_at.current && *m_at.current < itemCount())
        paintMark(painter, *m_at.current, true);
    PaintedView::paintOverlay(painter);
}

QString ItemView::toolTipAt(const QPointF& position) const
{
    const auto item = itemAt(toPoint(position));
    return item ? describeItem(*item) : QString();
}

void ItemView::mousePressEvent(QMouseEvent* event)
{
    m_at.press(*event, itemAt(toPoint(event->position())));
}

void ItemView::mouseReleaseEvent(QMouseEvent* event)
{
    const auto clicked = m_at.release(*event, itemAt(toPoint(event->position())));
    if (!clicked)
        return;
    moveTo(clicked);
    pin(detailsOf(*clicked));
    chooseQuietly(*clicked);
    Q_EMIT itemClicked(static_cast<int>(*clicked));
}

void ItemView::mouseDoubleClickEvent(QMouseEvent* event)
{
    const auto item = itemAt(toPoint(event->position()));
    if (event->button() != Qt::LeftButton || !item)
        return;
    activate(*item);
    Q_EMIT itemActivated(static_cast<int>(*item));
}

void ItemView::mouseMoveEvent(QMouseEvent* event)
{
    setHover(itemAt(toPoint(event->position())));
}

void ItemView::leaveEvent(QEvent* event)
{
    setHover(std::nullopt);
    PaintedView::leaveEvent(event);
}

void ItemView::keyPressEvent(QKeyEvent* event)
{
    const int key = event->key();
    if (itemCount() > 0
        && (key == Qt::Key_Return || key == Qt::Key_Enter || key == Qt::Key_Space)) {
        const std::size_t item = std::min(m_at.current.value_or(0), itemCount() - 1);
        moveTo(item);
        activate(item);
        Q_EMIT itemActivated(static_cast<int>(item));
    } else if (const auto next = itemFor(key)) {
        moveTo(next);
        chooseQuietly(*next);
    } else {
        PaintedView::keyPressEvent(event);
    }
}

} // namespace ep::ui
