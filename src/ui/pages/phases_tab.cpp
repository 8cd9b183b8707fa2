// SPDX-License-Identifier: GPL-3.0-or-later
#include "pages/phases_tab.h"

#include "text.h"
#include "theme/design.h"
#include "widgets/flow_layout.h"
#include "widgets/titled_panel.h"

#include "ep/core/trace_lookup.h"
#include "ep/ui/charts/phase_views.h"
#include "ep/ui/terms.h"
#include "ep/viz/metric.h"

#include <QAction>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QLabel>
#include <QMenu>
#include <QToolButton>
#include <QVBoxLayout>

#include <utility>

namespace ep::ui {

namespace {

using namespace Qt::Literals::StringLiterals;

constexpr int kTotal = -1;

} // namespace

PhasesTab::PhasesTab(SelectionController& controller, QWidget* parent)
    : QWidget(parent)
    , m_power(new PhasePowerView(this))
    , m_rails(new RailBarsView(this))
    , m_rail(new QComboBox(this))
    , m_confidence(new QDoubleSpinBox(this))
    , m_energy(new QComboBox(this))
{
    m_power->setObjectName(u"phasePower"_s);
    m_rails->setObjectName(u"railBars"_s);
    m_power->setController(&controller);
    m_rails->setController(&controller);
    m_energy->setObjectName(u"railEnergy"_s);
    m_energy->setAccessibleName(tr("Energy of the rails"));
    m_energy->addItem(tr("Energy (gross)"), false);
    m_energy->addItem(tr("Energy (net)"), true);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(titledPanel(tr("Power by phase"), m_power, buildFilters()), 1);
    layout->addWidget(titledPanel(tr("Rails by phase"), m_rails, m_energy));
    connect(m_energy, &QComboBox::currentIndexChanged, this,
            [this] { m_rails->setNet(m_energy->currentData().toBool()); });
}

QWidget* PhasesTab::buildFilters()
{
    m_rail->setObjectName(u"phaseRail"_s);
    m_rail->setAccessibleName(tr("Rail"));
    m_rail->addItem(tr("All rails"), kTotal);
    for (const auto& [rail, words] :
         {std::pair{Rail::Cpu, tr("CPU")}, std::pair{Rail::Gpu, tr("GPU")},
          std::pair{Rail::Ane, tr("ANE")}, std::pair{Rail::Dram, tr("DRAM")},
          std::pair{Rail::System, tr("System")}})
        m_rail->addItem(words, static_cast<int>(rail));
    m_confidence->setObjectName(u"phaseConfidence"_s);
    m_confidence->setAccessibleName(tr("Minimum share of a sample's window inside its phase"));
    m_confidence->setToolTip(m_confidence->accessibleName());
    m_confidence->setRange(0.0, 100.0);
    m_confidence->setDecimals(0);
    m_confidence->setSingleStep(10.0);
    m_confidence->setPrefix(tr("in phase ≥ "));
    m_confidence->setSuffix(tr(" %"));
    m_confidence->setSpecialValueText(tr("all samples"));

    auto* filters = new QWidget(this);
    auto* row = new FlowLayout(filters, kGrid);
    auto* shown = new QToolButton(filters);
    shown->setObjectName(u"phasesShown"_s);
    shown->setText(tr("Phases"));
    shown->setPopupMode(QToolButton::InstantPopup);
    auto* menu = new QMenu(shown);
    shown->setMenu(menu);
    row->addWidget(shown);
    for (std::size_t i = 0; i < kPhaseCount; ++i) {
        const auto phase = static_cast<Phase>(i);
        QAction* choice = menu->addAction(term(viz::title(phase)));
        choice->setObjectName(u"phaseShown_"_s + toQString(name(phase)));
        choice->setCheckable(true);
        choice->setChecked(true);
        connect(choice, &QAction::toggled, this, &PhasesTab::applyFilter);
        m_phases[i] = choice;
    }
    row->addWidget(m_confidence);
    row->addWidget(m_rail);
    connect(m_confidence, &QDoubleSpinBox::valueChanged, this, &PhasesTab::applyFilter);
    connect(m_rail, &QComboBox::currentIndexChanged, this, &PhasesTab::applyFilter);
    return filters;
}

void PhasesTab::applyFilter()
{
    viz::PhasePowerFilter filter;
    for (std::size_t i = 0; i < kPhaseCount; ++i)
        filter.phases[i] = m_phases[i]->isChecked();
    filter.least_confidence = m_confidence->value() / 100.0;
    const int rail = m_rail->currentData().toInt();
    if (rail != kTotal)
        filter.rail = static_cast<Rail>(rail);
    m_power->setFilter(filter);
}

void PhasesTab::setRun(const RunPtr& run)
{
    // Only requests to servers have these phases.
    for (const Phase phase : {Phase::Load, Phase::Queue})
        m_phases[static_cast<std::size_t>(phase)]->setVisible(
            run && findPhase(run->trace, phase) != nullptr);
    m_power->setRun(run);
    m_rails->setRun(run);
}

void PhasesTab::setMetric(viz::CostMetric metric)
{
    m_energy->setCurrentIndex(metric == viz::CostMetric::NetEnergy ? 1 : 0);
}

void PhasesTab::setEmptyText(const QString& text)
{
    m_power->setEmptyText(text);
    m_rails->setEmptyText(text);
}

} // namespace ep::ui
