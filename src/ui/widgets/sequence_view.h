// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/run.h"
#include "ep/ui/charts/selection_controller.h"

#include <QStackedWidget>

class QComboBox;
class QPlainTextEdit;

namespace ep::ui {

class TokenStreamView;

// The text of a run. For a batch, one of its sequences can be selected: the first with the energy
// of each token; the others, which share steps and energy with it, as prompt and response.
class SequenceView : public QStackedWidget {
    Q_OBJECT

public:
    explicit SequenceView(TokenStreamView& tokens, QWidget* parent = nullptr);

    // The selector of a sequence, to be placed next to the title; hidden unless there are several.
    QComboBox* choice() const { return m_choice; }
    void setRun(const RunPtr& run); // null: none

Q_SIGNALS:
    void sequenceChosen(const ChartDetails& details); // when the user selects one

private:
    void showSequence(int index);
    ChartDetails detailsOf(std::size_t index) const;

    RunPtr m_run;
    TokenStreamView& m_tokens;
    QPlainTextEdit* m_text;
    QComboBox* m_choice;
};

} // namespace ep::ui
