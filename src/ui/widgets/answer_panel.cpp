// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/answer_panel.h"

#include "diagnosis_text.h"
#include "theme/design.h"
#include "widgets/answer_bar.h"
#include "widgets/elided_label.h"

#include <QHBoxLayout>
#include <QVBoxLayout>

#include <algorithm>

namespace ep::ui {

using namespace Qt::Literals::StringLiterals;

AnswerPanel::AnswerPanel(QWidget* parent)
    : QWidget(parent)
    , m_sentence(new ElidedLabel(this))
    , m_reason(new ElidedLabel(this))
{
    setObjectName(u"answerPanel"_s);
    m_sentence->setObjectName(u"answerSentence"_s);
    setType(*m_sentence, TypeSize::Body, true);
    m_reason->setObjectName(u"answerReason"_s);
    auto* bars = new QHBoxLayout;
    bars->setSpacing(2 * kGrid);
    for (std::size_t i = 0; i < m_bars.size(); ++i) {
        auto* bar = new AnswerBar(this);
        bar->setObjectName(u"answerBar%1"_s.arg(i));
        // The height of the bars is kept, so that the charts do not move when they arrive.
        QSizePolicy policy = bar->sizePolicy();
        policy.setRetainSizeWhenHidden(i == 0);
        bar->setSizePolicy(policy);
        connect(bar, &AnswerBar::placeRequested, this, &AnswerPanel::placeRequested);
        bars->addWidget(bar, 1);
        m_bars[i] = bar;
    }
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, kHalfGrid, 0, 0);
    column->setSpacing(0);
    column->addWidget(m_sentence);
    column->addWidget(m_reason);
    column->addLayout(bars);
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    setExplanation(nullptr);
}

void AnswerPanel::setExplanation(const ExplanationPtr& explanation)
{
    m_sentence->setText(explanation ? answerText(explanation->diagnosis) : QString());
    m_reason->setText(explanation ? reasonText(explanation->diagnosis) : QString());
    m_given = explanation ? std::min(explanation->bars.size(), m_bars.size()) : 0;
    for (std::size_t i = 0; i < m_given; ++i)
        m_bars[i]->showBar(explanation->bars[i]);
    showWhatFits();
}

void AnswerPanel::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    showWhatFits();
}

// The bars are equally wide; those for which there is no room are in Why.
void AnswerPanel::showWhatFits()
{
    std::size_t fit = 0;
    int widest = 0;
    while (fit < m_given) {
        widest = std::max(widest, m_bars[fit]->widthNeeded());
        if (fit > 0 && (widest + 2 * kGrid) * static_cast<int>(fit + 1) > width())
            break;
        ++fit;
    }
    for (std::size_t i = 0; i < m_bars.size(); ++i)
        m_bars[i]->setVisible(i < fit);
}

} // namespace ep::ui
