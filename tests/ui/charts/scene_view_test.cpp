// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/widget_fixture.h"

#include "ep/ui/charts/scene_view.h"
#include "ep/viz/charts.h"

namespace {

using namespace ep;
using ui::SceneView;

class SceneViewTest : public test::WidgetTest {
protected:
    void SetUp() override
    {
        m_view.setBuilder([](double width, double height) {
            viz::BarChart chart;
            chart.bars = {{.label = "x", .value = 3.0, .text = "3 J"}};
            chart.frame.title = "Energy per input token and per decoded token";
            chart.frame.width = width;
            chart.frame.height = height;
            return viz::layoutBars(chart);
        });
    }
    QString tipOfTheTitle(int width)
    {
        show(m_view, QSize(width, 200));
        return toolTipAt(m_view, QPoint(30, 14));
    }
    // The last column that has a pixel of the title, which is darker than the surface.
    int endOfTheTitle()
    {
        const QImage image = m_view.grab(QRect(0, 4, m_view.width(), 22)).toImage();
        constexpr int kRing = 4; // the focus ring at the edge
        for (int x = image.width() - 1 - kRing; x > kRing; --x) {
            for (int y = 0; y < image.height(); ++y) {
                if (qGray(image.pixel(x, y)) != qGray(image.pixel(kRing, 0)))
                    return x;
            }
        }
        return -1;
    }

    SceneView m_view;
};

TEST_F(SceneViewTest, ATitleWithoutRoomIsCutAndWholeInTheToolTip)
{
    EXPECT_TRUE(tipOfTheTitle(280).contains(QLatin1String("per decoded token")));
    EXPECT_LT(endOfTheTitle(), 272);
    EXPECT_TRUE(m_view.accessibleDescription().contains(QLatin1String("per decoded token")))
        << m_view.accessibleDescription().toStdString();
    EXPECT_TRUE(tipOfTheTitle(640).isEmpty());
    EXPECT_GT(endOfTheTitle(), 272);
}

} // namespace
