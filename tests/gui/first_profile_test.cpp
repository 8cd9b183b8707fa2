// SPDX-License-Identifier: GPL-3.0-or-later
// End to end without fakes: the bundled model, LibTorch, the modelled source, the database.
#include "gui/window_test.h"
#include "support/dash.h"
#include "support/folders.h"

#include "ep/power/source.h"
#include "ep/ui/charts/heatmap_view.h"
#include "ep/ui/charts/power_chart.h"
#include "ep/ui/charts/token_stream_view.h"
#include "ep/ui/models/run_columns.h"

#include <QComboBox>
#include <QLabel>
#include <QPushButton>
#include <QSpinBox>
#include <QTabWidget>
#include <QTableView>
#include <QTest>

#include <algorithm>
#include <vector>

namespace {

using namespace ep;
using testing::HasSubstr;

using ep::test::kDash;

class FirstProfileTest : public test::WindowTest {
protected:
    ui::WindowServices services() override
    {
        ui::WindowServices real = WindowTest::services();
        real.backend = session::realBackend();
        real.probeSources = [] { return power::probeSources(); };
        real.bundledModels = {ep::test::sourcePath("resources/models")};
        return real;
    }
};

TEST_F(FirstProfileTest, FromStartToHistoryToAnalysisToDeletion)
{
    openWindow();
    ASSERT_TRUE(waitForModel());
    EXPECT_THAT(find<QComboBox>("modelCombo").currentText().toStdString(), HasSubstr("(bundled)"));
    EXPECT_THAT(labelText("modelFacts").toStdString(), HasSubstr("Llama"));
    typePrompt(QStringLiteral("The old man looked at the sea and"));
    chooseInCombo("powerCombo", QStringLiteral("modelled"));
    find<QSpinBox>("maxTokens").setValue(24);
    click("startStopButton");
    const auto& tokens = find<ui::TokenStreamView>("liveTokenStream");
    ASSERT_TRUE(waitFor([&] { return tokens.count() > 0 || idle(); }));
    ASSERT_TRUE(waitFor([&] { return idle(); }));
    EXPECT_EQ(messageOf("liveMessage").toStdString(), "");
    EXPECT_GT(tokens.count(), 0);
    ASSERT_NE(find<ui::HeatmapView>("liveHeatmap").data(), nullptr);
    EXPECT_GT(find<ui::PowerChart>("livePower").statistics().samples, 0U);
    EXPECT_EQ(labelText("statusSource").toStdString(), "Power: modelled");

    press(Qt::Key_3, Qt::ControlModifier);
    ASSERT_TRUE(waitForRuns(1));
    const auto cell = [this](const char* id) {
        return shownCells(table(), historyColumn(id)).first();
    };
    EXPECT_EQ(cell("prompt").toStdString(), "The old man looked at the sea and");
    ASSERT_TRUE(waitFor([&] { return cell("status") == QLatin1String("Complete"); }))
        << cell("status").toStdString();
    EXPECT_EQ(cell("power_source").toStdString(), "modelled");
    EXPECT_NE(cell("energy"), kDash);

    QTest::mouseClick(
        table().viewport(), Qt::LeftButton, {},
        table().visualRect(table().model()->index(0, historyColumn("prompt"))).center());
    press(Qt::Key_Return);
    ASSERT_TRUE(waitFor([this] { return find<QWidget>("runHeatmap").isVisible(); }));
    EXPECT_FALSE(labelText("runFigures").startsWith(kDash));
    EXPECT_THAT(labelText("runProvenance").toStdString(), HasSubstr("modelled"));
    EXPECT_EQ(find<ui::TokenStreamView>("runTokenStream").count(), tokens.count());

    window().showPage(ui::Page::History);
    click("historyDelete");
    EXPECT_TRUE(waitForRuns(0));
}

TEST_F(FirstProfileTest, StopsInTheMiddleAndKeepsWhatThereIs)
{
    openWindow();
    ASSERT_TRUE(waitForModel());
    typePrompt(QStringLiteral("Once there was a king who"));
    chooseInCombo("powerCombo", QStringLiteral("none"));
    find<QSpinBox>("maxTokens").setValue(400);
    click("startStopButton");
    const auto& tokens = find<ui::TokenStreamView>("liveTokenStream");
    ASSERT_TRUE(waitFor([&] { return tokens.count() >= 3 || idle(); }));
    if (!idle())
        click("startStopButton");
    ASSERT_TRUE(waitFor([&] { return idle(); }));
    ASSERT_TRUE(waitForRuns(1));
    EXPECT_GE(tokens.count(), 3);
    EXPECT_EQ(shownCells(table(), historyColumn("energy")).first(), kDash);
    EXPECT_THAT(messageOf("liveMessage").toStdString(), HasSubstr("Timing only"));
}

} // namespace
