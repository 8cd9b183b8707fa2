// SPDX-License-Identifier: GPL-3.0-or-later
#include "theme/app_style.h"

#include "theme/design.h"

#include "ep/ui/theme.h"

#include <QListView>
#include <QPainter>
#include <QStyleFactory>
#include <QStyleOption>

#include <algorithm>

namespace ep::ui {

namespace {

constexpr double kCorner = 5.0;

QColor hairline(const QPalette& palette)
{
    QColor line = palette.color(QPalette::WindowText);
    line.setAlphaF(0.14F);
    return line;
}

QColor accent(const QPalette& palette)
{
    return Theme::fromPalette(palette).focus;
}

// A quiet header: text, a line below, and no raised box.
void drawHeaderSection(const QStyleOption& option, QPainter& painter)
{
    painter.fillRect(option.rect, option.palette.color(QPalette::Base));
    painter.setPen(hairline(option.palette));
    painter.drawLine(option.rect.bottomLeft(), option.rect.bottomRight());
}

void drawTab(const QStyleOptionTab& tab, QPainter& painter)
{
    const bool chosen = tab.state & QStyle::State_Selected;
    const bool under = tab.state & QStyle::State_MouseOver;
    if (!chosen && !under)
        return;
    QRect line = tab.rect;
    line.setTop(line.bottom() - 1);
    painter.fillRect(line.adjusted(kHalfGrid, 0, -kHalfGrid, 0),
                     chosen ? accent(tab.palette) : hairline(tab.palette));
}

void drawToolPanel(const QStyleOption& option, QPainter& painter)
{
    const bool down = option.state & (QStyle::State_Sunken | QStyle::State_On);
    const bool under =
        (option.state & QStyle::State_MouseOver) && (option.state & QStyle::State_Enabled);
    if (!down && !under)
        return;
    QColor fill = option.palette.color(QPalette::WindowText);
    fill.setAlphaF(down ? 0.13F : 0.07F);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(fill);
    painter.drawRoundedRect(QRectF(option.rect), kCorner, kCorner);
}

// The base style's box is darker than the window, and so invisible on a dark one.
void drawCheckBox(const QStyleOption& option, QPainter& painter)
{
    const bool on = option.state & QStyle::State_On;
    const bool some = option.state & QStyle::State_NoChange;
    QColor line = option.palette.color(QPalette::WindowText);
    if (!(option.state & QStyle::State_Enabled))
        line.setAlphaF(0.35F);
    QColor edge = line;
    edge.setAlphaF(0.6F * static_cast<float>(line.alphaF()));
    const QRectF box = QRectF(option.rect).adjusted(0.5, 0.5, -0.5, -0.5);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen((option.state & QStyle::State_HasFocus) ? accent(option.palette) : edge);
    painter.setBrush(option.palette.color(QPalette::Base));
    painter.drawRoundedRect(box, 2.0, 2.0);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(line, 2.0, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    const auto at = [&box](double x, double y) {
        return QPointF(box.left() + x * box.width(), box.top() + y * box.height());
    };
    if (some)
        painter.drawLine(at(0.25, 0.5), at(0.75, 0.5));
    else if (on)
        painter.drawPolyline(QPolygonF{at(0.22, 0.52), at(0.42, 0.72), at(0.78, 0.28)});
}

} // namespace

AppStyle::AppStyle()
    : QProxyStyle(QStyleFactory::create(QStringLiteral("Fusion")))
{
    setObjectName(kName);
}

int AppStyle::pixelMetric(PixelMetric metric, const QStyleOption* option,
                          const QWidget* widget) const
{
    switch (metric) {
    case PM_LayoutLeftMargin:
    case PM_LayoutTopMargin:
    case PM_LayoutRightMargin:
    case PM_LayoutBottomMargin:
    case PM_LayoutHorizontalSpacing:
    case PM_LayoutVerticalSpacing:
    case PM_SplitterWidth:
        return kGrid;
    case PM_SmallIconSize:
    case PM_ToolBarIconSize:
    case PM_ButtonIconSize:
        return 2 * kGrid + 2;
    case PM_ToolBarItemSpacing:
    case PM_ToolBarItemMargin:
        return 2;
    default:
        return QProxyStyle::pixelMetric(metric, option, widget);
    }
}

QSize AppStyle::sizeFromContents(ContentsType type, const QStyleOption* option, const QSize& size,
                                 const QWidget* widget) const
{
    QSize needed = QProxyStyle::sizeFromContents(type, option, size, widget);
    if (type == CT_ItemViewItem && qobject_cast<const QListView*>(widget))
        needed.setHeight(std::max(needed.height(), kControlHeight));
    return needed;
}

int AppStyle::styleHint(StyleHint hint, const QStyleOption* option, const QWidget* widget,
                        QStyleHintReturn* data) const
{
    if (hint == SH_Widget_Animation_Duration) // calm: nothing moves by itself
        return 0;
    if (hint == SH_FocusFrame_AboveWidget)
        return 1;
    if (hint == SH_DialogButtonBox_ButtonsHaveIcons) // the base style's, black in both themes
        return 0;
    return QProxyStyle::styleHint(hint, option, widget, data);
}

void AppStyle::drawPrimitive(PrimitiveElement element, const QStyleOption* option,
                             QPainter* painter, const QWidget* widget) const
{
    painter->save();
    switch (element) {
    case PE_FrameTabWidget:
    case PE_FrameStatusBarItem:
    case PE_PanelStatusBar:
        break;
    case PE_FrameTabBarBase: {
        painter->setPen(hairline(option->palette));
        painter->drawLine(option->rect.bottomLeft(), option->rect.bottomRight());
        break;
    }
    case PE_Frame:
        painter->setPen(hairline(option->palette));
        painter->setBrush(Qt::NoBrush);
        painter->setRenderHint(QPainter::Antialiasing);
        painter->drawRoundedRect(QRectF(option->rect).adjusted(0.5, 0.5, -0.5, -0.5), kCorner,
                                 kCorner);
        break;
    case PE_PanelButtonTool:
        if (option->state & State_AutoRaise)
            drawToolPanel(*option, *painter);
        else
            QProxyStyle::drawPrimitive(element, option, painter, widget);
        break;
    case PE_IndicatorCheckBox:
    case PE_IndicatorItemViewItemCheck:
        drawCheckBox(*option, *painter);
        break;
    case PE_FrameFocusRect:
        painter->setRenderHint(QPainter::Antialiasing);
        painter->setPen(QPen(accent(option->palette), 2.0));
        painter->setBrush(Qt::NoBrush);
        painter->drawRoundedRect(QRectF(option->rect).adjusted(1.0, 1.0, -1.0, -1.0), kCorner,
                                 kCorner);
        break;
    default:
        QProxyStyle::drawPrimitive(element, option, painter, widget);
        break;
    }
    painter->restore();
}

void AppStyle::drawControl(ControlElement element, const QStyleOption* option, QPainter* painter,
                           const QWidget* widget) const
{
    painter->save();
    switch (element) {
    case CE_TabBarTabShape:
        if (const auto* tab = qstyleoption_cast<const QStyleOptionTab*>(option))
            drawTab(*tab, *painter);
        break;
    case CE_HeaderSection:
    case CE_HeaderEmptyArea:
        drawHeaderSection(*option, *painter);
        break;
    case CE_Splitter: {
        painter->setPen(hairline(option->palette));
        const QPoint centre = option->rect.center();
        if (option->state & State_Horizontal)
            painter->drawLine(centre.x(), option->rect.top(), centre.x(), option->rect.bottom());
        else
            painter->drawLine(option->rect.left(), centre.y(), option->rect.right(), centre.y());
        break;
    }
    case CE_ToolBar:
        break;
    case CE_FocusFrame: // masked to a ring
        painter->fillRect(option->rect, accent(option->palette));
        break;
    case CE_ComboBoxLabel:
        if (const auto* combo = qstyleoption_cast<const QStyleOptionComboBox*>(option)) {
            QStyleOptionComboBox shown = *combo;
            const QRect field =
                proxy()->subControlRect(CC_ComboBox, combo, SC_ComboBoxEditField, widget);
            shown.currentText = shown.fontMetrics.elidedText(
                shown.currentText, Qt::ElideRight,
                field.width()
                    - (shown.currentIcon.isNull() ? 0 : shown.iconSize.width() + kHalfGrid));
            QProxyStyle::drawControl(element, &shown, painter, widget);
        }
        break;
    default:
        QProxyStyle::drawControl(element, option, painter, widget);
        break;
    }
    painter->restore();
}

} // namespace ep::ui
