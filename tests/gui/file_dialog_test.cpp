// SPDX-License-Identifier: GPL-3.0-or-later
// File dialogs in the folder of the database: they open none of its files, and no lock gets lost.
#include "gui/listed_folder.h"
#include "gui/window_test.h"
#include "support/file_locks.h"
#include "support/open_watch.h"
#include "support/sample_run.h"
#include "support/wait_until.h"

#include "ep/store/store.h"
#include "ep/ui/file_dialog.h"

#include <QAbstractFileIconProvider>
#include <QApplication>
#include <QDialogButtonBox>
#include <QDir>
#include <QFileDialog>
#include <QFileSystemModel>
#include <QMessageBox>
#include <QPushButton>
#include <QTableView>
#include <QTest>
#include <QTreeView>

namespace ep::test {
namespace {

using namespace Qt::StringLiterals;

// Waits until the icons and types of all files are found.
void letItList(QFileDialog& dialog, const QString& folder)
{
    dialog.show();
    ASSERT_NE(dialog.findChild<QFileSystemModel*>(), nullptr) << "not Qt's own dialog";
    ASSERT_TRUE(waitUntil([&] { return isListed(dialog, folder); }));
}

class FileDialogTest : public WindowTest {
protected:
    FileDialogTest()
    {
        QDir::setCurrent(QString::fromStdString(database().parent_path().string()));
        auto store = store::Store::open(database());
        EXPECT_TRUE(store);
        m_store = std::move(*store);
        EXPECT_TRUE(m_store->saveRun(makeSampleRun()));
    }
    ~FileDialogTest() override { QDir::setCurrent(m_before); }

    QString place() const { return QString::fromStdString(database().parent_path().string()); }

    std::unique_ptr<store::Store> m_store;
    const QString m_before = QDir::currentPath();
};

// Proves that the tests below can fail.
TEST_F(FileDialogTest, QtsOwnIconsOpenTheFiles)
{
    OpenWatch watch(database());
    QFileDialog dialog(nullptr, u"Qt's own"_s, place());
    letItList(dialog, place());
    EXPECT_GT(watch.opened(), 0);
    EXPECT_TRUE(othersSeeLock(database())) << "its locks belong to open files, not to the process";
}

TEST_F(FileDialogTest, AFolderThatIsNotThereIsReplacedByHome)
{
    auto* dialog =
        ui::makeFileDialog(nullptr, u"Files"_s, u"files"_s, place() + u"/no/documents"_s);
    EXPECT_EQ(dialog->directory().absolutePath(), QDir(QDir::homePath()).absolutePath());
    dialog->close();
}

TEST_F(FileDialogTest, OurDialogsOpenNoneInAnyMode)
{
    for (const auto mode :
         {QFileDialog::ExistingFile, QFileDialog::AnyFile, QFileDialog::Directory}) {
        SCOPED_TRACE(mode);
        for (const bool named : {false, true}) {
            OpenWatch watch(database());
            auto* dialog =
                ui::makeFileDialog(nullptr, u"Files"_s, u"files"_s, named ? place() : QString());
            dialog->setFileMode(mode);
            letItList(*dialog, place());
            EXPECT_EQ(watch.opened(), 0);
            EXPECT_TRUE(othersSeeLock(database()));
            dialog->close();
            QTest::qWait(1);
        }
    }
}

TEST_F(FileDialogTest, TheWindowsDialogLeavesTheDatabaseAlone)
{
    openWindow();
    // Waits until the window itself has read the database.
    ASSERT_TRUE(waitForRuns(1));
    OpenWatch watch(database());
    press(Qt::Key_O, Qt::ControlModifier);
    ASSERT_TRUE(waitFor([&] { return seek<QFileDialog>("runFileDialog") != nullptr; }));
    auto& dialog = find<QFileDialog>("runFileDialog");
    letItList(dialog, place());
    EXPECT_EQ(watch.opened(), 0);
    QTest::keyClick(&dialog, Qt::Key_Escape);
    EXPECT_TRUE(othersSeeLock(database()));
    EXPECT_TRUE(m_store->edit(makeSampleRun().info.id, {.title = "afterwards"}));
}

TEST_F(FileDialogTest, NothingIsSavedOverTheRunDatabase)
{
    openWindow();
    const QString other = place() + u"/other.csv"_s;
    for (const QString& file : {QString::fromStdString(database().string()),
                                QString::fromStdString(database().string()) + u"-wal"_s, other}) {
        SCOPED_TRACE(file.toStdString());
        auto* dialog = ui::makeFileDialog(&window(), u"Save"_s, u"files"_s, place());
        dialog->setAcceptMode(QFileDialog::AcceptSave);
        QString saved;
        QObject::connect(dialog, &QFileDialog::fileSelected, dialog,
                         [&saved](const QString& chosen) { saved = chosen; });
        dialog->open();
        dialog->selectFile(file);
        QTest::mouseClick(dialog->findChild<QDialogButtonBox*>()->button(QDialogButtonBox::Save),
                          Qt::LeftButton);
        auto* problem = seek<QMessageBox>("savedFileProblem");
        ASSERT_EQ(problem == nullptr, file == other);
        if (problem) {
            EXPECT_TRUE(problem->text().contains(u"is the run database or one of its backups"_s));
            EXPECT_TRUE(dialog->isVisible());
            problem->reject();
            dialog->reject();
            ASSERT_TRUE(waitFor([this] { return !seek<QMessageBox>("savedFileProblem"); }));
        }
        EXPECT_EQ(saved, file == other ? other : QString());
    }
}

TEST_F(FileDialogTest, TypesComeFromNames)
{
    auto* dialog = ui::makeFileDialog(nullptr, u"Files"_s, u"files"_s, place());
    const auto* icons = dialog->iconProvider();
    EXPECT_EQ(icons->type(QFileInfo(u"/nowhere/x.json"_s)), u"JSON document"_s);
    EXPECT_FALSE(icons->icon(QFileInfo(u"/nowhere/x.json"_s)).isNull());
    dialog->close();
    delete dialog;
}

} // namespace
} // namespace ep::test
