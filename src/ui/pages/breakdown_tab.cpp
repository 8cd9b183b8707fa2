// SPDX-License-Identifier: GPL-3.0-or-later
#include "pages/breakdown_tab.h"

#include "widgets/cost_selector.h"
#include "widgets/titled_panel.h"

#include "ep/ui/charts/sankey_view.h"
#include "ep/ui/charts/treemap_view.h"

#include <QSplitter>
#include <QVBoxLayout>

namespace ep::ui {

namespace {

using namespace Qt::Literals::StringLiterals;

} // namespace

BreakdownTab::BreakdownTab(SelectionController& controller, QWidget* parent)
    : QWidget(parent)
    , m_metric(new CostSelector(this))
    , m_treemap(new TreemapView(this))
    , m_sankey(new SankeyView(this))
{
    m_metric->setObjectName(u"breakdownMetric"_s);
    m_treemap->setObjectName(u"treemap"_s);
    m_sankey->setObjectName(u"sankey"_s);
    m_treemap->setController(&controller);
    m_sankey->setController(&controller);
    auto* splitter = new QSplitter(Qt::Vertical, this);
    splitter->addWidget(
        titledPanel(tr("Phases, layers, components, operations"), m_treemap, m_metric));
    splitter->addWidget(titledPanel(tr("Energy flow from input to output"), m_sankey));
    splitter->setStretchFactor(0, 1);
    splitter->setStretchFactor(1, 1);
    splitter->setChildrenCollapsible(false);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(splitter);
    connect(m_metric, &CostSelector::metricChosen, this, &BreakdownTab::metricChosen);
}

void BreakdownTab::setTree(const Run* run, const std::shared_ptr<const viz::CostTree>& tree)
{
    m_metric->setRun(run);
    m_treemap->setTree(tree);
    m_sankey->setTree(tree);
}

void BreakdownTab::setMetric(viz::CostMetric metric)
{
    m_metric->setMetric(metric);
    m_treemap->setMetric(metric);
    m_sankey->setMetric(metric);
}

void BreakdownTab::setEmptyText(const QString& text)
{
    m_treemap->setEmptyText(text);
    m_sankey->setEmptyText(text);
}

} // namespace ep::ui
