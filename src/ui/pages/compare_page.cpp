// SPDX-License-Identifier: GPL-3.0-or-later
#include "pages/compare_page.h"

#include "dialogs/quality_dialog.h"
#include "pages/difference_tree.h"
#include "pages/history_dialogs.h"
#include "pages/insights_charts.h"
#include "text.h"
#include "theme/design.h"
#include "widgets/assembly.h"
#include "widgets/empty_state.h"
#include "widgets/flow_layout.h"
#include "widgets/message_bar.h"

#include "ep/core/format.h"
#include "ep/core/run_title.h"
#include "ep/ui/charts/chart_export.h"
#include "ep/ui/charts/scene_view.h"
#include "ep/ui/report.h"
#include "ep/ui/rich_text.h"
#include "ep/ui/terms.h"
#include "ep/ui/theme.h"

#include <QCheckBox>
#include <QComboBox>
#include <QEvent>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QSplitter>
#include <QStackedWidget>
#include <QStyle>
#include <QTabWidget>
#include <QTableWidget>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace ep::ui {

namespace {

using namespace Qt::Literals::StringLiterals;

using energy::ComparisonWarning;
using energy::MetricCell;
using energy::Verdict;

QString relativeText(const std::optional<energy::SideTest>& test)
{
    if (!test || !test->relative)
        return missingText();
    return toQString(formatSignedPercent(*test->relative));
}

} // namespace

QualityLine::QualityLine(RunRepository& repository, QWidget* parent)
    : QWidget(parent)
    , m_repository(repository)
    , m_text(wrapped(named(new QLabel(this), u"compareQuality"_s)))
    , m_measure(named(new QPushButton(tr("Measure Quality…"), this), u"compareMeasureQuality"_s))
{
    m_text->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_measure->setToolTip(tr("Perplexity of each model and number format on a text of yours"));
    connect(m_measure, &QPushButton::clicked, this, &QualityLine::measure);
    flush(inRow(this, {{m_text, 1}, {m_measure, 0, Qt::AlignTop}}));
}

void QualityLine::setComparison(const RunGroups& groups, const energy::Comparison& comparison)
{
    m_groups = groups;
    QStringList parts;
    for (std::size_t g = 0; g < comparison.groups.size(); ++g) {
        parts << tr("%1: %2").arg(term(comparison.groups[g].label),
                                  term(qualitySentence(comparison, g)));
    }
    m_text->setText(parts.join(u"; "_s));
}

void QualityLine::measure()
{
    if (!m_groups)
        return;
    std::vector<session::QualityRequest> requests;
    for (const energy::RunGroup& group : *m_groups)
        addQualityRequest(group.runs.front().run->info, requests);
    auto* dialog = new QualityDialog(std::move(requests), m_repository.database(), this);
    connect(dialog, &QualityDialog::measured, this, &QualityLine::measured);
    dialog->open();
}

ComparePage::ComparePage(RunRepository& repository, QWidget* parent)
    : QWidget(parent)
    , m_repository(repository)
    , m_message(named(new MessageBar(this), u"compareMessage"_s))
    , m_stack(new QStackedWidget(this))
    , m_empty(new EmptyState(this))
    , m_content(new QWidget(this))
{
    setObjectName(u"comparePage"_s);
    m_empty->setText(tr("Nothing to compare yet"),
                     tr("Select 2 to 4 runs in History, or more if they are repeats of each other, "
                        "and press Compare."));
    QPushButton* history =
        named(m_empty->addButton(tr("Select Runs in History")), u"compareHistoryButton"_s);
    connect(history, &QPushButton::clicked, this, &ComparePage::historyRequested);

    auto* inner = flush(new QVBoxLayout(m_content));
    m_verdict = wrapped(named(new QLabel(m_content), u"compareVerdict"_s));
    m_verdict->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    setType(*m_verdict, TypeSize::Title, true);
    inner->addWidget(m_verdict);
    m_warnings = wrapped(named(new QLabel(m_content), u"compareWarnings"_s));
    m_warnings->setTextFormat(Qt::RichText);
    m_warnings->setAlignment(Qt::AlignLeft | Qt::AlignTop);
    m_warnings->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    m_warningArea = new QScrollArea(m_content);
    m_warningArea->setWidget(m_warnings);
    m_warningArea->setWidgetResizable(true);
    m_warningArea->setFrameShape(QFrame::NoFrame);
    inner->addWidget(m_warningArea);
    m_quality = new QualityLine(m_repository, m_content);
    connect(m_quality, &QualityLine::measured, this, &ComparePage::ask);
    m_causes = wrapped(named(new QLabel(m_content), u"compareCauses"_s));
    m_causes->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    m_table = named(new QTableWidget(m_content), u"compareTable"_s,
                    tr("Figures of the runs and their differences"));
    m_table->setAlternatingRowColors(true);
    m_table->setTabKeyNavigation(false);
    prepareTable(*m_table);
    constexpr int kMinHeight = 22 * kGrid; // for some rows; a small window scrolls
    m_table->setMinimumHeight(kMinHeight);
    m_table->verticalHeader()->setDefaultSectionSize(std::max(24, fontMetrics().height() + 8));
    connect(m_table, &QTableWidget::currentCellChanged, this, [this](int row) {
        if (row >= 0 && row < m_metric->count())
            m_metric->setCurrentIndex(row);
    });
    auto* below = new QWidget(m_content);
    flush(inColumn(below, {buildControls(), {m_table, 1}, m_quality, m_causes}));
    auto* splitter = new QSplitter(Qt::Vertical, m_content);
    addParts(*splitter, {{buildCharts(), 3}, {below, 2}});
    splitter->setSizes({360, 300});
    inner->addWidget(splitter, 1);

    m_stack->addWidget(m_empty);
    m_stack->addWidget(m_content);
    auto* layout = new QVBoxLayout(this);
    m_message->floatOverParent();
    layout->addWidget(m_stack, 1);
    connect(&m_repository, &RunRepository::compared, this, &ComparePage::showGroups);
    connect(&m_repository, &RunRepository::listed, this, &ComparePage::closeIfDeleted);
}

QWidget* ComparePage::buildControls()
{
    auto* row = new QWidget(m_content);
    auto* layout = new FlowLayout(row, kGrid);
    m_baseline = named(new QComboBox(row), u"compareBaseline"_s, tr("Baseline"));
    m_baseline->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    m_baseline->setMaximumWidth(56 * kGrid);
    m_repeats = named(new QComboBox(row), u"compareRepeats"_s, tr("Repeats"));
    m_repeats->addItem(tr("Among the selected runs"), int(RunRepository::Repeats::Named));
    m_repeats->addItem(tr("All stored repeats"), int(RunRepository::Repeats::Stored));
    m_repeats->addItem(tr("None: single runs"), int(RunRepository::Repeats::None));
    m_normalisation =
        named(new QComboBox(row), u"compareNormalisation"_s, tr("Values of layers and nodes"));
    for (const energy::Normalisation one :
         {energy::Normalisation::PerToken, energy::Normalisation::PerRun,
          energy::Normalisation::PerInputToken, energy::Normalisation::PerMillionParameters})
        m_normalisation->addItem(term(title(one)), int(one));
    m_report = named(new QToolButton(row), u"compareReport"_s);
    m_report->setText(tr("Save Report…"));
    m_report->setMinimumHeight(24);
    const auto add = [&](const QString& text, QWidget* widget) {
        auto* pair = new QWidget(row); // kept together when the row wraps
        auto* words = new QHBoxLayout(pair);
        words->setContentsMargins(0, 0, kGrid, 0);
        auto* label = new QLabel(text, pair);
        label->setBuddy(widget);
        words->addWidget(label);
        words->addWidget(widget);
        layout->addWidget(pair);
    };
    add(tr("&Baseline:"), m_baseline);
    add(tr("Re&peats:"), m_repeats);
    add(tr("&Normalise by:"), m_normalisation);
    m_allFigures = named(new QCheckBox(tr("All figures"), row), u"compareAllFigures"_s);
    m_allFigures->setToolTip(tr("Also those that follow from others, and are not tested"));
    layout->addWidget(m_allFigures);
    connect(m_allFigures, &QCheckBox::toggled, this, &ComparePage::showFigures);
    layout->addWidget(m_report);
    connect(m_baseline, &QComboBox::activated, this, &ComparePage::recompute);
    connect(m_normalisation, &QComboBox::activated, this, &ComparePage::recompute);
    connect(m_repeats, &QComboBox::activated, this, &ComparePage::ask);
    connect(m_report, &QToolButton::clicked, this, &ComparePage::saveReport);
    return row;
}

SceneView* ComparePage::addChart(const QString& id, const QString& name)
{
    auto* view = named(new SceneView(m_tabs), id, name);
    addExportActions(*view, id);
    connect(view, &SceneView::linkActivated, this, &ComparePage::openRequested);
    return view;
}

QWidget* ComparePage::chartTab(SceneView* view, std::initializer_list<QWidget*> controls)
{
    auto* tab = new QWidget(m_tabs);
    auto* layout = new QVBoxLayout(tab);
    if (controls.size() > 0) {
        auto* row = new QHBoxLayout;
        for (QWidget* control : controls)
            row->addWidget(control);
        row->addStretch();
        layout->addLayout(row);
    }
    layout->addWidget(view, 1);
    return tab;
}

QWidget* ComparePage::buildCharts()
{
    m_tabs = named(new QTabWidget(m_content), u"compareCharts"_s);
    m_tabs->setDocumentMode(true);
    m_metricChart = addChart(u"compareMetricChart"_s, tr("Figure by group"));
    m_metric = named(new QComboBox(m_tabs), u"compareMetric"_s, tr("Figure"));
    m_metric->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    m_metricText = wrapped(named(new QLabel(m_tabs), u"compareSentence"_s));
    m_metricText->setTextInteractionFlags(Qt::TextSelectableByMouse);
    connect(m_metric, &QComboBox::currentIndexChanged, this, &ComparePage::drawMetric);
    QWidget* statistics = chartTab(m_metricChart, {m_metric});
    statistics->layout()->addWidget(m_metricText);
    m_tabs->addTab(statistics, tr("Statistics"));

    m_power = addChart(u"comparePower"_s, tr("Power of each group"));
    m_alignment = named(new QComboBox(m_tabs), u"compareAlignment"_s, tr("Aligned at"));
    m_alignment->addItem(tr("Aligned at the first decoded token"),
                         int(PowerAlignment::DecodeStart));
    m_alignment->addItem(tr("Aligned at the start of the run"), int(PowerAlignment::RunStart));
    m_alignment->addItem(tr("By token"), int(PowerAlignment::TokenIndex));
    connect(m_alignment, &QComboBox::currentIndexChanged, this, &ComparePage::drawCharts);
    m_tabs->addTab(chartTab(m_power, {m_alignment}), tr("Power"));

    m_cumulative = addChart(u"compareCumulative"_s, tr("Cumulative energy of the tokens"));
    m_tabs->addTab(chartTab(m_cumulative, {}), tr("Energy over Tokens"));

    m_layers = addChart(u"compareLayers"_s, tr("Difference by layer and component"));
    m_layerGroup = named(new QComboBox(m_tabs), u"compareLayerGroup"_s, tr("Group"));
    m_layerQuantity = named(new QComboBox(m_tabs), u"compareLayerQuantity"_s, tr("Quantity"));
    m_layerQuantity->addItem(tr("Energy"), int(NodeQuantity::Energy));
    m_layerQuantity->addItem(tr("Time"), int(NodeQuantity::Time));
    connect(m_layerGroup, &QComboBox::activated, this, &ComparePage::drawCharts);
    connect(m_layerQuantity, &QComboBox::currentIndexChanged, this, &ComparePage::drawCharts);
    m_tabs->addTab(chartTab(m_layers, {m_layerGroup, m_layerQuantity}), tr("Layers"));

    m_tree = new DifferenceTree(m_tabs);
    m_tabs->addTab(m_tree, tr("Tree"));
    return m_tabs;
}

void ComparePage::compareRuns(const QStringList& ids)
{
    m_ids = ids;
    ask();
}

// Closes the comparison if this or another program has deleted one of its runs, whose figures would
// be misleading.
void ComparePage::closeIfDeleted(const RunList& runs)
{
    QStringList gone = m_ids;
    for (const RunSummary& run : *runs)
        gone.removeAll(toQString(run.info.id));
    if (gone.isEmpty())
        return;
    m_ids.clear();
    m_stack->setCurrentWidget(m_empty);
    m_message->showMessage(MessageBar::Kind::Notice,
                           tr("The comparison was closed, because a run of it was deleted."));
}

void ComparePage::ask()
{
    m_message->showMessage(MessageBar::Kind::Notice, tr("Reading the runs…"));
    m_repository.compare(m_ids,
                         static_cast<RunRepository::Repeats>(m_repeats->currentData().toInt()));
}

void ComparePage::showProblem(const QString& problem)
{
    m_message->showMessage(MessageBar::Kind::Error, problem);
}

void ComparePage::showGroups(const RunGroups& groups)
{
    m_groups = groups;
    m_message->clear();
    m_baseline->clear();
    for (const Message& label : energy::labelsOf(*groups))
        m_baseline->addItem(term(label));
    recompute();
}

void ComparePage::recompute()
{
    if (!m_groups)
        return;
    energy::ComparisonOptions options;
    options.baseline = static_cast<std::size_t>(std::max(0, m_baseline->currentIndex()));
    options.normalisation =
        static_cast<energy::Normalisation>(m_normalisation->currentData().toInt());
    m_job.start(
        [groups = m_groups, options] {
            return ComparisonPtr(
                std::make_shared<const energy::Comparison>(energy::compare(*groups, options)));
        },
        [this](const ComparisonPtr& comparison) { showComparison(comparison); });
}

void ComparePage::showComparison(ComparisonPtr comparison)
{
    m_comparison = std::move(comparison);
    m_stack->setCurrentWidget(m_content);
    showVerdict();
    fillWarnings();
    fillTable();
    labelCharts();
    m_tree->setComparison(m_comparison);
    m_quality->setComparison(m_groups, *m_comparison);
    showCauses();
    fillCombos();
    drawCharts();
    drawMetric();
}

// Shows the causes of each difference if single runs are compared.
void ComparePage::showCauses()
{
    QStringList sentences;
    for (const energy::GroupFacts& group : m_comparison->groups) {
        if (group.causes)
            sentences << term(group.causes->sentence);
    }
    m_causes->setText(sentences.join(u'\n'));
    m_causes->setVisible(!sentences.isEmpty());
}

void ComparePage::saveReport()
{
    if (!m_comparison)
        return;
    askForReportFile(*this, u"comparison"_s, [this](const QString& path) {
        m_message->showMessage(MessageBar::Kind::Notice, tr("Writing the report…"));
        m_saving.start(
            [groups = m_groups, comparison = m_comparison, path] {
                const ReportSubject subject{*groups, *comparison};
                return path.endsWith(u".pdf"_s, Qt::CaseInsensitive)
                    ? saveReportPdf(subject, toPath(path))
                    : saveReportHtml(subject, toPath(path));
            },
            [this, path](const Status& saved) {
                m_message->showMessage(saved ? MessageBar::Kind::Notice : MessageBar::Kind::Error,
                                       saved ? tr("Report saved as %1.").arg(path)
                                             : term(saved.error().message));
            });
    });
}

void ComparePage::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange && m_comparison) { // charts have their own colours
        fillWarnings();
        fillTable();
    }
}

void ComparePage::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    fitWarnings();
    QMetaObject::invokeMethod(this, &ComparePage::fitColumns, Qt::QueuedConnection);
}

void ComparePage::fillWarnings()
{
    const Theme theme = Theme::fromPalette(palette());
    QString text;
    for (const ComparisonWarning& warning : m_comparison->warnings) {
        const bool serious = warning.weight == ComparisonWarning::Weight::Serious;
        const QColor colour = serious                              ? theme.error
            : warning.weight == ComparisonWarning::Weight::Caution ? theme.warning
                                                                   : theme.mutedText;
        const QString word = serious                               ? tr("Serious")
            : warning.weight == ComparisonWarning::Weight::Caution ? tr("Caution")
                                                                   : tr("Note");
        text += u"<div><span style='color:%1'><b>%2:</b></span> %3</div>"_s.arg(
            colour.name(), word, richText(term(warning.text)));
    }
    m_warnings->setText(text);
    fitWarnings();
}

// The answer first: which needs less, one sentence for each group.
void ComparePage::showVerdict()
{
    QStringList sentences;
    for (std::size_t g = 0; g < m_comparison->groups.size(); ++g) {
        if (g != m_comparison->options.baseline)
            sentences << term(answerOf(*m_comparison, g));
    }
    m_verdict->setText(sentences.join(u'\n'));
    m_verdict->setVisible(!sentences.isEmpty());
}

void ComparePage::fitWarnings()
{
    constexpr int kMaxLines = 4;
    const int most = kMaxLines * fontMetrics().height() + 12;
    const int needed =
        m_warnings->heightForWidth(width() - style()->pixelMetric(QStyle::PM_ScrollBarExtent));
    m_warningArea->setVisible(!m_warnings->text().isEmpty());
    m_warningArea->setFixedHeight(std::clamp(needed, 0, most));
}

// A saved chart states for each group its name, the origin of its joules, and its runs.
void ComparePage::labelCharts()
{
    QStringList lines;
    for (std::size_t g = 0; g < m_comparison->groups.size(); ++g) {
        const energy::GroupFacts& group = m_comparison->groups[g];
        QStringList runs;
        for (const std::string& id : group.ids)
            runs << toQString(shortId(id));
        lines << tr("%1 · %2 · energy %3 · runs %4")
                     .arg(term(group.label),
                          toQString((*m_groups)[g].runs.front().run->info.model.name),
                          energyLabel(group.source, group.provenance), runs.join(u", "_s));
    }
    for (SceneView* chart : {m_power, m_cumulative, m_layers, m_metricChart})
        setExportFacts(*chart, lines.join(u'\n'));
}

void ComparePage::fillTable()
{
    const energy::Comparison& all = *m_comparison;
    const Theme theme = Theme::fromPalette(palette());
    QStringList headings{tr("Figure")};
    for (std::size_t g = 0; g < all.groups.size(); ++g) {
        const energy::GroupFacts& group = all.groups[g];
        headings << tr("%1\n%2, %3")
                        .arg(term(group.label), countText(std::ssize(group.ids)),
                             energyLabel(group.source, group.provenance));
        if (g != all.options.baseline)
            headings << tr("Difference") << tr("Relative") << tr("Verdict");
    }
    m_table->clear();
    m_table->setColumnCount(static_cast<int>(headings.size()));
    m_table->setHorizontalHeaderLabels(headings);
    m_table->setRowCount(static_cast<int>(all.rows.size()));
    for (int r = 0; r < m_table->rowCount(); ++r) {
        const energy::MetricRow& row = all.rows[static_cast<std::size_t>(r)];
        int column = 0;
        const auto put = [&](const QString& text, const QString& tip, bool figure) {
            auto* item = new QTableWidgetItem(text);
            item->setToolTip(tip);
            item->setTextAlignment((figure ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
            m_table->setItem(r, column++, item);
            return item;
        };
        put(term(title(row.metric)), {}, false);
        for (std::size_t g = 0; g < row.groups.size(); ++g) {
            const MetricCell& cell = row.groups[g];
            QString tip = provenanceLabel(cell.provenance);
            if (cell.statistics.ci95) {
                tip = tr("95 % interval of the mean: %1 (%2); %3")
                          .arg(term(intervalText(row.metric, cell.statistics.ci95)),
                               term(cell.statistics.ci_method), tip);
            }
            put(term(spreadText(row.metric, cell.statistics)), tip, true);
            if (g == all.options.baseline)
                continue;
            const QString sentence = richText(term(sentenceOf(all, row, g)));
            put(cell.test ? toQString(formatFigure(row.metric, cell.test->difference, true))
                          : missingText(),
                sentence, true);
            put(relativeText(cell.test), sentence, true);
            auto* verdict = put(term(title(cell.verdict)), sentence, false);
            if (cell.verdict == Verdict::Better)
                verdict->setForeground(theme.success);
            else if (cell.verdict == Verdict::Worse)
                verdict->setForeground(theme.error);
            else if (cell.verdict != Verdict::Different)
                verdict->setForeground(theme.mutedText);
        }
    }
    for (int column = 0; column < m_table->columnCount(); ++column) {
        m_table->horizontalHeaderItem(column)->setToolTip(headings[column]);
        if (headings[column] != tr("Figure") && headings[column] != tr("Verdict"))
            m_table->horizontalHeaderItem(column)->setTextAlignment(Qt::AlignRight
                                                                    | Qt::AlignVCenter);
    }
    showFigures();
    auto* header = m_table->horizontalHeader();
    // The style elides each of two lines; Qt would elide them as if they were one.
    header->setTextElideMode(Qt::ElideNone);
    header->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    constexpr int kMinCharacters = 10;
    header->setMinimumSectionSize(kMinCharacters * fontMetrics().averageCharWidth());
    header->setSectionResizeMode(QHeaderView::ResizeToContents);
    int column = 1;
    m_groupColumns.clear();
    for (std::size_t g = 0; g < all.groups.size(); ++g) {
        header->setSectionResizeMode(column, QHeaderView::Interactive);
        m_groupColumns.push_back(column);
        column += g == all.options.baseline ? 1 : 4;
    }
    // Waits until the table is shown and laid out.
    QMetaObject::invokeMethod(this, &ComparePage::fitColumns, Qt::QueuedConnection);
}

void ComparePage::showFigures()
{
    for (int r = 0; m_comparison && r < m_table->rowCount(); ++r) {
        const RunFigure figure = m_comparison->rows[static_cast<std::size_t>(r)].metric;
        m_table->setRowHidden(
            r, !m_allFigures->isChecked() && figure != m_comparison->compared && !isTested(figure));
    }
}

// The groups share the room that the other columns leave. Their figures are shown in full; their
// headings may be longer than any figure, so they are truncated.
void ComparePage::fitColumns()
{
    if (m_groupColumns.empty())
        return;
    QHeaderView& header = *m_table->horizontalHeader();
    int room = m_table->viewport()->width();
    for (int column = 0; column < header.count(); ++column) {
        if (!std::ranges::count(m_groupColumns, column))
            room -= header.sectionSize(column);
    }
    const QAbstractItemView& cells = *m_table; // the table's own function is protected
    for (const int column : m_groupColumns)
        header.resizeSection(column,
                             std::max({cells.sizeHintForColumn(column), header.minimumSectionSize(),
                                       room / static_cast<int>(m_groupColumns.size())}));
}

void ComparePage::fillCombos()
{
    const int layerGroup = m_layerGroup->currentData().toInt();
    m_layerGroup->clear();
    for (std::size_t g = 0; g < m_comparison->groups.size(); ++g) {
        if (g != m_comparison->options.baseline)
            m_layerGroup->addItem(term(m_comparison->groups[g].label), static_cast<int>(g));
    }
    m_layerGroup->setCurrentIndex(std::max(0, m_layerGroup->findData(layerGroup)));
    const QSignalBlocker quiet(m_metric);
    const QVariant chosen = m_metric->currentData();
    m_metric->clear();
    for (const energy::MetricRow& row : m_comparison->rows)
        m_metric->addItem(term(title(row.metric)), int(row.metric));
    m_metric->setCurrentIndex(std::max(
        0, m_metric->findData(chosen.isValid() ? chosen : QVariant(int(m_comparison->compared)))));
}

void ComparePage::drawCharts()
{
    if (!m_comparison)
        return;
    const auto groups = m_groups;
    const auto comparison = m_comparison;
    const auto alignment = static_cast<PowerAlignment>(m_alignment->currentData().toInt());
    m_power->setBuilder([groups, comparison, alignment](double width, double height) {
        return powerOverlay(*groups, *comparison, alignment, {width, height});
    });
    m_cumulative->setBuilder([groups, comparison](double width, double height) {
        return cumulativeEnergy(*groups, *comparison, {width, height});
    });
    const auto group = static_cast<std::size_t>(m_layerGroup->currentData().toInt());
    const auto quantity = static_cast<NodeQuantity>(m_layerQuantity->currentData().toInt());
    m_layers->setBuilder([comparison, group, quantity](double width, double height) {
        return layerDifferences(*comparison, group, quantity, {width, height});
    });
}

void ComparePage::drawMetric()
{
    if (!m_comparison || m_metric->currentIndex() < 0)
        return;
    const auto comparison = m_comparison;
    const auto metric = static_cast<RunFigure>(m_metric->currentData().toInt());
    const auto groups = m_groups;
    m_metricChart->setBuilder([groups, comparison, metric](double width, double height) {
        // For a single run, the distribution is that of its tokens.
        return metric == RunFigure::JoulesPerToken
            ? energyDistributions(*groups, *comparison, {width, height})
            : metricDistributions(*comparison, metric, {width, height});
    });
    QStringList lines;
    if (const energy::MetricRow* row = comparison->row(metric)) {
        for (std::size_t g = 0; g < row->groups.size(); ++g) {
            const auto& test = row->groups[g].test;
            if (!test)
                continue;
            QString line = term(comparison->groups[g].label) + u": "_s
                + term(sentenceOf(*comparison, *row, g));
            if (!line.endsWith(u'.')) // its reason is a sentence already
                line += u'.';
            if (test->p) {
                line += u' ' + term(test->reason);
                if (test->hedges_g)
                    line +=
                        tr(" Hedges' g %1.").arg(toQString(formatSignificant(*test->hedges_g, 2)));
            }
            lines << line;
        }
    }
    m_metricText->setText(lines.join(u'\n'));
}

} // namespace ep::ui
