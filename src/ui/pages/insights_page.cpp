// SPDX-License-Identifier: GPL-3.0-or-later
#include "pages/insights_page.h"

#include "text.h"
#include "theme/design.h"
#include "widgets/assembly.h"
#include "widgets/empty_state.h"

#include "ep/energy/insights.h"
#include "ep/ui/charts/chart_export.h"
#include "ep/ui/charts/scene_view.h"
#include "ep/ui/terms.h"

#include <QComboBox>
#include <QGridLayout>
#include <QLabel>
#include <QPushButton>
#include <QStackedWidget>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <string>
#include <utility>

namespace ep::ui {

namespace {

using namespace Qt::Literals::StringLiterals;
using energy::RunFeature;
using energy::RunGrouping;

constexpr int kTwoCharts = 900; // pixels
constexpr int kLeastChart = 260;
constexpr int kLeastBars = 120;

constexpr std::array kInsightFeatures{RunFeature::Parameters, RunFeature::InputTokens,
                                      RunFeature::OutputTokens, RunFeature::BatchSize,
                                      RunFeature::BitsPerWeight};
constexpr std::array kInsightGroupings{RunGrouping::Model, RunGrouping::NumberFormat,
                                       RunGrouping::Device};

} // namespace

InsightsPage::InsightsPage(QWidget* parent)
    : DrawnWhenSeen(parent)
    , m_stack(new QStackedWidget(this))
    , m_empty(new EmptyState(this))
    , m_content(new QWidget(this))
    , m_count(wrapped(named(new QLabel(m_content), u"insightsCount"_s)))
    , m_metric(named(new QComboBox(m_content), u"insightsMetric"_s, tr("Figure")))
    , m_origin(named(new QComboBox(m_content), u"insightsOrigin"_s, tr("Energies")))
    , m_charts(new QGridLayout)
    , m_more(wrapped(named(new QLabel(m_content), u"insightsMore"_s)))
{
    setObjectName(u"insightsPage"_s);
    m_empty->setText(tr("No complete runs"),
                     tr("Insights are derived from the runs that History lists; clear its filters, "
                        "or make runs in Live."));
    QPushButton* history =
        named(m_empty->addButton(tr("Show History")), u"insightsHistoryButton"_s);
    connect(history, &QPushButton::clicked, this, &InsightsPage::historyRequested);
    setMuted(*m_count);
    setMuted(*m_more);
    for (const RunFigureFacts& facts : kRunFigures)
        m_metric->addItem(term(facts.title), int(facts.figure));
    m_metric->setCurrentIndex(m_metric->findData(int(RunFigure::JoulesPerToken)));

    auto* basis = inRow({{m_count, 1}, m_origin, m_metric});
    m_charts->setSpacing(2 * kGrid);
    flush(inColumn(m_content, {basis, {m_charts, 1}, m_more, Stretch{}}));
    m_stack->addWidget(m_empty);
    m_stack->addWidget(m_content);
    inColumn(this, {m_stack});
    connect(m_metric, &QComboBox::currentIndexChanged, this, &InsightsPage::draw);
    connect(m_origin, &QComboBox::currentIndexChanged, this, [this] {
        m_chosenOrigin = m_origin->currentData().toString();
        findShown();
        draw();
    });
}

void InsightsPage::setRuns(const RunList& runs, const std::vector<const RunSummary*>& shown)
{
    m_runs = runs;
    m_complete.clear();
    for (const RunSummary* run : shown) {
        if (run->info.status == RunStatus::Complete)
            m_complete.push_back(run);
    }
    fillOrigins();
    findShown();
    contentChanged();
}

// Lists origins whose energies may be shown together, most frequent first; that one is shown unless
// the user has chosen another.
void InsightsPage::fillOrigins()
{
    std::map<std::string_view, int> counts;
    for (const RunSummary* run : m_complete) {
        if (const auto origin = energy::energyOrigin(*run); !origin.empty())
            ++counts[origin];
    }
    std::vector<std::pair<std::string_view, int>> origins(counts.begin(), counts.end());
    std::ranges::stable_sort(origins, std::greater(), &std::pair<std::string_view, int>::second);
    const QSignalBlocker quiet(m_origin);
    m_origin->clear();
    for (const auto& [origin, count] : origins) {
        const QString text = toQString(std::string(origin));
        m_origin->addItem(tr("%1 energies (%2)").arg(term(origin), countText(count)), text);
    }
    m_origin->setCurrentIndex(std::max(0, m_origin->findData(m_chosenOrigin)));
    m_origin->setVisible(m_origin->count() > 1);
}

void InsightsPage::setQualities(const QualityList& qualities)
{
    m_qualities = qualities;
    contentChanged();
}

void InsightsPage::measureQuality()
{
    Q_EMIT qualityRequested(qualityRequests(m_shown, *m_qualities));
}

void InsightsPage::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    arrange();
    QMetaObject::invokeMethod(this, &InsightsPage::fitHeights, Qt::QueuedConnection);
}

void InsightsPage::findShown()
{
    const std::string origin = m_origin->currentData().toString().toStdString();
    m_shown.clear();
    for (const RunSummary* run : m_complete) {
        const std::string_view own = energy::energyOrigin(*run);
        if (own.empty() || own == origin)
            m_shown.push_back(run);
    }
}

// Conclusions from the runs, each with its chart; those that the runs do not support are left out.
std::vector<InsightsPage::Insight> InsightsPage::insights() const
{
    const auto metric = static_cast<RunFigure>(m_metric->currentData().toInt());
    std::vector<Insight> found;
    const auto add = [&](const QString& id, const QString& name, bool bars, std::string text,
                         const std::function<viz::Scene(double, double)>& chart) {
        if (!text.empty())
            found.push_back({id, name, toQString(text), bars, chart});
    };
    // Keeps the list, so that its runs live as long as the charts.
    const auto of = [keep = m_runs, runs = m_shown](auto chart) {
        return
            [keep, runs, chart](double width, double height) { return chart(runs, width, height); };
    };
    for (const RunFeature feature : kInsightFeatures) {
        add(u"insightsOver%1"_s.arg(static_cast<int>(feature)), term(title(feature)), false,
            scalingText(m_shown, feature, metric),
            of([=](const RunsInView& runs, double width, double height) {
                return scalingChart(runs, feature, metric, width, height);
            }));
    }
    add(u"insightsPareto"_s, tr("Throughput and energy per token"), false, paretoText(m_shown),
        of(paretoChart));
    add(u"insightsQuality"_s, tr("Quality and energy per token"), false,
        qualityFrontText(m_shown, *m_qualities),
        of([known = m_qualities](const RunsInView& runs, double width, double height) {
            return qualityChart(runs, *known, width, height);
        }));
    for (const RunGrouping grouping : kInsightGroupings) {
        add(u"insightsBy%1"_s.arg(static_cast<int>(grouping)), term(title(grouping)), true,
            groupText(m_shown, grouping, metric),
            of([=](const RunsInView& runs, double width, double height) {
                return groupChart(runs, grouping, metric, width, height);
            }));
    }
    add(u"insightsCosts"_s, tr("Energy of input and decoded tokens"), true, tokenCostText(m_shown),
        of(tokenCostChart));
    return found;
}

InsightsPage::Panel InsightsPage::addPanel(const Insight& insight, bool leads)
{
    Panel panel{insight.id, insight.bars, new QWidget(m_content), nullptr, nullptr};
    panel.chart = new SceneView(panel.box);
    panel.text = new QLabel(panel.box);
    panel.chart->setObjectName(insight.id);
    panel.chart->setAccessibleName(insight.name);
    panel.chart->setMinimumHeight(insight.bars ? kLeastBars : kLeastChart);
    addExportActions(*panel.chart, insight.id);
    connect(panel.chart, &SceneView::linkActivated, this, &InsightsPage::openRequested);
    panel.text->setObjectName(insight.id + u"Text"_s);
    panel.text->setWordWrap(true);
    panel.text->setAlignment(Qt::AlignTop);
    panel.text->setTextFormat(Qt::PlainText);
    panel.text->setTextInteractionFlags(Qt::TextSelectableByMouse);
    if (leads)
        setType(*panel.text, TypeSize::Title, true);
    auto* layout = flush(inColumn(panel.box, {panel.text, {panel.chart, 1}}));
    if (insight.bars)
        layout->addStretch();
    return panel;
}

void InsightsPage::draw()
{
    m_stack->setCurrentWidget(m_shown.empty() ? static_cast<QWidget*>(m_empty) : m_content);
    const qsizetype all = m_runs ? std::ssize(*m_runs) : 0;
    m_count->setText(tr("Based on the complete runs that match History's filters: %1 of %2.")
                         .arg(countText(std::ssize(m_shown)))
                         .arg(all));
    const std::vector<Insight> found = insights();
    if (!std::ranges::equal(found, m_panels, {}, &Insight::id, &Panel::id)) {
        for (const Panel& panel : m_panels)
            delete panel.box;
        m_panels.clear();
        for (const Insight& insight : found)
            m_panels.push_back(addPanel(insight, m_panels.empty()));
        m_columns = 0;
        arrange();
    }
    for (std::size_t i = 0; i < found.size(); ++i) {
        m_panels[i].text->setText(found[i].text);
        m_panels[i].chart->setBuilder(found[i].chart);
        setExportFacts(*m_panels[i].chart, m_count->text());
    }
    QStringList open;
    for (const RunFeature feature : kInsightFeatures) {
        const QString id = u"insightsOver%1"_s.arg(static_cast<int>(feature));
        if (std::ranges::find(found, id, &Insight::id) == found.end())
            open << term(title(feature));
    }
    m_more->setText(tr("Runs with at least three values of one of these, and all else equal, "
                       "would show how much energy depends on it: %1.")
                        .arg(open.join(u", "_s)));
    m_more->setVisible(!open.isEmpty());
    fitHeights();
}

// The first conclusion has the whole width; the others stand side by side where there is room.
void InsightsPage::arrange()
{
    const int columns = width() < kTwoCharts ? 1 : 2;
    if (columns == m_columns)
        return;
    m_columns = columns;
    for (int row = 0; row < m_charts->rowCount(); ++row)
        m_charts->setRowStretch(row, 0);
    for (std::size_t i = 0; i < m_panels.size(); ++i) {
        const int place = i == 0 ? 0 : static_cast<int>(i) - 1 + columns;
        m_charts->addWidget(m_panels[i].box, place / columns, place % columns, 1,
                            i == 0 ? columns : 1);
        if (!m_panels[i].bars)
            m_charts->setRowStretch(place / columns, 1);
    }
    for (int column = 0; column < 2; ++column)
        m_charts->setColumnStretch(column, column < columns ? 1 : 0);
}

// Makes a bar chart as tall as its bars, and gives each text the lines that it needs: a grid does
// not ask a label in a box for its height.
void InsightsPage::fitHeights()
{
    const int width = m_content->width();
    for (const Panel& panel : m_panels) {
        const bool whole = &panel == m_panels.data() || m_columns < 2;
        panel.text->setMinimumHeight(
            panel.text->heightForWidth(whole ? width : (width - m_charts->spacing()) / 2));
        if (panel.bars)
            panel.chart->setFixedHeight(
                std::max(kLeastBars, static_cast<int>(std::ceil(panel.chart->scene().height))));
    }
}

} // namespace ep::ui
