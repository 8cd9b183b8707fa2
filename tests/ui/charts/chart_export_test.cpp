// SPDX-License-Identifier: GPL-3.0-or-later
#include "chart_run.h"
#include "support/wait_until.h"
#include "widget_fixture.h"

#include "ep/ui/charts/chart_export.h"
#include "ep/ui/charts/chart_table.h"
#include "ep/ui/charts/heatmap_view.h"
#include "ep/ui/charts/pipeline_view.h"
#include "ep/ui/charts/power_chart.h"

#include <QAction>
#include <QClipboard>
#include <QDialog>
#include <QFile>
#include <QFileDialog>
#include <QMessageBox>
#include <QPushButton>
#include <QTableView>
#include <QTemporaryDir>
#include <QXmlStreamReader>

#include <cmath>

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

TEST_F(ChartExportTest, FactsStandAboveTheChartInEveryFormat)
{
    PipelineView view;
    view.setRun(test::makeChartRun({.layers = 1, .tokens = 2}));
    show(view, {500, 300});
    const QImage plain = renderChart(view, 1.0);
    setExportFacts(view, QStringLiteral("demo · run 1a2b · energy modelled"));
    const QImage labelled = renderChart(view, 1.0);
    const int band = labelled.height() - plain.height();
    EXPECT_GT(band, 2 * view.fontMetrics().height());
    EXPECT_EQ(labelled.width(), plain.width());
    EXPECT_EQ(labelled.copy(0, band, 500, 300), plain); // the chart itself is the same
    EXPECT_TRUE(contains(labelled.copy(0, 0, 500, band), view.theme().text));
    const QByteArray svg = renderChartSvg(view);
    EXPECT_TRUE(svg.contains("energy modelled"));
    EXPECT_TRUE(svg.contains(view.accessibleName().toUtf8()));
}

TEST_F(ChartExportTest, AnErrorNamesTheFile)
{
    PipelineView view;
    show(view, {200, 100});
    const Status saved = saveChartPng(view, QStringLiteral("/nonexistent/folder/chart.png"));
    ASSERT_FALSE(saved);
    EXPECT_EQ(saved.error().code, ErrorCode::Io);
    EXPECT_NE(saved.error().message.english().find("/nonexistent/folder/chart.png"),
              std::string::npos);
}

TEST_F(ChartExportTest, TheMenuCopiesTheImage)
{
    PipelineView view;
    view.setRun(test::makeChartRun({.layers = 1, .tokens = 2}));
    show(view, {300, 200});
    ASSERT_EQ(view.contextMenuPolicy(), Qt::ActionsContextMenu);
    addExportActions(view, QStringLiteral("again")); // must not add anything twice
    ASSERT_EQ(view.actions().size(), 8);
    view.actions().first()->trigger();
    EXPECT_EQ(QGuiApplication::clipboard()->image().size(), QSize(600, 400));
}

TEST_F(ChartExportTest, SavingAsksInADialogOfTheWindowAndWaitsForNothing)
{
    PipelineView view;
    view.setRun(test::makeChartRun({.layers = 1, .tokens = 2}));
    show(view, {300, 200});
    const auto save = [&](const QString& path) {
        view.findChild<QAction*>(QStringLiteral("chartSavepng"))->trigger(); // returns immediately
        auto* dialog = view.findChild<QFileDialog*>(QStringLiteral("saveChartDialog"));
        ASSERT_NE(dialog, nullptr);
        EXPECT_EQ(dialog->windowModality(), Qt::WindowModal); // a sheet, where there are sheets
        Q_EMIT dialog->fileSelected(path);
        dialog->close();
        ASSERT_TRUE(test::waitUntil(
            [&] { return !view.findChild<QFileDialog*>(QStringLiteral("saveChartDialog")); }));
    };
    const QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("pipeline.png"));
    save(path);
    EXPECT_EQ(QImage(path).size(), QSize(600, 400));
    save(QStringLiteral("/nonexistent/folder/pipeline.png"));
    auto* problem = view.findChild<QMessageBox*>(QStringLiteral("saveChartProblem"));
    ASSERT_NE(problem, nullptr);
    EXPECT_TRUE(problem->text().contains(QStringLiteral("/nonexistent/folder/pipeline.png")));
    problem->close();
}

TEST_F(ChartExportTest, SeveralLinesOfFactsStandBelowEachOther)
{
    PipelineView view;
    view.setRun(test::makeChartRun({.layers = 1, .tokens = 2}));
    show(view, {500, 300});
    setExportFacts(view, QStringLiteral("A: measured"));
    const int one = renderChart(view, 1.0).height();
    setExportFacts(view, QStringLiteral("A: measured\nB: modelled"));
    EXPECT_EQ(renderChart(view, 1.0).height(), one + view.fontMetrics().height());
    const QByteArray svg = renderChartSvg(view);
    EXPECT_TRUE(svg.contains("A: measured"));
    EXPECT_TRUE(svg.contains("B: modelled"));
}

TEST_F(ChartExportTest, TheSvgIsWellFormedAndHasTheTextAsText)
{
    HeatmapView heatmap;
    viz::HeatmapAccumulator accumulator;
    accumulator.add(test::makeChartRun({.layers = 2, .tokens = 2, .modelled = true})->trace);
    heatmap.setData(std::make_shared<viz::HeatmapData>(
        accumulator.data(viz::HeatmapMetric::EnergyMj, viz::CellReduction::Mean)));
    PipelineView pipeline;
    pipeline.setRun(test::makeChartRun({.layers = 1, .tokens = 2, .energy = false}));
    pipeline.setMetric(viz::CostMetric::Energy); // hatched, since it is energy
    PowerChart power;
    power.setRun(test::makeChartRun({.layers = 1, .tokens = 2}));
    for (QWidget* chart : std::initializer_list<QWidget*>{&heatmap, &pipeline, &power}) {
        show(*chart, {700, 300});
        const QByteArray svg = renderChartSvg(*chart);
        QXmlStreamReader reader(svg);
        QString text;
        int shapes = 0;
        while (!reader.atEnd()) {
            reader.readNext();
            if (reader.isCharacters())
                text += reader.text();
            if (reader.isStartElement()
                && (reader.name() == QLatin1String("rect") || reader.name() == QLatin1String("path")
                    || reader.name() == QLatin1String("polyline")))
                ++shapes;
        }
        EXPECT_FALSE(reader.hasError()) << reader.errorString().toStdString();
        EXPECT_GT(shapes, 10) << chart->accessibleName().toStdString();
        const char* expected = chart == &heatmap ? "q_proj" : chart == &pipeline ? "Decode" : "CPU";
        EXPECT_TRUE(text.contains(QLatin1String(expected)) || chart == &heatmap) << expected;
    }
}

TEST_F(ChartExportTest, ThePdfIsOneAndErrorsNameTheFile)
{
    PipelineView view;
    view.setRun(test::makeChartRun({.layers = 1, .tokens = 2}));
    show(view, {400, 200});
    const QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("chart.pdf"));
    const Status saved = saveChartPdf(view, path);
    ASSERT_TRUE(saved) << saved.error().message;
    QFile file(path);
    ASSERT_TRUE(file.open(QIODevice::ReadOnly));
    const QByteArray pdf = file.readAll();
    EXPECT_TRUE(pdf.startsWith("%PDF-"));
    EXPECT_TRUE(pdf.contains("/Count 1"));
    for (const auto& save : {&saveChartPdf, &saveChartSvg}) {
        const Status failed = save(view, QStringLiteral("/nonexistent/folder/chart"));
        ASSERT_FALSE(failed);
        EXPECT_NE(failed.error().message.english().find("/nonexistent/folder/chart"),
                  std::string::npos);
    }
}

TEST(ChartTable, CsvQuotesWhatItMustAndLeavesMissingEmpty)
{
    ChartTable table;
    table.headings << QStringLiteral("Text") << QStringLiteral("Energy (mJ)");
    table.rows.push_back({textCell(QStringLiteral("a \"b\", c\nd")), numberCell(0.1)});
    table.rows.push_back({textCell(QStringLiteral("plain")), missingCell()});
    EXPECT_EQ(toCsv(table).toStdString(),
              "Text,Energy (mJ)\r\n\"a \"\"b\"\", c\nd\",0.1\r\nplain,\r\n");
    EXPECT_EQ(toTsv(table).toStdString(), "Text\tEnergy (mJ)\na \"b\", c d\t0.1\nplain\t\n");
    EXPECT_EQ(numberCell(std::nan("")).text, missingCell().text);
    const Status failed = saveTableCsv(table, QStringLiteral("/nonexistent/folder/t.csv"));
    ASSERT_FALSE(failed);
    EXPECT_NE(failed.error().message.english().find("/nonexistent/folder/t.csv"),
              std::string::npos);
}

TEST_F(ChartExportTest, EveryChartHasItsTwin)
{
    const RunPtr run = test::makeChartRun({.layers = 2, .tokens = 3});
    PipelineView pipeline;
    pipeline.setRun(run);
    show(pipeline, {500, 300});
    EXPECT_EQ(pipeline.table().rows.size(), pipeline.geometryForTests().rows.size());
    pipeline.findChild<QAction*>(QStringLiteral("chartViewTable"))->trigger();
    auto* dialog = pipeline.findChild<QDialog*>(QStringLiteral("chartTable"));
    ASSERT_TRUE(dialog);
    auto* view = dialog->findChild<QTableView*>(QStringLiteral("chartTableView"));
    ASSERT_TRUE(view);
    EXPECT_EQ(view->model()->rowCount(), static_cast<int>(pipeline.table().rows.size()));
    QTest::mouseClick(dialog->findChild<QPushButton*>(QStringLiteral("chartTableCopy")),
                      Qt::LeftButton);
    EXPECT_EQ(QGuiApplication::clipboard()->text(), toTsv(pipeline.table()));
    dialog->close();
}

} // namespace
} // namespace ep::ui
