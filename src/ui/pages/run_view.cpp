// SPDX-License-Identifier: GPL-3.0-or-later
#include "pages/run_view.h"

#include "text.h"
#include "widgets/figure_cards.h"
#include "widgets/metric_selector.h"
#include "widgets/provenance_badge.h"
#include "widgets/titled_panel.h"

#include "ep/core/format.h"
#include "ep/core/utf8.h"
#include "ep/energy/baseline.h"
#include "ep/energy/figures.h"
#include "ep/ui/charts/chart_export.h"
#include "ep/ui/charts/heatmap_view.h"
#include "ep/ui/charts/pipeline_view.h"
#include "ep/ui/charts/power_chart.h"
#include "ep/ui/charts/token_stream_view.h"
#include "ep/ui/models/component_table_model.h"

#include <QComboBox>
#include <QHeaderView>
#include <QLabel>
#include <QScrollArea>
#include <QSplitter>
#include <QTableView>
#include <QVBoxLayout>

#include <cmath>

namespace ep::ui {

namespace {

using namespace Qt::Literals::StringLiterals;

enum Card { Energy, EnergyPerToken, Rate, Duration, FirstToken, PeakPower };

constexpr std::size_t kPromptPreview = 160;

// Single runs cost millionths.
QString costText(double usd)
{
    return usd < 1e-3 ? toQString(formatSignificant(usd * 1e6)) + RunView::tr(" µUSD")
                      : toQString(formatSignificant(usd)) + RunView::tr(" USD");
}

// Net energy, method, quality, cost and emissions, as far as they are known.
// What the recording took, and what it changed where that was tried.
QStringList recordingFacts(const Run& run)
{
    const ProfilingRecord& record = run.info.profiling;
    QStringList facts;
    if (record.cost_ns > 0 && run.metrics.duration_ns > 0) {
        facts << RunView::tr("recording %1 of the time")
                     .arg(toQString(formatPercent(static_cast<double>(record.cost_ns)
                                                  / static_cast<double>(run.metrics.duration_ns))));
    }
    if (record.twin) {
        if (const auto change = perturbationOf(*record.twin)) {
            facts << RunView::tr("%1%2 against a run without recording")
                         .arg(*change < 0.0 ? u"−"_s : u"+"_s,
                              toQString(formatPercent(std::abs(*change))));
        }
        if (record.twin->different_tokens > 0)
            facts << RunView::tr("%1 tokens differ from it").arg(record.twin->different_tokens);
    }
    if (record.exact_slowdown)
        facts << RunView::tr("exact, %1 times as slow")
                     .arg(toQString(formatSignificant(*record.exact_slowdown)));
    return facts;
}

QStringList energyFacts(const Run& run)
{
    const PowerInfo& power = run.info.power;
    QStringList facts;
    const auto& total = run.metrics.energy.total_mj;
    if (const auto net = energy::netEnergy(total, run.metrics.duration_ns, power.baseline))
        facts << RunView::tr("net %1").arg(energyText(net));
    if (power.attribution)
        facts << RunView::tr("split by %1").arg(toQString(name(power.attribution->method)));
    if (power.quality)
        facts << RunView::tr("quality %1").arg(toQString(name(power.quality->verdict)));
    if (total) {
        const energy::Tariff tariff;
        facts << RunView::tr("%1, %2 g CO₂")
                     .arg(costText(energy::costUsd(*total, tariff)),
                          toQString(formatSignificant(energy::emittedGrams(*total, tariff))));
    }
    return facts;
}

// The sentences behind those words.
QString energyReasons(const PowerInfo& power)
{
    QStringList lines{toQString(power.detail)};
    if (power.attribution && !power.attribution->note.empty())
        lines << RunView::tr("Split by time: %1.").arg(toQString(power.attribution->note));
    if (power.quality) {
        for (const std::string& reason : power.quality->reasons)
            lines << toQString(reason);
    }
    return lines.join(u'\n');
}

} // namespace

RunView::RunView(QWidget* parent)
    : QWidget(parent)
    , m_title(new QLabel(this))
    , m_prompt(new QLabel(this))
    , m_facts(new QLabel(this))
    , m_problem(new QLabel(this))
    , m_badge(new ProvenanceBadge(this))
    , m_cards(new FigureCards(this))
    , m_pipeline(new PipelineView(this))
    , m_nodeMetric(new QComboBox(this))
    , m_power(new PowerChart(this))
    , m_tokens(new TokenStreamView(this))
    , m_metric(new MetricSelector(this))
    , m_reduction(new QComboBox(this))
    , m_heatmap(new HeatmapView(this))
    , m_components(new ComponentTableModel(this))
    , m_sorted(new RawSortProxy(this))
    , m_table(new QTableView(this))
{
    m_cards->add(u"runEnergy"_s, tr("Energy"));
    m_cards->add(u"runEnergyPerToken"_s, tr("J/token"));
    m_cards->add(u"runRate"_s, tr("Tokens/s"));
    m_cards->add(u"runDuration"_s, tr("Duration"));
    m_cards->add(u"runFirstToken"_s, tr("First token"));
    m_cards->add(u"runPeakPower"_s, tr("Peak power"));

    auto* splitter = new QSplitter(Qt::Horizontal, this);
    splitter->setObjectName(u"analysisSplitter"_s);
    splitter->addWidget(buildTimes());
    splitter->addWidget(buildComponents());
    splitter->setStretchFactor(0, 2);
    splitter->setStretchFactor(1, 3);
    splitter->setChildrenCollapsible(false);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(buildHeader());
    layout->addWidget(m_cards);
    layout->addWidget(splitter, 1);
    connectSelection();
}

QWidget* RunView::buildHeader()
{
    m_title->setObjectName(u"runTitle"_s);
    m_prompt->setObjectName(u"runPrompt"_s);
    m_facts->setObjectName(u"runFacts"_s);
    m_problem->setObjectName(u"runProblem"_s);
    m_badge->setObjectName(u"runProvenance"_s);
    QFont large = m_title->font();
    large.setPointSizeF(large.pointSizeF() * 1.25);
    large.setBold(true);
    m_title->setFont(large);
    for (QLabel* label : {m_title, m_prompt, m_facts, m_problem}) {
        label->setTextFormat(Qt::PlainText);
        label->setTextInteractionFlags(Qt::TextSelectableByMouse);
        label->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
        label->setWordWrap(true);
    }

    auto* header = new QWidget(this);
    auto* row = new QHBoxLayout;
    row->addWidget(m_title, 1);
    row->addWidget(m_badge, 0, Qt::AlignTop);
    auto* column = new QVBoxLayout(header);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(2);
    column->addLayout(row);
    column->addWidget(m_prompt);
    column->addWidget(m_facts);
    column->addWidget(m_problem);
    return header;
}

QWidget* RunView::buildTimes()
{
    m_pipeline->setObjectName(u"pipeline"_s);
    m_nodeMetric->setObjectName(u"pipelineMetric"_s);
    m_nodeMetric->setAccessibleName(tr("Metric of the pipeline"));
    for (const auto metric : {viz::NodeMetric::Time, viz::NodeMetric::Energy})
        m_nodeMetric->addItem(toQString(viz::title(metric)), static_cast<int>(metric));
    m_power->setObjectName(u"runPower"_s);
    m_tokens->setObjectName(u"runTokenStream"_s);
    m_tokens->setEmptyText(tr("This run produced no token."));
    addExportActions(*m_pipeline, u"pipeline"_s);
    addExportActions(*m_power, u"power"_s);

    auto* scroll = new QScrollArea(this);
    scroll->setObjectName(u"pipelineScroll"_s);
    scroll->setWidget(m_pipeline);
    scroll->setWidgetResizable(true);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    auto* splitter = new QSplitter(Qt::Vertical, this);
    splitter->addWidget(titledPanel(tr("Pipeline"), scroll, m_nodeMetric));
    splitter->addWidget(titledPanel(tr("Power"), m_power));
    splitter->addWidget(titledPanel(tr("Text"), m_tokens));
    splitter->setStretchFactor(0, 3);
    splitter->setStretchFactor(1, 2);
    splitter->setStretchFactor(2, 2);
    splitter->setChildrenCollapsible(false);
    return splitter;
}

QWidget* RunView::buildComponents()
{
    m_metric->setObjectName(u"runMetric"_s);
    m_reduction->setObjectName(u"runReduction"_s);
    m_reduction->setAccessibleName(tr("How tokens are combined"));
    m_reduction->addItem(tr("Mean of tokens"), static_cast<int>(viz::CellReduction::Mean));
    m_reduction->addItem(tr("Sum of tokens"), static_cast<int>(viz::CellReduction::Sum));
    m_heatmap->setObjectName(u"runHeatmap"_s);
    addExportActions(*m_heatmap, u"heatmap"_s);

    m_sorted->setSourceModel(m_components);
    m_table->setObjectName(u"componentTable"_s);
    m_table->setAccessibleName(tr("Layers and components as a table"));
    m_table->setModel(m_sorted);
    m_table->setSortingEnabled(true);
    m_table->sortByColumn(-1, Qt::AscendingOrder); // as recorded until a header is clicked
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->setSelectionMode(QAbstractItemView::SingleSelection);
    m_table->setAlternatingRowColors(true);
    m_table->setShowGrid(false);
    m_table->setTabKeyNavigation(false);
    m_table->verticalHeader()->hide();
    m_table->horizontalHeader()->setSectionResizeMode(QHeaderView::Stretch);
    m_table->horizontalHeader()->setSectionResizeMode(ComponentTableModel::Part,
                                                      QHeaderView::ResizeToContents);

    auto* selectors = new QWidget(this);
    auto* row = new QHBoxLayout(selectors);
    row->setContentsMargins(0, 0, 0, 0);
    row->addWidget(m_reduction);
    row->addWidget(m_metric);
    auto* splitter = new QSplitter(Qt::Vertical, this);
    splitter->addWidget(titledPanel(tr("Layers and components"), m_heatmap, selectors));
    splitter->addWidget(m_table);
    splitter->setStretchFactor(0, 3);
    splitter->setStretchFactor(1, 2);
    splitter->setChildrenCollapsible(false);
    return splitter;
}

void RunView::connectSelection()
{
    connect(m_metric, &MetricSelector::metricChanged, this, &RunView::drawHeatmap);
    connect(m_reduction, &QComboBox::currentIndexChanged, this, &RunView::drawHeatmap);
    connect(m_nodeMetric, &QComboBox::currentIndexChanged, this, [this] {
        m_pipeline->setMetric(static_cast<viz::NodeMetric>(m_nodeMetric->currentData().toInt()));
        m_pipeline->updateGeometry();
    });
    connect(m_heatmap, &HeatmapView::currentChanged, this, [this](int layer, Component component) {
        if (const auto row = m_components->rowOf(layer, component)) {
            const QModelIndex index = m_sorted->mapFromSource(m_components->index(*row, 0));
            m_table->setCurrentIndex(index);
        }
    });
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            [this](const QModelIndex& current) {
                if (!current.isValid())
                    return;
                const int row = m_sorted->mapToSource(current).row();
                m_heatmap->setCurrent(m_components->layerOf(row), m_components->componentOf(row));
            });
}

void RunView::setRun(const RunPtr& run, const TotalsPtr& totals)
{
    m_run = run;
    m_pipeline->setRun(run);
    m_power->setRun(run);
    m_tokens->setRun(run);
    m_accumulator.clear();
    if (totals)
        m_accumulator.add(*totals);
    else if (run)
        m_accumulator.add(run->trace);
    m_components->setData(m_accumulator);
    drawHeatmap();
    if (!run)
        return;
    const bool energy = run->metrics.energy.total_mj.has_value();
    m_metric->setEnergyAvailable(energy);
    m_power->setEmptyText(tr("This run has no power samples: its power source was “%1”.")
                              .arg(sourceText(run->info.power.source)));
    m_pipeline->setEmptyText(tr("This run has no recorded phases."));
    m_heatmap->setEmptyText(run->info.depth == Depth::None
                                ? tr("This run recorded no layers: its depth was “none”.")
                                : tr("This run ended before a token was complete."));
    showHeader(*run);
    showFigures(*run);
}

void RunView::showHeader(const Run& run)
{
    const RunInfo& info = run.info;
    m_title->setText(tr("%1 — %2").arg(toQString(info.model.name), dateText(info.created_at_ms)));
    m_prompt->setText(u"“"_s + toQString(previewUtf8(info.prompt, kPromptPreview)) + u"”"_s);
    m_prompt->setToolTip(toQString(info.prompt).toHtmlEscaped());
    QStringList facts{statusText(info.status),
                      tr("%1 tokens in, %2 out").arg(info.input_tokens).arg(info.output_tokens),
                      toQString(info.device + " " + info.dtype),
                      tr("depth %1").arg(toQString(name(info.depth))),
                      tr("power: %1").arg(sourceText(info.power.source))};
    if (const QString model = factsText(info.model); !model.isEmpty())
        facts << model;
    facts << energyFacts(run) << recordingFacts(run);
    m_facts->setText(facts.join(u" · "_s));
    m_facts->setToolTip(energyReasons(info.power).toHtmlEscaped().replace(u'\n', u"<br>"_s));
    m_badge->setProvenance(run.metrics.energy.provenance);

    QStringList notes;
    for (const std::string& note : {info.status_message, info.power.notice}) {
        if (!note.empty())
            notes << toQString(note);
    }
    m_problem->setText(notes.join(u' '));
    m_problem->setVisible(!notes.isEmpty());
}

void RunView::showFigures(const Run& run)
{
    const RunMetrics& metrics = run.metrics;
    const QString how = provenanceLabel(metrics.energy.provenance) + u": "_s
        + provenanceExplanation(metrics.energy.provenance);
    m_cards->setValue(Energy, energyText(metrics.energy.total_mj), how);
    m_cards->setValue(EnergyPerToken, energyPerTokenText(metrics.joules_per_token), how);
    m_cards->setValue(Rate, numberText(metrics.tokens_per_second), tr("Decode phase only"));
    m_cards->setValue(Duration,
                      metrics.duration_ns > 0 ? durationText(metrics.duration_ns) : missingText());
    m_cards->setValue(FirstToken, durationText(metrics.time_to_first_token_ns));
    m_cards->setValue(PeakPower, powerText(metrics.peak_power_mw), how);
}

void RunView::drawHeatmap()
{
    if (m_accumulator.tokens() == 0) {
        m_heatmap->setData(nullptr);
        return;
    }
    m_heatmap->setData(std::make_shared<const viz::HeatmapData>(m_accumulator.data(
        m_metric->metric(), static_cast<viz::CellReduction>(m_reduction->currentData().toInt()))));
}

} // namespace ep::ui
