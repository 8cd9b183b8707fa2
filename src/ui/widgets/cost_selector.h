// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/viz/cost.h"

#include <QComboBox>

namespace ep::ui {

// Time, gross or net energy. What the run does not have is greyed out, with the reason.
class CostSelector : public QComboBox {
    Q_OBJECT

public:
    explicit CostSelector(QWidget* parent = nullptr);

    viz::CostMetric chosen() const;
    void setMetric(viz::CostMetric metric); // without a signal
    void setRun(const Run* run); // falls back to time where the metric is not there

Q_SIGNALS:
    void metricChosen(ep::viz::CostMetric metric); // by a person
};

} // namespace ep::ui
