// SPDX-License-Identifier: GPL-3.0-or-later
#include "theme/control_paint.h"

#include "theme/design.h"

#include "ep/ui/theme.h"

#include <QAbstractItemModel>
#include <QHeaderView>
#include <QPainter>
#include <QStyleOption>

#include <algorithm>

namespace ep::ui {

namespace {

bool has(const QStyleOption& option, QStyle::StateFlag flag)
{
    return option.state & flag;
}

// The text's colour with the opacity `alpha`.
QColor tint(const QPalette& palette, float alpha)
{
    QColor colour = palette.color(QPalette::WindowText);
    colour.setAlphaF(alpha);
    return colour;
}

void paintBox(const QRect& area, const QColor& fill, const QPen& edge, QPainter& painter)
{
    const double inset = std::max(edge.widthF(), 1.0) / 2.0;
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setBrush(fill);
    painter.setPen(edge);
    painter.drawRoundedRect(QRectF(area).adjusted(inset, inset, -inset, -inset), kCorner, kCorner);
}

QPen edgeOf(const QStyleOption& option, bool emphasised)
{
    if (!has(option, QStyle::State_Enabled))
        return hairline(option.palette);
    if (has(option, QStyle::State_HasFocus))
        return {accent(option.palette), 2.0};
    return emphasised ? QPen(accent(option.palette)) : QPen(tint(option.palette, 0.5F));
}

// Elides each line separately, because Qt elides several lines as if they were one.
QString elidedLines(const QString& text, const QFontMetrics& metrics, int width)
{
    QStringList lines = text.split(u'\n');
    for (QString& line : lines)
        line = metrics.elidedText(line, Qt::ElideRight, width);
    return lines.join(u'\n');
}

// Headings are aligned like the cells below them, unless they set an alignment.
Qt::Alignment headAlignment(const QStyleOptionHeader& header, const QWidget* widget)
{
    const auto* view = qobject_cast<const QHeaderView*>(widget);
    const QAbstractItemModel* model = view ? view->model() : nullptr;
    if (!model || header.orientation != Qt::Horizontal
        || model->headerData(header.section, Qt::Horizontal, Qt::TextAlignmentRole).isValid())
        return header.textAlignment;
    const QVariant cell = model->index(0, header.section).data(Qt::TextAlignmentRole);
    const auto all = cell.typeId() == qMetaTypeId<Qt::Alignment>() ? cell.value<Qt::Alignment>()
                                                                   : Qt::Alignment(cell.toInt());
    const Qt::Alignment horizontal = all & Qt::AlignHorizontal_Mask;
    return (horizontal ? horizontal : Qt::AlignLeft) | Qt::AlignVCenter;
}

} // namespace

QColor hairline(const QPalette& palette)
{
    return tint(palette, 0.14F);
}

QColor accent(const QPalette& palette)
{
    return Theme::fromPalette(palette).focus;
}

void softenSelection(QPalette& palette)
{
    constexpr double kStrength = 0.18;
    const viz::Rgb base = toRgb(palette.color(QPalette::Base));
    palette.setColor(QPalette::Highlight,
                     toColour(viz::mix(base, toRgb(accent(palette)), kStrength)));
    palette.setColor(QPalette::HighlightedText, palette.color(QPalette::Text));
}

void paintButton(const QStyleOption& option, QPainter& painter, bool isDefault)
{
    const bool enabled = has(option, QStyle::State_Enabled);
    const bool down = option.state & (QStyle::State_Sunken | QStyle::State_On);
    const QColor fill = option.palette.color(enabled ? QPalette::Base : QPalette::Window);
    paintBox(option.rect, fill, edgeOf(option, isDefault), painter);
    if (enabled && (down || has(option, QStyle::State_MouseOver)))
        paintBox(option.rect, tint(option.palette, down ? 0.13F : 0.05F), Qt::NoPen, painter);
}

void paintField(const QStyleOption& option, QPainter& painter)
{
    paintBox(option.rect, option.palette.color(QPalette::Base), edgeOf(option, false), painter);
}

void paintToolPanel(const QStyleOption& option, QPainter& painter)
{
    const bool down = option.state & (QStyle::State_Sunken | QStyle::State_On);
    const bool under = has(option, QStyle::State_MouseOver) && has(option, QStyle::State_Enabled);
    if (down || under)
        paintBox(option.rect, tint(option.palette, down ? 0.13F : 0.07F), Qt::NoPen, painter);
}

// The base style's box is darker than the window, so it is invisible on a dark one.
void paintCheckBox(const QStyleOption& option, QPainter& painter)
{
    QColor line = option.palette.color(QPalette::WindowText);
    if (!has(option, QStyle::State_Enabled))
        line.setAlphaF(0.35F);
    QColor edge = line;
    edge.setAlphaF(0.6F * static_cast<float>(line.alphaF()));
    const QRectF box = QRectF(option.rect).adjusted(0.5, 0.5, -0.5, -0.5);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(has(option, QStyle::State_HasFocus) ? accent(option.palette) : edge);
    painter.setBrush(option.palette.color(QPalette::Base));
    painter.drawRoundedRect(box, 3.0, 3.0);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(line, 2.0, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    const auto at = [&box](double x, double y) {
        return QPointF(box.left() + x * box.width(), box.top() + y * box.height());
    };
    if (has(option, QStyle::State_NoChange))
        painter.drawLine(at(0.25, 0.5), at(0.75, 0.5));
    else if (has(option, QStyle::State_On))
        painter.drawPolyline(QPolygonF{at(0.22, 0.52), at(0.42, 0.72), at(0.78, 0.28)});
}

// A quiet header: text, a line below, and no raised box.
void paintHeaderSection(const QStyleOption& option, QPainter& painter)
{
    painter.fillRect(option.rect, option.palette.color(QPalette::Base));
    painter.setPen(hairline(option.palette));
    painter.drawLine(option.rect.bottomLeft(), option.rect.bottomRight());
}

void paintHeader(const QStyle& style, const QStyleOptionHeader& header, QPainter& painter,
                 const QWidget* widget)
{
    style.drawControl(QStyle::CE_HeaderSection, &header, &painter, widget);
    QStyleOptionHeaderV2 label;
    if (const auto* whole = qstyleoption_cast<const QStyleOptionHeaderV2*>(&header))
        label = *whole;
    else
        label.QStyleOptionHeader::operator=(header);
    const int margin = style.pixelMetric(QStyle::PM_HeaderMargin, &header, widget);
    label.rect.adjust(margin, 0, -margin, 0);
    label.textAlignment = headAlignment(header, widget);
    if (label.text.contains(u'\n'))
        label.text = elidedLines(label.text, label.fontMetrics, label.rect.width());
    style.drawControl(QStyle::CE_HeaderLabel, &label, &painter, widget);
    const QRect arrow(header.rect.center().x() - kHalfGrid, header.rect.top(), kGrid, kGrid - 1);
    if (header.sortIndicator != QStyleOptionHeader::None)
        paintChevron(header, arrow, header.sortIndicator == QStyleOptionHeader::SortDown, painter);
}

void paintChevron(const QStyleOption& option, const QRect& area, bool down, QPainter& painter)
{
    const QPointF centre = QRectF(area).center();
    const double wide = 3.5;
    const double high = down ? 2.0 : -2.0;
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(tint(option.palette, has(option, QStyle::State_Enabled) ? 0.75F : 0.3F),
                        1.5, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    painter.drawPolyline(QPolygonF{centre + QPointF(-wide, -high), centre + QPointF(0.0, high),
                                   centre + QPointF(wide, -high)});
}

QRect scrollHandle(const QStyleOptionSlider& bar)
{
    const bool across = bar.orientation == Qt::Horizontal;
    const int length = across ? bar.rect.width() : bar.rect.height();
    const qint64 range = qint64(bar.maximum) - bar.minimum;
    if (range <= 0)
        return bar.rect;
    const int handle =
        std::clamp(static_cast<int>(qint64(length) * bar.pageStep / (range + bar.pageStep)),
                   std::min(4 * kGrid, length), length);
    const int at = QStyle::sliderPositionFromValue(bar.minimum, bar.maximum, bar.sliderPosition,
                                                   length - handle, bar.upsideDown);
    return across ? QRect(bar.rect.left() + at, bar.rect.top(), handle, bar.rect.height())
                  : QRect(bar.rect.left(), bar.rect.top() + at, bar.rect.width(), handle);
}

void paintScrollBar(const QStyleOptionSlider& bar, const QColor& ground, QPainter& painter)
{
    painter.fillRect(bar.rect, ground);
    if (bar.maximum <= bar.minimum)
        return;
    const bool held = has(bar, QStyle::State_Sunken);
    const bool under = has(bar, QStyle::State_MouseOver);
    const QRectF handle = QRectF(scrollHandle(bar)).adjusted(3.0, 3.0, -3.0, -3.0);
    const double round = std::min(handle.width(), handle.height()) / 2.0;
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(tint(bar.palette, held ? 0.75F : under ? 0.65F : 0.5F));
    painter.drawRoundedRect(handle, round, round);
}

void paintSlider(const QStyleOptionSlider& slider, const QRect& handle, QPainter& painter)
{
    constexpr double kThick = 4.0;
    const bool across = slider.orientation == Qt::Horizontal;
    const QRectF area(slider.rect);
    const QPointF at = QRectF(handle).center();
    const QRectF groove = across ? QRectF(area.left(), at.y() - kThick / 2.0, area.width(), kThick)
                                 : QRectF(at.x() - kThick / 2.0, area.top(), kThick, area.height());
    QRectF done = groove;
    if (across)
        done.setRight(at.x());
    else
        done.setTop(at.y());
    const bool enabled = has(slider, QStyle::State_Enabled);
    const QColor colour = enabled ? accent(slider.palette) : tint(slider.palette, 0.3F);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(hairline(slider.palette));
    painter.drawRoundedRect(groove, kThick / 2.0, kThick / 2.0);
    painter.setBrush(colour);
    painter.drawRoundedRect(done, kThick / 2.0, kThick / 2.0);
    const double radius = std::min(handle.width(), handle.height()) / 2.0 - 1.0;
    painter.setBrush(slider.palette.color(QPalette::Base));
    painter.setPen(QPen(colour, has(slider, QStyle::State_HasFocus) ? 3.0 : 1.5));
    painter.drawEllipse(at, radius, radius);
}

} // namespace ep::ui
