// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/collapsible_box.h"

#include "widgets/assembly.h"

#include <QStyleOptionToolButton>
#include <QToolButton>

#include <utility>

namespace ep::ui {

namespace {

// A heading that folds what is below it. The arrow shows the state, so it is not drawn as pressed.
class DisclosureButton : public QToolButton {
public:
    using QToolButton::QToolButton;

protected:
    void initStyleOption(QStyleOptionToolButton* option) const override
    {
        QToolButton::initStyleOption(option);
        option->state &= ~(QStyle::State_On | QStyle::State_Sunken);
    }
};

} // namespace

CollapsibleBox::CollapsibleBox(const QString& title, QWidget* parent)
    : QWidget(parent)
    , m_title(new DisclosureButton(this))
{
    m_title->setObjectName(QStringLiteral("boxTitle"));
    m_title->setText(title);
    m_title->setCheckable(true);
    m_title->setAutoRaise(true);
    m_title->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_title->setArrowType(Qt::RightArrow);
    m_title->setMinimumHeight(24);
    connect(m_title, &QToolButton::toggled, this, [this](bool on) {
        m_title->setArrowType(on ? Qt::DownArrow : Qt::RightArrow);
        if (m_content)
            m_content->setVisible(on);
    });
    flush(inColumn(this, {m_title}));
}

void CollapsibleBox::setContent(QWidget* content)
{
    delete std::exchange(m_content, content);
    layout()->addWidget(content);
    content->setVisible(isExpanded());
}

void CollapsibleBox::setExpanded(bool expanded)
{
    m_title->setChecked(expanded);
}

bool CollapsibleBox::isExpanded() const
{
    return m_title->isChecked();
}

} // namespace ep::ui
