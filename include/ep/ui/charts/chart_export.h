// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/result.h"

#include <QByteArray>
#include <QImage>
#include <QString>

class QWidget;

namespace ep::ui {

// Facts that a saved or copied chart shows below its title: which run it is about, and how its
// energies were obtained. Empty: neither title nor facts.
void setExportFacts(QWidget& chart, const QString& facts);

// An image of the widget in its current state, with `scale` image pixels per logical pixel and
// without hover, cursor and focus marks.
QImage renderChart(QWidget& chart, double scale = 2.0);
QByteArray renderChartSvg(QWidget& chart);

// Whether this widget or one of its parents is being painted for a file.
bool isBeingExported(const QWidget& widget);

void copyChartImage(QWidget& chart); // copies the chart to the clipboard

// PNG at twice the logical size; the errors name the file.
Status saveChartPng(QWidget& chart, const QString& path);
Status saveChartSvg(QWidget& chart, const QString& path);
Status saveChartPdf(QWidget& chart, const QString& path); // one page as large as the chart

// Fills the widget's context menu (Qt::ActionsContextMenu) with copy and save as PNG, SVG and PDF;
// for a PaintedView also with its table: show, copy, save as CSV. `baseName` is the suggested file
// name without suffix; further calls change only that.
void addExportActions(QWidget& chart, const QString& baseName);
QString exportName(const QWidget& chart); // suggested file name; empty: none

} // namespace ep::ui
