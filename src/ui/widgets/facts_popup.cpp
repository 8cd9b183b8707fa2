// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/facts_popup.h"

#include "theme/design.h"

#include <QLabel>
#include <QScreen>
#include <QVBoxLayout>

#include <algorithm>

namespace ep::ui {

namespace {

using namespace Qt::Literals::StringLiterals;

constexpr int kPopupWidth = 52 * kGrid;

} // namespace

FactsPopup::FactsPopup(QWidget* parent)
    : QFrame(parent, Qt::Popup)
    , m_prompt(new QLabel(this))
    , m_facts(new QLabel(this))
    , m_reasons(new QLabel(this))
{
    setObjectName(u"runFactsPopup"_s);
    setFrameShape(QFrame::StyledPanel);
    m_facts->setObjectName(u"runFacts"_s);
    m_reasons->setObjectName(u"runReasons"_s);
    setMuted(*m_reasons);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(2 * kGrid, 2 * kGrid, 2 * kGrid, 2 * kGrid);
    for (QLabel* label : {m_prompt, m_facts, m_reasons}) {
        label->setTextFormat(Qt::PlainText);
        label->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
        label->setWordWrap(true);
        column->addWidget(label);
    }
}

void FactsPopup::showFacts(const QString& prompt, const QStringList& facts, const QString& reasons)
{
    m_prompt->setText(prompt);
    m_prompt->setHidden(prompt.isEmpty());
    m_facts->setText(facts.join(u'\n'));
    m_reasons->setText(reasons);
    m_reasons->setVisible(!reasons.isEmpty());
}

void FactsPopup::openBelow(const QWidget& mark)
{
    const QRect screen = mark.screen()->availableGeometry();
    setFixedWidth(std::min(kPopupWidth, screen.width()));
    adjustSize();
    QPoint at = mark.mapToGlobal(QPoint(mark.width() - width(), mark.height()));
    at.setX(std::clamp(at.x(), screen.left(), std::max(screen.left(), screen.right() - width())));
    at.setY(std::min(at.y(), std::max(screen.top(), screen.bottom() - height())));
    move(at);
    show();
    setFocus();
}

} // namespace ep::ui
