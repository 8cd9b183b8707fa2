// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/answer_sections.h"

#include <QLabel>

#include <vector>

namespace ep::ui {

// One line with the time and energy of a model's thinking and of its answer, in a finished run or
// one in progress; hidden for models that do not mark their thinking.
class AnswerLine : public QLabel {
    Q_OBJECT

public:
    explicit AnswerLine(QWidget* parent = nullptr);

    void setRun(const Run* run); // the run must have its tokens; null: none
    void setSections(const std::vector<AnswerSection>& sections); // sections known so far
};

} // namespace ep::ui
