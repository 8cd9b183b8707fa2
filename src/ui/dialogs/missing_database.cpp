// SPDX-License-Identifier: GPL-3.0-or-later
#include "dialogs/missing_database.h"

#include "text.h"
#include "widgets/assembly.h"

#include "ep/store/store_files.h"
#include "ep/ui/file_dialog.h"
#include "ep/ui/terms.h"

#include <QCoreApplication>
#include <QDateTime>
#include <QLocale>
#include <QMessageBox>
#include <QPushButton>

#include <memory>
#include <vector>

namespace ep::ui {

namespace {

using namespace Qt::Literals::StringLiterals;

struct MissingDatabase {
    Q_DECLARE_TR_FUNCTIONS(ep::ui::MissingDatabase)
};

} // namespace

std::optional<std::filesystem::path> askForDatabase(const std::filesystem::path& missing)
{
    QMessageBox box(
        QMessageBox::Warning, MissingDatabase::tr("Run Database Not Found"),
        MissingDatabase::tr("The run database %1 is not there.").arg(pathText(missing)));
    box.setObjectName(u"missingDatabase"_s);
    box.setTextFormat(Qt::PlainText);
    box.setInformativeText(
        MissingDatabase::tr("Its disk may not be connected, or it was moved or renamed. A new "
                            "database has none of the earlier runs."));
    QPushButton* choose =
        named(box.addButton(MissingDatabase::tr("Choose Another…"), QMessageBox::AcceptRole),
              u"missingDatabaseChoose"_s);
    QPushButton* create = named(
        box.addButton(MissingDatabase::tr("Make a New One There"), QMessageBox::DestructiveRole),
        u"missingDatabaseCreate"_s);
    const std::vector<store::Backup> backups = store::backupsOf(missing);
    const QPushButton* restore = nullptr;
    if (!backups.empty()) {
        const QDateTime at = QDateTime::fromMSecsSinceEpoch(backups.front().written_ms);
        QPushButton* button = box.addButton(MissingDatabase::tr("Restore the Backup of %1")
                                                .arg(QLocale().toString(at, QLocale::ShortFormat)),
                                            QMessageBox::AcceptRole);
        button->setObjectName(u"missingDatabaseRestore"_s);
        restore = button;
    }
    box.addButton(MissingDatabase::tr("Quit"), QMessageBox::RejectRole);
    box.setDefaultButton(choose);
    for (;;) {
        box.exec();
        if (box.clickedButton() == create)
            return missing;
        if (restore && box.clickedButton() == restore) {
            const auto restored = store::restoreBackup(missing, backups.front().file);
            if (restored)
                return missing;
            box.setInformativeText(term(restored.error().message));
            continue;
        }
        if (box.clickedButton() != choose)
            return std::nullopt;
        const std::unique_ptr<QFileDialog> dialog(makeFileDialog(
            nullptr, MissingDatabase::tr("Choose a Run Database"), u"missingDatabaseDialog"_s));
        dialog->setAttribute(Qt::WA_DeleteOnClose, false);
        dialog->setFileMode(QFileDialog::ExistingFile);
        dialog->setNameFilter(MissingDatabase::tr("Run databases (*.db *.sqlite);;All files (*)"));
        if (dialog->exec() == QDialog::Accepted)
            return toPath(dialog->selectedFiles().value(0));
    }
}

} // namespace ep::ui
