// SPDX-License-Identifier: GPL-3.0-or-later
#include "pages/insights_page.h"

#include "pages/cards_tab.h"
#include "pages/insights_charts.h"
#include "pages/jobs_tab.h"
#include "pages/totals_tab.h"
#include "text.h"
#include "theme/design.h"
#include "widgets/empty_state.h"

#include "ep/energy/insights.h"
#include "ep/ui/charts/chart_export.h"
#include "ep/ui/charts/scene_view.h"
#include "ep/ui/terms.h"

#include <QComboBox>
#include <QGridLayout>
#include <QLabel>
#include <QPushButton>
#include <QShowEvent>
#include <QStackedWidget>
#include <QTabWidget>

#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <utility>

namespace ep::ui {

namespace {

using namespace Qt::Literals::StringLiterals;
using energy::RunFeature;
using energy::RunGrouping;

constexpr std::size_t kFewPoints = 8;
constexpr int kTextLines = 4; // of text below a chart, so that neighbours have equal heights

} // namespace

InsightsPage::InsightsPage(RunRepository& repository, QWidget* parent)
    : QWidget(parent)
    , m_views(new QTabWidget(this))
    , m_totals(new TotalsTab(this))
    , m_jobs(new JobsTab(repository, this))
    , m_cards(new CardsTab(repository.database(), this))
    , m_stack(new QStackedWidget(this))
    , m_empty(new EmptyState(this))
    , m_content(new QWidget(this))
    , m_count(new QLabel(m_content))
{
    setObjectName(u"insightsPage"_s);
    m_empty->setText(tr("No complete runs"),
                     tr("Insights are derived from the runs that History lists; clear its filters, "
                        "or make runs in Live."));
    QPushButton* history = m_empty->addButton(tr("Show History"));
    history->setObjectName(u"insightsHistoryButton"_s);
    connect(history, &QPushButton::clicked, this, &InsightsPage::historyRequested);
    m_count->setObjectName(u"insightsCount"_s);
    m_count->setWordWrap(true);

    m_feature = addCombo(u"insightsFeature"_s, tr("Property"));
    for (int i = 0; i < static_cast<int>(energy::kRunFeatureCount); ++i)
        m_feature->addItem(term(title(static_cast<RunFeature>(i))), i);
    m_metric = addCombo(u"insightsMetric"_s, tr("Figure"));
    m_groupMetric = addCombo(u"insightsGroupMetric"_s, tr("Figure of the groups"));
    for (const RunFigureFacts& facts : kRunFigures) {
        m_metric->addItem(term(facts.title), int(facts.figure));
        m_groupMetric->addItem(term(facts.title), int(facts.figure));
    }
    m_grouping = addCombo(u"insightsGrouping"_s, tr("Groups"));
    for (int i = 0; i < static_cast<int>(energy::kRunGroupingCount); ++i)
        m_grouping->addItem(term(title(static_cast<RunGrouping>(i))), i);

    m_origin = addCombo(u"insightsOrigin"_s, tr("Energies"));

    auto* grid = new QGridLayout(m_content);
    grid->setContentsMargins(0, 0, 0, 0);
    auto* basis = new QHBoxLayout;
    basis->addWidget(m_count, 1);
    basis->addWidget(m_origin);
    grid->addLayout(basis, 0, 0, 1, -1);
    m_scaling = addPanel(u"insightsScaling"_s, tr("Figure against a property of the runs"),
                         {m_metric, m_feature});
    m_pareto = addPanel(u"insightsPareto"_s, tr("Throughput and energy per token"), {});
    m_groups =
        addPanel(u"insightsGroups"_s, tr("Ranking of groups of runs"), {m_groupMetric, m_grouping});
    m_costs = addPanel(u"insightsCosts"_s, tr("Energy of input and decoded tokens"), {});
    auto* measure = new QPushButton(tr("Measure Quality…"), m_content);
    measure->setObjectName(u"insightsMeasureQuality"_s);
    connect(measure, &QPushButton::clicked, this,
            [this] { Q_EMIT qualityRequested(qualityRequests(m_shown, *m_qualities)); });
    m_quality = addPanel(u"insightsQuality"_s, tr("Quality and energy per token"), {measure});
    arrange();
    m_stack->addWidget(m_empty);
    m_stack->addWidget(m_content);
    auto* layout = new QVBoxLayout(this);
    m_views->setObjectName(u"insightsViews"_s);
    m_views->setDocumentMode(true);
    m_views->addTab(m_stack, tr("Runs"));
    m_views->addTab(m_totals, tr("Totals"));
    m_views->addTab(m_jobs, tr("Jobs"));
    m_views->addTab(m_cards, tr("Cards"));
    layout->addWidget(m_views);
    connect(m_jobs, &JobsTab::openRequested, this, &InsightsPage::openRequested);
    connect(m_cards, &CardsTab::measureRequested, this, &InsightsPage::paysRequested);
    for (QComboBox* box : {m_feature, m_metric, m_grouping, m_groupMetric})
        connect(box, &QComboBox::currentIndexChanged, this, &InsightsPage::draw);
    connect(m_origin, &QComboBox::currentIndexChanged, this, [this] {
        m_chosenOrigin = m_origin->currentData().toString();
        findShown();
        chooseWhatVaries();
        draw();
    });
}

QComboBox* InsightsPage::addCombo(const QString& id, const QString& name)
{
    auto* box = new QComboBox(m_content);
    box->setObjectName(id);
    box->setAccessibleName(name);
    return box;
}

InsightsPage::Panel InsightsPage::addPanel(const QString& id, const QString& name,
                                           std::initializer_list<QWidget*> controls)
{
    Panel panel{new QWidget(m_content), new SceneView(m_content), new QLabel(m_content)};
    panel.chart->setObjectName(id);
    panel.chart->setAccessibleName(name);
    addExportActions(*panel.chart, id);
    panel.chart->installEventFilter(this);
    connect(panel.chart, &SceneView::linkActivated, this, &InsightsPage::openRequested);
    panel.text->setObjectName(id + u"Text"_s);
    panel.text->setWordWrap(true);
    panel.text->setAlignment(Qt::AlignTop);
    panel.text->setMinimumHeight(kTextLines * fontMetrics().lineSpacing());
    panel.text->setTextFormat(Qt::PlainText);
    panel.text->setTextInteractionFlags(Qt::TextSelectableByMouse);
    auto* layout = new QVBoxLayout(panel.box);
    layout->setContentsMargins(0, 0, 0, 0);
    auto* controlRow = new QWidget(panel.box);
    // Charts side by side start at the same height, whatever is below them.
    controlRow->setMinimumHeight(kControlHeight);
    controlRow->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    auto* above = new QHBoxLayout(controlRow);
    above->setContentsMargins(0, 0, 0, 0);
    for (QWidget* control : controls)
        above->addWidget(control);
    above->addStretch();
    layout->addWidget(controlRow);
    layout->addWidget(panel.chart, 1);
    layout->addWidget(panel.text);
    return panel;
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
    chooseWhatVaries();
    m_totals->setRuns(runs, shown);
    m_jobs->setRuns(runs, shown);
    m_stale = true;
    if (isVisible())
        draw();
}

// Replaces a property that is the same in all runs by one that varies.
void InsightsPage::chooseWhatVaries()
{
    const auto varies = [this](const QComboBox& box, const auto& valueOfRun) {
        const auto differs = [&](int index) {
            std::set<std::string> values;
            for (const RunSummary* run : m_shown)
                values.insert(valueOfRun(box.itemData(index).toInt(), run->info));
            values.erase(std::string()); // unknown
            return values.size() > 1;
        };
        if (differs(box.currentIndex()))
            return box.currentIndex();
        for (int i = 0; i < box.count(); ++i) {
            if (differs(i))
                return i;
        }
        return box.currentIndex();
    };
    const QSignalBlocker quietFeature(m_feature);
    const QSignalBlocker quietGrouping(m_grouping);
    m_feature->setCurrentIndex(varies(*m_feature, [](int feature, const RunInfo& info) {
        const auto value = energy::valueOf(static_cast<RunFeature>(feature), info);
        return value ? std::to_string(*value) : std::string();
    }));
    m_grouping->setCurrentIndex(varies(*m_grouping, [](int grouping, const RunInfo& info) {
        return energy::groupOf(static_cast<RunGrouping>(grouping), info);
    }));
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

void InsightsPage::setTariff(const energy::Tariff& tariff)
{
    m_totals->setTariff(tariff);
}

void InsightsPage::reloadCards()
{
    m_cards->reload();
}

void InsightsPage::setQualities(const QualityList& qualities)
{
    m_qualities = qualities;
    m_stale = true;
}

void InsightsPage::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    if (m_stale)
        draw();
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

void InsightsPage::draw()
{
    m_stale = false;
    m_stack->setCurrentWidget(m_shown.empty() ? static_cast<QWidget*>(m_empty) : m_content);
    const bool known = hasQuality(m_shown, *m_qualities);
    const bool few = countSettings(m_shown) <= kFewPoints;
    if (known != m_qualityKnown || few != m_few) {
        m_qualityKnown = known;
        m_few = few;
        arrange();
    }
    m_quality.chart->setVisible(known);
    const qsizetype all = m_runs ? std::ssize(*m_runs) : 0;
    m_count->setText(tr("Based on the complete runs that match History's filters: %1 of %2.")
                         .arg(countText(std::ssize(m_shown)))
                         .arg(all));
    const auto feature = static_cast<RunFeature>(m_feature->currentData().toInt());
    const auto metric = static_cast<RunFigure>(m_metric->currentData().toInt());
    const auto grouping = static_cast<RunGrouping>(m_grouping->currentData().toInt());
    const auto groupMetric = static_cast<RunFigure>(m_groupMetric->currentData().toInt());
    // Keeps the list, so that its runs live as long as the charts.
    const auto put = [&](const Panel& panel, auto chart, const std::string& text) {
        panel.chart->setBuilder(
            [keep = m_runs, runs = m_shown, chart](double width, double height) {
                return chart(runs, width, height);
            });
        panel.text->setText(toQString(text));
        setExportFacts(*panel.chart, m_count->text());
    };
    put(
        m_scaling,
        [feature, metric](const RunsInView& runs, double width, double height) {
            return scalingChart(runs, feature, metric, width, height);
        },
        scalingText(m_shown, feature, metric));
    put(
        m_pareto,
        [](const RunsInView& runs, double width, double height) {
            return paretoChart(runs, width, height);
        },
        paretoText(m_shown));
    put(
        m_groups,
        [grouping, groupMetric](const RunsInView& runs, double width, double height) {
            return groupChart(runs, grouping, groupMetric, width, height);
        },
        groupText(m_shown, grouping, groupMetric));
    put(
        m_costs,
        [](const RunsInView& runs, double width, double height) {
            return tokenCostChart(runs, width, height);
        },
        tokenCostText(m_shown));
    put(
        m_quality,
        [qualities = m_qualities](const RunsInView& runs, double width, double height) {
            return qualityChart(runs, *qualities, width, height);
        },
        qualityFrontText(m_shown, *m_qualities));
    fitHeights();
}

} // namespace ep::ui
