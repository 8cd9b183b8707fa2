// SPDX-License-Identifier: GPL-3.0-or-later
#include "pages/compare_page.h"

#include "pages/difference_tree.h"
#include "pages/quality_line.h"
#include "text.h"
#include "theme/design.h"
#include "widgets/empty_state.h"
#include "widgets/flow_layout.h"
#include "widgets/message_bar.h"

#include "ep/ui/charts/chart_export.h"
#include "ep/ui/charts/scene_view.h"
#include "ep/ui/file_dialog.h"
#include "ep/ui/report.h"
#include "ep/ui/terms.h"

#include <QCheckBox>
#include <QComboBox>
#include <QEvent>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QSplitter>
#include <QStackedWidget>
#include <QStandardPaths>
#include <QTabWidget>
#include <QTableWidget>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace ep::ui {

namespace {

using namespace Qt::Literals::StringLiterals;

QComboBox* combo(const QString& id, const QString& name, QWidget* parent)
{
    auto* box = new QComboBox(parent);
    box->setObjectName(id);
    box->setAccessibleName(name);
    return box;
}

} // namespace

ComparePage::ComparePage(RunRepository& repository, QWidget* parent)
    : QWidget(parent)
    , m_repository(repository)
    , m_message(new MessageBar(this))
    , m_stack(new QStackedWidget(this))
    , m_empty(new EmptyState(this))
    , m_content(new QWidget(this))
{
    setObjectName(u"comparePage"_s);
    m_message->setObjectName(u"compareMessage"_s);
    m_empty->setText(tr("Nothing to compare yet"),
                     tr("Select 2 to 4 runs in History, or more if they are repeats of each other, "
                        "and press Compare."));
    QPushButton* history = m_empty->addButton(tr("Select Runs in History"));
    history->setObjectName(u"compareHistoryButton"_s);
    connect(history, &QPushButton::clicked, this, &ComparePage::historyRequested);

    auto* inner = new QVBoxLayout(m_content);
    inner->setContentsMargins(0, 0, 0, 0);
    m_verdict = new QLabel(m_content);
    m_verdict->setObjectName(u"compareVerdict"_s);
    m_verdict->setWordWrap(true);
    m_verdict->setTextFormat(Qt::PlainText);
    m_verdict->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    setType(*m_verdict, TypeSize::Title, true);
    inner->addWidget(m_verdict);
    m_warnings = new QLabel(m_content);
    m_warnings->setObjectName(u"compareWarnings"_s);
    m_warnings->setWordWrap(true);
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
    m_causes = new QLabel(m_content);
    m_causes->setObjectName(u"compareCauses"_s);
    m_causes->setWordWrap(true);
    m_causes->setTextFormat(Qt::PlainText);
    m_causes->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    m_table = new QTableWidget(m_content);
    m_table->setObjectName(u"compareTable"_s);
    m_table->setAccessibleName(tr("Figures of the runs and their differences"));
    m_table->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->setAlternatingRowColors(true);
    m_table->setShowGrid(false);
    m_table->setTabKeyNavigation(false);
    m_table->verticalHeader()->hide();
    constexpr int kMinHeight = 22 * kGrid; // for some rows; a small window scrolls
    m_table->setMinimumHeight(kMinHeight);
    m_table->verticalHeader()->setDefaultSectionSize(std::max(24, fontMetrics().height() + 8));
    connect(m_table, &QTableWidget::currentCellChanged, this, [this](int row) {
        if (row >= 0 && row < m_metric->count())
            m_metric->setCurrentIndex(row);
    });
    auto* below = new QWidget(m_content);
    auto* rows = new QVBoxLayout(below);
    rows->setContentsMargins(0, 0, 0, 0);
    rows->addWidget(buildControls());
    rows->addWidget(m_table, 1);
    rows->addWidget(m_quality);
    rows->addWidget(m_causes);
    auto* splitter = new QSplitter(Qt::Vertical, m_content);
    splitter->setChildrenCollapsible(false);
    splitter->addWidget(buildCharts());
    splitter->addWidget(below);
    splitter->setSizes({360, 300});
    splitter->setStretchFactor(0, 3);
    splitter->setStretchFactor(1, 2);
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
    m_baseline = combo(u"compareBaseline"_s, tr("Baseline"), row);
    m_baseline->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    m_baseline->setMaximumWidth(56 * kGrid);
    m_repeats = combo(u"compareRepeats"_s, tr("Repeats"), row);
    m_repeats->addItem(tr("Among the selected runs"), int(RunRepository::Repeats::Named));
    m_repeats->addItem(tr("All stored repeats"), int(RunRepository::Repeats::Stored));
    m_repeats->addItem(tr("None: single runs"), int(RunRepository::Repeats::None));
    m_normalisation = combo(u"compareNormalisation"_s, tr("Values of layers and nodes"), row);
    for (const energy::Normalisation one :
         {energy::Normalisation::PerToken, energy::Normalisation::PerRun,
          energy::Normalisation::PerInputToken, energy::Normalisation::PerMillionParameters})
        m_normalisation->addItem(term(title(one)), int(one));
    m_report = new QToolButton(row);
    m_report->setObjectName(u"compareReport"_s);
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
    m_allFigures = new QCheckBox(tr("All figures"), row);
    m_allFigures->setObjectName(u"compareAllFigures"_s);
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

QWidget* ComparePage::chartTab(SceneView* view, const QString& id,
                               std::initializer_list<QWidget*> controls)
{
    view->setObjectName(id);
    addExportActions(*view, id);
    connect(view, &SceneView::linkActivated, this, &ComparePage::openRequested);
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
    m_tabs = new QTabWidget(m_content);
    m_tabs->setObjectName(u"compareCharts"_s);
    m_tabs->setDocumentMode(true);
    m_metricChart = new SceneView(m_tabs);
    m_metricChart->setAccessibleName(tr("Figure by group"));
    m_metric = combo(u"compareMetric"_s, tr("Figure"), m_tabs);
    m_metric->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    m_metricText = new QLabel(m_tabs);
    m_metricText->setObjectName(u"compareSentence"_s);
    m_metricText->setWordWrap(true);
    m_metricText->setTextInteractionFlags(Qt::TextSelectableByMouse);
    connect(m_metric, &QComboBox::currentIndexChanged, this, &ComparePage::drawMetric);
    QWidget* statistics = chartTab(m_metricChart, u"compareMetricChart"_s, {m_metric});
    statistics->layout()->addWidget(m_metricText);
    m_tabs->addTab(statistics, tr("Statistics"));

    m_power = new SceneView(m_tabs);
    m_power->setAccessibleName(tr("Power of each group"));
    m_alignment = combo(u"compareAlignment"_s, tr("Aligned at"), m_tabs);
    m_alignment->addItem(tr("Aligned at the first decoded token"),
                         int(PowerAlignment::DecodeStart));
    m_alignment->addItem(tr("Aligned at the start of the run"), int(PowerAlignment::RunStart));
    m_alignment->addItem(tr("By token"), int(PowerAlignment::TokenIndex));
    connect(m_alignment, &QComboBox::currentIndexChanged, this, &ComparePage::drawCharts);
    m_tabs->addTab(chartTab(m_power, u"comparePower"_s, {m_alignment}), tr("Power"));

    m_cumulative = new SceneView(m_tabs);
    m_cumulative->setAccessibleName(tr("Cumulative energy of the tokens"));
    m_tabs->addTab(chartTab(m_cumulative, u"compareCumulative"_s, {}), tr("Energy over Tokens"));

    m_layers = new SceneView(m_tabs);
    m_layers->setAccessibleName(tr("Difference by layer and component"));
    m_layerGroup = combo(u"compareLayerGroup"_s, tr("Group"), m_tabs);
    m_layerQuantity = combo(u"compareLayerQuantity"_s, tr("Quantity"), m_tabs);
    m_layerQuantity->addItem(tr("Energy"), int(NodeQuantity::Energy));
    m_layerQuantity->addItem(tr("Time"), int(NodeQuantity::Time));
    connect(m_layerGroup, &QComboBox::activated, this, &ComparePage::drawCharts);
    connect(m_layerQuantity, &QComboBox::currentIndexChanged, this, &ComparePage::drawCharts);
    m_tabs->addTab(chartTab(m_layers, u"compareLayers"_s, {m_layerGroup, m_layerQuantity}),
                   tr("Layers"));

    m_tree = new DifferenceTree(m_tabs);
    m_tabs->addTab(m_tree, tr("Tree"));
    return m_tabs;
}

void ComparePage::compareRuns(const QStringList& ids)
{
    m_ids = ids;
    ask();
}

// This or another program may have deleted runs, whose figures would be misleading.
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
    Q_EMIT comparisonChanged();
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
    const QString folder = QStandardPaths::writableLocation(QStandardPaths::DocumentsLocation);
    auto* dialog = makeFileDialog(this, tr("Save Report"), u"reportDialog"_s, folder);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setNameFilters({tr("Web page (*.html)"), tr("PDF (*.pdf)")});
    dialog->setDefaultSuffix(u"html"_s);
    dialog->selectFile(u"comparison.html"_s);
    connect(dialog, &QFileDialog::filterSelected, dialog, [dialog](const QString& filter) {
        dialog->setDefaultSuffix(filter.contains(u"pdf"_s) ? u"pdf"_s : u"html"_s);
    });
    connect(dialog, &QFileDialog::fileSelected, this, [this](const QString& path) {
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
    dialog->open();
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

} // namespace ep::ui
