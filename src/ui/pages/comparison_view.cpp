// SPDX-License-Identifier: GPL-3.0-or-later
#include "pages/comparison_view.h"

#include "report/report_charts.h"
#include "text.h"
#include "theme/design.h"
#include "widgets/assembly.h"

#include "ep/core/format.h"
#include "ep/powerlog/pairs.h"
#include "ep/session/kept_cards.h"
#include "ep/store/store.h"
#include "ep/ui/charts/chart_export.h"
#include "ep/ui/charts/scene_view.h"
#include "ep/ui/charts/token_stream_view.h"
#include "ep/ui/terms.h"
#include "ep/viz/charts.h"

#include <QDateTime>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QRandomGenerator>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

namespace ep::ui {

namespace {

using namespace Qt::Literals::StringLiterals;
using session::PaysJob;

constexpr int kLeastHeight = 14 * kGrid; // minimum height of a text, and of the chart

QLabel* textLine(const QString& id, QWidget* parent)
{
    auto* label = wrapped(named(new QLabel(parent), id));
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    return label;
}

// Mean of a figure of one side over the pairs; absent: no pair has it.
std::optional<double> meanOfSide(const powerlog::PairTable& table, std::size_t figure, bool a)
{
    double sum = 0.0;
    int known = 0;
    for (const powerlog::RecordedPair& pair : table.pairs) {
        const auto& value = a ? pair.values[figure].a : pair.values[figure].b;
        sum += value.value_or(0.0);
        known += value ? 1 : 0;
    }
    return known > 0 ? std::optional(sum / known) : std::nullopt;
}

constexpr double kPaysPercent = 100.0;
// Figure of commands that send no tokens.
constexpr std::string_view kEnergyPerRun = "mj_per_run";
constexpr std::string_view kTimePerRun = "ms_per_run";

} // namespace

std::optional<PaysPoint> pointOf(const session::PaysDecision& decision)
{
    if (!decision.test.relative)
        return std::nullopt;
    PaysPoint point{.pairs = decision.test.pairs_used, .relative = *decision.test.relative};
    if (const auto& interval = decision.test.interval)
        point.interval = {interval->low, interval->high};
    return point;
}

viz::Scene paysChart(const session::PaysDecision& decision, const std::vector<PaysPoint>& course,
                     double smallestDifference, double width, double height)
{
    viz::CourseChart chart;
    const bool wholeRuns =
        !decision.figures.empty() && decision.figures.front().name == kEnergyPerRun;
    const std::string a = term(decision.a).toStdString();
    const std::string b = term(decision.b).toStdString();
    chart.frame = frameOf({width, height},
                          wholeRuns ? said("Energy of the runs of %1 compared with %2", b, a)
                                    : said("Energy per token of %1 compared with %2", b, a));
    chart.frame.x_title = said("Pairs");
    chart.frame.counts = true;
    chart.frame.y_title = "%";
    chart.frame.empty = said("No pair has been measured yet.");
    const double smallest = kPaysPercent * smallestDifference;
    chart.guides = {-smallest, smallest};
    // The first intervals are wide, and some may be infinite; the frame cuts them off.
    double most = kPaysPercent;
    for (const PaysPoint& point : course)
        most = std::max(most, 2.0 * kPaysPercent * std::abs(point.relative));
    for (const PaysPoint& point : course) {
        const double y = kPaysPercent * point.relative;
        const std::string difference = formatSignedPercent(point.relative);
        viz::CourseStep& step = chart.steps.emplace_back();
        step = {static_cast<double>(point.pairs), y,
                said("%1, pairs: %2", difference, std::to_string(point.pairs))};
        if (point.interval)
            step.interval = {kPaysPercent * point.interval->first,
                             std::min(most, kPaysPercent * point.interval->second)};
    }
    return viz::layoutCourse(chart);
}

QString paysVerdictText(const session::PaysResult& result)
{
    return term(session::verdictSentence(result.decision, result.minutes_left));
}

QString paysFigureTitle(const std::string& name)
{
    if (name == powerlog::kPairEnergy)
        return translated("Energy per output token");
    if (name == "ms_per_token")
        return translated("Time per token");
    if (name == kEnergyPerRun)
        return translated("Energy of the run");
    if (name == kTimePerRun)
        return translated("Time of the run");
    return name == "perplexity" ? translated("Perplexity") : toQString(name);
}

QString paysFiguresText(const session::PaysDecision& decision)
{
    QStringList lines;
    for (const session::PaysFigure& figure : decision.figures) {
        const QString title = paysFigureTitle(figure.name);
        QString line = translated("%1, %2 against %3: %4")
                           .arg(title, term(decision.b), term(decision.a),
                                term(energy::differenceText(figure.test)));
        if (figure.test.pairs_used > 0)
            line += translated(", pairs: %1").arg(figure.test.pairs_used);
        lines << line;
    }
    if (const Message used = session::pairsUsedSentence(decision); !used.empty())
        lines << term(used);
    for (const Message& caution : decision.cautions)
        lines << term(caution);
    return lines.join(u'\n');
}

ComparisonView::ComparisonView(session::Backend backend, QWidget* parent)
    : QWidget(parent)
    , m_backend(std::move(backend))
    , m_sentence(textLine(u"compareAnswer"_s, this))
    , m_equal(textLine(u"compareCommon"_s, this))
    , m_chart(named(new SceneView(this), u"compareCourse"_s, tr("Difference after each pair")))
    , m_figures(textLine(u"compareFigures"_s, this))
    , m_compare(named(new QPushButton(tr("Open in Compare"), this), u"compareOpen"_s))
    , m_continue(named(new QPushButton(tr("Continue"), this), u"compareContinue"_s))
    , m_keep(named(new QPushButton(tr("Save as Card"), this), u"compareKeep"_s))
{
    setObjectName(u"comparisonView"_s);
    build();
    connect(m_compare, &QPushButton::clicked, this, [this] {
        QStringList ids;
        for (const std::string& id : m_result.pairs.runs)
            ids << toQString(id);
        Q_EMIT compareRequested(ids);
    });
    connect(m_continue, &QPushButton::clicked, this, &ComparisonView::run);
    connect(m_keep, &QPushButton::clicked, this, &ComparisonView::keepCard);
}

ComparisonView::~ComparisonView() = default;

void ComparisonView::build()
{
    setType(*m_sentence, TypeSize::Title, true);
    setMuted(*m_equal);
    m_chart->setMinimumHeight(kLeastHeight);
    addExportActions(*m_chart, u"pairs"_s);
    auto* columns = new QHBoxLayout;
    columns->setSpacing(2 * kGrid);
    for (std::size_t i = 0; i < m_columns.size(); ++i) {
        m_columns[i] = buildColumn(u"compareSide%1"_s.arg(i));
        auto* column = new QVBoxLayout;
        column->setSpacing(kHalfGrid);
        auto* head = inRow({m_columns[i].title, {m_columns[i].figures, 1}});
        addAll(*column, {head, {m_columns[i].text, 1}});
        columns->addLayout(column, 1);
    }
    m_columns[0].text->shareScale(*m_columns[1].text);
    auto* buttons = new QHBoxLayout;
    for (QPushButton* button : {m_compare, m_continue, m_keep}) {
        buttons->addWidget(button);
        button->hide();
    }
    buttons->addStretch();
    flush(inColumn(this, {m_sentence, m_equal, buttons, {columns, 3}, {m_chart, 2}, m_figures}));
}

ComparisonView::Column ComparisonView::buildColumn(const QString& id)
{
    Column column{.title = textLine(id + u"Title"_s, this),
                  .figures = textLine(id + u"Figures"_s, this),
                  .text = new TokenStreamView(this)};
    setType(*column.title, TypeSize::Body, true);
    column.title->setWordWrap(false);
    setMuted(*column.figures);
    column.text->setObjectName(id + u"Text"_s);
    column.text->setMinimumHeight(kLeastHeight);
    column.text->setEmptyText(tr("Waits for its turn."));
    return column;
}

void ComparisonView::start(session::PaysSpec spec, session::StudyOptions options,
                           const QString& equal)
{
    m_spec = std::move(spec);
    m_spec.name =
        "comparison " + QDateTime::currentDateTime().toString(u"yyyy-MM-dd HH:mm:ss").toStdString();
    m_spec.seed = QRandomGenerator::global()->generate64();
    m_options = std::move(options);
    m_result = {};
    m_result.decision.a = m_spec.a.label;
    m_result.decision.b = m_spec.b.label;
    m_course.clear();
    m_equal->setText(equal);
    for (Column& column : m_columns)
        column.text->clear();
    run();
}

void ComparisonView::run()
{
    m_job = std::make_unique<PaysJob>(m_spec, m_options, m_backend);
    connect(m_job.get(), &PaysJob::stepStarting, this, [this](int pair, const Message&, bool a) {
        m_current = a ? 0 : 1;
        m_fresh = true;
        const Message& side = a ? m_result.decision.a : m_result.decision.b;
        m_step = tr("Pair %1, %2").arg(pair).arg(term(side));
        Q_EMIT progressed(0.0, m_step);
    });
    connect(m_job.get(), &PaysJob::progress, this,
            [this](double fraction, const Message&) { Q_EMIT progressed(fraction, m_step); });
    connect(m_job.get(), &PaysJob::tokenComplete, this,
            [this](const session::TokenComplete& token) {
                if (std::exchange(m_fresh, false)) // shows the previous answer until now
                    m_columns[m_current].text->clear();
                m_columns[m_current].text->append(token.token);
            });
    connect(m_job.get(), &PaysJob::runFinished, this, [this](const session::RunFinished& finished) {
        m_columns[m_current].text->setRun(finished.run); // with the final energies
    });
    connect(m_job.get(), &PaysJob::pairFinished, this, &ComparisonView::take);
    connect(m_job.get(), &PaysJob::finished, this, &ComparisonView::finish);
    for (QPushButton* button : {m_compare, m_continue, m_keep})
        button->hide();
    if (const Status started = m_job->start(); !started) {
        m_job.reset();
        m_sentence->setText(term(started.error().message));
        return;
    }
    showResult();
    Q_EMIT runningChanged(true);
}

void ComparisonView::stop()
{
    if (m_job)
        m_job->cancel();
}

void ComparisonView::take(const session::PaysResult& result)
{
    m_result = result;
    if (auto point = pointOf(result.decision)) {
        if (!m_course.empty() && m_course.back().pairs >= point->pairs)
            m_course.pop_back();
        m_course.push_back(*point);
    }
    showResult();
    Q_EMIT pairStored();
}

void ComparisonView::finish(const session::PaysResult& result)
{
    m_job.release()->deleteLater(); // its thread may still be ending
    if (!result.pairs.runs.empty())
        m_result.error = result.error;
    if (result.decision.test.pairs > 0)
        take(result);
    m_result.error = result.error;
    showResult();
    const bool any = m_result.decision.test.pairs > 0;
    m_compare->setVisible(any);
    m_continue->setVisible(result.cancelled);
    // A card states settings, and a command has none that others could repeat.
    m_keep->setVisible(any && !result.error && !m_spec.a.run.record);
    m_keep->setEnabled(true);
    Q_EMIT runningChanged(false);
}

QString ComparisonView::sentence() const
{
    return m_sentence->text();
}

void ComparisonView::showResult()
{
    const bool any = m_result.decision.test.pairs > 0;
    const QString a = term(m_result.decision.a);
    const QString b = term(m_result.decision.b);
    m_sentence->setText(
        m_result.error ? term(m_result.error->message)
            : any      ? paysVerdictText(m_result)
            : running()
            ? tr("%1 and %2 take turns, in random order, until it is known which of them needs "
                 "less energy; that takes three pairs at least.")
                  .arg(a, b)
            : tr("Stopped before the first pair was complete."));
    m_figures->setText(any ? paysFiguresText(m_result.decision) : QString());
    m_figures->setVisible(any);
    m_chart->setVisible(any);
    m_chart->setBuilder([decision = m_result.decision, course = m_course,
                         smallest = m_spec.test.smallest_difference](double width, double height) {
        return paysChart(decision, course, smallest, width, height);
    });
    setExportFacts(*m_chart, m_sentence->text());
    for (std::size_t side = 0; side < m_columns.size(); ++side)
        showColumn(side);
}

void ComparisonView::showColumn(std::size_t side)
{
    const Column& column = m_columns[side];
    const bool a = side == 0;
    const QString name = term(a ? m_result.decision.a : m_result.decision.b);
    column.title->setText(name);
    column.text->setAccessibleName(tr("Answer with %1").arg(name));
    const powerlog::PairTable& table = m_result.pairs.table;
    if (table.pairs.empty())
        return column.figures->clear();
    const auto energy = meanOfSide(table, 0, a);
    const auto time = meanOfSide(table, 1, a);
    constexpr double kMillion = 1e6; // nanoseconds of a millisecond
    const QString runs = countText(std::ssize(table.pairs));
    if (table.figures.front() == powerlog::kPairEnergy)
        column.figures->setText(
            tr("%1/token · %2 tokens/s · %3")
                .arg(energyPerTokenText(energy ? std::optional(*energy / kMillijoulesPerJoule)
                                               : std::nullopt),
                     numberText(time ? std::optional(1000.0 / *time) : std::nullopt), runs));
    else
        column.figures->setText(
            tr("%1 · %2 · %3")
                .arg(energyText(energy ? std::optional(Millijoules{*energy}) : std::nullopt),
                     durationText(time ? std::optional(static_cast<Nanoseconds>(*time * kMillion))
                                       : std::nullopt),
                     runs));
}

void ComparisonView::keepCard()
{
    m_keep->setEnabled(false);
    m_keeping.start(
        [spec = m_spec, result = m_result,
         database = m_options.database]() -> Result<std::filesystem::path> {
            const auto card = session::makeCard(spec, result, database);
            if (!card)
                return card.error();
            return session::keepCard(*card, database);
        },
        [this](const Result<std::filesystem::path>& kept) {
            m_keep->setEnabled(!kept);
            m_equal->setText(
                kept ? tr("Saved as %1; see History > Display > Cards.").arg(pathText(*kept))
                     : term(kept.error().message));
            if (kept)
                Q_EMIT cardKept();
        });
}

} // namespace ep::ui
