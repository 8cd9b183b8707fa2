// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/empty_state.h"

#include "theme/design.h"
#include "widgets/assembly.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>

namespace ep::ui {

EmptyState::EmptyState(QWidget* parent)
    : QWidget(parent)
    , m_title(wrapped(new QLabel(this)))
    , m_explanation(wrapped(new QLabel(this)))
    , m_buttons(new QHBoxLayout)
{
    setType(*m_title, TypeSize::Title);
    m_title->setAlignment(Qt::AlignCenter);
    m_explanation->setAlignment(Qt::AlignCenter);

    m_buttons->addStretch();
    m_buttons->addStretch();
    inColumn(this, {Stretch{}, m_title, m_explanation, Space{kGrid}, m_buttons, Stretch{}});
}

void EmptyState::setText(const QString& title, const QString& explanation)
{
    m_title->setText(title);
    m_explanation->setText(explanation);
    m_explanation->setVisible(!explanation.isEmpty());
}

QPushButton* EmptyState::addButton(const QString& text)
{
    auto* button = new QPushButton(text, this);
    m_buttons->insertWidget(m_buttons->count() - 1, button);
    return button;
}

} // namespace ep::ui
