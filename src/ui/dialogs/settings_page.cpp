// SPDX-License-Identifier: GPL-3.0-or-later
#include "dialogs/settings_page.h"

#include "text.h"
#include "theme/design.h"

#include <QFormLayout>
#include <QLabel>
#include <QVBoxLayout>

namespace ep::ui {

SettingsPage::SettingsPage(QWidget* parent)
    : QWidget(parent)
    , m_form(new QFormLayout)
{
    m_form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    m_form->setLabelAlignment(Qt::AlignRight | Qt::AlignVCenter);
    m_form->setVerticalSpacing(kHalfGrid);
    auto* layout = new QVBoxLayout(this);
    layout->addLayout(m_form);
    layout->addStretch(1); // extra space goes to the bottom, not between the rows
}

void SettingsPage::addRow(const QString& label, QWidget* control, const QString& explanation)
{
    control->setAccessibleDescription(explanation);
    if (control->accessibleName().isEmpty())
        control->setAccessibleName(QString(label).remove(u'&'));
    auto* line = new QLabel(explanation, this);
    line->setWordWrap(true);
    setMuted(*line);
    setType(*line, TypeSize::Small);
    line->setContentsMargins(0, 0, 0, kGrid);
    line->setTextInteractionFlags(Qt::TextSelectableByMouse);
    // As high as its text at the current width; its size hint is for a narrow column.
    QSizePolicy policy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    policy.setHeightForWidth(true);
    line->setSizePolicy(policy);
    m_form->addRow(label, control);
    m_form->addRow(QString(), line);
}

} // namespace ep::ui
