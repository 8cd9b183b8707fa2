// SPDX-License-Identifier: GPL-3.0-or-later
#include "pages/live_view.h"

#include "text.h"
#include "theme/design.h"
#include "widgets/answer_line.h"
#include "widgets/assembly.h"
#include "widgets/chart_selectors.h"
#include "widgets/elided_label.h"
#include "widgets/figure_cards.h"
#include "widgets/fit_to_text.h"
#include "widgets/flow_layout.h"
#include "widgets/sequence_view.h"
#include "widgets/titled_panel.h"

#include "ep/core/format.h"
#include "ep/core/no_layers.h"
#include "ep/core/utf8.h"
#include "ep/ui/charts/chart_export.h"
#include "ep/ui/charts/heatmap_view.h"
#include "ep/ui/charts/power_chart.h"
#include "ep/ui/charts/token_stream_view.h"
#include "ep/ui/terms.h"

#include <QComboBox>
#include <QLabel>
#include <QProgressBar>
#include <QSplitter>

namespace ep::ui {

namespace {

using namespace Qt::Literals::StringLiterals;

struct LiveCard {
    enum Index { EnergyPerToken, Tokens, Rate, Energy, Power, Elapsed };
};

// "demo-llama-5m · bf16 · “The old man”", or the command that is recorded.
QString nameOfLiveRun(const RunInfo& info)
{
    constexpr std::size_t kRunTitleBytes = 120;
    QStringList parts{toQString(info.model.name)};
    if (!info.dtype.empty())
        parts << toQString(info.dtype);
    if (!info.prompt.empty())
        parts << u"“"_s + toQString(previewUtf8(info.prompt, kRunTitleBytes)).simplified() + u"”"_s;
    parts.removeAll(QString());
    return parts.join(u" · "_s);
}

} // namespace

LiveView::LiveView(QWidget* parent)
    : QWidget(parent)
    , m_run(named(new ElidedLabel(this), u"liveRun"_s))
    , m_cards(new FigureCards(this))
    , m_progress(named(new QProgressBar(this), u"liveProgress"_s, tr("Tokens generated so far")))
    , m_power(named(new PowerChart(this), u"livePower"_s))
    , m_heatmap(named(new HeatmapView(this), u"liveHeatmap"_s))
    , m_metric(named(new MetricSelector(this), u"liveMetric"_s))
    , m_reduction(named(new QComboBox(this), u"liveReduction"_s, tr("How tokens are combined")))
    , m_tokens(named(new TokenStreamView(this), u"liveTokenStream"_s))
    , m_sequences(new SequenceView(*m_tokens, this))
    , m_answer(new AnswerLine(this))
    , m_operation(named(new ElidedLabel(this), u"currentOperation"_s))
{
    setType(*m_run, TypeSize::Body, true);
    m_cards->add(u"liveEnergyPerToken"_s, energyPerTokenTitle());
    setType(*m_cards->findChild<QLabel*>(u"liveEnergyPerToken"_s), TypeSize::Lead, true);
    m_cards->add(u"liveTokens"_s, tr("Tokens"));
    m_cards->add(u"liveRate"_s, tr("Tokens/s"));
    m_cards->add(u"liveEnergy"_s, tr("Energy"));
    m_cards->add(u"liveWatts"_s, tr("Power"));
    m_cards->add(u"liveElapsed"_s, tr("Elapsed"));
    m_operation->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
    setMuted(*m_operation);
    m_reduction->addItem(tr("Latest tokens"), static_cast<int>(viz::CellReduction::Recent));
    m_reduction->addItem(tr("Mean of all tokens"), static_cast<int>(viz::CellReduction::Mean));
    auto* selectors = new QWidget(this);
    auto* row = new FlowLayout(selectors, kGrid);
    for (QComboBox* selector : std::initializer_list<QComboBox*>{m_reduction, m_metric}) {
        fitToText(*selector);
        row->addWidget(selector);
    }

    auto* splitter = new QSplitter(Qt::Vertical, this);
    addParts(*splitter,
             {{titledPanel(tr("Power"), m_power), 3},
              {titledPanel(tr("Layers and components"), m_heatmap, selectors), 4},
              {titledPanel(tr("Text"), m_sequences, m_sequences->choice()), 2}});
    splitter->setSizes({240, 300, 130});
    m_progress->setTextVisible(false);
    m_progress->setFixedHeight(kHalfGrid);
    QSizePolicy kept = m_progress->sizePolicy();
    kept.setRetainSizeWhenHidden(true); // so that nothing below moves when a run begins
    m_progress->setSizePolicy(kept);
    flush(inColumn(this, {m_run, m_cards, m_progress, {splitter, 1}, m_answer}));

    connect(m_metric, &MetricSelector::metricChanged, this, &LiveView::drawHeatmap);
    connect(m_reduction, &QComboBox::currentIndexChanged, this, &LiveView::drawHeatmap);
    clear();
    showIdle();
}

void LiveView::clear(bool repeats, bool further)
{
    m_repeats = repeats;
    m_further = further;
    m_progress->hide();
    m_kept = further; // the last repeat stays until the next one has a token
    if (!further) {
        m_power->clear();
        forget();
    }
    m_power->setEmptyText(tr("Power appears here during a run."));
    m_heatmap->setEmptyText(tr("Each layer's components appear here, token by token."));
    m_tokens->setEmptyText(tr("The model's text appears here, token by token."));
    m_metric->setEnergyAvailable(true);
    m_phase = Phase::Idle;
}

void LiveView::forget()
{
    m_kept = false;
    m_cards->clear();
    const viz::HeatmapFacts facts = m_accumulator.facts();
    m_accumulator.clear();
    m_accumulator.setFacts(facts);
    m_scale.reset();
    m_heatmap->setData(nullptr);
    m_tokens->clear();
    m_sequences->setRun(nullptr);
    m_answer->setRun(nullptr);
}

void LiveView::begin(const session::RunStarted& started)
{
    if (!m_further)
        m_power->setZero(started.time.begin_ns);
    m_power->setPowerSource(started.info.power.source);
    m_tokens->setPowerSource(started.info.power.source);
    m_heatmap->setPowerSource(started.info.power.source);
    m_heatmap->setBatch(started.info.batch.size() > 1);
    m_run->setText(nameOfLiveRun(started.info));
    label(started.info,
          started.info.power.source == "modelled" ? Provenance::Modelled : Provenance::Attributed);
    if (const auto& baseline = started.info.power.baseline)
        m_power->setBaseline(baseline->total_mw);
    viz::HeatmapFacts facts;
    if (const auto& baseline = started.info.power.baseline)
        facts.idle = baseline->total_mw;
    facts.depth = started.info.depth;
    facts.pending = true; // operations get their figures from the finished run
    m_accumulator.setFacts(facts);
    const std::string& source = started.info.power.source;
    const bool timingOnly = source.empty() || source == "none";
    m_metric->setEnergyAvailable(!timingOnly);
    if (timingOnly)
        m_power->setEmptyText(tr("No power source: timing only."));
    if (started.info.profiling.server)
        m_heatmap->setEmptyText(term(whyNoLayers(started.info)));
    else if (started.info.depth == Depth::None)
        m_heatmap->setEmptyText(tr("This run records no layers: select the depth Module."));
}

void LiveView::label(const RunInfo& info, Provenance energy)
{
    for (QWidget* chart : std::initializer_list<QWidget*>{m_power, m_heatmap, m_tokens})
        setExportFacts(*chart, runLineText(info, energy));
}

void LiveView::enterPhase(Phase phase, Nanoseconds begin)
{
    if (phase == m_phase)
        return;
    m_phase = phase;
    m_power->beginPhase(phase, begin);
}

void LiveView::addTokens(const std::vector<session::TokenComplete>& tokens)
{
    if (tokens.empty())
        return;
    if (m_kept)
        forget();
    for (const session::TokenComplete& token : tokens) {
        m_tokens->append(token.token, token.section);
        m_power->addToken(token.token.time.end_ns);
        if (!token.components.empty())
            m_accumulator.add(token.components, token.token.energy.provenance);
    }
    drawHeatmap();
}

void LiveView::drawHeatmap()
{
    if (m_accumulator.tokens() == 0)
        return;
    auto shown = std::make_shared<const viz::HeatmapData>(m_accumulator.data(
        m_metric->chosen(), static_cast<viz::CellReduction>(m_reduction->currentData().toInt())));
    m_heatmap->setScale(scaleOf(*shown));
    m_heatmap->setData(std::move(shown));
}

// Colours are comparable between tokens once the prefill, which costs far more, has faded.
std::optional<double> LiveView::scaleOf(const viz::HeatmapData& shown)
{
    constexpr int kFaded = static_cast<int>(3 * viz::kFadeTokens);
    if (!m_accumulator.facts().pending || shown.tokens < kFaded)
        return std::nullopt;
    return m_scale.of(shown);
}

void LiveView::showCounters(const LiveCounters& counters, Nanoseconds now)
{
    if (!counters.started() || (m_kept && !counters.finished()))
        return;
    m_cards->setValue(LiveCard::Tokens,
                      counters.finished() || counters.maxTokens() == 0
                          ? QString::number(counters.tokens())
                          : tr("%1 of %2").arg(counters.tokens()).arg(counters.maxTokens()));
    m_cards->setValue(LiveCard::Rate, numberText(counters.tokensPerSecond()));
    const QString how = counters.timingOnly()
        ? tr("No power source")
        : explainedEnergyLabel(counters.source(), counters.provenance());
    m_cards->setValue(LiveCard::Energy,
                      (counters.atLeast() ? u"≥ "_s : QString()) + energyText(counters.energy()),
                      how);
    m_cards->setValue(LiveCard::Power, powerText(counters.power()),
                      counters.finished() ? tr("Mean of the run") : tr("Of the newest sample"));
    m_cards->setValue(LiveCard::EnergyPerToken, energyPerTokenText(counters.joulesPerToken()), how);
    if (!counters.finished())
        m_answer->setSections(counters.sections());
    m_cards->setValue(LiveCard::Elapsed, durationText(counters.elapsed(now)));
    m_progress->setVisible(counters.percent().has_value());
    m_progress->setValue(counters.percent().value_or(0));
    m_progress->setToolTip(tr("Remaining: %1").arg(durationText(counters.remaining())));
}

void LiveView::showOperation(const session::CurrentOperation& operation)
{
    if (operation.phase == Phase::Idle) {
        m_operation->setText(tr("Waiting for the run to begin"));
        return;
    }
    QStringList parts{term(viz::title(operation.phase)), term(viz::title(operation.section))};
    if (operation.token != kNoToken)
        parts << tr("token %1").arg(operation.token);
    if (operation.layer != kNoLayer)
        parts << tr("layer %1").arg(operation.layer);
    if (operation.has_component)
        parts << term(viz::title(operation.component));
    m_operation->setText(parts.join(u" · "_s));
}

void LiveView::showFinished(const RunPtr& run)
{
    m_kept = false;
    if (m_repeats)
        m_power->beginPhase(Phase::Idle, run->trace.time.end_ns);
    else
        m_power->setRun(run);
    m_tokens->setRun(run);
    m_sequences->setRun(run);
    m_answer->setRun(run.get());
    label(run->info, run->metrics.energy.provenance);
    viz::HeatmapFacts facts = m_accumulator.facts();
    facts.pending = false;
    m_accumulator.clear();
    m_accumulator.setFacts(facts);
    m_accumulator.add(run->trace);
    m_heatmap->setEmptyText(term(whyNoLayers(run->info)));
    drawHeatmap();
}

void LiveView::showEnd(RunStatus status, std::optional<double> recordingShare)
{
    const QString word = term(name(status));
    m_operation->setText(recordingShare ? tr("Run %1; recording overhead %2")
                                              .arg(word, toQString(formatPercent(*recordingShare)))
                                        : tr("Run %1").arg(word));
}

QWidget* LiveView::operation() const
{
    return m_operation;
}

void LiveView::showIdle()
{
    m_operation->clear();
}

} // namespace ep::ui
