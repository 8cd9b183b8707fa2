// SPDX-License-Identifier: GPL-3.0-or-later
// Every file dialog of the window, in the folder of the open database: none of them opens one of
// the database's files, and its locks stay.
#include "dialogs/missing_database.h"
#include "gui/listed_folder.h"
#include "gui/window_test.h"
#include "support/file_locks.h"
#include "support/folders.h"
#include "support/open_watch.h"

#include "ep/store/store.h"

#include <QAbstractButton>
#include <QAction>
#include <QApplication>
#include <QCheckBox>
#include <QComboBox>
#include <QDir>
#include <QFileDialog>
#include <QFileSystemModel>
#include <QLineEdit>
#include <QListWidget>
#include <QMessageBox>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QTabWidget>
#include <QTableView>
#include <QTest>
#include <QTimer>
#include <QToolButton>
#include <QTreeWidget>

#include <filesystem>
#include <fstream>
#include <regex>
#include <set>

namespace ep::test {
namespace {

using namespace Qt::StringLiterals;

class EveryDialogTest : public WindowTest {
protected:
    EveryDialogTest()
    {
        QDir::setCurrent(folderOfDatabase());
        openWindow();
        for (const char* prompt : {"one", "two and more"})
            runToTheEnd(QString::fromUtf8(prompt), 6);
    }
    ~EveryDialogTest() override { QDir::setCurrent(m_before); }

    ui::WindowServices services() override
    {
        ui::WindowServices all = WindowTest::services();
        all.collectDiagnostics = [] { return std::string("all that there is to say"); };
        return all;
    }

    QString folderOfDatabase() const
    {
        return QString::fromStdString(database().parent_path().string());
    }

    static QFileDialog* shown(const QString& name)
    {
        for (QWidget* widget : QApplication::allWidgets()) {
            auto* dialog = qobject_cast<QFileDialog*>(widget);
            if (dialog && dialog->objectName() == name && dialog->isVisible())
                return dialog;
        }
        return nullptr;
    }

    // Makes the dialog list the folder until it has found the icons and types of all files, then
    // cancels it.
    void list(QFileDialog& dialog)
    {
        dialog.setDirectory(folderOfDatabase());
        ASSERT_NE(dialog.findChild<QFileSystemModel*>(), nullptr) << "not Qt's own dialog";
        EXPECT_TRUE(waitFor([&] { return isListed(dialog, folderOfDatabase()); }));
        dialog.reject();
    }

    // Tests the dialog that ask() opens, which has this object name.
    void tryDialog(const char* name, const std::function<void()>& ask)
    {
        SCOPED_TRACE(name);
        m_tried.insert(name);
        OpenWatch watch(database());
        ask();
        QFileDialog* dialog = nullptr;
        ASSERT_TRUE(waitFor([&] { return (dialog = shown(QString::fromUtf8(name))) != nullptr; }));
        list(*dialog);
        EXPECT_EQ(watch.opened(), 0);
        EXPECT_TRUE(othersSeeLock(database()));
        EXPECT_TRUE(waitFor([&] { return shown(QString::fromUtf8(name)) == nullptr; }));
    }
    void trigger(const char* action) { find<QAction>(action).trigger(); }
    void closeDialog(const char* name)
    {
        find<QDialog>(name).close();
        QTest::qWait(1);
    }
    void selectRuns(bool all)
    {
        window().showPage(ui::Page::History);
        ASSERT_TRUE(waitForRuns(2));
        if (all)
            table().selectAll();
        else
            table().selectRow(0);
    }
    void tryOnLive();
    void tryInDialogs();
    void tryWithRuns();
    void tryBeforeTheWindow();

    std::multiset<std::string> m_tried;
    const QString m_before = QDir::currentPath();
};

void EveryDialogTest::tryOnLive()
{
    tryDialog("runFileDialog", [this] { press(Qt::Key_O, Qt::ControlModifier); });
    tryDialog("powerLogDialog", [this] { trigger("actionImportPower"); });
    window().showWelcome();
    tryDialog("modelsFolderDialog", [this] { click("welcomeFolder"); });
    click("welcomeClose");
    tryDialog("modelDialog", [this] { trigger("browseFile"); });
    auto& box = find<QCheckBox>("isConversation");
    box.setChecked(true);
    tryDialog("conversationDialog", [this] { find<QPushButton>("openConversation").click(); });
    box.setChecked(false);
    const QString power = find<QComboBox>("powerCombo").currentData().toString();
    chooseInCombo("powerCombo", u"replay"_s);
    tryDialog("captureDialog", [this] { find<QPushButton>("replayBrowse").click(); });
    chooseInCombo("powerCombo", power);
}

void EveryDialogTest::tryInDialogs()
{
    trigger("actionLibrary");
    tryDialog("folderDialog", [this] { click("addFolder"); });
    closeDialog("modelLibrary");
    trigger("actionPreferences");
    tryDialog("databaseDialog", [this] { find<QPushButton>("databaseBrowse").click(); });
    closeDialog("preferencesDialog");
    trigger("actionMachine");
    find<QListWidget>("machineParts").setCurrentRow(4);
    ASSERT_TRUE(waitFor([this] { return find<QPushButton>("diagnosticsSave").isEnabled(); }));
    tryDialog("diagnosticsFile", [this] { click("diagnosticsSave"); });
    closeDialog("machineDialog");
    trigger("actionNewStudy");
    find<QPlainTextEdit>("studyPrompts").setPlainText(u"Once"_s);
    find<QLineEdit>("studyOutputTokens").setText(u"3"_s);
    ASSERT_TRUE(waitFor([this] { return find<QPushButton>("studySave").isEnabled(); }));
    tryDialog("studyFileDialog", [this] { click("studySave"); });
    closeDialog("studyDialog");
    const QString log = QString::fromStdString(test::dataPath("powerlog/base.csv"));
    QMetaObject::invokeMethod(&window(), [this, log] { window().importPower(log); });
    ASSERT_TRUE(waitFor([this] { return seek<QPushButton>("powerBrowseRequests") != nullptr; }));
    click("powerMore");
    tryDialog("powerRequestsFile", [this] { click("powerBrowseRequests"); });
    closeDialog("importPowerDialog");
    window().showPage(ui::Page::History);
    find<QAction>("historyViewCards").trigger();
    tryDialog("cardsFile", [this] { click("cardsAdd"); });
    find<QAction>("historyViewRuns").trigger();
}

void EveryDialogTest::tryWithRuns()
{
    selectRuns(false);
    tryDialog("exportDialog", [this] { press(Qt::Key_S, Qt::ControlModifier); });
    tryDialog("reportDialog", [this] { find<QToolButton>("historyReport").click(); });
    selectRuns(true);
    tryDialog("folderDialog", [this] { find<QToolButton>("historyExportJson").click(); });
    click("historyCompare");
    ASSERT_TRUE(
        waitFor([this] { return find<QTreeWidget>("compareTree").topLevelItemCount() > 0; }));
    tryDialog("reportDialog", [this] { find<QAbstractButton>("compareReport").click(); });
    tryDialog("compareTreeDialog", [this] { find<QAbstractButton>("compareTreeSave").click(); });
    QAction* save = nullptr;
    for (QAction* action : window().findChildren<QAction*>(u"chartSavepng"_s)) {
        const auto* chart = qobject_cast<QWidget*>(action->parent());
        save = chart && chart->isVisible() ? action : save;
    }
    ASSERT_NE(save, nullptr);
    tryDialog("saveChartDialog", [save] { save->trigger(); });
    click("compareMeasureQuality");
    ASSERT_TRUE(waitFor([this] { return seek<QPushButton>("qualityBrowse") != nullptr; }));
    tryDialog("qualityFile", [this] { click("qualityBrowse"); });
    closeDialog("qualityDialog");
}

// The blocking dialog: it is asked before there is a window.
void EveryDialogTest::tryBeforeTheWindow()
{
    m_tried.insert("missingDatabaseDialog");
    OpenWatch watch(database());
    QTimer look;
    int listed = 0;
    QObject::connect(&look, &QTimer::timeout, [&] {
        if (auto* dialog = shown(u"missingDatabaseDialog"_s)) {
            look.stop();
            list(*dialog);
            ++listed;
            look.start();
        } else if (auto* box = qobject_cast<QMessageBox*>(QApplication::activeModalWidget())) {
            if (listed == 0)
                box->findChild<QPushButton*>(u"missingDatabaseChoose"_s)->click();
            else
                box->reject();
        }
    });
    look.start(50);
    EXPECT_FALSE(ui::askForDatabase(database().parent_path() / "missing.db"));
    look.stop();
    EXPECT_EQ(listed, 1);
    EXPECT_EQ(watch.opened(), 0);
    EXPECT_TRUE(othersSeeLock(database()));
}

// The number of dialogs that the sources create.
std::size_t dialogsInTheSources()
{
    namespace fs = std::filesystem;
    const std::regex call(R"(makeFileDialog\()");
    std::size_t count = 0;
    for (const auto& file : fs::recursive_directory_iterator(test::sourcePath("src/ui"))) {
        if (file.path().extension() != ".cpp" || file.path().filename() == "file_dialog.cpp")
            continue;
        std::ifstream stream(file.path());
        const std::string text(std::istreambuf_iterator<char>(stream), {});
        count += static_cast<std::size_t>(std::distance(
            std::sregex_iterator(text.begin(), text.end(), call), std::sregex_iterator()));
    }
    return count;
}

TEST_F(EveryDialogTest, LeavesTheDatabaseAlone)
{
    tryOnLive();
    tryInDialogs();
    tryWithRuns();
    tryBeforeTheWindow();
    EXPECT_EQ(m_tried.count("folderDialog"), 2U);
    EXPECT_EQ(m_tried.count("reportDialog"), 2U); // one dialog of two pages
    EXPECT_EQ(m_tried.size() - 1, dialogsInTheSources()) << "a new dialog is missing here";
    // A process that exits now must not believe that it was the only user.
    const auto store = store::Store::open(database());
    ASSERT_TRUE(store) << store.error().message;
    EXPECT_EQ((*store)->list()->size(), 2U);
}

} // namespace
} // namespace ep::test
