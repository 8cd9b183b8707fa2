// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/ui/charts/chart_table.h"
#include "ep/ui/theme.h"
#include "ep/viz/axis.h"
#include "ep/viz/cost_tree.h"
#include "ep/viz/metric.h"

#include <QRectF>
#include <QString>

#include <array>
#include <optional>
#include <span>
#include <string>

class QPainter;

// Texts, figures and legends shared by the charts of costs.
namespace ep::ui {

QString costText(viz::CostMetric metric, std::optional<double> value); // "12.3 mJ" or an em dash

// "(measured)", "(attributed, partly missing)", "(simulated)" after the power source; times are
// always measured.
QString provenanceText(viz::CostMetric metric, Provenance provenance, bool partial,
                       const std::string& source);

QString intervalText(viz::CostMetric metric, double standardDeviation); // "± 0.4 mJ (95 %)"

// "12.3 mJ ± 0.4 mJ (95 %) (attributed)"
QString costText(viz::CostMetric metric, const Tally& cost, std::optional<Milliwatts> baseline,
                 const std::string& source);

// The hatching of a part over its colour: the parts that are none of the model's share one grey.
Qt::BrushStyle partPattern(RunPart part);
// Fills with the colour and hatching of a part. Provenance has the pattern shown in the legend.
void paintPart(QPainter& painter, const QRectF& rect, const Theme& theme, RunPart part);

// A legend of squares and labels in one line, as many as fit; returns its width.
double paintPartLegend(QPainter& painter, const QRectF& rect, const Theme& theme,
                       const std::array<bool, kRunPartCount>& shown, Provenance provenance);
double paintPhaseLegend(QPainter& painter, const QRectF& rect, const Theme& theme,
                        const std::array<bool, kPhaseCount>& shown);

// Labels on the left with lines across the plot, only on the left, or on the right.
enum class AxisSide { LeftWithLines, Left, Right };
void paintValueAxis(QPainter& painter, const QRectF& plot, const Theme& theme,
                    std::span<const viz::Tick> ticks, AxisSide side = AxisSide::LeftWithLines);
void paintBottomAxis(QPainter& painter, const QRectF& plot, const Theme& theme,
                     std::span<const viz::Tick> ticks);

} // namespace ep::ui
