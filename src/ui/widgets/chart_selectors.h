// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/viz/cost_tree.h"
#include "ep/viz/metric.h"

#include <QComboBox>
#include <QToolButton>

#include <optional>

namespace ep::ui {

// Selects the metric of a heatmap. Metrics that need energy are disabled if there is none.
class MetricSelector : public QComboBox {
    Q_OBJECT

public:
    explicit MetricSelector(QWidget* parent = nullptr);

    viz::HeatmapMetric chosen() const
    {
        return static_cast<viz::HeatmapMetric>(currentData().toInt());
    }
    void setMetric(viz::HeatmapMetric metric)
    {
        setCurrentIndex(findData(static_cast<int>(metric)));
    }
    // Selects time if the selected metric becomes unavailable; returns to it once there is energy.
    void setEnergyAvailable(bool available);

Q_SIGNALS:
    void metricChanged();

private:
    std::optional<viz::HeatmapMetric> m_wanted; // metric to return to when there is energy
};

// Selects time, gross or net energy. Metrics that the run lacks are disabled and say why.
class CostSelector : public QComboBox {
    Q_OBJECT

public:
    explicit CostSelector(QWidget* parent = nullptr);

    viz::CostMetric chosen() const { return static_cast<viz::CostMetric>(currentData().toInt()); }
    void setMetric(viz::CostMetric metric); // without a signal
    void setRun(const Run* run); // falls back to time if the metric is not available

Q_SIGNALS:
    void metricChosen(ep::viz::CostMetric metric); // emitted when the user chooses
};

class PowerTimeline;

// A menu of the run's rails that selects which have a line in a power chart. GUI thread only.
class RailMenu : public QToolButton {
    Q_OBJECT

public:
    explicit RailMenu(PowerTimeline& chart, QWidget* parent = nullptr);

private:
    void fill();

    PowerTimeline& m_chart;
};

} // namespace ep::ui
