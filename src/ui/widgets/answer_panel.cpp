// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/answer_panel.h"

#include "diagnosis_text.h"
#include "theme/design.h"
#include "widgets/answer_bar.h"
#include "widgets/elided_label.h"

#include <QHBoxLayout>
#include <QVBoxLayout>

namespace ep::ui {

namespace {

using namespace Qt::Literals::StringLiterals;

} // namespace

AnswerPanel::AnswerPanel(QWidget* parent)
    : QWidget(parent)
    , m_sentence(new ElidedLabel(this))
{
    setObjectName(u"answerPanel"_s);
    m_sentence->setObjectName(u"answerSentence"_s);
    setType(*m_sentence, TypeSize::Body, true);
    auto* bars = new QHBoxLayout;
    bars->setSpacing(2 * kGrid);
    for (std::size_t i = 0; i < m_bars.size(); ++i) {
        auto* bar = new AnswerBar(this);
        bar->setObjectName(u"answerBar%1"_s.arg(i));
        // The room of the bars is kept, so that the charts do not move when they arrive.
        QSizePolicy policy = bar->sizePolicy();
        policy.setRetainSizeWhenHidden(true);
        bar->setSizePolicy(policy);
        connect(bar, &AnswerBar::placeRequested, this, &AnswerPanel::placeRequested);
        bars->addWidget(bar, 1);
        m_bars[i] = bar;
    }
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, kHalfGrid, 0, 0);
    column->setSpacing(0);
    column->addWidget(m_sentence);
    column->addLayout(bars);
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    setExplanation(nullptr);
}

void AnswerPanel::setExplanation(const ExplanationPtr& explanation)
{
    m_sentence->setText(explanation ? answerText(explanation->diagnosis) : QString());
    const std::size_t bars = explanation ? explanation->bars.size() : 0;
    for (std::size_t i = 0; i < m_bars.size(); ++i) {
        m_bars[i]->setVisible(i < bars);
        if (i < bars)
            m_bars[i]->showBar(explanation->bars[i]);
    }
}

} // namespace ep::ui
