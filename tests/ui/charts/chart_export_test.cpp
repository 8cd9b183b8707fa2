// SPDX-License-Identifier: GPL-3.0-or-later
#include "chart_run.h"
#include "widget_fixture.h"

#include "ep/ui/charts/chart_export.h"
#include "ep/ui/charts/pipeline_view.h"
#include "ep/ui/charts/power_chart.h"

#include <QAction>
#include <QClipboard>
#include <QTemporaryDir>

namespace ep::ui {
namespace {

class ChartExportTest : public test::WidgetTest { };

TEST_F(ChartExportTest, ThePngHasTwiceTheSizeAndNoFocusRing)
{
    PipelineView view;
    view.setRun(test::makeChartRun({.layers = 1, .tokens = 2}));
    show(view, {500, 300});
    ASSERT_TRUE(contains(view.grab().toImage(), view.theme().focus));
    const QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("chart.png"));
    const Status saved = saveChartPng(view, path);
    ASSERT_TRUE(saved) << saved.error().message;
    const QImage image(path);
    EXPECT_EQ(image.size(), QSize(1000, 600));
    EXPECT_TRUE(contains(image, view.theme().phase(Phase::Decode)));
    EXPECT_FALSE(contains(image, view.theme().focus));
    EXPECT_TRUE(contains(view.grab().toImage(), view.theme().focus)); // only while exporting
}

TEST_F(ChartExportTest, ContainersExportTheirStripWithoutMarks)
{
    PowerChart chart;
    show(chart, {500, 200});
    chart.setRun(test::makeChartRun({.layers = 1, .tokens = 2}));
    const Theme theme = Theme::fromPalette(chart.palette());
    for (const double scale : {1.0, 1.5, 2.0}) {
        const QImage image = renderChart(chart, scale);
        EXPECT_EQ(image.size(), (QSizeF(500, 200) * scale).toSize());
        EXPECT_FALSE(contains(image, theme.focus));
        EXPECT_TRUE(contains(image, theme.channel(Channel::Total)));
    }
}

TEST_F(ChartExportTest, AnErrorNamesTheFile)
{
    PipelineView view;
    show(view, {200, 100});
    const Status saved = saveChartPng(view, QStringLiteral("/nonexistent/folder/chart.png"));
    ASSERT_FALSE(saved);
    EXPECT_EQ(saved.error().code, ErrorCode::Io);
    EXPECT_NE(saved.error().message.find("/nonexistent/folder/chart.png"), std::string::npos);
}

TEST_F(ChartExportTest, TheMenuCopiesTheImage)
{
    PipelineView view;
    view.setRun(test::makeChartRun({.layers = 1, .tokens = 2}));
    show(view, {300, 200});
    ASSERT_EQ(view.contextMenuPolicy(), Qt::ActionsContextMenu);
    ASSERT_EQ(view.actions().size(), 2);
    view.actions().first()->trigger();
    EXPECT_EQ(QGuiApplication::clipboard()->image().size(), QSize(600, 400));
}

} // namespace
} // namespace ep::ui
