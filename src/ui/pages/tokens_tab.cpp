// SPDX-License-Identifier: GPL-3.0-or-later
#include "pages/tokens_tab.h"

#include "pages/answer_end_bar.h"
#include "text.h"
#include "widgets/answer_line.h"
#include "widgets/cost_selector.h"
#include "widgets/titled_panel.h"

#include "ep/ui/charts/token_views.h"
#include "ep/ui/terms.h"
#include "ep/viz/axis.h"

#include <QComboBox>
#include <QDoubleSpinBox>
#include <QHeaderView>
#include <QLabel>
#include <QSignalBlocker>
#include <QSplitter>
#include <QTabWidget>
#include <QTableWidget>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <vector>

namespace ep::ui {

namespace {

using namespace Qt::Literals::StringLiterals;

constexpr std::size_t kMaxListed = 200;

constexpr int kProvenanceColumn = 3;

enum Side { Above, Below };

} // namespace

TokensTab::TokensTab(SelectionController& controller, QWidget* parent)
    : QWidget(parent)
    , m_controller(controller)
    , m_metric(new CostSelector(this))
    , m_sections(new AnswerLine(this))
    , m_waterfall(new WaterfallView(this))
    , m_trend(new TrendView(this))
    , m_histogram(new HistogramView(this))
    , m_grid(new TokenGridView(this))
    , m_side(new QComboBox(this))
    , m_threshold(new QDoubleSpinBox(this))
    , m_list(new QTableWidget(0, 4, this))
{
    m_metric->setObjectName(u"tokensMetric"_s);
    m_waterfall->setObjectName(u"waterfall"_s);
    m_trend->setObjectName(u"contextCurve"_s);
    m_histogram->setObjectName(u"tokenHistogram"_s);
    m_grid->setObjectName(u"tokenGrid"_s);
    for (ItemView* chart :
         std::initializer_list<ItemView*>{m_waterfall, m_trend, m_histogram, m_grid})
        chart->setController(&controller);

    auto* views = new QTabWidget(this);
    views->setObjectName(u"tokenViews"_s);
    views->setDocumentMode(true);
    views->addTab(m_trend, tr("By context length"));
    views->addTab(buildDistribution(), tr("Distribution"));
    views->addTab(m_grid, tr("By layer"));
    auto* splitter = new QSplitter(Qt::Vertical, this);
    splitter->addWidget(titledPanel(tr("Tokens"), m_waterfall, m_metric));
    splitter->addWidget(views);
    splitter->setStretchFactor(0, 1);
    splitter->setStretchFactor(1, 1);
    splitter->setChildrenCollapsible(false);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_sections);
    layout->addWidget(new AnswerEndBar(controller, this));
    layout->addWidget(splitter, 1);
    connect(m_metric, &CostSelector::metricChosen, this, &TokensTab::metricChosen);
}

QWidget* TokensTab::buildDistribution()
{
    m_side->setObjectName(u"tokenSide"_s);
    m_side->setAccessibleName(tr("Tokens to list"));
    m_side->addItem(tr("At or above"), Above);
    m_side->addItem(tr("Below"), Below);
    m_threshold->setObjectName(u"tokenThreshold"_s);
    m_threshold->setAccessibleName(tr("Threshold"));
    m_threshold->setDecimals(4);
    m_threshold->setRange(-1e12, 1e12);
    m_threshold->setKeyboardTracking(false);
    m_list->setObjectName(u"tokenList"_s);
    m_list->setAccessibleName(tr("Tokens on that side of the threshold"));
    m_list->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_list->setSelectionMode(QAbstractItemView::SingleSelection);
    m_list->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_list->setShowGrid(false);
    m_list->setAlternatingRowColors(true);
    m_list->setTabKeyNavigation(false);
    m_list->verticalHeader()->hide();
    m_list->horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
    m_list->horizontalHeader()->setSectionResizeMode(1, QHeaderView::Stretch);
    m_list->verticalHeader()->setDefaultSectionSize(fontMetrics().height() + 8);
    m_list->setMinimumWidth(280);

    auto* side = new QWidget(this);
    auto* column = new QVBoxLayout(side);
    column->setContentsMargins(0, 0, 0, 0);
    auto* row = new QHBoxLayout;
    row->addWidget(m_side);
    row->addWidget(m_threshold, 1);
    column->addLayout(row);
    column->addWidget(m_list, 1);
    auto* splitter = new QSplitter(Qt::Horizontal, this);
    splitter->addWidget(m_histogram);
    splitter->addWidget(side);
    splitter->setStretchFactor(0, 3);
    splitter->setStretchFactor(1, 2);
    splitter->setChildrenCollapsible(false);

    connect(m_histogram, &HistogramView::thresholdChosen, this, &TokensTab::setThreshold);
    connect(m_threshold, &QDoubleSpinBox::valueChanged, this, [this](double value) {
        m_histogram->setThreshold(value);
        listTokens();
    });
    connect(m_side, &QComboBox::currentIndexChanged, this, &TokensTab::listTokens);
    connect(m_list, &QTableWidget::itemSelectionChanged, this, [this] {
        const int at = m_list->currentRow();
        if (at >= 0 && m_list->item(at, 0)->isSelected())
            m_controller.selectToken(m_list->item(at, 0)->data(Qt::UserRole).toInt());
    });
    return splitter;
}

void TokensTab::setRun(const Run* run)
{
    m_metric->setRun(run);
    m_sections->setRun(run);
}

void TokensTab::setCosts(const TokenCostsPtr& costs)
{
    m_costs = costs;
    m_waterfall->setCosts(costs);
    m_trend->setCosts(costs);
    m_histogram->setCosts(costs);
    m_threshold->setSuffix(costs ? u' ' + toQString(viz::unit(costs->metric)) : QString());
    const viz::TokenHistogram& histogram = m_histogram->histogram();
    // Never marks more than a quarter of the tokens.
    setThreshold(histogram.median + 2.0 * histogram.mad);
    listTokens();
}

void TokensTab::setGrid(const std::shared_ptr<const viz::TokenGrid>& grid)
{
    m_grid->setGrid(grid);
}

void TokensTab::setMetric(viz::CostMetric metric)
{
    m_metric->setMetric(metric);
}

void TokensTab::setEmptyText(const QString& text)
{
    for (ItemView* chart : std::initializer_list<ItemView*>{m_waterfall, m_trend, m_histogram})
        chart->setEmptyText(text);
}

void TokensTab::setGridEmptyText(const QString& text)
{
    m_grid->setEmptyText(text);
}

void TokensTab::setThreshold(double value)
{
    const double magnitude = std::max(1e-9, std::abs(value));
    const double order = std::floor(std::log10(magnitude)); // three digits and a spare one
    const double decimals = std::clamp(3.0 - order, 0.0, 12.0);
    m_threshold->setDecimals(static_cast<int>(decimals));
    m_threshold->setSingleStep(std::pow(10.0, order - 1.0));
    // Rounded down, so that the lowest token of a selected bar is not below its threshold.
    constexpr double kExact = 1e-9; // tolerance, so that whole digits stay whole
    const double digit = std::pow(10.0, -decimals);
    m_threshold->setValue(std::floor(value / digit + kExact) * digit);
    m_histogram->setThreshold(m_threshold->value());
}

void TokensTab::listTokens()
{
    const QSignalBlocker quiet(m_list);
    m_list->clearContents();
    m_list->setRowCount(0);
    if (!m_costs)
        return;
    m_list->setHorizontalHeaderLabels(
        {tr("Token"), tr("Text"), term(viz::title(m_costs->metric)), tr("Provenance")});
    const bool timed = m_costs->metric == viz::CostMetric::Time;
    const RunPtr& run = m_controller.run();
    std::vector<const viz::TokenCost*> tokens;
    const bool above = m_side->currentData().toInt() == Above;
    for (const viz::TokenCost& token : m_costs->tokens)
        if (token.phase == Phase::Decode && token.value
            && (*token.value >= m_threshold->value()) == above)
            tokens.push_back(&token);
    std::stable_sort(tokens.begin(), tokens.end(),
                     [&](const viz::TokenCost* a, const viz::TokenCost* b) {
                         return above ? *a->value > *b->value : *a->value < *b->value;
                     });
    if (tokens.size() > kMaxListed)
        tokens.resize(kMaxListed);
    // The chart states a provenance that all rows share; without the column, texts have more room.
    const bool alike = timed || std::ranges::all_of(tokens, [&](const viz::TokenCost* token) {
                           return token->cost.provenance == tokens.front()->cost.provenance;
                       });
    m_list->setColumnHidden(kProvenanceColumn, alike);
    m_list->setRowCount(static_cast<int>(tokens.size()));
    for (int row = 0; row < m_list->rowCount(); ++row) {
        const viz::TokenCost& token = *tokens[static_cast<std::size_t>(row)];
        const auto unit = viz::displayUnit(viz::unit(m_costs->metric), std::abs(*token.value));
        const Provenance how = timed ? Provenance::Measured : token.cost.provenance;
        const QStringList cells{QString::number(token.index), toQString(token.text).simplified(),
                                toQString(viz::formatIn(unit, *token.value)),
                                timed || !run ? provenanceLabel(how)
                                              : energyLabel(run->info.power.source, how)};
        for (int column = 0; column < static_cast<int>(cells.size()); ++column)
            m_list->setItem(row, column, new QTableWidgetItem(cells[column]));
        m_list->item(row, 0)->setData(Qt::UserRole, token.index);
    }
}

} // namespace ep::ui
