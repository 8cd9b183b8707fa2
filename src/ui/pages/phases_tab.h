// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/ui/charts/selection_controller.h"
#include "ep/viz/cost.h"

#include <QWidget>

#include <array>

class QAction;
class QComboBox;
class QDoubleSpinBox;

namespace ep::ui {

class PhasePowerView;
class RailBarsView;

// Power by phase with filters, and the energy of each phase by rail.
class PhasesTab : public QWidget {
    Q_OBJECT

public:
    explicit PhasesTab(SelectionController& controller, QWidget* parent = nullptr);

    void setRun(const RunPtr& run);
    void setMetric(viz::CostMetric metric); // net energy, or gross for all other metrics
    void setEmptyText(const QString& text);

private:
    QWidget* buildFilters();
    void applyFilter();

    PhasePowerView* m_power;
    RailBarsView* m_rails;
    QComboBox* m_rail;
    QDoubleSpinBox* m_confidence;
    QComboBox* m_energy;
    std::array<QAction*, kPhaseCount> m_phases{};
};

} // namespace ep::ui
