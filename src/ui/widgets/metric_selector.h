// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/viz/metric.h"

#include <QComboBox>

namespace ep::ui {

// Chooses what a heatmap shows. Metrics that need energy are greyed out where there is none.
class MetricSelector : public QComboBox {
    Q_OBJECT

public:
    explicit MetricSelector(QWidget* parent = nullptr);

    viz::HeatmapMetric chosen() const;
    void setMetric(viz::HeatmapMetric metric);
    void setEnergyAvailable(bool available); // falls back to time when a greyed one was chosen

Q_SIGNALS:
    void metricChanged();
};

} // namespace ep::ui
