// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/ui/rich_text.h"

#include <QComboBox>
#include <QHeaderView>
#include <QHelpEvent>
#include <QStyle>
#include <QStyleOptionComboBox>
#include <QToolTip>

namespace ep::ui {

inline QRect comboField(const QComboBox& combo)
{
    QStyleOptionComboBox option;
    option.initFrom(&combo);
    option.editable = combo.isEditable();
    option.subControls = QStyle::SC_All;
    return combo.style()->subControlRect(QStyle::CC_ComboBox, &option, QStyle::SC_ComboBoxEditField,
                                         &combo);
}

// Shows truncated texts of selectors and column headers in a tool tip, unless they have one of
// their own. Installed on the application, like the style that elides them.
class CutText : public QObject {
public:
    using QObject::QObject;

    bool eventFilter(QObject* watched, QEvent* event) override
    {
        if (event->type() != QEvent::ToolTip)
            return false;
        const auto* help = static_cast<QHelpEvent*>(event);
        auto* widget = qobject_cast<QWidget*>(watched);
        if (!widget || !widget->toolTip().isEmpty())
            return false;
        const QString text = cutText(*widget, help->pos());
        if (text.isEmpty())
            return false;
        QToolTip::showText(help->globalPos(), richText(text.toStdString()), widget);
        return true;
    }

private:
    static QString cutText(const QWidget& widget, QPoint at)
    {
        if (const auto* combo = qobject_cast<const QComboBox*>(&widget)) {
            const QString text = combo->currentText();
            const int needed = combo->fontMetrics().horizontalAdvance(text);
            return needed > comboField(*combo).width() ? text : QString();
        }
        const auto* head = qobject_cast<const QHeaderView*>(widget.parentWidget());
        if (!head || head->viewport() != &widget || !head->model())
            return {};
        const int section = head->logicalIndexAt(at);
        if (section < 0
            || head->model()->headerData(section, head->orientation(), Qt::ToolTipRole).isValid())
            return {};
        const QString text =
            head->model()->headerData(section, head->orientation(), Qt::DisplayRole).toString();
        return head->sectionSizeHint(section) > head->sectionSize(section) ? text : QString();
    }
};

} // namespace ep::ui
