// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/session/events.h"
#include "ep/session/pays_runner.h"

#include <QWidget>

class QComboBox;
class QDoubleSpinBox;
class QSpinBox;

namespace ep::ui {

// How long two settings are compared: which difference matters, the most pairs and minutes, the
// tokens of each run, and where its energy comes from.
class PaysLimitFields : public QWidget {
    Q_OBJECT

public:
    explicit PaysLimitFields(QWidget* parent);

    void setRun(const session::RunRequest& run); // its tokens and power source
    void setTokensEnabled(bool enabled); // a command has its own length
    double smallestDifference() const; // that matters, as a fraction
    void write(session::PaysSpec& spec, bool tokens) const; // tokens: false for commands

private:
    QSpinBox* m_tokens;
    QDoubleSpinBox* m_smallest;
    QSpinBox* m_pairs;
    QDoubleSpinBox* m_minutes;
    QComboBox* m_power;
};

} // namespace ep::ui
