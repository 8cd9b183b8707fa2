// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/energy/diagnosis.h"
#include "ep/ui/run_repository.h"

#include <QWidget>

#include <array>
#include <cstddef>

namespace ep::ui {

class AnswerBar;
class ElidedLabel;

// The answer on top of Overview: where the energy went, why, and up to five ranked bars. GUI thread
// only.
class AnswerPanel : public QWidget {
    Q_OBJECT

public:
    explicit AnswerPanel(QWidget* parent = nullptr);

    void setExplanation(const ExplanationPtr& explanation); // null: none yet

Q_SIGNALS:
    void placeRequested(const ep::energy::CausePlace& place);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void showWhatFits();

    ElidedLabel* m_sentence;
    ElidedLabel* m_reason;
    std::array<AnswerBar*, 5> m_bars{};
    std::size_t m_given = 0; // of the bars, by the explanation
};

} // namespace ep::ui
