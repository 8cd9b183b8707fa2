// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "dialogs/model_search.h"

#include "ep/session/pays_runner.h"

#include <QDialog>
#include <QStringList>

#include <vector>

class QComboBox;
class QDoubleSpinBox;
class QFormLayout;
class QLabel;
class QPushButton;
class QSpinBox;

namespace ep::ui {

// Asks what to compare Live's run with: another format, model, server, command or setting.
// Everything else is equal on both sides, as the dialog says.
class CompareDialog : public QDialog {
    Q_OBJECT

public:
    // The run that Live would make.
    struct Subject {
        session::RunRequest run;
        std::vector<ModelChoice> models;
        ModelChoice model; // the model chosen in Live
        QStringList commands; // recorded commands, newest first
        bool template_used = false; // the prompt uses the model's chat template
    };
    CompareDialog(Subject subject, QWidget* parent);

    // The comparison without name and seed; an error says what is missing.
    Result<session::PaysSpec> spec() const;
    QString equal() const; // the settings that both sides share, in one sentence

private:
    enum class Differs { Format, Model, Server, Command, Setting };

    void build();
    Differs differs() const;
    void fillChoices();
    void check();
    session::RunRequest common() const; // the settings that both sides share
    std::string nameOf(const std::string& dtype) const; // the stored format by its own name
    session::NamedSettings own() const;
    Result<session::NamedSettings> other() const;

    Subject m_subject;
    QFormLayout* m_form;
    QComboBox* m_differs;
    QComboBox* m_first; // the command of the first side
    QLabel* m_own; // the first side, unless it is a command
    QComboBox* m_other;
    QDoubleSpinBox* m_smallest;
    QSpinBox* m_pairs;
    QDoubleSpinBox* m_minutes;
    QLabel* m_equal;
    QLabel* m_problem;
    QPushButton* m_start;
};

// The format to compare a model with: eight bits for fewer, otherwise four.
QString usualOtherFormat(const std::string& stored);

} // namespace ep::ui
