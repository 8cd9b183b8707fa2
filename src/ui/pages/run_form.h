// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "pages/model_picker.h"
#include "pages/power_picker.h"
#include "pages/prompt_edit.h"
#include "pages/run_controls.h"
#include "widgets/setting_range.h"

#include "ep/session/repeat_loop.h"
#include "ep/ui/settings.h"

#include <QWidget>

class QCheckBox;
class QComboBox;
class QLabel;
class QLineEdit;
class QSpinBox;

namespace ep::ui {

class CollapsibleBox;
class SamplingFields;

// All settings of a run. RunControls, which starts and stops it, stays visible when the form is
// folded.
class RunForm : public QWidget {
    Q_OBJECT

public:
    using State = RunState;

    RunForm(std::vector<std::filesystem::path> bundledModels, ProbeSources probe,
            QWidget* parent = nullptr);

    void readSettings(const Settings& settings); // also searches for models and sensors
    void writeSettings(Settings& settings) const;

    session::RunRequest request() const; // without the database, interval and engine preferences
    void setBusyElsewhere(const QString& reason); // empty: nothing else is running
    bool busyElsewhere() const { return !m_busyElsewhere.isEmpty(); }
    QString problem() const; // why no run can start; empty if one can

    void setState(State state);
    State state() const { return m_controls->state(); }
    void setRound(int round, int of); // position of a repeated run, shown while it is running
    // The condition that ends the repetitions early; the number of runs is then the maximum.
    std::optional<session::UntilKnown> until() const;

    void addStop(const QString& stop); // adds the text to the stop texts
    PowerPicker& power() const { return *m_power; }
    PromptEdit& prompt() const { return *m_prompt; }
    ModelPicker& models() const { return *m_model; }
    RunControls* controls() const { return m_controls; } // the page places the controls

Q_SIGNALS:
    void changed(); // problem() may have changed
    void edited(); // a field was edited

private:
    QWidget* buildFields();
    QWidget* buildMore();
    QWidget* buildMeasurement();
    void tellOfEdits();
    void modelChanged();
    void depthChanged();
    void showState();

    QString m_busyElsewhere;
    std::filesystem::path m_chosenFor; // the model that format and device were chosen for
    SettingBoxes m_boxes;
    ModelPicker* m_model;
    PromptEdit* m_prompt;
    QSpinBox* m_maxTokens;
    QComboBox* m_depth;
    QLabel* m_depthNote;
    QComboBox* m_device;
    QComboBox* m_dtype;
    CollapsibleBox* m_more;
    CollapsibleBox* m_sampling;
    SamplingFields* m_samplingFields;
    CollapsibleBox* m_measurement;
    QCheckBox* m_until = nullptr;
    PowerPicker* m_power;
    QLineEdit* m_tags;
    QLineEdit* m_experiment;
    RunControls* m_controls;
    QWidget* m_fields = nullptr;
};

} // namespace ep::ui
