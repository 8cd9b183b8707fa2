// SPDX-License-Identifier: GPL-3.0-or-later
#include "pages/export_dialog.h"
#include "pages/history_page.h"
#include "pages/run_edit_dialog.h"
#include "pages/storage_dialog.h"
#include "text.h"

#include <QFileDialog>
#include <QMessageBox>
#include <QPushButton>
#include <QStandardPaths>

// Actions on the selected runs.
namespace ep::ui {

using namespace Qt::Literals::StringLiterals;

void HistoryPage::openSelected()
{
    if (const RunSummary* run = selectedRun())
        Q_EMIT openRequested(toQString(run->info.id));
}

void HistoryPage::exportSelected(RunRepository::Format format)
{
    if (const RunSummary* run = selectedRun())
        exportWithDialog(*this, m_repository, run->info, format);
}

void HistoryPage::compareSelected()
{
    const QStringList ids = selectedIds();
    if (ids.size() > 1)
        Q_EMIT compareRequested(ids);
}

void HistoryPage::reportSelected()
{
    const RunSummary* run = selectedRun();
    if (!run)
        return;
    auto* dialog =
        new QFileDialog(this, tr("Save Report"),
                        QStandardPaths::writableLocation(QStandardPaths::DocumentsLocation));
    dialog->setObjectName(u"reportDialog"_s);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setNameFilters({tr("Web page (*.html)"), tr("PDF (*.pdf)")});
    dialog->setDefaultSuffix(u"html"_s);
    dialog->selectFile(u"run.html"_s);
    connect(dialog, &QFileDialog::filterSelected, dialog, [dialog](const QString& filter) {
        dialog->setDefaultSuffix(filter.contains(u"pdf"_s) ? u"pdf"_s : u"html"_s);
    });
    connect(dialog, &QFileDialog::fileSelected, this,
            [this, id = toQString(run->info.id)](const QString& path) {
                m_repository.saveReport(id, path);
            });
    dialog->open();
}

void HistoryPage::deleteSelected()
{
    const QStringList ids = selectedIds();
    if (ids.isEmpty())
        return;
    auto* question = new QMessageBox(QMessageBox::Question, tr("Delete Runs"),
                                     ids.size() == 1 ? tr("Delete this run?")
                                                     : tr("Delete %1 runs?").arg(ids.size()),
                                     QMessageBox::Cancel, this);
    question->setObjectName(u"deleteQuestion"_s);
    question->setAttribute(Qt::WA_DeleteOnClose);
    question->setInformativeText(tr("This also deletes its samples, tokens and figures. It can be "
                                    "undone until the program is closed."));
    QPushButton* confirm = question->addButton(tr("Delete"), QMessageBox::DestructiveRole);
    confirm->setObjectName(u"deleteConfirm"_s);
    question->setDefaultButton(QMessageBox::Cancel);
    connect(confirm, &QPushButton::clicked, this, [this, ids] { m_repository.remove(ids); });
    question->open();
}

void HistoryPage::editSelected()
{
    if (const RunSummary* run = selectedRun())
        (new RunEditDialog(m_repository, run->info, this))->open();
}

void HistoryPage::showStorage()
{
    (new StorageDialog(m_repository, m_runs, this))->open();
}

} // namespace ep::ui
