// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>

class QPainter;
class QPalette;
class QRect;
class QStyle;
class QStyleOption;
class QStyleOptionHeader;
class QStyleOptionSlider;
class QWidget;

// Paints the controls of the window: flat, with hairlines and one accent.
namespace ep::ui {

inline constexpr double kCorner = 5.0;
inline constexpr int kScrollBarWidth = 12;

QColor hairline(const QPalette& palette);
QColor accent(const QPalette& palette);

// Shows the selection in lists and tables with a tint that does not change the colour of the text.
void softenSelection(QPalette& palette);

void paintButton(const QStyleOption& option, QPainter& painter, bool isDefault);
void paintField(const QStyleOption& option, QPainter& painter); // for a line of text or a number
void paintToolPanel(const QStyleOption& option, QPainter& painter);
void paintCheckBox(const QStyleOption& option, QPainter& painter);
void paintHeaderSection(const QStyleOption& option, QPainter& painter);
// Paints the section, its label with a margin, and the arrow of a sorted column. The arrow is above
// the text, so that such a column needs no more width than others.
void paintHeader(const QStyle& style, const QStyleOptionHeader& header, QPainter& painter,
                 const QWidget* widget);
// Paints a chevron in the middle of `area`, pointing down or up.
void paintChevron(const QStyleOption& option, const QRect& area, bool down, QPainter& painter);

// Paints a thin bar without arrows on `ground`, the background of the scrolled area.
QRect scrollHandle(const QStyleOptionSlider& bar);
void paintScrollBar(const QStyleOptionSlider& bar, const QColor& ground, QPainter& painter);
void paintSlider(const QStyleOptionSlider& slider, const QRect& handle, QPainter& painter);

} // namespace ep::ui
