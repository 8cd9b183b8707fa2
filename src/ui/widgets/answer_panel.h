// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/energy/diagnosis.h"
#include "ep/ui/run_repository.h"

#include <QWidget>

#include <array>

namespace ep::ui {

class AnswerBar;
class ElidedLabel;

// The answer on top of Overview: a sentence and up to three ranked bars. GUI thread only.
class AnswerPanel : public QWidget {
    Q_OBJECT

public:
    explicit AnswerPanel(QWidget* parent = nullptr);

    void setExplanation(const ExplanationPtr& explanation); // null: none yet

Q_SIGNALS:
    void placeRequested(const ep::energy::CausePlace& place);

private:
    ElidedLabel* m_sentence;
    std::array<AnswerBar*, 3> m_bars{};
};

} // namespace ep::ui
