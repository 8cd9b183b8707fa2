// SPDX-License-Identifier: GPL-3.0-or-later
// Saves a chart and a report as PDF, and the chart as a picture. saved_pdf.py runs it offscreen and
// on X11 and compares the pages.
#include "gui/window_test.h"
#include "support/sample_run.h"

#include "ep/core/run_tree.h"
#include "ep/ui/charts/chart_export.h"
#include "ep/ui/charts/treemap_view.h"
#include "ep/ui/report.h"

#include <QDir>
#include <QFile>
#include <QImage>
#include <QRegularExpression>
#include <QThread>

#include <memory>

namespace {

using namespace ep;

class SavedPdfTest : public test::WindowTest {
protected:
    QString path(const char* name) const
    {
        const QString kept = qEnvironmentVariable("EP_SAVED_PDF");
        return QDir(kept.isEmpty() ? folder() : kept).filePath(QString::fromUtf8(name));
    }

    static int pagesOf(const QString& path)
    {
        QFile file(path);
        EXPECT_TRUE(file.open(QIODevice::ReadOnly)) << path.toStdString();
        static const QRegularExpression page(QStringLiteral("/Type /Page\\b(?!s)"));
        return static_cast<int>(QString::fromLatin1(file.readAll()).count(page));
    }
};

TEST_F(SavedPdfTest, Chart)
{
    const ep::Run run = test::makeSampleRun();
    const RunBreakdown parts = breakDown(run.trace);
    ui::TreemapView chart;
    chart.setTree(std::make_shared<const viz::CostTree>(viz::buildCostTree(run, &parts)));
    chart.setMetric(viz::CostMetric::Energy);
    chart.setAccessibleName(QStringLiteral("Phases, layers, components, operations"));
    chart.resize(640, 80);
    ui::setExportFacts(chart, QStringLiteral("demo-llama-5m, f32 on cpu\nmodelled"));
    chart.show();
    ASSERT_TRUE(waitFor([&chart] { return chart.isVisible(); }));
    ASSERT_TRUE(ui::saveChartPdf(chart, path("chart.pdf")));
    EXPECT_EQ(pagesOf(path("chart.pdf")), 1);
    const QImage grey = ui::renderChart(chart, 1.0).convertToFormat(QImage::Format_Grayscale8);
    EXPECT_TRUE(grey.save(path("chart.pgm"), "pgm"));
}

TEST_F(SavedPdfTest, Report)
{
    ui::ReportSubject subject;
    energy::RunGroup& group = subject.groups.emplace_back();
    group.runs.emplace_back().run = std::make_shared<const ep::Run>(test::makeSampleRun());
    ASSERT_TRUE(ui::saveReportPdf(subject, path("report.pdf").toStdString()));
    EXPECT_GE(pagesOf(path("report.pdf")), 2);
    // The window saves reports on another thread.
    Status saved;
    const std::unique_ptr<QThread> thread(QThread::create(
        [&] { saved = ui::saveReportPdf(subject, path("report_thread.pdf").toStdString()); }));
    thread->start();
    thread->wait();
    ASSERT_TRUE(saved);
}

} // namespace
