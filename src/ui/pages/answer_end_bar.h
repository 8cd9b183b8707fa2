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
// nothing is said or marked, except that an answer repeats itself. The rule is kept for the next
// run, and can be tried as a stop rule.
class AnswerEndBar : public QWidget {
    Q_OBJECT

public:
    explicit AnswerEndBar(SelectionController& controller, QWidget* parent = nullptr);

    // The answer of the run shown was found to repeat itself, which other pages then say: the rule
    // says it here as well, unless the user has chosen one.
    void suggestRepetition(bool found);

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
    bool m_suggested = false; // the rule is not the user's
};

} // namespace ep::ui
