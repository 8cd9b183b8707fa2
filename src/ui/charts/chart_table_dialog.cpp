// SPDX-License-Identifier: GPL-3.0-or-later
#include "chart_files.h"

#include "ep/ui/charts/chart_table.h"
#include "ep/ui/models/raw_sort_proxy.h"
#include "ep/ui/terms.h"

#include <QAbstractTableModel>
#include <QClipboard>
#include <QDialog>
#include <QDialogButtonBox>
#include <QGuiApplication>
#include <QHeaderView>
#include <QPushButton>
#include <QTableView>
#include <QVBoxLayout>

namespace ep::ui {

namespace {

class TableTwinModel final : public QAbstractTableModel {
public:
    TableTwinModel(ChartTable table, QObject* parent)
        : QAbstractTableModel(parent)
        , m_table(std::move(table))
    {
    }

    const ChartTable& table() const { return m_table; }
    int rowCount(const QModelIndex& parent) const final
    {
        return parent.isValid() ? 0 : static_cast<int>(m_table.rows.size());
    }
    int columnCount(const QModelIndex& parent) const final
    {
        return parent.isValid() ? 0 : static_cast<int>(m_table.headings.size());
    }
    QVariant data(const QModelIndex& index, int role) const final
    {
        const auto& cell = m_table.rows[static_cast<std::size_t>(index.row())]
                                       [static_cast<std::size_t>(index.column())];
        switch (role) {
        case Qt::DisplayRole:
            return cell.text;
        case kRawRole:
            return cell.raw;
        case Qt::TextAlignmentRole:
            return QVariant(cell.raw.typeId() == QMetaType::QString
                                ? Qt::Alignment(Qt::AlignLeft | Qt::AlignVCenter)
                                : Qt::Alignment(Qt::AlignRight | Qt::AlignVCenter));
        default:
            return {};
        }
    }
    QVariant headerData(int section, Qt::Orientation orientation, int role) const final
    {
        if (role != Qt::DisplayRole)
            return {};
        return orientation == Qt::Horizontal ? QVariant(m_table.headings[section])
                                             : QVariant(section + 1);
    }

private:
    ChartTable m_table;
};

} // namespace

QDialog* makeTableDialog(ChartTable table, const QString& title, QWidget* parent)
{
    auto* dialog = new QDialog(parent);
    dialog->setObjectName(QStringLiteral("chartTable"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setWindowTitle(title);
    auto* model = new TableTwinModel(std::move(table), dialog);
    auto* sorted = new RawSortProxy(dialog);
    sorted->setSourceModel(model);
    auto* view = new QTableView(dialog);
    view->setObjectName(QStringLiteral("chartTableView"));
    view->setAccessibleName(title);
    view->setModel(sorted);
    view->setSortingEnabled(true);
    view->sortByColumn(-1, Qt::AscendingOrder);
    view->setAlternatingRowColors(true);
    view->setSelectionBehavior(QAbstractItemView::SelectRows);
    view->verticalHeader()->hide();
    view->resizeColumnsToContents();
    view->horizontalHeader()->setStretchLastSection(true);

    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, dialog);
    auto* copy = buttons->addButton(translated("Copy Table"), QDialogButtonBox::ActionRole);
    auto* save = buttons->addButton(translated("Save as CSV…"), QDialogButtonBox::ActionRole);
    copy->setObjectName(QStringLiteral("chartTableCopy"));
    save->setObjectName(QStringLiteral("chartTableSave"));
    QObject::connect(copy, &QPushButton::clicked, dialog,
                     [model] { QGuiApplication::clipboard()->setText(toTsv(model->table())); });
    QObject::connect(save, &QPushButton::clicked, dialog, [dialog, model, title] {
        askAndSave(*dialog, title, QStringLiteral("csv"),
                   [model](const QString& path) { return saveTableCsv(model->table(), path); });
    });
    QObject::connect(buttons, &QDialogButtonBox::rejected, dialog, &QDialog::reject);
    auto* layout = new QVBoxLayout(dialog);
    layout->addWidget(view);
    layout->addWidget(buttons);
    dialog->resize(760, 520);
    return dialog;
}

} // namespace ep::ui
