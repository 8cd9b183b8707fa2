// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/ui/run_repository.h"

#include <QSplitter>

class QScrollArea;

namespace ep::ui {

class AnswerView;
class RooflineView;

// Why a run used its energy: answer, causes and remedies, next to the roofline. GUI thread only.
class WhyTab : public QSplitter {
    Q_OBJECT

public:
    explicit WhyTab(QWidget* parent = nullptr);

    // null: still being read. baseline: whether recording the run again could add one.
    void setExplanation(const ExplanationPtr& explanation, bool baseline = false);

    AnswerView& answer() const { return *m_answer; }

private:
    AnswerView* m_answer;
    QScrollArea* m_scroll;
    RooflineView* m_roofline;
};

} // namespace ep::ui
