// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/metric_selector.h"

#include "text.h"

#include <QStandardItemModel>

namespace ep::ui {

MetricSelector::MetricSelector(QWidget* parent)
    : QComboBox(parent)
{
    setAccessibleName(tr("Metric"));
    for (const viz::HeatmapMetric metric : viz::kHeatmapMetrics) {
        addItem(toQString(viz::title(metric)), static_cast<int>(metric));
        if (viz::needsOperations(metric))
            setItemData(count() - 1, tr("Recorded only at depth deep"), Qt::ToolTipRole);
    }
    connect(this, &QComboBox::currentIndexChanged, this, &MetricSelector::metricChanged);
}

viz::HeatmapMetric MetricSelector::chosen() const
{
    return static_cast<viz::HeatmapMetric>(currentData().toInt());
}

void MetricSelector::setMetric(viz::HeatmapMetric metric)
{
    setCurrentIndex(findData(static_cast<int>(metric)));
}

void MetricSelector::setEnergyAvailable(bool available)
{
    auto* items = qobject_cast<QStandardItemModel*>(model());
    for (int row = 0; row < count(); ++row) {
        if (viz::needsEnergy(viz::kHeatmapMetrics[static_cast<std::size_t>(row)]))
            items->item(row)->setEnabled(available);
    }
    if (!available && viz::needsEnergy(chosen()))
        setMetric(viz::HeatmapMetric::TimeMs);
}

} // namespace ep::ui
