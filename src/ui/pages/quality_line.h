// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/energy/comparison.h"
#include "ep/ui/run_repository.h"

#include <QWidget>

class QLabel;
class QPushButton;

namespace ep::ui {

// The quality that the energy buys: one figure per group of a comparison, and a button to measure
// it.
class QualityLine : public QWidget {
    Q_OBJECT

public:
    explicit QualityLine(RunRepository& repository, QWidget* parent = nullptr);

    void setComparison(const RunGroups& groups, const energy::Comparison& comparison);

Q_SIGNALS:
    void measured(); // the groups should be read again

private:
    void measure();

    RunRepository& m_repository;
    RunGroups m_groups;
    QLabel* m_text;
    QPushButton* m_measure;
};

} // namespace ep::ui
