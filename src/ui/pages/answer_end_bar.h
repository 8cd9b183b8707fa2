// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "repository/latest_job.h"

#include "ep/core/run.h"

#include <QWidget>

class QComboBox;
class QLabel;
class QLineEdit;
class QPushButton;

namespace ep::ui {

class SelectionController;

// Where the answer of the run shown was complete, by a rule that the user chooses; without a rule
// nothing is said or marked. The rule is kept for the next run, and can be tried as a stop rule.
class AnswerEndBar : public QWidget {
    Q_OBJECT

public:
    explicit AnswerEndBar(SelectionController& controller, QWidget* parent = nullptr);

private:
    QString ruleText() const; // empty: none
    void choose(); // another kind of rule
    void search();
    void say(const QString& text);

    SelectionController& m_controller;
    QComboBox* m_kind;
    QLineEdit* m_pattern;
    QLabel* m_text;
    QPushButton* m_try;
    LatestJob m_job;
};

} // namespace ep::ui
