// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/energy/comparison.h"
#include "ep/ui/run_repository.h"

#include <QWidget>

class QLabel;
class QPushButton;

namespace ep::ui {

// What the joules buy: the quality of each group of a comparison beside its energy, and a button to
// measure it.
class QualityLine : public QWidget {
    Q_OBJECT

public:
    explicit QualityLine(RunRepository& repository, QWidget* parent = nullptr);

    void setComparison(const RunGroups& groups, const energy::Comparison& comparison);

Q_SIGNALS:
    void measured(); // read the groups again

private:
    void measure();

    RunRepository& m_repository;
    RunGroups m_groups;
    QLabel* m_text;
    QPushButton* m_measure;
};

} // namespace ep::ui
