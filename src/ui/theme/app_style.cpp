// SPDX-License-Identifier: GPL-3.0-or-later
#include "theme/app_style.h"

#include "theme/design.h"

#include "ep/ui/theme.h"

#include <QAbstractItemModel>
#include <QAbstractScrollArea>
#include <QAbstractSpinBox>
#include <QColor>
#include <QHeaderView>
#include <QListView>
#include <QPainter>
#include <QStyleFactory>
#include <QStyleOption>
#include <QToolButton>
#include <QTreeView>

#include <algorithm>

class QPalette;
class QRect;
class QStyle;
class QStyleOptionHeader;
class QStyleOptionSlider;
class QWidget;

namespace ep::ui {

namespace {

constexpr double kCorner = 5.0;
constexpr int kScrollBarWidth = 12;

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

QColor hairline(const QPalette& palette)
{
    return tint(palette, 0.14F);
}

QColor accent(const QPalette& palette)
{
    return Theme::fromPalette(palette).focus;
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

// Shows the selection in lists and tables with a tint that does not change the colour of the text.
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

// For a line of text or a number.
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

// Paints a chevron in the middle of `area`, pointing down or up.
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

// Paints the section, its label with a margin, and the arrow of a sorted column. The arrow is above
// the text, so that such a column needs no more width than others.
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

// Paints a thin bar without arrows on `ground`, the background of the scrolled area.
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
    case PE_FrameFocusRect: // like FocusMark: users of the mouse see no ring around a cell
        if (has(*option, State_Item) && widget
            && !widget->window()->testAttribute(Qt::WA_KeyboardFocusChange))
            break;
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
