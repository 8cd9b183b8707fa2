// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "repository/latest_job.h"

#include "ep/power/source.h"

#include <QWidget>

#include <functional>
#include <vector>

class QComboBox;
class QDoubleSpinBox;
class QLabel;
class QLineEdit;

namespace ep::ui {

using ProbeSources = std::function<std::vector<power::SourceReport>()>;

// Chooses the power source and says what that means on this machine: which one automatic would
// take and why, or why the chosen one does not work and how to enable it. Probing takes up to a
// second and happens elsewhere.
class PowerPicker : public QWidget {
    Q_OBJECT

public:
    explicit PowerPicker(ProbeSources probe, QWidget* parent = nullptr);

    void probe(); // again
    void setChoice(const power::SourceChoice& choice);
    power::SourceChoice choice() const;
    QString problem() const; // why a run cannot start with this choice; empty when it can

    // Nothing will be measured with this choice; the sentence says how to change that.
    bool timingOnly() const;
    QString howToMeasure() const;

Q_SIGNALS:
    void changed();

private:
    void fill(const std::vector<power::SourceReport>& reports);
    void showState();
    QString stateText() const;
    const power::SourceReport* report(const std::string& kind) const;
    const power::SourceReport* automatic() const; // null: none would work
    void browseCapture();

    ProbeSources m_probe;
    bool m_probed = false;
    std::vector<power::SourceReport> m_reports;
    QComboBox* m_combo;
    QLabel* m_state;
    QWidget* m_modelledRow;
    QDoubleSpinBox* m_idleWatts;
    QDoubleSpinBox* m_fullWatts;
    QWidget* m_replayRow;
    QLineEdit* m_capture;
    LatestJob m_job;
};

} // namespace ep::ui
