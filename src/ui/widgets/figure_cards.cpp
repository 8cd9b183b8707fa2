// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/figure_cards.h"

#include "text.h"
#include "theme/design.h"
#include "widgets/elided_label.h"

#include "ep/ui/theme.h"

#include <QEvent>
#include <QFrame>
#include <QGridLayout>
#include <QLabel>

#include <algorithm>

namespace ep::ui {

namespace {

using namespace Qt::Literals::StringLiterals;

constexpr int kMinWidth = 13 * kGrid; // width of a card below which the row wraps

} // namespace

FigureCards::FigureCards(QWidget* parent, Form form)
    : QWidget(parent)
    , m_form(form)
{
    auto* layout = new QGridLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(kGrid);
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
}

int FigureCards::add(const QString& id, const QString& title)
{
    auto* frame = new QFrame(this);
    frame->setAutoFillBackground(true);
    auto* titleLabel = new ElidedLabel(frame);
    titleLabel->setText(title);
    auto* valueLabel = new QLabel(missingText(), frame);
    setType(*titleLabel, TypeSize::Small);
    const bool compact = m_form == Form::Compact;
    setType(*valueLabel, compact ? TypeSize::Body : TypeSize::Title, true);
    valueLabel->setObjectName(id);
    valueLabel->setTextFormat(Qt::PlainText);
    valueLabel->setTextInteractionFlags(Qt::TextSelectableByMouse);
    valueLabel->setAccessibleName(title);

    auto* layout =
        new QBoxLayout(compact ? QBoxLayout::LeftToRight : QBoxLayout::TopToBottom, frame);
    layout->setContentsMargins(kGrid, kHalfGrid, kGrid, kHalfGrid);
    layout->setSpacing(compact ? kHalfGrid : 0);
    layout->addWidget(titleLabel);
    layout->addWidget(valueLabel);
    if (compact)
        layout->addStretch();
    m_cards.push_back({frame, titleLabel, valueLabel});
    applyColours();
    arrange();
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

void FigureCards::setShown(int card, bool shown)
{
    QWidget& frame = *m_cards[static_cast<std::size_t>(card)].frame;
    QSizePolicy policy = frame.sizePolicy();
    policy.setRetainSizeWhenHidden(true);
    frame.setSizePolicy(policy);
    frame.setVisible(shown);
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

QSize FigureCards::minimumSizeHint() const
{
    return {2 * kMinWidth + kGrid, QWidget::minimumSizeHint().height()};
}

void FigureCards::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    arrange();
}

void FigureCards::arrange()
{
    const int count = static_cast<int>(m_cards.size());
    const int fitting = std::clamp((width() + kGrid) / (kMinWidth + kGrid), 2, std::max(2, count));
    const int rows = (count + fitting - 1) / fitting;
    const int columns = rows > 0 ? (count + rows - 1) / rows : 0; // equally long rows
    auto* grid = static_cast<QGridLayout*>(layout());
    if (columns == m_columns && grid->count() == count)
        return;
    m_columns = columns;
    for (const Card& card : m_cards)
        grid->removeWidget(card.frame);
    for (int i = 0; i < count; ++i) {
        grid->addWidget(m_cards[static_cast<std::size_t>(i)].frame, i / columns, i % columns);
        // On one line, a long title needs more room than a short one.
        grid->setColumnStretch(i, i < columns && m_form == Form::Large ? 1 : 0);
    }
    updateGeometry();
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
