// SPDX-License-Identifier: GPL-3.0-or-later
#include "pages/jobs_tab.h"

#include "report/report_charts.h"
#include "text.h"
#include "widgets/assembly.h"

#include "ep/core/format.h"
#include "ep/core/run_figure.h"
#include "ep/core/stated_tokens.h"
#include "ep/core/token_ledger.h"
#include "ep/core/utf8.h"
#include "ep/store/store.h"
#include "ep/ui/charts/chart_export.h"
#include "ep/ui/charts/scene_view.h"
#include "ep/ui/rich_text.h"
#include "ep/viz/charts.h"
#include "ep/viz/scene.h"

#include <QHBoxLayout>
#include <QInputDialog>
#include <QLabel>
#include <QPushButton>
#include <QSplitter>
#include <QString>
#include <QStringList>
#include <QTreeWidget>

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string>

namespace ep::ui {

namespace {

struct RequestEnergy {
    std::string id; // id of the run
    std::optional<Millijoules> energy{};
    std::int64_t input_tokens = 0;
    std::int64_t output_tokens = 0;
};

constexpr std::size_t kMaxRequestBars = 24; // shows the latest requests

std::string jobEnergy(const std::optional<double>& millijoules)
{
    return millijoules ? formatEnergy(Millijoules{*millijoules}) : std::string(kMissingText);
}

viz::Scene requestChart(const std::vector<RequestEnergy>& requests, double width, double height)
{
    double largest = 0.0;
    for (const RequestEnergy& request : requests)
        largest = std::max(largest, request.energy ? request.energy->value : 0.0);
    viz::BarChart chart = energyBars({width, height}, said("Energy of each request"),
                                     said("None of the requests has an energy."), largest);
    const std::size_t begin =
        requests.size() > kMaxRequestBars ? requests.size() - kMaxRequestBars : 0;
    for (std::size_t i = begin; i < requests.size() && largest > 0.0; ++i) {
        const RequestEnergy& request = requests[i];
        viz::Bar bar;
        bar.label = std::to_string(i + 1);
        if (request.energy)
            bar.value = request.energy->value;
        bar.text =
            said("%1, %2 in, %3 out", formatEnergy(request.energy),
                 std::to_string(request.input_tokens), std::to_string(request.output_tokens));
        bar.link = request.id;
        chart.bars.push_back(std::move(bar));
    }
    return viz::layoutBars(chart);
}

// texts: energies in the order of JobText.
viz::Scene jobTextChart(const std::vector<std::optional<double>>& texts, double width,
                        double height)
{
    const std::array titles{said("System"), said("Tools"), said("History, read again"),
                            said("New")};
    double largest = 0.0;
    for (const auto& text : texts)
        largest = std::max(largest, text.value_or(0.0));
    viz::BarChart chart =
        energyBars({width, height}, said("Energy of the prefill by the role of the text"),
                   said("The prefill of these requests has no energy of its own."), largest);
    for (std::size_t i = 0; i < std::min(texts.size(), titles.size()) && largest > 0.0; ++i) {
        viz::Bar bar;
        bar.label = titles.at(i);
        bar.value = texts[i];
        bar.text = jobEnergy(texts[i]);
        bar.series = i == static_cast<std::size_t>(session::JobText::History) ? 1 : 0;
        chart.bars.push_back(std::move(bar));
    }
    return viz::layoutBars(chart);
}

// Describes the tokens that were read again, the saving of the cache, and the time spent waiting.
QString jobFactsText(const session::Job& job)
{
    const auto text = [&](session::JobText role) {
        const auto index = static_cast<std::size_t>(role);
        return index < job.text_mj.size() ? job.text_mj[index] : std::nullopt;
    };
    QStringList lines;
    lines << translated("Context that was read again: %1; the prompt cache saved %2.")
                 .arg(toQString(jobEnergy(text(session::JobText::History))),
                      toQString(jobEnergy(job.cache_saved_mj)));
    if (job.waiting_ms) {
        lines << translated(
                     "Waiting between the requests, for tools or the user: %1, %2 at the idle "
                     "power.")
                     .arg(durationText(*job.waiting_ms * kNsPerMs),
                          toQString(jobEnergy(job.waiting_mj)));
    }
    return lines.join(u'\n');
}

using namespace Qt::Literals::StringLiterals;

constexpr std::size_t kTitleCharacters = 60;
constexpr int kRunRole = Qt::UserRole;

enum JobColumn {
    JobName,
    Began,
    Requests,
    JobIn,
    JobCached,
    JobOut,
    JobEnergy,
    PerOutput,
    PerTotal,
    Waiting,
    JobColumns
};

void fillRow(QTreeWidgetItem& item, const QStringList& cells)
{
    for (int column = 0; column < cells.size(); ++column) {
        item.setText(column, cells[column]);
        item.setToolTip(column, richText(cells[column]));
        if (column > Began)
            item.setTextAlignment(column, Qt::AlignRight | Qt::AlignVCenter);
    }
}

QString figureCell(RunFigure figure, const RunSummary& run)
{
    return toQString(formatCell(figure, valueOf(figure, run)));
}

} // namespace

JobsTab::JobsTab(RunRepository& repository, QWidget* parent)
    : DrawnWhenSeen(parent)
    , m_repository(repository)
    , m_tree(named(new QTreeWidget(this), u"jobsTree"_s, tr("Jobs")))
    , m_requests(new SceneView(this))
    , m_texts(new SceneView(this))
    , m_facts(wrapped(named(new QLabel(this), u"jobFacts"_s)))
    , m_rename(named(new QPushButton(tr("Re&name…"), this), u"jobRename"_s))
    , m_merge(named(new QPushButton(tr("&Merge…"), this), u"jobMerge"_s))
    , m_split(named(new QPushButton(tr("&Split Off…"), this), u"jobSplit"_s))
{
    setObjectName(u"jobsTab"_s);
    m_tree->setColumnCount(JobColumns);
    m_tree->setHeaderLabels({tr("Job, request"), tr("Began"), tr("Requests"), tr("In"),
                             tr("Cached"), tr("Out"), tr("Energy"), energyPerTokenTitle(),
                             term(heading(RunFigure::JoulesPerTotalToken)), tr("Waiting")});
    m_tree->setSelectionMode(QAbstractItemView::ExtendedSelection);
    m_tree->setAlternatingRowColors(true);
    m_tree->setUniformRowHeights(true);
    const auto chart = [this](SceneView& view, const QString& id, const QString& name) {
        view.setObjectName(id);
        view.setAccessibleName(name);
        addExportActions(view, id);
        connect(&view, &SceneView::linkActivated, this, &JobsTab::openRequested);
    };
    chart(*m_requests, u"jobRequests"_s, tr("Energy of each request"));
    chart(*m_texts, u"jobTexts"_s, tr("Energy of the prefill by the role of the text"));
    m_facts->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_merge->setToolTip(richText(tr("The selected jobs become one")));
    m_split->setToolTip(richText(tr("The selected requests become a job of their own")));
    auto* buttons = new QHBoxLayout;
    for (QPushButton* button : {m_rename, m_merge, m_split})
        buttons->addWidget(button);
    buttons->addStretch();
    auto* below = new QWidget(this);
    auto* charts = inRow({{m_requests, 1}, {m_texts, 1}});
    flush(inColumn(below, {{charts, 1}, m_facts}));
    auto* halves = named(new QSplitter(Qt::Vertical, this), u"jobsSplitter"_s);
    addParts(*halves, {{m_tree}, {below}});
    inColumn(this, {buttons, {halves, 1}});
    connect(m_tree, &QTreeWidget::itemSelectionChanged, this, &JobsTab::selectionChanged);
    connect(m_tree, &QTreeWidget::itemActivated, this, [this](const QTreeWidgetItem* item) {
        if (const QString id = item->data(JobName, kRunRole).toString(); !id.isEmpty())
            Q_EMIT openRequested(id);
    });
    connect(m_rename, &QPushButton::clicked, this, [this] {
        const Chosen what = chosen();
        const session::Job& job = m_jobs[*what.jobs.begin()];
        askForName(tr("Rename Job"), toQString(job.id), runsOf(what.jobs));
    });
    connect(m_merge, &QPushButton::clicked, this, [this] {
        const Chosen what = chosen();
        const session::Job& job = m_jobs[*what.jobs.begin()];
        askForName(tr("Merge Jobs"), job.named ? toQString(job.id) : freeName(), runsOf(what.jobs));
    });
    connect(m_split, &QPushButton::clicked, this,
            [this] { askForName(tr("Split Off"), freeName(), chosen().requests); });
    selectionChanged();
}

void JobsTab::setRuns(const RunList& runs, const std::vector<const RunSummary*>& shown)
{
    m_runs = runs;
    m_shown = shown;
    contentChanged();
}

void JobsTab::draw()
{
    m_grouping.start(
        [keep = m_runs, runs = m_shown] {
            std::vector<session::Job> jobs = session::jobsOf(runs);
            // A single request is a run, which the list of runs shows.
            std::erase_if(
                jobs, [](const session::Job& job) { return job.runs.size() < 2 && !job.named; });
            return jobs;
        },
        [this](std::vector<session::Job> jobs) { show(std::move(jobs)); });
}

void JobsTab::show(std::vector<session::Job> jobs)
{
    std::set<std::string> selected;
    for (const std::size_t index : chosen().jobs)
        selected.insert(m_jobs[index].id);
    m_jobs = std::move(jobs);
    m_byId.clear();
    for (const RunSummary* run : m_shown)
        m_byId[run->info.id] = run;
    const QSignalBlocker quiet(m_tree);
    m_tree->setFocusPolicy(m_jobs.empty() ? Qt::NoFocus : Qt::StrongFocus);
    m_tree->clear();
    for (const session::Job& job : m_jobs)
        addJob(job);
    for (int row = 0; row < m_tree->topLevelItemCount(); ++row) {
        const bool again = selected.contains(m_jobs[static_cast<std::size_t>(row)].id);
        if (again || (selected.empty() && row == 0))
            m_tree->topLevelItem(row)->setSelected(true);
    }
    for (int column = 0; column < JobColumns; ++column)
        m_tree->resizeColumnToContents(column);
    selectionChanged();
}

void JobsTab::addJob(const session::Job& job)
{
    auto* item = new QTreeWidgetItem(m_tree);
    const QString title = toQString(previewUtf8(job.title, kTitleCharacters)).simplified();
    fillRow(*item,
            {job.named ? toQString(job.id) + u": "_s + title : title, dateText(job.begin_ms),
             QString::number(job.runs.size()), toQString(tokensText(job.input_tokens)),
             toQString(tokensText(job.cached_tokens)), toQString(tokensText(job.output_tokens)),
             toQString(formatEnergy(job.energy)), energyPerTokenText(job.joules_per_token),
             energyPerTokenText(job.joules_per_total_token),
             job.waiting_ms ? durationText(*job.waiting_ms * kNsPerMs) : missingText()});
    for (const std::string& id : job.runs) {
        const RunSummary* run = runOf(id);
        if (!run)
            continue;
        auto* request = new QTreeWidgetItem(item);
        const auto cached = cachedTokens(run->info);
        fillRow(*request,
                {toQString(previewUtf8(run->info.response, kTitleCharacters)).simplified(),
                 dateText(run->info.created_at_ms), QString(),
                 toQString(tokensText(inputTokens(run->info))), toQString(tokensText(cached)),
                 toQString(tokensText(outputTokens(run->info))), energyText(*run),
                 figureCell(RunFigure::JoulesPerToken, *run),
                 figureCell(RunFigure::JoulesPerTotalToken, *run), QString()});
        request->setData(JobName, kRunRole, toQString(id));
    }
}

const RunSummary* JobsTab::runOf(const std::string& id) const
{
    const auto found = m_byId.find(id);
    return found == m_byId.end() ? nullptr : found->second;
}

JobsTab::Chosen JobsTab::chosen() const
{
    Chosen what;
    for (QTreeWidgetItem* item : m_tree->selectedItems()) {
        QTreeWidgetItem* const job = item->parent() ? item->parent() : item;
        what.jobs.insert(static_cast<std::size_t>(m_tree->indexOfTopLevelItem(job)));
        if (item->parent())
            what.requests << item->data(JobName, kRunRole).toString();
    }
    return what;
}

QStringList JobsTab::runsOf(const std::set<std::size_t>& jobs) const
{
    QStringList ids;
    for (const std::size_t index : jobs) {
        for (const std::string& id : m_jobs[index].runs)
            ids << toQString(id);
    }
    return ids;
}

void JobsTab::selectionChanged()
{
    const Chosen what = chosen();
    const bool one = what.jobs.size() == 1;
    const std::size_t requests = one ? m_jobs[*what.jobs.begin()].runs.size() : 0;
    const auto some = static_cast<std::size_t>(what.requests.size());
    m_rename->setEnabled(one);
    m_merge->setEnabled(what.jobs.size() > 1);
    m_split->setEnabled(some > 0 && (!one || some < requests));
    if (one)
        return showJob(m_jobs[*what.jobs.begin()]);
    m_requests->setBuilder(nullptr);
    m_texts->setBuilder(nullptr);
    m_facts->setText(m_jobs.empty() ? tr("There are no jobs of several requests.")
                                    : tr("Select one job."));
}

void JobsTab::showJob(const session::Job& job)
{
    std::vector<RequestEnergy> requests;
    for (const std::string& id : job.runs) {
        if (const RunSummary* run = runOf(id))
            requests.push_back({.id = id,
                                .energy = run->metrics.energy.total_mj,
                                .input_tokens = run->info.input_tokens,
                                .output_tokens = run->info.output_tokens});
    }
    m_requests->setBuilder(
        [requests](double width, double height) { return requestChart(requests, width, height); });
    m_texts->setBuilder([texts = job.text_mj](double width, double height) {
        return jobTextChart(texts, width, height);
    });
    m_facts->setText(jobFactsText(job));
    for (SceneView* view : {m_requests, m_texts})
        setExportFacts(*view, toQString(previewUtf8(job.title, kTitleCharacters)));
}

QString JobsTab::freeName() const
{
    std::set<std::string> taken;
    for (const session::Job& job : m_jobs)
        taken.insert(job.id);
    for (int number = 1;; ++number) {
        const QString name = tr("job %1").arg(number);
        if (!taken.contains(name.toStdString()))
            return name;
    }
}

void JobsTab::askForName(const QString& title, const QString& name, const QStringList& runs)
{
    auto* dialog = new QInputDialog(this);
    prepareDialog(*dialog, u"jobNameDialog"_s, title);
    dialog->setLabelText(tr("Name of the job:"));
    dialog->setTextValue(name);
    connect(dialog, &QInputDialog::textValueSelected, this, [this, runs](const QString& chosen) {
        QString given = chosen;
        given.replace(u',', u' '); // a comma separates tags where they are edited
        if (given = given.simplified(); !given.isEmpty())
            nameJob(runs, given);
    });
    dialog->open();
}

void JobsTab::nameJob(const QStringList& runs, const QString& name)
{
    store::RunEdit changes{.add_tags = {std::string(session::kJobTag) + name.toStdString()}};
    std::set<std::string> before;
    for (const QString& id : runs) {
        if (const RunSummary* run = runOf(id.toStdString())) {
            for (const std::string& tag : run->info.tags) {
                if (tag.starts_with(session::kJobTag) && tag != changes.add_tags.front())
                    before.insert(tag);
            }
        }
    }
    changes.remove_tags.assign(before.begin(), before.end());
    m_repository.edit(runs, changes); // this lists the runs again
}

} // namespace ep::ui
