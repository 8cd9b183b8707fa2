// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/metric_selector.h"

#include "ep/ui/terms.h"

#include <QStandardItemModel>

#include <utility>

namespace ep::ui {

MetricSelector::MetricSelector(QWidget* parent)
    : QComboBox(parent)
{
    setAccessibleName(tr("Metric"));
    for (const viz::HeatmapMetric metric : viz::kHeatmapMetrics) {
        addItem(term(viz::title(metric)), static_cast<int>(metric));
        if (viz::needsOperations(metric))
            setItemData(count() - 1, tr("Recorded only at depth deep"), Qt::ToolTipRole);
    }
    setMetric(viz::HeatmapMetric::EnergyMj);
    connect(this, &QComboBox::currentIndexChanged, this, &MetricSelector::metricChanged);
    connect(this, &QComboBox::activated, this, [this] { m_wanted.reset(); });
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
    if (!available && viz::needsEnergy(chosen())) {
        m_wanted = chosen();
        setMetric(viz::HeatmapMetric::TimeMs);
    } else if (available && m_wanted) {
        setMetric(*std::exchange(m_wanted, std::nullopt));
    }
}

} // namespace ep::ui
