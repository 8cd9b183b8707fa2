// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/energy/diagnosis.h"
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

Q_SIGNALS:
    void placeRequested(const ep::energy::CausePlace& place);
    void limitsRequested();
    void baselineRequested();
    void tryRequested(const ep::ui::ExplanationPtr& explanation, int remedy);

private:
    AnswerView* m_answer;
    QScrollArea* m_scroll;
    RooflineView* m_roofline;
};

} // namespace ep::ui
