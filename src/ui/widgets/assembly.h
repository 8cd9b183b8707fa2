// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QBoxLayout>
#include <QDialog>
#include <QDialogButtonBox>
#include <QHeaderView>
#include <QLabel>
#include <QSplitter>
#include <QString>
#include <QTableView>

#include <initializer_list>

// Puts pages and dialogs together.
namespace ep::ui {

// The object with the name by which tests and stored layouts find it.
template <typename Object>
Object* named(Object* object, const QString& id)
{
    object->setObjectName(id);
    return object;
}

// Like named() above, with the name that assistive technology reads.
template <typename Widget>
Widget* named(Widget* widget, const QString& id, const QString& accessibleName)
{
    widget->setAccessibleName(accessibleName);
    return named(widget, id);
}

// A text of as many lines as it needs, without markup.
inline QLabel* wrapped(QLabel* label)
{
    label->setWordWrap(true);
    label->setTextFormat(Qt::PlainText);
    return label;
}

struct Stretch {
    int factor = 0;
};

struct Space {
    int pixels = 0;
};

// A widget, a layout, a stretch or a space in a row or a column.
struct LayoutItem {
    LayoutItem(QWidget* shown, int factor = 0, Qt::Alignment where = {})
        : widget(shown)
        , stretch(factor)
        , alignment(where)
    {
    }
    LayoutItem(QLayout* inner, int factor = 0)
        : layout(inner)
        , stretch(factor)
    {
    }
    LayoutItem(Stretch free)
        : stretch(free.factor)
    {
    }
    LayoutItem(Space free)
        : space(free.pixels)
    {
    }

    QWidget* widget = nullptr;
    QLayout* layout = nullptr;
    int stretch = 0;
    int space = 0;
    Qt::Alignment alignment{};
};

inline void addAll(QBoxLayout& box, std::initializer_list<LayoutItem> items)
{
    for (const LayoutItem& item : items) {
        if (item.widget)
            box.addWidget(item.widget, item.stretch, item.alignment);
        else if (item.layout)
            box.addLayout(item.layout, item.stretch);
        else if (item.space > 0)
            box.addSpacing(item.space);
        else
            box.addStretch(item.stretch);
    }
}

inline QHBoxLayout* inRow(QWidget* parent, std::initializer_list<LayoutItem> items)
{
    auto* row = new QHBoxLayout(parent);
    addAll(*row, items);
    return row;
}

inline QHBoxLayout* inRow(std::initializer_list<LayoutItem> items)
{
    return inRow(nullptr, items);
}

inline QVBoxLayout* inColumn(QWidget* parent, std::initializer_list<LayoutItem> items)
{
    auto* column = new QVBoxLayout(parent);
    addAll(*column, items);
    return column;
}

inline QVBoxLayout* inColumn(std::initializer_list<LayoutItem> items)
{
    return inColumn(nullptr, items);
}

struct SplitPart {
    QWidget* widget = nullptr;
    int share = 0; // of the room that the splitter gains or loses
};

// The parts of a splitter, none of which collapses.
inline void addParts(QSplitter& splitter, std::initializer_list<SplitPart> parts)
{
    for (const SplitPart& part : parts) {
        splitter.addWidget(part.widget);
        splitter.setStretchFactor(splitter.count() - 1, part.share);
    }
    splitter.setChildrenCollapsible(false);
}

// The layout without margins.
template <typename Layout>
Layout* flush(Layout* layout)
{
    layout->setContentsMargins(0, 0, 0, 0);
    return layout;
}

// A dialog that is deleted when it closes.
inline void prepareDialog(QDialog& dialog, const QString& id, const QString& title)
{
    dialog.setObjectName(id);
    dialog.setWindowTitle(title);
    dialog.setAttribute(Qt::WA_DeleteOnClose);
}

// The buttons below a dialog, which accept or reject it.
inline QDialogButtonBox* dialogButtons(QDialog& dialog, QDialogButtonBox::StandardButtons which)
{
    auto* buttons = new QDialogButtonBox(which, &dialog);
    QObject::connect(buttons, &QDialogButtonBox::accepted, &dialog, &QDialog::accept);
    QObject::connect(buttons, &QDialogButtonBox::rejected, &dialog, &QDialog::reject);
    return buttons;
}

// A table whose rows are read and chosen as a whole.
inline void prepareTable(QTableView& table)
{
    table.verticalHeader()->hide();
    table.setShowGrid(false);
    table.setEditTriggers(QAbstractItemView::NoEditTriggers);
    table.setSelectionBehavior(QAbstractItemView::SelectRows);
}

} // namespace ep::ui
