// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "theme/design.h"
#include "widgets/elided_label.h"

#include <QVBoxLayout>
#include <QWidget>

namespace ep::ui {

// A chart under its title; `beside` (a selector, may be null) is shown to the right of the title.
inline QWidget* titledPanel(const QString& title, QWidget* content, QWidget* beside = nullptr)
{
    auto* panel = new QWidget;
    auto* label = new ElidedLabel(panel);
    label->setText(title);
    setType(*label, TypeSize::Body, true);
    label->setMinimumHeight(kControlHeight);
    label->setBuddy(content);
    auto* row = new QHBoxLayout;
    row->addWidget(label);
    row->addStretch();
    if (beside)
        row->addWidget(beside);
    auto* column = new QVBoxLayout(panel);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addLayout(row);
    column->addWidget(content, 1);
    return panel;
}

} // namespace ep::ui
