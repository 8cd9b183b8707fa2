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

// Selects the power source and explains the choice on this machine: which source automatic would
// use and why, or why the selected one does not work and how to enable it. Probing takes up to a
// second and runs on another thread.
class PowerPicker : public QWidget {
    Q_OBJECT

public:
    explicit PowerPicker(ProbeSources probe, QWidget* parent = nullptr);

    void probe(); // repeats the probe
    void setChoice(const power::SourceChoice& choice);
    power::SourceChoice choice() const;
    QString problem() const; // why a run cannot start with this choice; empty if it can

    bool probed() const { return m_probed; }
    void chooseModelled(); // leaves its watts unchanged
    // Whether the choice measures only times; howToMeasure() says how to change that.
    bool timingOnly() const;
    // Automatic found no source, so only times are measured.
    bool lacksSensor() const { return choice().kind == "auto" && m_probed && !automatic(); }
    QString howToMeasure() const;

Q_SIGNALS:
    void changed();

private:
    void fill(const std::vector<power::SourceReport>& reports);
    void showState();
    QString stateText() const;
    const power::SourceReport* report(const std::string& kind) const;
    const power::SourceReport* automatic() const; // null: no source works
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
