// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/result.h"

#include <QByteArray>
#include <QImage>
#include <QString>

class QWidget;

namespace ep::ui {

// What a saved or copied chart says above itself, below its title: of which run it is, and how its
// energies were obtained. Empty: neither title nor facts.
void setExportFacts(QWidget& chart, const QString& facts);

// An image of the widget in its current state, at `scale` image pixels per logical pixel, without
// the marks of hover, cursor and focus.
QImage renderChart(QWidget& chart, double scale = 2.0);
QByteArray renderChartSvg(QWidget& chart);

// Whether a chart is being painted for a file: this widget or one of its parents.
bool isBeingExported(const QWidget& widget);

void copyChartImage(QWidget& chart); // to the clipboard

// PNG at twice the logical size; the errors name the file.
Status saveChartPng(QWidget& chart, const QString& path);
Status saveChartSvg(QWidget& chart, const QString& path);
Status saveChartPdf(QWidget& chart, const QString& path); // one page of the size of the chart

// Fills the widget's context menu (Qt::ActionsContextMenu): copy and save as PNG, SVG and PDF; for
// a PaintedView also its table: show, copy, save as CSV. `baseName` is the suggested file name
// without suffix; calling it again changes only that.
void addExportActions(QWidget& chart, const QString& baseName);
QString exportName(const QWidget& chart); // the suggested name; empty: none

} // namespace ep::ui
