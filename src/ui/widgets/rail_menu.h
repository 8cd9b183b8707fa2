// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QToolButton>

namespace ep::ui {

class PowerTimeline;

// Which rails of a power chart have a line: a menu of those that the run has. GUI thread only.
class RailMenu : public QToolButton {
    Q_OBJECT

public:
    explicit RailMenu(PowerTimeline& chart, QWidget* parent = nullptr);

private:
    void fill();

    PowerTimeline& m_chart;
};

} // namespace ep::ui
