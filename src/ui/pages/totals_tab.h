// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "repository/latest_job.h"
#include "widgets/drawn_when_seen.h"

#include "ep/energy/totals.h"
#include "ep/ui/run_repository.h"

#include <vector>

class QComboBox;
class QLabel;
class QTableWidget;

namespace ep::ui {

class SceneView;

// Shows the total cost of the listed runs by day, month, model or server: bars, a table, and the
// cost of a million tokens of each model.
class TotalsTab : public DrawnWhenSeen {
    Q_OBJECT

public:
    explicit TotalsTab(QWidget* parent = nullptr);

    // `shown`: some of `runs`, which keeps them alive.
    void setRuns(const RunList& runs, const std::vector<const RunSummary*>& shown);
    void setTariff(const energy::Tariff& tariff);

private:
    void draw() override; // adds up on another thread
    void show(std::vector<energy::RunTotal> totals);

    RunList m_runs;
    std::vector<const RunSummary*> m_shown;
    energy::Tariff m_tariff;
    QComboBox* m_by;
    SceneView* m_chart;
    QTableWidget* m_table;
    QLabel* m_million;
    LatestJob m_adding;
};

} // namespace ep::ui
