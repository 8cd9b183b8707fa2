// SPDX-License-Identifier: GPL-3.0-or-later
#include "pages/tokens_tab.h"

#include "text.h"
#include "widgets/answer_line.h"
#include "widgets/assembly.h"
#include "widgets/chart_selectors.h"
#include "widgets/titled_panel.h"

#include "ep/session/babble.h"
#include "ep/ui/charts/selection_controller.h"
#include "ep/ui/charts/token_views.h"
#include "ep/ui/terms.h"
#include "ep/viz/axis.h"

#include <QComboBox>
#include <QDoubleSpinBox>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalBlocker>
#include <QSplitter>
#include <QTabWidget>
#include <QTableWidget>

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

struct FoundEnd {
    Message text; // a sentence
    std::optional<std::int32_t> onset{};
};

FoundEnd findEnd(const RunPtr& run, const std::string& text)
{
    const auto rule = text::parseAnswerRule(text);
    if (!rule)
        return {.text = rule.error().message};
    const auto babble = session::findBabble(*run, *rule);
    if (!babble)
        return {.text = babble.error().message};
    FoundEnd found{.text = session::babbleText(*run, *rule, *babble)};
    if (*babble)
        found.onset = (*babble)->onset;
    return found;
}

} // namespace

AnswerEndBar::AnswerEndBar(SelectionController& controller, QWidget* parent)
    : QWidget(parent)
    , m_controller(controller)
    , m_kind(named(new QComboBox(this), u"answerEndRule"_s, tr("The answer is complete at")))
    , m_pattern(named(new QLineEdit(this), u"answerEndPattern"_s, tr("Pattern")))
    , m_text(wrapped(named(new QLabel(this), u"answerEndText"_s)))
    , m_try(named(new QPushButton(tr("Stop There Next Time"), this), u"answerEndTry"_s))
{
    m_kind->setToolTip(tr("What comes after the answer is marked in the text and in the waterfall, "
                          "and its energy is counted."));
    m_kind->addItem(tr("the last token"), QString());
    m_kind->addItem(tr("the end of the first code block"), u"fence"_s);
    m_kind->addItem(tr("the end of the JSON value"), u"json"_s);
    m_kind->addItem(tr("20 tokens repeated three times"), u"repetition"_s);
    m_kind->addItem(tr("the end of a pattern"), u"regex:"_s);
    m_pattern->setPlaceholderText(tr("Regular expression"));
    m_pattern->hide();
    m_text->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_try->setToolTip(tr("Prepares a run in Live that stops when the answer is complete"));
    m_try->hide();
    m_text->hide();
    auto* label = new QLabel(tr("Answer ends at:"), this);
    label->setBuddy(m_kind);
    flush(inRow(this, {label, m_kind, m_pattern, {m_text, 1}, m_try, Stretch{}}));
    connect(m_kind, &QComboBox::currentIndexChanged, this, &AnswerEndBar::choose);
    connect(m_pattern, &QLineEdit::editingFinished, this, &AnswerEndBar::search);
    connect(m_try, &QPushButton::clicked, this, [this] {
        Q_EMIT m_controller.stopRuleWanted(toQString(text::kStopRulePrefix) + ruleText());
    });
    connect(&m_controller, &SelectionController::runChanged, this, &AnswerEndBar::search);
}

void AnswerEndBar::suggestRepetition(bool found)
{
    if (found && m_kind->currentIndex() == 0) {
        m_kind->setCurrentIndex(m_kind->findData(u"repetition"_s));
        m_suggested = true;
    } else if (!found && m_suggested) {
        m_kind->setCurrentIndex(0);
    }
}

QString AnswerEndBar::ruleText() const
{
    const QString rule = m_kind->currentData().toString();
    if (!m_pattern->isVisibleTo(this))
        return rule;
    return m_pattern->text().isEmpty() ? QString() : rule + m_pattern->text();
}

void AnswerEndBar::choose()
{
    m_suggested = false;
    m_pattern->setVisible(m_kind->currentData().toString() == u"regex:"_s);
    search();
}

void AnswerEndBar::search()
{
    m_job.drop();
    m_controller.setAnswerEnd(std::nullopt);
    const QString rule = ruleText();
    const RunPtr run = m_controller.run();
    m_try->setVisible(!rule.isEmpty() && run);
    say({});
    if (rule.isEmpty() || !run)
        return;
    m_job.start([run, text = rule.toStdString()] { return findEnd(run, text); },
                [this](const FoundEnd& found) {
                    say(term(found.text));
                    m_controller.setAnswerEnd(found.onset);
                });
}

void AnswerEndBar::say(const QString& text)
{
    m_text->setText(text);
    m_text->setVisible(!text.isEmpty());
    m_text->setAccessibleName(text);
}

TokensTab::TokensTab(SelectionController& controller, QWidget* parent)
    : QWidget(parent)
    , m_controller(controller)
    , m_metric(named(new CostSelector(this), u"tokensMetric"_s))
    , m_sections(new AnswerLine(this))
    , m_waterfall(named(new WaterfallView(this), u"waterfall"_s))
    , m_trend(named(new TrendView(this), u"contextCurve"_s))
    , m_histogram(named(new HistogramView(this), u"tokenHistogram"_s))
    , m_grid(named(new TokenGridView(this), u"tokenGrid"_s))
    , m_side(named(new QComboBox(this), u"tokenSide"_s, tr("Tokens to list")))
    , m_threshold(named(new QDoubleSpinBox(this), u"tokenThreshold"_s, tr("Threshold")))
    , m_list(named(new QTableWidget(0, 4, this), u"tokenList"_s,
                   tr("Tokens on that side of the threshold")))
{
    for (ItemView* chart :
         std::initializer_list<ItemView*>{m_waterfall, m_trend, m_histogram, m_grid})
        chart->setController(&controller);

    auto* views = named(new QTabWidget(this), u"tokenViews"_s);
    views->setDocumentMode(true);
    views->addTab(m_trend, tr("By context length"));
    views->addTab(buildDistribution(), tr("Distribution"));
    views->addTab(m_grid, tr("By layer"));
    auto* splitter = new QSplitter(Qt::Vertical, this);
    addParts(*splitter, {{titledPanel(tr("Tokens"), m_waterfall, m_metric), 1}, {views, 1}});
    flush(inColumn(this, {m_sections, new AnswerEndBar(controller, this), {splitter, 1}}));
}

QWidget* TokensTab::buildDistribution()
{
    m_side->addItem(tr("At or above"), Above);
    m_side->addItem(tr("Below"), Below);
    m_threshold->setDecimals(4);
    m_threshold->setRange(-1e12, 1e12);
    m_threshold->setKeyboardTracking(false);
    m_list->setSelectionMode(QAbstractItemView::SingleSelection);
    m_list->setAlternatingRowColors(true);
    m_list->setTabKeyNavigation(false);
    prepareTable(*m_list);
    m_list->horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
    m_list->horizontalHeader()->setSectionResizeMode(1, QHeaderView::Stretch);
    m_list->verticalHeader()->setDefaultSectionSize(fontMetrics().height() + 8);
    m_list->setMinimumWidth(280);

    auto* side = new QWidget(this);
    auto* row = inRow({m_side, {m_threshold, 1}});
    flush(inColumn(side, {row, {m_list, 1}}));
    auto* splitter = new QSplitter(Qt::Horizontal, this);
    addParts(*splitter, {{m_histogram, 3}, {side, 2}});

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

void TokensTab::setEmptyText(const QString& text)
{
    for (ItemView* chart : std::initializer_list<ItemView*>{m_waterfall, m_trend, m_histogram})
        chart->setEmptyText(text);
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
