// SPDX-License-Identifier: GPL-3.0-or-later
// Which rails Analysis > Timeline shows.
#include "gui/window_test.h"

#include "ep/ui/charts/power_timeline.h"

#include <QAction>
#include <QImage>
#include <QMenu>
#include <QSlider>
#include <QToolButton>

#include <vector>

namespace {

using namespace ep;

using RailsTest = test::WindowTest;

TEST_F(RailsTest, RailsOfTheTimelineAreShownAsChosen)
{
    openWindow();
    runToTheEnd(QStringLiteral("the quick"), 10);
    press(Qt::Key_2, Qt::ControlModifier);
    ASSERT_TRUE(waitFor([this] { return find<QSlider>("tokenSlider").maximum() == 9; }));
    chooseTab("analysisViews", QStringLiteral("Timeline"));
    auto& chart = find<ui::PowerTimeline>("timelinePower");
    ASSERT_EQ(chart.channels(), (std::vector{ui::Channel::Cpu, ui::Channel::Total}));
    auto& button = find<QToolButton>("railsButton");
    EXPECT_TRUE(button.isVisible());
    const auto rail = [&](const char* name) -> QAction* {
        Q_EMIT button.menu()->aboutToShow();
        for (QAction* action : button.menu()->actions()) {
            if (action->text() == QLatin1String(name))
                return action;
        }
        return nullptr;
    };
    const QImage both = chart.grab().toImage();
    ASSERT_NE(rail("CPU"), nullptr);
    EXPECT_EQ(rail("DRAM"), nullptr) << "the run has none";
    rail("CPU")->trigger();
    EXPECT_FALSE(chart.isShown(ui::Channel::Cpu));
    EXPECT_NE(chart.grab().toImage(), both);
    EXPECT_FALSE(rail("CPU")->isChecked());
    rail("Show All Rails")->trigger();
    EXPECT_TRUE(chart.isShown(ui::Channel::Cpu));
    EXPECT_EQ(chart.grab().toImage(), both);
}

} // namespace
