// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/ui/models/live_counters.h"

#include <QObject>

class QLabel;
class QStatusBar;

namespace ep::ui {

// The permanent part of the status bar: source, sampling rate (actual and requested), speed, and
// energy per token of the current or last run.
class StatusFigures : public QObject {
    Q_OBJECT

public:
    explicit StatusFigures(QStatusBar& bar);

    void show(const LiveCounters& counters, int askedIntervalMs);
    void setVisible(bool visible); // hidden on pages that the figures do not concern

private:
    QLabel* m_source;
    QLabel* m_sampling;
    QLabel* m_rate;
    QLabel* m_energy;
};

} // namespace ep::ui
