// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QComboBox>
#include <QStyle>
#include <QStyleOptionComboBox>

namespace ep::ui {

// Makes a selector next to a title as wide as the selected text, not as the longest.
inline void fitToText(QComboBox& combo)
{
    combo.setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    combo.setMinimumContentsLength(1);
    const auto fit = [&combo] {
        QStyleOptionComboBox option;
        option.initFrom(&combo);
        const QSize text(combo.fontMetrics().horizontalAdvance(combo.currentText()) + 1,
                         combo.fontMetrics().height());
        combo.setMinimumWidth(
            combo.style()->sizeFromContents(QStyle::CT_ComboBox, &option, text, &combo).width());
    };
    QObject::connect(&combo, &QComboBox::currentTextChanged, &combo, fit);
    fit();
}

} // namespace ep::ui
