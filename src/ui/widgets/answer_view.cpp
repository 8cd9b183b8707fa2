// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/answer_view.h"

#include "diagnosis_text.h"
#include "theme/design.h"
#include "widgets/answer_bar.h"

#include "ep/ui/terms.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

namespace ep::ui {

AnswerView::AnswerView(QWidget* parent)
    : QWidget(parent)
    , m_answer(new QLabel(this))
    , m_rows(new QVBoxLayout)
{
    setType(*m_answer, TypeSize::Body, true);
    m_answer->setWordWrap(true);
    m_answer->setTextFormat(Qt::PlainText);
    m_answer->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    m_rows->setSpacing(kGrid);
    auto* layout = new QVBoxLayout(this);
    layout->addWidget(m_answer);
    layout->addLayout(m_rows);
    layout->addStretch();
    setExplanation(nullptr);
}

void AnswerView::setExplanation(const ExplanationPtr& explanation)
{
    m_explanation = explanation;
    clear();
    m_answer->setText(explanation ? answerText(explanation->diagnosis)
                                  : tr("Looking for the reasons…"));
    if (!explanation)
        return;
    if (const QString reason = reasonText(explanation->diagnosis); !reason.isEmpty())
        addText(reason);
    addBars();
    addCauses();
    addRemedies();
    for (const std::string& note : explanation->diagnosis.notes)
        addText(term(note));
}

void AnswerView::clear()
{
    for (QWidget* widget : m_widgets)
        widget->deleteLater();
    m_widgets.clear();
}

QLabel* AnswerView::addText(const QString& text)
{
    auto* label = new QLabel(text, this);
    label->setWordWrap(true);
    label->setTextFormat(Qt::PlainText);
    m_rows->addWidget(label);
    m_widgets.push_back(label);
    return label;
}

void AnswerView::addBars()
{
    for (const session::AnswerBar& bar : m_explanation->bars) {
        auto* button = new AnswerBar(this);
        button->showBar(bar);
        connect(button, &AnswerBar::placeRequested, this, &AnswerView::placeRequested);
        m_rows->addWidget(button);
        m_widgets.push_back(button);
    }
}

void AnswerView::addHeading(const QString& text)
{
    setType(*addText(text), TypeSize::Body, true);
}

// The evidence of what is named, then what would settle the rest.
void AnswerView::addCauses()
{
    const energy::Diagnosis& diagnosis = m_explanation->diagnosis;
    const auto named = diagnosis.named();
    if (!named.empty())
        addHeading(tr("Causes"));
    for (const energy::Finding* finding : named)
        addText(causeText(diagnosis, *finding));
    const QStringList doubts = doubtTexts(diagnosis);
    if (!doubts.empty())
        addHeading(tr("Cannot tell"));
    for (const QString& doubt : doubts)
        addText(doubt);
}

void AnswerView::addRemedies()
{
    if (m_explanation->remedies.empty())
        return;
    addHeading(tr("What to do"));
    for (std::size_t i = 0; i < m_explanation->remedies.size(); ++i) {
        const energy::Remedy& remedy = m_explanation->remedies[i];
        const QString line = remedyText(m_explanation->diagnosis, remedy);
        if (remedy.trial != energy::Trial::Study || remedy.lever == energy::Lever::ShorterContext) {
            addText(line);
            continue;
        }
        auto* row = new QWidget(this);
        auto* layout = new QHBoxLayout(row);
        layout->setContentsMargins(0, 0, 0, 0);
        auto* label = new QLabel(line, row);
        label->setWordWrap(true);
        label->setTextFormat(Qt::PlainText);
        auto* button = new QPushButton(tr("Try It…"), row);
        button->setToolTip(tr("Make a study that compares this with the run's own setting"));
        button->setAccessibleName(tr("Try: %1").arg(remedyTitle(remedy)));
        connect(button, &QPushButton::clicked, this,
                [this, index = static_cast<int>(i)] { Q_EMIT tryRequested(index); });
        layout->addWidget(label, 1);
        layout->addWidget(button);
        m_rows->addWidget(row);
        m_widgets.push_back(row);
    }
    for (const session::TriedRemedy& tried : m_explanation->tried) {
        if (tried.observed)
            addText(triedText(tried));
    }
    if (const QString record = trackRecordText(m_explanation->tried); !record.isEmpty())
        addText(record);
}

} // namespace ep::ui
