// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/answer_panel.h"

#include "theme/design.h"
#include "widgets/elided_label.h"

#include "ep/ui/theme.h"

#include <QHBoxLayout>
#include <QPainter>
#include <QStyle>
#include <QStyleOptionFocusRect>
#include <QVBoxLayout>

namespace ep::ui {

namespace {

using namespace Qt::Literals::StringLiterals;

constexpr int kBarHeight = kHalfGrid + 1;

} // namespace

AnswerBar::AnswerBar(QWidget* parent)
    : QAbstractButton(parent)
{
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setType(*this, TypeSize::Body);
}

void AnswerBar::showBar(const Answer::Bar& bar, const QString& basis)
{
    m_bar = bar;
    const bool selects = bar.component || bar.phase;
    setEnabled(selects);
    setFocusPolicy(selects ? Qt::StrongFocus : Qt::NoFocus);
    setCursor(selects ? Qt::PointingHandCursor : Qt::ArrowCursor);
    setText(bar.title);
    setAccessibleName(u"%1: %2"_s.arg(bar.title, bar.value));
    setToolTip(accessibleName() + u" ("_s + basis + u')');
    update();
}

QSize AnswerBar::sizeHint() const
{
    return {20 * kGrid, fontMetrics().height() + kBarHeight + kGrid};
}

QSize AnswerBar::minimumSizeHint() const
{
    return {10 * kGrid, sizeHint().height()};
}

void AnswerBar::paintEvent(QPaintEvent*)
{
    const Theme theme = Theme::fromPalette(palette());
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const QRect inner = rect().adjusted(kHalfGrid, 2, -kHalfGrid, -2);
    const int line = fontMetrics().height();
    const QRect words(inner.left(), inner.top(), inner.width(), line);
    painter.setPen(theme.mutedText);
    painter.drawText(words, Qt::AlignRight | Qt::AlignVCenter, m_bar.value);
    painter.setPen(theme.text);
    const int room = words.width() - fontMetrics().horizontalAdvance(m_bar.value) - kGrid;
    painter.drawText(words, Qt::AlignLeft | Qt::AlignVCenter,
                     fontMetrics().elidedText(m_bar.title, Qt::ElideRight, room));
    QRectF track(inner.left(), inner.top() + line + 2, inner.width(), kBarHeight);
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme.grid);
    painter.drawRoundedRect(track, 2.0, 2.0);
    track.setWidth(std::max(2.0, track.width() * m_bar.share));
    painter.setBrush(theme.focus);
    painter.drawRoundedRect(track, 2.0, 2.0);
    if (hasFocus()) {
        QStyleOptionFocusRect ring;
        ring.initFrom(this);
        style()->drawPrimitive(QStyle::PE_FrameFocusRect, &ring, &painter, this);
    }
}

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
        connect(bar, &QAbstractButton::clicked, this, [this, bar] { Q_EMIT chosen(bar->bar()); });
        bars->addWidget(bar, 1);
        m_bars[i] = bar;
    }
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, kHalfGrid, 0, 0);
    column->setSpacing(0);
    column->addWidget(m_sentence);
    column->addLayout(bars);
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    showAnswer({});
}

void AnswerPanel::showAnswer(const Answer& answer)
{
    setVisible(!answer.sentence.isEmpty());
    m_sentence->setText(answer.sentence);
    m_sentence->setToolTip({});
    for (std::size_t i = 0; i < m_bars.size(); ++i) {
        m_bars[i]->setVisible(i < answer.bars.size());
        if (i < answer.bars.size())
            m_bars[i]->showBar(answer.bars[i], answer.basis);
    }
}

} // namespace ep::ui
