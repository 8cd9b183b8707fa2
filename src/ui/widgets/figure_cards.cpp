// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/figure_cards.h"

#include "text.h"

#include "ep/ui/theme.h"

#include <QEvent>
#include <QFrame>
#include <QHBoxLayout>
#include <QLabel>
#include <QVBoxLayout>

namespace ep::ui {

namespace {

using namespace Qt::Literals::StringLiterals;

constexpr double kValueScale = 1.35; // relative to the title's font

} // namespace

FigureCards::FigureCards(QWidget* parent)
    : QWidget(parent)
{
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(6);
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
}

int FigureCards::add(const QString& id, const QString& title)
{
    auto* frame = new QFrame(this);
    frame->setFrameShape(QFrame::StyledPanel);
    frame->setAutoFillBackground(true);
    auto* titleLabel = new QLabel(title, frame);
    auto* valueLabel = new QLabel(missingText(), frame);
    QFont large = valueLabel->font();
    large.setPointSizeF(large.pointSizeF() * kValueScale);
    large.setBold(true);
    valueLabel->setFont(large);
    valueLabel->setObjectName(id);
    valueLabel->setTextFormat(Qt::PlainText);
    valueLabel->setTextInteractionFlags(Qt::TextSelectableByMouse);
    valueLabel->setAccessibleName(title);

    auto* layout = new QVBoxLayout(frame);
    layout->setContentsMargins(10, 5, 10, 5);
    layout->setSpacing(0);
    layout->addWidget(titleLabel);
    layout->addWidget(valueLabel);
    static_cast<QHBoxLayout*>(this->layout())->addWidget(frame, 1);
    m_cards.push_back({frame, titleLabel, valueLabel});
    applyColours();
    return static_cast<int>(m_cards.size()) - 1;
}

void FigureCards::setValue(int card, const QString& value, const QString& toolTip)
{
    const Card& target = m_cards[static_cast<std::size_t>(card)];
    if (target.value->text() != value)
        target.value->setText(value);
    if (target.frame->toolTip() != toolTip)
        target.frame->setToolTip(toolTip);
}

QString FigureCards::value(int card) const
{
    return m_cards[static_cast<std::size_t>(card)].value->text();
}

void FigureCards::clear()
{
    for (int card = 0; card < static_cast<int>(m_cards.size()); ++card)
        setValue(card, missingText());
}

void FigureCards::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        applyColours();
}

void FigureCards::applyColours()
{
    const Theme theme = Theme::fromPalette(palette());
    QPalette frame = palette();
    frame.setColor(QPalette::Window, theme.surface);
    frame.setColor(QPalette::WindowText, theme.text);
    QPalette title = frame;
    title.setColor(QPalette::WindowText, theme.mutedText);
    for (const Card& card : m_cards) {
        card.frame->setPalette(frame);
        card.title->setPalette(title);
    }
}

} // namespace ep::ui
