// SPDX-License-Identifier: GPL-3.0-or-later
#include "pages/export_dialog.h"
#include "pages/history_filter_bar.h"
#include "pages/history_page.h"
#include "pages/run_edit_dialog.h"
#include "pages/storage_dialog.h"
#include "text.h"

#include "ep/ui/file_dialog.h"

#include <QMessageBox>
#include <QPushButton>
#include <QStandardPaths>

#include <utility>

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
    const auto runs = selectedRuns();
    if (runs.size() == 1)
        return exportWithDialog(*this, m_repository, runs.front()->info, format);
    if (runs.empty())
        return;
    askForFolder(
        tr("Export %1").arg(countText(std::ssize(runs))),
        [this, files = exportFiles(runs, suffixOf(format)), format](const QString& folder) {
            for (const ExportFile& file : files)
                m_repository.exportRun(file.run, format, folder + u'/' + file.name);
        });
}

void HistoryPage::askForFolder(const QString& title, std::function<void(const QString&)> chosen)
{
    auto* dialog =
        makeFileDialog(this, title, u"folderDialog"_s,
                       QStandardPaths::writableLocation(QStandardPaths::DocumentsLocation));
    dialog->setFileMode(QFileDialog::Directory);
    dialog->setOption(QFileDialog::ShowDirsOnly);
    connect(dialog, &QFileDialog::fileSelected, this, std::move(chosen));
    dialog->open();
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
    if (!run) {
        const auto files = exportFiles(selectedRuns(), u"html"_s);
        if (!files.empty())
            askForFolder(tr("Save Reports"), [this, files](const QString& folder) {
                for (const ExportFile& file : files)
                    m_repository.saveReport(file.run, folder + u'/' + file.name);
            });
        return;
    }
    saveReportWithDialog(*this, m_repository, toQString(run->info.id));
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
    question->setInformativeText(tr("Samples, tokens and figures are deleted with a run. It can be "
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

void HistoryPage::showExperiment(const QString& name)
{
    m_filters->setFilter({.experiments = {name.toStdString()}});
    applyFilter();
}

} // namespace ep::ui
