// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/sequence_view.h"

#include "text.h"
#include "widgets/assembly.h"

#include "ep/ui/charts/token_stream_view.h"

#include <QComboBox>
#include <QPlainTextEdit>
#include <QSignalBlocker>

namespace ep::ui {

namespace {

using namespace Qt::Literals::StringLiterals;

} // namespace

SequenceView::SequenceView(TokenStreamView& tokens, QWidget* parent)
    : QStackedWidget(parent)
    , m_tokens(tokens)
    , m_text(named(new QPlainTextEdit(this), u"sequenceText"_s,
                   tr("Prompt and response of the sequence")))
    , m_choice(named(new QComboBox(this), u"sequenceChoice"_s, tr("Sequence of the batch")))
{
    m_text->setReadOnly(true);
    m_text->setFrameShape(QFrame::NoFrame);
    m_choice->hide();
    addWidget(&m_tokens);
    addWidget(m_text);
    connect(m_choice, &QComboBox::currentIndexChanged, this, &SequenceView::showSequence);
    connect(m_choice, &QComboBox::activated, this, [this](int index) {
        if (m_run && index >= 0)
            Q_EMIT sequenceChosen(detailsOf(static_cast<std::size_t>(index)));
    });
}

void SequenceView::setRun(const RunPtr& run)
{
    m_run = run;
    const QSignalBlocker quiet(m_choice);
    m_choice->clear();
    const std::size_t count = run ? run->info.batch.size() : 0;
    for (std::size_t i = 0; i < count; ++i)
        m_choice->addItem(tr("Sequence %1 of %2").arg(i + 1).arg(count));
    m_choice->setVisible(count > 1);
    showSequence(0);
}

void SequenceView::showSequence(int index)
{
    const bool first = index <= 0 || !m_run;
    setCurrentIndex(first ? 0 : 1);
    if (first)
        return;
    const BatchSequence& sequence = m_run->info.batch[static_cast<std::size_t>(index)];
    m_text->setPlainText(
        tr("%1 tokens in, %2 out. The sequences of a batch share every step, and its energy.")
            .arg(sequence.input_tokens)
            .arg(sequence.output_tokens)
        + u"\n\n"_s + toQString(sequence.prompt) + toQString(sequence.response));
}

ChartDetails SequenceView::detailsOf(std::size_t index) const
{
    const BatchSequence& sequence = m_run->info.batch[index];
    ChartDetails details;
    details.title = m_choice->itemText(static_cast<int>(index));
    details.rows.emplace_back(tr("Tokens in"), QString::number(sequence.input_tokens));
    details.rows.emplace_back(tr("Tokens out"), QString::number(sequence.output_tokens));
    details.rows.emplace_back(tr("Energy"), tr("shared by all sequences"),
                              tr("A step computes one token of each sequence at once, so that no "
                                 "joule belongs to one of them."));
    details.rows.emplace_back(tr("Prompt"), toQString(sequence.prompt));
    details.rows.emplace_back(tr("Response"), toQString(sequence.response));
    return details;
}

} // namespace ep::ui
