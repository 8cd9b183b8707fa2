// SPDX-License-Identifier: GPL-3.0-or-later
// Writes every chart in both themes into a folder for inspection: charts_gallery DIR [POINTS]
#include "chart_run.h"

#include "ep/ui/charts/chart_export.h"
#include "ep/ui/charts/heatmap_view.h"
#include "ep/ui/charts/phase_views.h"
#include "ep/ui/charts/pipeline_view.h"
#include "ep/ui/charts/power_chart.h"
#include "ep/ui/charts/sankey_view.h"
#include "ep/ui/charts/token_stream_view.h"
#include "ep/ui/charts/token_views.h"
#include "ep/ui/charts/treemap_view.h"

#include <QApplication>
#include <QDir>
#include <QFont>

#include <cstdio>
#include <functional>

using namespace ep;

namespace {

QPalette paletteOf(bool dark)
{
    const ui::Theme theme = dark ? ui::Theme::darkTheme() : ui::Theme::light();
    QPalette palette;
    const QColor window = dark ? QColor(45, 45, 45) : QColor(240, 240, 240);
    palette.setColor(QPalette::Window, window);
    palette.setColor(QPalette::Button, window);
    palette.setColor(QPalette::Base, theme.surface);
    for (const auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText})
        palette.setColor(role, theme.text);
    return palette;
}

std::shared_ptr<const viz::HeatmapData> heatmapOf(const Run& run, viz::HeatmapMetric metric)
{
    viz::HeatmapAccumulator accumulator;
    accumulator.add(run.trace);
    return std::make_shared<viz::HeatmapData>(accumulator.data(metric, viz::CellReduction::Mean));
}

class Gallery {
public:
    explicit Gallery(QDir folder)
        : m_folder(std::move(folder))
    {
    }

    void add(const QString& name, QSize size, const std::function<QWidget*()>& make)
    {
        for (const bool dark : {false, true}) {
            QApplication::setPalette(paletteOf(dark));
            const std::unique_ptr<QWidget> chart(make());
            chart->resize(size);
            chart->show();
            QApplication::processEvents();
            const QString file = name + (dark ? QStringLiteral("_dark") : QStringLiteral("_light"))
                + QStringLiteral(".png");
            if (!ui::renderChart(*chart, 1.0).save(m_folder.filePath(file)))
                std::fprintf(stderr, "cannot write %s\n", qPrintable(file));
        }
    }

private:
    QDir m_folder;
};

template <typename Chart>
std::function<QWidget*()> withRun(const RunPtr& run)
{
    return [run] {
        auto* chart = new Chart;
        chart->setRun(run);
        return chart;
    };
}

// Adds the cost charts, which need sums over the spans.
void addBreakdown(Gallery& gallery, const RunPtr& run, const QString& name)
{
    constexpr auto kEnergy = viz::CostMetric::Energy;
    const RunBreakdown parts = breakDown(run->trace);
    const auto tree = std::make_shared<const viz::CostTree>(viz::buildCostTree(*run, &parts));
    const auto costs =
        std::make_shared<const viz::TokenCosts>(viz::buildTokenCosts(*run, &parts, kEnergy));
    const auto grid =
        std::make_shared<const viz::TokenGrid>(viz::buildTokenGrid(*run, parts, kEnergy));
    gallery.add(QStringLiteral("treemap_") + name, {1000, 420}, [=] {
        auto* view = new ui::TreemapView;
        view->setMetric(kEnergy);
        view->setTree(tree);
        return view;
    });
    gallery.add(QStringLiteral("sankey_") + name, {1000, 420}, [=] {
        auto* view = new ui::SankeyView;
        view->setMetric(kEnergy);
        view->setTree(tree);
        return view;
    });
    gallery.add(QStringLiteral("waterfall_") + name, {1000, 300}, [=] {
        auto* view = new ui::WaterfallView;
        view->setCosts(costs);
        return view;
    });
    gallery.add(QStringLiteral("context_") + name, {700, 260}, [=] {
        auto* view = new ui::TrendView;
        view->setCosts(costs);
        return view;
    });
    gallery.add(QStringLiteral("histogram_") + name, {700, 260}, [=] {
        auto* view = new ui::HistogramView;
        view->setCosts(costs);
        view->setThreshold(view->histogram().median + 2.0 * view->histogram().mad);
        return view;
    });
    gallery.add(QStringLiteral("grid_") + name, {700, 300}, [=] {
        auto* view = new ui::TokenGridView;
        view->setGrid(grid);
        return view;
    });
    gallery.add(QStringLiteral("phases_") + name, {1000, 340}, withRun<ui::PhasePowerView>(run));
    gallery.add(QStringLiteral("rails_") + name, {900, 220}, withRun<ui::RailBarsView>(run));
}

struct Runs {
    RunPtr run = test::makeChartRun();
    RunPtr longRun = test::makeChartRun({.layers = 126, .tokens = 800});
    RunPtr modelled = test::makeChartRun({.modelled = true});
    RunPtr timing = test::makeChartRun({.energy = false});
};

void addPower(Gallery& gallery, const Runs& runs)
{
    gallery.add(QStringLiteral("power"), {900, 240}, withRun<ui::PowerChart>(runs.run));
    gallery.add(QStringLiteral("power_long"), {900, 240}, withRun<ui::PowerChart>(runs.longRun));
    gallery.add(QStringLiteral("power_small_modelled"), {420, 160},
                withRun<ui::PowerChart>(runs.modelled));
    gallery.add(QStringLiteral("power_live_gap"), {900, 240}, [&] {
        auto* chart = new ui::PowerChart;
        chart->setZero(runs.run->trace.time.begin_ns);
        for (const PhaseSpan& phase : runs.run->trace.phases)
            chart->beginPhase(phase.phase, phase.time.begin_ns);
        for (std::size_t i = 0; i < runs.run->trace.samples.size() - 4; ++i)
            if (i < 25 || i > 38)
                chart->addSample(runs.run->trace.samples[i]);
        chart->refresh();
        return chart;
    });
    gallery.add(QStringLiteral("power_empty"), {700, 200}, [] {
        auto* chart = new ui::PowerChart;
        chart->setEmptyText(QStringLiteral(
            "No power source: powermetrics needs root. Choose “modelled” or add the sudo rule."));
        return chart;
    });
}

void addHeatmaps(Gallery& gallery, const Runs& runs)
{
    const auto heatmap = [](const RunPtr& of, viz::HeatmapMetric metric) {
        return [=] {
            auto* view = new ui::HeatmapView;
            view->setData(heatmapOf(*of, metric));
            view->setCurrent(3, Component::GateProj);
            return view;
        };
    };
    using enum viz::HeatmapMetric;
    gallery.add(QStringLiteral("heatmap_time"), {900, 520}, heatmap(runs.run, TimeMs));
    gallery.add(QStringLiteral("heatmap_energy_modelled"), {620, 340},
                heatmap(runs.modelled, EnergyMj));
    gallery.add(QStringLiteral("heatmap_stats"), {1200, 700}, heatmap(runs.run, ActivationMean));
    gallery.add(QStringLiteral("heatmap_missing"), {600, 300}, heatmap(runs.timing, EnergyMj));
    gallery.add(QStringLiteral("heatmap_126"), {640, 420}, heatmap(runs.longRun, EnergyMj));
    gallery.add(QStringLiteral("heatmap_narrow"), {320, 300}, heatmap(runs.run, Sparsity));
    gallery.add(QStringLiteral("heatmap_one_layer"), {700, 200},
                heatmap(test::makeChartRun({.layers = 1, .tokens = 1}), TimeMs));
}

void addPipelines(Gallery& gallery, const Runs& runs)
{
    const auto pipeline = [](const RunPtr& of, viz::CostMetric metric) {
        return [=] {
            auto* view = new ui::PipelineView;
            view->setMetric(metric);
            view->setExpanded(Phase::Decode, true);
            view->setExpanded(Phase::PreInference, true);
            view->setRun(of);
            return view;
        };
    };
    gallery.add(QStringLiteral("pipeline_time"), {1000, 480},
                pipeline(runs.run, viz::CostMetric::Time));
    gallery.add(QStringLiteral("pipeline_energy"), {700, 480},
                pipeline(runs.run, viz::CostMetric::Energy));
    gallery.add(QStringLiteral("pipeline_modelled"), {700, 480},
                pipeline(runs.modelled, viz::CostMetric::Energy));
    gallery.add(QStringLiteral("pipeline_missing"), {420, 480},
                pipeline(runs.timing, viz::CostMetric::Energy));
}

void addTokens(Gallery& gallery, const Runs& runs)
{
    gallery.add(QStringLiteral("tokens_energy"), {700, 220},
                withRun<ui::TokenStreamView>(runs.run));
    gallery.add(QStringLiteral("tokens_time"), {420, 180},
                withRun<ui::TokenStreamView>(runs.timing));
    gallery.add(QStringLiteral("tokens_long"), {700, 220}, [&] {
        auto* view = new ui::TokenStreamView;
        for (const TokenSpan& token : runs.longRun->trace.tokens)
            view->append(token);
        return view;
    });
}

} // namespace

int main(int argc, char** argv)
{
    const QApplication application(argc, argv);
    if (argc != 2 && argc != 3) {
        std::fputs("usage: charts_gallery DIR [POINTS]\n", stderr);
        return 2;
    }
    if (argc == 3) {
        QFont font = QApplication::font();
        font.setPointSize(QByteArray(argv[2]).toInt());
        QApplication::setFont(font);
    }
    const QDir folder(QString::fromLocal8Bit(argv[1]));
    folder.mkpath(QStringLiteral("."));
    Gallery gallery(folder);

    const Runs runs;
    addPower(gallery, runs);
    addHeatmaps(gallery, runs);
    addPipelines(gallery, runs);
    addTokens(gallery, runs);
    addBreakdown(gallery, runs.run, QStringLiteral("measured"));
    addBreakdown(gallery, runs.modelled, QStringLiteral("modelled"));
    addBreakdown(gallery, runs.longRun, QStringLiteral("126"));
    return 0;
}
