// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/viz/metric.h"

#include <QComboBox>

#include <optional>

namespace ep::ui {

// Selects the metric of a heatmap. Metrics that need energy are disabled if there is none.
class MetricSelector : public QComboBox {
    Q_OBJECT

public:
    explicit MetricSelector(QWidget* parent = nullptr);

    viz::HeatmapMetric chosen() const;
    void setMetric(viz::HeatmapMetric metric);
    // Selects time if the selected metric becomes unavailable; returns to it once there is energy.
    void setEnergyAvailable(bool available);

Q_SIGNALS:
    void metricChanged();

private:
    std::optional<viz::HeatmapMetric> m_wanted; // metric to return to when there is energy
};

} // namespace ep::ui
