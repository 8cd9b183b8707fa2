// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/chart_selectors.h"

#include "theme/design.h"
#include "widgets/assembly.h"

#include "ep/ui/charts/power_timeline.h"
#include "ep/ui/terms.h"
#include "ep/ui/theme.h"

#include <QAction>
#include <QMenu>
#include <QSignalBlocker>
#include <QStandardItemModel>

#include <utility>
#include <vector>

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

CostSelector::CostSelector(QWidget* parent)
    : QComboBox(parent)
{
    setAccessibleName(tr("Metric"));
    for (const viz::CostMetric metric : viz::kCostMetrics)
        addItem(term(viz::title(metric)), static_cast<int>(metric));
    connect(this, &QComboBox::currentIndexChanged, this, [this] { Q_EMIT metricChosen(chosen()); });
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

using namespace Qt::Literals::StringLiterals;

RailMenu::RailMenu(PowerTimeline& chart, QWidget* parent)
    : QToolButton(parent)
    , m_chart(chart)
{
    setText(tr("Rails"));
    setToolTip(tr("Choose which rails the chart shows"));
    setPopupMode(QToolButton::InstantPopup);
    setMinimumHeight(kControlHeight);
    auto* menu = named(new QMenu(this), u"railMenu"_s);
    setMenu(menu);
    connect(menu, &QMenu::aboutToShow, this, &RailMenu::fill);
}

void RailMenu::fill()
{
    menu()->clear();
    const std::vector<Channel> present = m_chart.channels();
    for (const Channel channel : present) {
        QAction* rail = menu()->addAction(title(channel));
        rail->setCheckable(true);
        rail->setChecked(m_chart.isShown(channel));
        connect(rail, &QAction::toggled, &m_chart,
                [this, channel](bool shown) { m_chart.setShown(channel, shown); });
    }
    menu()->addSeparator();
    QAction* all = menu()->addAction(tr("Show All Rails"));
    connect(all, &QAction::triggered, &m_chart, [this, present] {
        for (const Channel channel : present)
            m_chart.setShown(channel, true);
    });
}

} // namespace ep::ui
