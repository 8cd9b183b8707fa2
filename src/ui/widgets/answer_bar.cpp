// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/answer_bar.h"

#include "theme/design.h"

#include "ep/core/format.h"
#include "ep/ui/terms.h"
#include "ep/ui/theme.h"
#include "ep/ui/to_qstring.h"

#include <QPainter>
#include <QStyle>
#include <QStyleOptionFocusRect>

#include <algorithm>

namespace ep::ui {

namespace {

using namespace Qt::Literals::StringLiterals;

constexpr int kBarHeight = kHalfGrid + 1;

} // namespace

AnswerBar::AnswerBar(QWidget* parent)
    : QAbstractButton(parent)
{
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setFocusPolicy(Qt::StrongFocus);
    setCursor(Qt::PointingHandCursor);
    setToolTip(tr("Show where this is in the charts"));
    setType(*this, TypeSize::Body);
    connect(this, &QAbstractButton::clicked, this, [this] { Q_EMIT placeRequested(m_bar.place); });
}

void AnswerBar::showBar(const session::AnswerBar& bar)
{
    m_bar = bar;
    m_value = toQString(bar.amount + " · " + formatPercent(bar.share));
    setText(term(bar.title));
    setAccessibleName(u"%1: %2"_s.arg(text(), m_value));
    update();
}

QSize AnswerBar::sizeHint() const
{
    return {20 * kGrid, fontMetrics().height() + kBarHeight + kGrid};
}

int AnswerBar::widthNeeded() const
{
    return fontMetrics().horizontalAdvance(text()) + fontMetrics().horizontalAdvance(m_value)
        + 2 * kGrid + kHalfGrid;
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
    painter.drawText(words, Qt::AlignRight | Qt::AlignVCenter, m_value);
    painter.setPen(theme.text);
    const int room = words.width() - fontMetrics().horizontalAdvance(m_value) - kGrid;
    painter.drawText(words, Qt::AlignLeft | Qt::AlignVCenter,
                     fontMetrics().elidedText(text(), Qt::ElideRight, room));
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

} // namespace ep::ui
