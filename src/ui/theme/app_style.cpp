// SPDX-License-Identifier: GPL-3.0-or-later
#include "theme/app_style.h"

#include "theme/control_paint.h"
#include "theme/design.h"

#include <QAbstractScrollArea>
#include <QAbstractSpinBox>
#include <QListView>
#include <QPainter>
#include <QStyleFactory>
#include <QStyleOption>
#include <QToolButton>
#include <QTreeView>

#include <algorithm>

namespace ep::ui {

namespace {

constexpr int kMenuMark = kGrid + kHalfGrid; // width of the chevron next to a text

bool saysThatItHasAMenu(const QStyleOption* option)
{
    const auto* button = qstyleoption_cast<const QStyleOptionToolButton*>(option);
    return button && (button->features & QStyleOptionToolButton::HasMenu)
        && !(button->features & QStyleOptionToolButton::MenuButtonPopup)
        && button->toolButtonStyle != Qt::ToolButtonIconOnly && !button->text.isEmpty();
}

// Background of the area that a bar scrolls.
QColor groundOf(const QStyleOption& option, const QWidget* bar)
{
    const QWidget* holder =
        bar && bar->parentWidget() ? bar->parentWidget()->parentWidget() : nullptr;
    const auto* area = qobject_cast<const QAbstractScrollArea*>(holder);
    return area ? area->viewport()->palette().color(area->viewport()->backgroundRole())
                : option.palette.color(QPalette::Window);
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

// A line through the middle, as splitters and separators have it.
void drawMiddleLine(const QStyleOption& option, bool horizontal, QPainter& painter)
{
    painter.setPen(hairline(option.palette));
    const QPoint centre = option.rect.center();
    if (horizontal)
        painter.drawLine(option.rect.left(), centre.y(), option.rect.right(), centre.y());
    else
        painter.drawLine(centre.x(), option.rect.top(), centre.x(), option.rect.bottom());
}

// A button with a menu has its arrow after its text; an arrow that is the button's icon stays at
// the icon's place.
QRect arrowArea(const QStyleOption& option, const QWidget* widget)
{
    const auto* button = qobject_cast<const QToolButton*>(widget);
    const bool besideText = button && button->arrowType() == Qt::NoArrow
        && !button->text().isEmpty()
        && (button->icon().isNull() || button->toolButtonStyle() != Qt::ToolButtonIconOnly);
    return besideText
        ? QRect(widget->width() - kMenuMark - kHalfGrid, 0, kMenuMark, widget->height())
        : option.rect;
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
    case PM_FocusFrameHMargin: // next to the text of an item
        return kHalfGrid;
    case PM_HeaderMargin:
        return kHalfGrid + 1;
    case PM_ScrollBarExtent:
        return kScrollBarWidth;
    case PM_ToolBarExtensionExtent:
        return kControlHeight;
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
    if (type == CT_ItemViewItem
        && (qobject_cast<const QListView*>(widget) || qobject_cast<const QTreeView*>(widget)))
        needed.setHeight(std::max(needed.height(), kControlHeight));
    if (const auto* header = qstyleoption_cast<const QStyleOptionHeader*>(option); header
        && type == CT_HeaderSection && header->orientation == Qt::Horizontal
        && header->sortIndicator != QStyleOptionHeader::None)
        needed.rwidth() -= needed.height(); // height of the arrow, which is above the text
    if (type == CT_ToolButton && saysThatItHasAMenu(option))
        needed.rwidth() += kMenuMark;
    if (type == CT_PushButton)
        needed = {needed.width() + kGrid, std::max(needed.height(), kControlHeight)};
    return needed;
}

QRect AppStyle::subElementRect(SubElement element, const QStyleOption* option,
                               const QWidget* widget) const
{
    const QRect area = QProxyStyle::subElementRect(element, option, widget);
    const auto* frame = qstyleoption_cast<const QStyleOptionFrame*>(option);
    return element == SE_LineEditContents && frame && frame->lineWidth > 0
        ? area.adjusted(kHalfGrid, 0, -kHalfGrid, 0)
        : area;
}

int AppStyle::styleHint(StyleHint hint, const QStyleOption* option, const QWidget* widget,
                        QStyleHintReturn* data) const
{
    if (hint == SH_Widget_Animation_Duration) // no animations
        return 0;
    if (hint == SH_FocusFrame_AboveWidget)
        return 1;
    if (hint == SH_DialogButtonBox_ButtonsHaveIcons) // the icons are black in both themes
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
            paintToolPanel(*option, *painter);
        else
            paintButton(*option, *painter, false);
        break;
    case PE_PanelButtonCommand: {
        const auto* button = qstyleoption_cast<const QStyleOptionButton*>(option);
        if (button && (button->features & QStyleOptionButton::Flat))
            paintToolPanel(*option, *painter);
        else
            paintButton(*option, *painter,
                        button && (button->features & QStyleOptionButton::DefaultButton));
        break;
    }
    case PE_PanelLineEdit:
        if (const auto* frame = qstyleoption_cast<const QStyleOptionFrame*>(option);
            frame && frame->lineWidth > 0)
            paintField(*option, *painter);
        else
            QProxyStyle::drawPrimitive(element, option, painter, widget);
        break;
    case PE_PanelScrollAreaCorner:
        painter->fillRect(option->rect, option->palette.color(QPalette::Window));
        break;
    case PE_IndicatorCheckBox:
    case PE_IndicatorItemViewItemCheck:
        paintCheckBox(*option, *painter);
        break;
    case PE_IndicatorArrowDown:
        paintChevron(*option, arrowArea(*option, widget), true, *painter);
        break;
    case PE_PanelItemViewRow:
        if (const auto* row = qstyleoption_cast<const QStyleOptionViewItem*>(option)) {
            QStyleOptionViewItem soft = *row;
            softenSelection(soft.palette);
            QProxyStyle::drawPrimitive(element, &soft, painter, widget);
        }
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
    case CE_Header:
        if (const auto* header = qstyleoption_cast<const QStyleOptionHeader*>(option))
            paintHeader(*this, *header, *painter, widget);
        break;
    case CE_HeaderSection:
    case CE_HeaderEmptyArea:
        paintHeaderSection(*option, *painter);
        break;
    case CE_Splitter:
        drawMiddleLine(*option, !(option->state & State_Horizontal), *painter);
        break;
    case CE_ToolBar:
        break;
    case CE_ToolButtonLabel:
        if (const auto* button = qstyleoption_cast<const QStyleOptionToolButton*>(option)) {
            QStyleOptionToolButton shown = *button;
            if (saysThatItHasAMenu(option))
                shown.rect.adjust(0, 0, -kMenuMark, 0);
            QProxyStyle::drawControl(element, &shown, painter, widget);
        }
        break;
    case CE_ItemViewItem:
        if (const auto* item = qstyleoption_cast<const QStyleOptionViewItem*>(option)) {
            QStyleOptionViewItem soft = *item;
            softenSelection(soft.palette);
            QProxyStyle::drawControl(element, &soft, painter, widget);
        }
        break;
    case CE_ShapedFrame: {
        const auto* frame = qstyleoption_cast<const QStyleOptionFrame*>(option);
        const bool across = frame && frame->frameShape == QFrame::HLine;
        if (!across && !(frame && frame->frameShape == QFrame::VLine)) {
            QProxyStyle::drawControl(element, option, painter, widget);
            break;
        }
        drawMiddleLine(*option, across, *painter);
        break;
    }
    case CE_FocusFrame: // masked, so that only a ring is left
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

void AppStyle::drawComplexControl(ComplexControl control, const QStyleOptionComplex* option,
                                  QPainter* painter, const QWidget* widget) const
{
    painter->save();
    switch (control) {
    case CC_ScrollBar:
        if (const auto* bar = qstyleoption_cast<const QStyleOptionSlider*>(option))
            paintScrollBar(*bar, groundOf(*bar, widget), *painter);
        break;
    case CC_Slider:
        if (const auto* slider = qstyleoption_cast<const QStyleOptionSlider*>(option))
            paintSlider(*slider, subControlRect(control, option, SC_SliderHandle, widget),
                        *painter);
        break;
    case CC_ComboBox:
        if (const auto* combo = qstyleoption_cast<const QStyleOptionComboBox*>(option)) {
            if (combo->editable)
                paintField(*option, *painter);
            else if (combo->frame)
                paintButton(*option, *painter, false);
            paintChevron(*option, subControlRect(control, option, SC_ComboBoxArrow, widget), true,
                         *painter);
        }
        break;
    case CC_SpinBox:
        if (const auto* box = qstyleoption_cast<const QStyleOptionSpinBox*>(option)) {
            paintField(*option, *painter);
            const auto step = [&](SubControl part, bool possible, bool down) {
                QStyleOption arrow = *option;
                arrow.state.setFlag(State_Enabled, possible && (option->state & State_Enabled));
                paintChevron(arrow, subControlRect(control, option, part, widget), down, *painter);
            };
            if (box->buttonSymbols != QAbstractSpinBox::NoButtons) {
                step(SC_SpinBoxUp, box->stepEnabled & QAbstractSpinBox::StepUpEnabled, false);
                step(SC_SpinBoxDown, box->stepEnabled & QAbstractSpinBox::StepDownEnabled, true);
            }
        }
        break;
    default:
        QProxyStyle::drawComplexControl(control, option, painter, widget);
        break;
    }
    painter->restore();
}

QRect AppStyle::subControlRect(ComplexControl control, const QStyleOptionComplex* option,
                               SubControl part, const QWidget* widget) const
{
    const auto* bar = qstyleoption_cast<const QStyleOptionSlider*>(option);
    if (control != CC_ScrollBar || !bar)
        return QProxyStyle::subControlRect(control, option, part, widget);
    const QRect handle = scrollHandle(*bar);
    const bool across = bar->orientation == Qt::Horizontal;
    QRect area = bar->rect;
    switch (part) {
    case SC_ScrollBarGroove:
        return area;
    case SC_ScrollBarSlider:
        return handle;
    case SC_ScrollBarSubPage:
        if (across)
            area.setRight(handle.left() - 1);
        else
            area.setBottom(handle.top() - 1);
        return area;
    case SC_ScrollBarAddPage:
        if (across)
            area.setLeft(handle.right() + 1);
        else
            area.setTop(handle.bottom() + 1);
        return area;
    default: // draws no arrows
        return {};
    }
}

} // namespace ep::ui
