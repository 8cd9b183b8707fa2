// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/answer_sections.h"

#include <QLabel>

#include <vector>

namespace ep::ui {

// What a model's thinking and its answer took in a run, or take in one in progress, in one line;
// hidden for models that do not mark their thinking.
class AnswerLine : public QLabel {
    Q_OBJECT

public:
    explicit AnswerLine(QWidget* parent = nullptr);

    void setRun(const Run* run); // the run must have its tokens; null: none
    void setSections(const std::vector<AnswerSection>& sections); // as far as they are known
};

} // namespace ep::ui
