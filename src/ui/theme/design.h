// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QIcon>
#include <QLatin1StringView>

class QFrame;
class QToolButton;
class QWidget;

// The design system of the window: one grid, four type sizes, one accent (the palette's
// highlight), quiet separators, line icons. Pages use these instead of numbers of their own.
namespace ep::ui {

inline constexpr int kGrid = 8; // logical pixels; distances are multiples of it, or half of it
inline constexpr int kHalfGrid = kGrid / 2;
inline constexpr int kControlHeight = 3 * kGrid; // minimum height of clickable items

enum class TypeSize { Small, Body, Title, Lead }; // Lead: one text of a page

// Relative to the application's font, which the user chose.
void setType(QWidget& widget, TypeSize size, bool bold = false);
// For secondary text: the theme's quieter text colour.
void setMuted(QWidget& widget);

QFrame* separator(Qt::Orientation orientation, QWidget* parent);

// An icon of resources/icons/line, drawn at any pixel ratio in the text colour that the
// application's palette has when it is painted; in the accent if checked. Empty: no such file.
QIcon lineIcon(QLatin1StringView name);

// A flat button with an icon; its text is its tool tip and accessible name.
QToolButton* iconButton(const QString& id, QLatin1StringView icon, const QString& text,
                        QWidget* parent);

// Installs the window's style and the filters for all controls: the wheel never edits, truncated
// text has tool tips, the focus is visible. Idempotent.
void installDesign();

} // namespace ep::ui
