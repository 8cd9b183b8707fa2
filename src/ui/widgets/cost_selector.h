// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/viz/cost.h"

#include <QComboBox>

namespace ep::ui {

// Selects time, gross or net energy. Metrics that the run lacks are disabled and say why.
class CostSelector : public QComboBox {
    Q_OBJECT

public:
    explicit CostSelector(QWidget* parent = nullptr);

    viz::CostMetric chosen() const;
    void setMetric(viz::CostMetric metric); // without a signal
    void setRun(const Run* run); // falls back to time if the metric is not available

Q_SIGNALS:
    void metricChosen(ep::viz::CostMetric metric); // emitted when the user chooses
};

} // namespace ep::ui
