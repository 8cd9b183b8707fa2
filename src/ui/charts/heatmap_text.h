// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/viz/axis.h"
#include "ep/viz/heatmap.h"

#include <QFontMetricsF>
#include <QString>

#include <optional>

// Words and figures that heads, cells, legend and tool tips of a heatmap share.
namespace ep::ui {

QString number(const viz::DisplayUnit& unit, const std::optional<double>& value, bool withUnit);
// Without its unit and with fewer digits where three do not fit into that width; nothing where one
// does not.
QString fittingNumber(const viz::DisplayUnit& unit, const std::optional<double>& value,
                      double width, const QFontMetricsF& metrics);
QString reductionText(const viz::HeatmapData& data); // "mean of 40 tokens"
QString absenceText(const viz::HeatmapData& data); // why values are missing; a sentence
QString provenanceText(const viz::HeatmapData& data); // "attributed, in part missing"

} // namespace ep::ui
