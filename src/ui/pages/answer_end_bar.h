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

// Shows where the run's answer was complete, by a rule that the user chooses. Without a rule,
// nothing is shown or marked unless an answer repeats itself. The rule is kept for the next run,
// and can be tried as a stop rule.
class AnswerEndBar : public QWidget {
    Q_OBJECT

public:
    explicit AnswerEndBar(SelectionController& controller, QWidget* parent = nullptr);

    // Selects the rule for repetition if the answer was found to repeat itself, as other pages say,
    // unless the user has chosen a rule.
    void suggestRepetition(bool found);

private:
    QString ruleText() const; // empty: none
    void choose(); // selects another kind of rule
    void search();
    void say(const QString& text);

    SelectionController& m_controller;
    QComboBox* m_kind;
    QLineEdit* m_pattern;
    QLabel* m_text;
    QPushButton* m_try;
    LatestJob m_job;
    bool m_suggested = false; // the rule is suggested, not the user's
};

} // namespace ep::ui
