// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/cost_selector.h"

#include "ep/ui/terms.h"

#include <QSignalBlocker>
#include <QStandardItemModel>

namespace ep::ui {

CostSelector::CostSelector(QWidget* parent)
    : QComboBox(parent)
{
    setAccessibleName(tr("Metric"));
    for (const viz::CostMetric metric : viz::kCostMetrics)
        addItem(term(viz::title(metric)), static_cast<int>(metric));
    connect(this, &QComboBox::currentIndexChanged, this, [this] { Q_EMIT metricChosen(chosen()); });
}

viz::CostMetric CostSelector::chosen() const
{
    return static_cast<viz::CostMetric>(currentData().toInt());
}

void CostSelector::setMetric(viz::CostMetric metric)
{
    const QSignalBlocker quiet(this);
    setCurrentIndex(findData(static_cast<int>(metric)));
}

void CostSelector::setRun(const Run* run)
{
    auto* items = qobject_cast<QStandardItemModel*>(model());
    for (int row = 0; row < count(); ++row) {
        const auto metric = static_cast<viz::CostMetric>(itemData(row).toInt());
        const bool there = run && viz::available(*run, metric);
        items->item(row)->setEnabled(there || metric == viz::CostMetric::Time);
        QString reason;
        if (!there && metric == viz::CostMetric::Energy)
            reason = tr("The run had no power source.");
        else if (!there && metric == viz::CostMetric::NetEnergy)
            reason = tr("Net energy needs a power source and a baseline (set a baseline duration "
                        "in Live).");
        items->item(row)->setToolTip(reason);
    }
    if (!run || !viz::available(*run, chosen()))
        setMetric(viz::CostMetric::Time);
}

} // namespace ep::ui
