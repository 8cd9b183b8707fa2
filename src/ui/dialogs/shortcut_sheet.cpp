// SPDX-License-Identifier: GPL-3.0-or-later
#include "dialogs/shortcut_sheet.h"

#include "widgets/assembly.h"

#include <QAction>
#include <QDialogButtonBox>
#include <QHeaderView>
#include <QMenu>
#include <QMenuBar>
#include <QTableWidget>

namespace ep::ui {

namespace {

using namespace Qt::Literals::StringLiterals;

QString plain(QString text)
{
    return text.remove(u'&').remove(u"…"_s);
}

void addRow(QTableWidget& table, const QString& place, const QString& what, const QString& keys)
{
    const int row = table.rowCount();
    table.insertRow(row);
    table.setItem(row, 0, new QTableWidgetItem(place));
    table.setItem(row, 1, new QTableWidgetItem(what));
    table.setItem(row, 2, new QTableWidgetItem(keys));
}

void addMenuActions(QTableWidget& table, const QString& place, const QList<QAction*>& actions)
{
    for (const QAction* action : actions) {
        if (const QMenu* menu = action->menu()) {
            const QString title = plain(menu->title());
            addMenuActions(table, place.isEmpty() ? title : place + u" › "_s + title,
                           menu->actions());
        } else if (!action->shortcut().isEmpty()) {
            addRow(table, place, plain(action->text()),
                   QKeySequence::listToString(action->shortcuts(), QKeySequence::NativeText));
        }
    }
}

} // namespace

ShortcutSheet::ShortcutSheet(const QMenuBar& menus, QWidget* parent)
    : QDialog(parent)
{
    prepareDialog(*this, u"shortcutSheet"_s, tr("Keyboard Shortcuts"));
    auto* table = named(new QTableWidget(0, 3, this), u"shortcutTable"_s);
    table->setHorizontalHeaderLabels({tr("Context"), tr("Action"), tr("Keys")});
    prepareTable(*table);
    table->setSelectionMode(QAbstractItemView::NoSelection);
    table->setAlternatingRowColors(true);
    addMenuActions(*table, {}, menus.actions());
    addRow(*table, tr("History"), tr("Open the selected run"), tr("Return"));
    addRow(*table, tr("History"), tr("Delete the selected runs"),
           QKeySequence(QKeySequence::Delete).toString(QKeySequence::NativeText));
    addRow(*table, tr("Charts"), tr("Move the cursor"), tr("Arrow keys, Home, End"));
    addRow(*table, tr("Charts"), tr("Expand or select the item under the cursor"), tr("Return"));
    addRow(*table, tr("Charts"), tr("Zoom in, out"), tr("W, S or +, −"));
    addRow(*table, tr("Charts"), tr("Earlier, later"), tr("A, D"));
    addRow(*table, tr("Charts"), tr("Show the selection, show all"), tr("F, 0"));
    addRow(*table, tr("Charts"), tr("Clear one level of the selection"), tr("Escape"));
    addRow(*table, tr("Charts over time"), tr("Select a range, zoom to it"),
           tr("Drag, Shift+drag"));
    addRow(*table, tr("Charts over time"), tr("Pan, zoom at the pointer"),
           tr("Wheel, Ctrl+wheel or pinch"));
    addRow(*table, tr("Charts over time"), tr("Clear the selection"), tr("Double click"));
    addRow(*table, tr("Text"), tr("Select several tokens"), tr("Shift+click, Shift+arrows"));
    addRow(*table, tr("Live power"), tr("Follow the newest samples"), tr("F"));
    addRow(*table, tr("Live power"), tr("Last minute, all"), tr("M, A"));
    table->horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
    table->horizontalHeader()->setSectionResizeMode(1, QHeaderView::Stretch);

    auto* buttons = dialogButtons(*this, QDialogButtonBox::Close);
    inColumn(this, {table, buttons});
    resize(720, 560);
}

} // namespace ep::ui
