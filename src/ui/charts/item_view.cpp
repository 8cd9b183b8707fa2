// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/ui/charts/item_view.h"

#include "chart_paint.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>

#include <algorithm>
#include <utility>

namespace ep::ui {

namespace {

constexpr std::size_t kPage = 10;

} // namespace

ItemView::ItemView(QWidget* parent)
    : PaintedView(parent)
    , m_emptyText(tr("No run is open."))
{
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

QString ItemView::searchableText(std::size_t) const
{
    return {};
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

void ItemView::choose(std::size_t) { }

void ItemView::activate(std::size_t) { }

void ItemView::resizeEvent(QResizeEvent* event)
{
    PaintedView::resizeEvent(event);
    relayout();
}

void ItemView::itemsChanged()
{
    m_current.reset();
    m_hover.reset();
    m_pressed.reset();
    setAccessibleDescription(itemCount() == 0 ? m_emptyText : summary());
    contentChanged();
}

void ItemView::moveTo(std::optional<std::size_t> item)
{
    if (m_current == item)
        return;
    m_current = item;
    setAccessibleDescription(item ? describeItem(*item) : summary());
    update();
}

// Splits the description into a heading and rows: "Layer 2: 12 mJ", then "name: value"
// lines.
void ItemView::pinItem(std::size_t item) const
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
    pin(details);
}

void ItemView::setHover(std::optional<std::size_t> item)
{
    if (m_hover == item)
        return;
    m_hover = item;
    hoverChanged();
    update();
}

void ItemView::paintOverlay(QPainter& painter)
{
    const auto mark = [&](std::size_t item, const QColor& colour, double width) {
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(colour, width));
        painter.drawRect(itemRect(item).adjusted(0.5, 0.5, -0.5, -0.5));
    };
    if (m_hover && isHoverShown() && *m_hover < itemCount())
        mark(*m_hover, theme().text, 1.0);
    if (m_current && *m_current < itemCount()) {
        mark(*m_current, theme().surface, 4.0);
        mark(*m_current, theme().focus, 2.0);
    }
    PaintedView::paintOverlay(painter);
}

QString ItemView::toolTipAt(const QPointF& position) const
{
    const auto item = itemAt(toPoint(position));
    return item ? describeItem(*item) : QString();
}

void ItemView::mousePressEvent(QMouseEvent* event)
{
    if (event->button() == Qt::LeftButton)
        m_pressed = itemAt(toPoint(event->position()));
}

void ItemView::mouseReleaseEvent(QMouseEvent* event)
{
    const auto pressed = std::exchange(m_pressed, std::nullopt);
    if (event->button() != Qt::LeftButton || !pressed
        || itemAt(toPoint(event->position())) != pressed)
        return;
    moveTo(pressed);
    pinItem(*pressed);
    choose(*pressed);
    Q_EMIT itemClicked(static_cast<int>(*pressed));
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
    const std::size_t count = itemCount();
    if (count == 0) {
        PaintedView::keyPressEvent(event);
        return;
    }
    const std::size_t last = count - 1;
    const std::size_t at = std::min(m_current.value_or(0), last);
    std::size_t next = at;
    switch (event->key()) {
    case Qt::Key_Left:
    case Qt::Key_Up:
        next = at > 0 ? at - 1 : 0;
        break;
    case Qt::Key_Right:
    case Qt::Key_Down:
        next = m_current ? std::min(at + 1, last) : 0; // the first key press only shows the cursor
        break;
    case Qt::Key_PageUp:
        next = at > kPage ? at - kPage : 0;
        break;
    case Qt::Key_PageDown:
        next = std::min(at + kPage, last);
        break;
    case Qt::Key_Home:
        next = 0;
        break;
    case Qt::Key_End:
        next = last;
        break;
    case Qt::Key_Return:
    case Qt::Key_Enter:
    case Qt::Key_Space:
        moveTo(at);
        activate(at);
        Q_EMIT itemActivated(static_cast<int>(at));
        return;
    default:
        PaintedView::keyPressEvent(event);
        return;
    }
    moveTo(next);
    choose(next);
}

} // namespace ep::ui
