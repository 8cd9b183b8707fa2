// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/viz/metric.h"

#include <QComboBox>

namespace ep::ui {

// Selects the metric of a heatmap. Metrics that need energy are disabled if there is none.
class MetricSelector : public QComboBox {
    Q_OBJECT

public:
    explicit MetricSelector(QWidget* parent = nullptr);

    viz::HeatmapMetric chosen() const;
    void setMetric(viz::HeatmapMetric metric);
    void setEnergyAvailable(bool available); // falls back to time if a disabled one was selected

Q_SIGNALS:
    void metricChanged();
};

} // namespace ep::ui
