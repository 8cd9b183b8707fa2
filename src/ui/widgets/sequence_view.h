// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/run.h"

#include <QStackedWidget>

class QComboBox;
class QPlainTextEdit;

namespace ep::ui {

class TokenStreamView;

// The text of a run. For a batch, a choice of its sequences: the first with the energy of each
// token; the others, which share the steps and so their energy, as prompt and response.
class SequenceView : public QStackedWidget {
    Q_OBJECT

public:
    explicit SequenceView(TokenStreamView& tokens, QWidget* parent = nullptr);

    // Beside the title; hidden unless there are several sequences.
    QComboBox* choice() const { return m_choice; }
    void setRun(const RunPtr& run); // null: none

private:
    void showSequence(int index);

    RunPtr m_run;
    TokenStreamView& m_tokens;
    QPlainTextEdit* m_text;
    QComboBox* m_choice;
};

} // namespace ep::ui
