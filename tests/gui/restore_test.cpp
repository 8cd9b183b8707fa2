// SPDX-License-Identifier: GPL-3.0-or-later
// A window with an unreadable database offers the newest backup.
#include "dialogs/missing_database.h"
#include "gui/window_test.h"
#include "support/run_id.h"
#include "support/sample_run.h"
#include "widgets/message_bar.h"

#include "ep/store/store.h"
#include "ep/store/store_files.h"

#include <QApplication>
#include <QPushButton>
#include <QTest>
#include <QTimer>
#include <QToolButton>

#include <fstream>

namespace ep::test {
namespace {

class RestoreTest : public WindowTest {
protected:
    RestoreTest() { store::setBackupPolicy({.on = true}); }
    ~RestoreTest() override { store::setBackupPolicy({}); }

    void storeRun(const std::string& id)
    {
        const auto store = store::Store::open(database());
        ASSERT_TRUE(store);
        ASSERT_TRUE((*store)->saveRun(makeSampleRun({.id = idFrom(id)})));
    }

    QToolButton* restoreButton()
    {
        for (auto* button : window().findChildren<QToolButton*>()) {
            if (button->text() == QStringLiteral("Restore Backup") && button->isVisible())
                return button;
        }
        return nullptr;
    }
};

TEST_F(RestoreTest, OffersTheNewestBackup)
{
    storeRun("a"); // and makes the daily backup
    ASSERT_EQ(store::backupsOf(database()).size(), 1U);
    std::ofstream(database(), std::ios::binary | std::ios::trunc) << std::string(20'000, 'x');
    openWindow();
    window().showPage(ui::Page::History);
    ASSERT_TRUE(waitFor([&] { return restoreButton() != nullptr; }));
    QTest::mouseClick(restoreButton(), Qt::LeftButton);
    ASSERT_TRUE(waitFor([&] {
        const auto store = store::Store::open(database(), store::Store::Mode::ReadOnly);
        return store && (*store)->list() && (*store)->list()->size() == 1;
    }));
    ASSERT_TRUE(waitFor([&] { return restoreButton() == nullptr; }));
}

// Before there is a window: the file was moved, and its backup stayed.
TEST_F(RestoreTest, ADatabaseThatIsGoneIsRestored)
{
    storeRun("a");
    ASSERT_EQ(store::backupsOf(database()).size(), 1U);
    std::filesystem::rename(database(), database().string() + ".moved");
    QTimer look;
    QObject::connect(&look, &QTimer::timeout, [] {
        if (const QWidget* box = QApplication::activeModalWidget())
            box->findChild<QPushButton*>(u"missingDatabaseRestore"_s)->click();
    });
    look.start(50);
    EXPECT_EQ(ui::askForDatabase(database()), database());
    const auto store = store::Store::open(database(), store::Store::Mode::ReadOnly);
    ASSERT_TRUE(store);
    EXPECT_EQ((*store)->list()->size(), 1U);
}

TEST_F(RestoreTest, OffersNothingWithoutABackup)
{
    std::ofstream(database(), std::ios::binary) << std::string(20'000, 'x');
    openWindow();
    window().showPage(ui::Page::History);
    QTest::qWait(300);
    EXPECT_EQ(restoreButton(), nullptr);
}

} // namespace
} // namespace ep::test
