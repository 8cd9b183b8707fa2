// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/viz/axis.h"
#include "ep/viz/heatmap.h"

#include <QFontMetricsF>
#include <QString>

#include <optional>
#include <string>

// Texts and figures shared by headings, cells, legend and tool tips of a heatmap.
namespace ep::ui {

QString number(const viz::DisplayUnit& unit, const std::optional<double>& value, bool withUnit);
// Without unit, and with fewer digits if three do not fit into the width; empty if not even one
// fits.
QString fittingNumber(const viz::DisplayUnit& unit, const std::optional<double>& value,
                      double width, const QFontMetricsF& metrics);
QString reductionText(const viz::HeatmapData& data); // "mean of 40 tokens"
QString absenceText(const viz::HeatmapData& data); // why values are missing; a sentence
// "attributed, partly missing"; "simulated" after the power source.
QString provenanceText(const viz::HeatmapData& data, const std::string& source);

} // namespace ep::ui
