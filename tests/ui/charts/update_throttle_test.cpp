// SPDX-License-Identifier: GPL-3.0-or-later
#include "support/wait_until.h"
#include "widget_fixture.h"

#include "ep/ui/charts/update_throttle.h"

namespace ep::ui {
namespace {

class UpdateThrottleTest : public test::WidgetTest { };

TEST_F(UpdateThrottleTest, FoldsWhatComesTooFast)
{
    int runs = 0;
    UpdateThrottle throttle(20, [&] { ++runs; });
    throttle.request();
    EXPECT_EQ(runs, 1); // the first request runs immediately
    for (int i = 0; i < 100; ++i)
        throttle.request();
    EXPECT_EQ(runs, 1);
    EXPECT_TRUE(test::waitUntil([&] { return runs == 2; })); // the others run as one
    QTest::qWait(60);
    QCoreApplication::processEvents(); // on a busy machine, the end of the interval is heard here
    EXPECT_EQ(runs, 2); // nothing runs without a request
    throttle.request();
    EXPECT_EQ(runs, 3);
}

} // namespace
} // namespace ep::ui
