// SPDX-License-Identifier: GPL-3.0-or-later
#include "dialogs/settings_page.h"

#include "text.h"
#include "theme/design.h"

#include <QGridLayout>
#include <QLabel>

namespace ep::ui {

SettingsPage::SettingsPage(QWidget* parent)
    : QWidget(parent)
    , m_grid(new QGridLayout(this))
{
    m_grid->setVerticalSpacing(kHalfGrid);
    m_grid->setColumnStretch(1, 1);
}

void SettingsPage::addRow(const QString& label, QWidget* control, const QString& explanation)
{
    control->setAccessibleDescription(explanation);
    if (control->accessibleName().isEmpty())
        control->setAccessibleName(QString(label).remove(u'&'));
    const int row = m_rows;
    m_rows += 2;
    if (!label.isEmpty()) {
        auto* words = new QLabel(label, this);
        words->setBuddy(control);
        m_grid->addWidget(words, row, 0, Qt::AlignRight | Qt::AlignVCenter);
    }
    auto* line = new QLabel(explanation, this);
    line->setWordWrap(true);
    line->setAlignment(Qt::AlignLeft | Qt::AlignTop); // aligned with the control that it explains
    setMuted(*line);
    setType(*line, TypeSize::Small);
    line->setContentsMargins(0, 0, 0, 2 * kGrid);
    line->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_grid->addWidget(control, row, 1);
    m_grid->addWidget(line, row + 1, 1);
    m_grid->setRowStretch(row, 0);
    m_grid->setRowStretch(m_rows, 1); // extra space goes to the bottom, not between the rows
}

} // namespace ep::ui
