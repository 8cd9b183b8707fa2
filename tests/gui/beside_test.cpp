// SPDX-License-Identifier: GPL-3.0-or-later
// The second column of Live: another model, or a server.
#include "attach/known_server.h"
#include "gui/window_test.h"
#include "pages/beside_view.h"
#include "pages/server_finder.h"
#include "support/tiny_model.h"

#include "ep/ui/charts/token_stream_view.h"

#include <QComboBox>
#include <QStackedWidget>
#include <QTableView>
#include <QTest>

#include <string>

namespace ep::test {
namespace {

using namespace Qt::Literals::StringLiterals;
using namespace std::chrono_literals;
using testing::HasSubstr;

constexpr int kRuns = 10; // five pairs

class BesideTest : public WindowTest {
protected:
    std::filesystem::path models() const
    {
        return std::filesystem::path(folder().toStdString()) / "models";
    }
    QStringList offered()
    {
        auto& combo = find<QComboBox>("besideCombo");
        QStringList texts;
        for (int i = 0; i < combo.count(); ++i)
            texts << combo.itemText(i);
        return texts;
    }
    void expectBothAnswered()
    {
        ASSERT_TRUE(waitFor(
            [this] { return find<QTableView>("historyTable").model()->rowCount() == kRuns; }));
        for (const std::string column : {"beside0", "beside1"}) {
            EXPECT_THAT(labelText((column + "Figures").c_str()).toStdString(), HasSubstr("5 runs"));
            EXPECT_GT(find<ui::TokenStreamView>((column + "Text").c_str()).count(), 0);
        }
        click("besideCompare");
        EXPECT_EQ(find<QStackedWidget>("pages").currentIndex(), 3);
    }
};

TEST_F(BesideTest, AnotherModelAnswersInTurns)
{
    writeTinyModel(models() / "other");
    openWindow();
    ASSERT_TRUE(waitForModel());
    ASSERT_THAT(find<QComboBox>("modelCombo").currentText().toStdString(), HasSubstr("other"));
    chooseInCombo("besideCombo",
                  u"model:"_s + QString::fromStdString((models() / "tiny").string()));
    runToTheEnd(u"two answers"_s, 6);
    EXPECT_EQ(labelText("beside0Title"), u"other"_s);
    EXPECT_EQ(labelText("beside1Title"), u"tiny"_s);
    expectBothAnswered();
    EXPECT_THAT(labelText("besideSentence").toStdString(), HasSubstr("less energy per token"));
}

// Models with the same name are told apart by their folders.
TEST_F(BesideTest, AModelOfTheSameNameIsNamedWithItsFolder)
{
    const std::filesystem::path second = models().parent_path() / "second" / "tiny";
    writeTinyModel(second);
    ui::SettingsStore store(settingsFile());
    ui::Settings settings = store.settings();
    settings.modelFolders = {QString::fromStdString(second.parent_path().string())};
    settings.modelFolder = QString::fromStdString((models() / "tiny").string());
    store.save(settings);
    openWindow();
    ASSERT_TRUE(waitForModel());
    chooseInCombo("besideCombo", u"model:"_s + QString::fromStdString(second.string()));
    runToTheEnd(u"two answers"_s, 6);
    EXPECT_THAT(labelText("beside0Title").toStdString(), HasSubstr(models().string()));
    EXPECT_THAT(labelText("beside1Title").toStdString(), HasSubstr("second"));
}

TEST_F(BesideTest, AServerAnswersInTurns)
{
    const KnownServer& llama = knownServers()[2];
    const FakeLlmServer server(handlerOf(llama, generationOf(llama, EP_TEST_DATA_DIR, 20ms)));
    openWindow();
    ASSERT_TRUE(waitForModel());
    const attach::FoundServer found{.endpoint = {.host = "127.0.0.1", .port = server.port()},
                                    .engine = llama.engine,
                                    .dialect = llama.dialect,
                                    .models = {"tiny-served"}};
    find<ui::ServerFinder>("findServers").setSearch([found](const CancelToken&) {
        return std::vector<attach::FoundServer>{found};
    });
    click("findServers");
    const QString served =
        u"model:"_s + QString::fromStdString(server.origin()) + u"#tiny-served"_s;
    auto& combo = find<QComboBox>("modelCombo");
    ASSERT_TRUE(waitFor([&] {
        return combo.currentText() == u"tiny-served — llama.cpp b4689-90e4dba4"_s;
    })) << "what was looked for is chosen";
    combo.setFocus();
    QTest::keyClick(&combo, Qt::Key_Home);
    ASSERT_TRUE(waitFor([&] { return find<QComboBox>("besideCombo").findData(served) >= 0; }));
    chooseInCombo("besideCombo", served);
    runToTheEnd(u"two answers"_s, 6);
    EXPECT_EQ(labelText("beside0Title"), u"tiny"_s);
    EXPECT_EQ(labelText("beside1Title"), u"tiny-served"_s);
    expectBothAnswered();
}

// A server computes in the format it was started with.
TEST_F(BesideTest, NoFormatIsOfferedBesideAServer)
{
    openWindow();
    ASSERT_TRUE(waitForModel());
    EXPECT_TRUE(find<QComboBox>("besideCombo").findData(u"format:int8"_s) >= 0);
    const attach::FoundServer found{.endpoint = {.host = "127.0.0.1", .port = 9},
                                    .engine = "llama.cpp",
                                    .dialect = "",
                                    .models = {"served"}};
    find<ui::ServerFinder>("findServers").setSearch([found](const CancelToken&) {
        return std::vector<attach::FoundServer>{found};
    });
    click("findServers");
    auto& combo = find<QComboBox>("modelCombo");
    ASSERT_TRUE(waitFor([&] { return combo.findText(u"served — llama.cpp"_s) >= 0; }));
    combo.setCurrentIndex(combo.findText(u"served — llama.cpp"_s));
    ASSERT_TRUE(
        waitFor([this] { return find<QComboBox>("besideCombo").findData(u"format:int8"_s) < 0; }));
    EXPECT_TRUE(offered().contains(u"tiny (bundled)"_s));
}

} // namespace
} // namespace ep::test
