// SPDX-License-Identifier: GPL-3.0-or-later
// The Live page while a run is repeated.
#include "gui/window_test.h"

#include "ep/ui/charts/power_chart.h"
#include "ep/ui/charts/token_stream_view.h"

#include <QAction>
#include <QCommandLinkButton>
#include <QLabel>
#include <QMenu>
#include <QPlainTextEdit>
#include <QSpinBox>
#include <QStackedWidget>
#include <QTableView>
#include <QTableWidget>

#include <gmock/gmock.h>

#include <string>

namespace {

using namespace ep;
using namespace Qt::Literals::StringLiterals;

class RepeatsTest : public test::WindowTest {
protected:
};

// Otherwise the chart would restart each second when repeats last a second.
TEST_F(RepeatsTest, ThePowerChartGoesOnThroughRepeats)
{
    openWindow();
    ASSERT_TRUE(waitForModel());
    find<QSpinBox>("repeatRuns").setValue(3);
    runToTheEnd(QStringLiteral("hello"), 6);
    const auto& chart = find<ui::PowerChart>("livePower");
    const auto ofAll = chart.statistics().samples;
    find<QSpinBox>("repeatRuns").setValue(1);
    runToTheEnd(QStringLiteral("hello"), 6);
    const auto ofOne = chart.statistics().samples;
    EXPECT_GT(ofOne, 0U);
    EXPECT_GT(2 * ofAll, 3 * ofOne);
}

// The change may take weeks, during which other runs may be made.
TEST_F(RepeatsTest, AChangeIsMeasuredBeforeAndAfter)
{
    openWindow();
    ASSERT_TRUE(waitForModel());
    typePrompt(u"the same before and after"_s);
    find<QSpinBox>("maxTokens").setValue(6);
    auto* change = find<QCommandLinkButton>("welcomeChange").menu();
    auto& sentence = find<QLabel>("repeatSentence");
    const auto series = [&](int way) {
        window().showWelcome();
        change->actions().at(way)->trigger();
        ASSERT_TRUE(waitFor([&] { return sentence.text().contains(u"The goal of"_s); }));
        ASSERT_TRUE(waitFor([this] { return idle(); }));
    };
    series(1);
    QAction* again = change->actions().at(2);
    ASSERT_TRUE(waitFor([&] { return again->isEnabled(); }));
    EXPECT_TRUE(again->text().contains(u"compares with 20"_s)) << again->text().toStdString();
    typePrompt(u"something else"_s);
    runToTheEnd(u"something else"_s, 4);
    series(2);
    ASSERT_TRUE(waitFor([this] { return page() == 3; })); // page 3 is Compare
    ASSERT_TRUE(waitFor([this] { return find<QTableWidget>("compareTable").rowCount() > 0; }));
    EXPECT_EQ(find<QPlainTextEdit>("promptEdit").toPlainText(), u"the same before and after"_s);
    EXPECT_FALSE(again->isEnabled()); // that change has been measured
}

} // namespace
