// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QToolButton>

namespace ep::ui {

class PowerTimeline;

// A menu of the run's rails that selects which have a line in a power chart. GUI thread only.
class RailMenu : public QToolButton {
    Q_OBJECT

public:
    explicit RailMenu(PowerTimeline& chart, QWidget* parent = nullptr);

private:
    void fill();

    PowerTimeline& m_chart;
};

} // namespace ep::ui
