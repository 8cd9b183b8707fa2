// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/result.h"

#include <QImage>
#include <QString>

class QWidget;

namespace ep::ui {

// The widget as it looks now, at `scale` image pixels for each logical pixel, without the marks of
// hover, cursor and focus.
QImage renderChart(QWidget& chart, double scale = 2.0);

// Whether renderChart() is painting this widget or one around it.
bool isBeingExported(const QWidget& widget);

void copyChartImage(QWidget& chart); // to the clipboard

// Writes a PNG at twice the logical size; the error names the file.
Status saveChartPng(QWidget& chart, const QString& path);

// Adds "Copy Image" and "Save as PNG…" to the widget's context menu (Qt::ActionsContextMenu).
// `baseName` is the suggested file name without suffix.
void addExportActions(QWidget& chart, const QString& baseName);

} // namespace ep::ui
