// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QIcon>
#include <QLatin1StringView>

class QFrame;
class QToolButton;
class QWidget;

// The design system of the window: one grid, three sizes of type, one accent (the palette's
// highlight), quiet separators, line icons. Pages use these and no numbers of their own.
namespace ep::ui {

inline constexpr int kGrid = 8; // logical pixels; distances are its multiples or its half
inline constexpr int kHalfGrid = kGrid / 2;
inline constexpr int kControlHeight = 3 * kGrid; // minimum height of clickable items

enum class TypeSize { Small, Body, Title };

// Relative to the application's font, which is the user's.
void setType(QWidget& widget, TypeSize size, bool bold = false);
// Secondary words, in the theme's quieter text colour.
void setMuted(QWidget& widget);

QFrame* separator(Qt::Orientation orientation, QWidget* parent);

// An icon of resources/icons/line, drawn in the text colour of the application's palette whenever
// it is painted, at any pixel ratio; in the accent if it is checked. Empty icon: no such file.
QIcon lineIcon(QLatin1StringView name);

// A flat button with an icon; the text is its tool tip and its accessible name.
QToolButton* iconButton(const QString& id, QLatin1StringView icon, const QString& text,
                        QWidget* parent);

// Installs the window's style and what watches over all controls: the wheel never edits, cut words
// have tool tips, the focus is visible. Idempotent.
void installDesign();

} // namespace ep::ui
