// SPDX-License-Identifier: GPL-3.0-or-later
#include "dialogs/pays_dialog.h"

#include "dialogs/pays_limit_fields.h"
#include "dialogs/pays_side_fields.h"
#include "dialogs/study_choices.h"
#include "text.h"
#include "theme/design.h"

#include "ep/session/kept_cards.h"
#include "ep/store/store.h"
#include "ep/ui/charts/chart_export.h"
#include "ep/ui/charts/scene_view.h"
#include "ep/ui/terms.h"

#include <QDateTime>
#include <QDialogButtonBox>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QPlainTextEdit>
#include <QProgressBar>
#include <QPushButton>
#include <QRandomGenerator>
#include <QVBoxLayout>

#include <cmath>

namespace ep::ui {

namespace {

using namespace Qt::Literals::StringLiterals;
using session::PaysJob;

constexpr int kPaysSteps = 1000; // steps of the progress bar
constexpr int kPromptLines = 3;
constexpr QSize kFirstPaysSize(860, 720);

QLabel* paysLine(const QString& id, QWidget* parent)
{
    auto* label = new QLabel(parent);
    label->setObjectName(id);
    label->setWordWrap(true);
    label->setTextFormat(Qt::PlainText);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    label->hide();
    return label;
}

void showLine(QLabel& label, const QString& text)
{
    label.setText(text);
    label.setVisible(!text.isEmpty());
}

} // namespace

PaysDialog::PaysDialog(session::Backend backend, std::vector<model::ModelListing> models,
                       std::filesystem::path database, QWidget* parent)
    : QDialog(parent)
    , m_backend(std::move(backend))
    , m_known(std::move(models))
    , m_database(std::move(database))
    , m_form(new QWidget(this))
    , m_a(new PaysSideFields(u"paysA"_s, tr("A"), m_known, m_form))
    , m_b(new PaysSideFields(u"paysB"_s, tr("B"), m_known, m_form))
    , m_promptLabel(new QLabel(m_form))
    , m_prompt(new QPlainTextEdit(m_form))
    , m_limits(new PaysLimitFields(m_form))
    , m_problem(paysLine(u"paysProblem"_s, this))
    , m_progress(new QProgressBar(this))
    , m_verdict(paysLine(u"paysVerdict"_s, this))
    , m_chart(new SceneView(this))
    , m_figures(paysLine(u"paysFigures"_s, this))
    , m_kept(paysLine(u"paysKept"_s, this))
    , m_keep(new QPushButton(tr("&Keep as Card"), this))
    , m_show(new QPushButton(tr("Show &Runs"), this))
    , m_start(new QPushButton(tr("&Start"), this))
{
    setObjectName(u"paysDialog"_s);
    setWindowTitle(tr("Which Is Cheaper Here?"));
    setAttribute(Qt::WA_DeleteOnClose);
    build();
    drawChart(m_limits->smallestDifference());
    resize(kFirstPaysSize);
    for (PaysSideFields* side : {m_a, m_b})
        connect(side, &PaysSideFields::edited, this, &PaysDialog::update);
    connect(m_prompt, &QPlainTextEdit::textChanged, this, &PaysDialog::update);
    connect(m_keep, &QPushButton::clicked, this, &PaysDialog::keepCard);
    connect(m_show, &QPushButton::clicked, this,
            [this] { Q_EMIT runsRequested(toQString(m_running->name)); });
    connect(m_start, &QPushButton::clicked, this, [this] { running() ? stop() : start(); });
    update();
}

PaysDialog::~PaysDialog() = default;

void PaysDialog::build()
{
    auto* what = new QLabel(
        tr("A and B take turns, in random order, until it is known which of them needs less energy "
           "per token on this machine, or that the difference does not matter."),
        this);
    what->setWordWrap(true);
    setMuted(*what);
    m_prompt->setObjectName(u"paysPrompt"_s);
    m_prompt->setTabChangesFocus(true);
    m_prompt->setFixedHeight(m_prompt->fontMetrics().lineSpacing() * (kPromptLines + 1));
    setType(*m_verdict, TypeSize::Title, true);
    m_progress->setObjectName(u"paysProgress"_s);
    m_progress->setRange(0, kPaysSteps);
    m_progress->hide();
    m_chart->setObjectName(u"paysChart"_s);
    m_chart->setAccessibleName(tr("Difference after each pair"));
    addExportActions(*m_chart, u"pays"_s);
    m_keep->setObjectName(u"paysKeep"_s);
    m_keep->hide();
    m_show->setObjectName(u"paysShow"_s);
    m_show->hide();
    m_start->setObjectName(u"paysStart"_s);
    m_start->setDefault(true);

    auto* sides = new QHBoxLayout;
    sides->addWidget(m_a, 1);
    sides->addWidget(m_b, 1);
    auto* prompt = new QFormLayout;
    m_promptLabel->setText(tr("Prompt"));
    m_promptLabel->setBuddy(m_prompt);
    prompt->addRow(m_promptLabel, m_prompt);
    auto* form = new QVBoxLayout(m_form);
    form->setContentsMargins(0, 0, 0, 0);
    form->addLayout(sides);
    form->addLayout(prompt);
    form->addWidget(m_limits);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
    buttons->button(QDialogButtonBox::Close)->setObjectName(u"paysClose"_s);
    for (QPushButton* button : {m_keep, m_show, m_start})
        buttons->addButton(button, QDialogButtonBox::ActionRole);
    connect(buttons, &QDialogButtonBox::rejected, this, &PaysDialog::reject);
    auto* layout = new QVBoxLayout(this);
    layout->addWidget(what);
    layout->addWidget(m_form);
    layout->addWidget(m_problem);
    layout->addWidget(m_progress);
    layout->addWidget(m_verdict);
    layout->addWidget(m_chart, 1);
    layout->addWidget(m_figures);
    layout->addWidget(m_kept);
    layout->addWidget(buttons);
}

void PaysDialog::setRun(const session::RunRequest& run)
{
    m_intervalMs = run.interval_ms;
    m_chat = run.chat != session::ChatUse::Off;
    m_promptLabel->setText(m_chat ? tr("Prompt, with the chat template") : tr("Prompt"));
    // What a newcomer asks: the stored format against the usual one of eight bits.
    m_a->choose(run.load.folder, u"auto"_s);
    m_b->choose(run.load.folder, m_a->storedFormat() == u"q8_0"_s ? u"q4_k_m"_s : u"q8_0"_s);
    m_prompt->setPlainText(
        toQString(run.prompt.empty() ? "The old man sat by the sea" : run.prompt));
    m_limits->setRun(run);
    update();
}

void PaysDialog::setBusyElsewhere(const QString& reason)
{
    m_busy = reason;
    update();
}

Result<session::PaysSpec> PaysDialog::spec() const
{
    session::PaysSpec spec;
    auto a = m_a->side();
    auto b = m_b->side();
    if (!a || !b)
        return Error{ErrorCode::InvalidInput,
                     a ? Message("B: %1", b.error().message) : Message("A: %1", a.error().message)};
    spec.a = *std::move(a);
    spec.b = *std::move(b);
    if (m_a->isCommand() != m_b->isCommand())
        return Error{ErrorCode::InvalidInput,
                     tr("A command can be compared with another command only.").toStdString()};
    if (!m_a->isCommand()) { // a command has its own prompt and length
        spec.prompt = {.name = "prompt", .text = m_prompt->toPlainText().toStdString()};
        if (spec.prompt.text.empty())
            return Error{ErrorCode::InvalidInput, tr("Write a prompt.").toStdString()};
    }
    if (spec.a == spec.b)
        return Error{ErrorCode::InvalidInput,
                     tr("A and B are the same; change a setting.").toStdString()};
    m_limits->write(spec, !m_a->isCommand());
    spec.interval_ms = m_intervalMs;
    spec.chat = m_chat && !m_a->isCommand();
    return spec;
}

void PaysDialog::update()
{
    if (running())
        return;
    const auto built = spec();
    const bool commands = m_a->isCommand() && m_b->isCommand();
    m_prompt->setEnabled(!commands);
    m_limits->setTokensEnabled(!commands);
    m_start->setEnabled(built.has_value() && m_busy.isEmpty());
    showLine(*m_problem, !built ? term(built.error().message) : m_busy);
}

void PaysDialog::start()
{
    auto built = spec();
    if (!built || !m_busy.isEmpty())
        return;
    if (m_running && session::sameQuestion(*built, *m_running) && !m_result.error) {
        built->name = m_running->name;
        built->seed = m_running->seed;
    } else {
        built->name =
            "pays " + QDateTime::currentDateTime().toString(u"yyyy-MM-dd HH:mm:ss").toStdString();
        built->seed = QRandomGenerator::global()->generate64();
        m_course.clear();
    }
    m_running = std::move(*built);
    m_result = {};
    m_job = std::make_unique<PaysJob>(*m_running,
                                      session::StudyOptions{.database = m_database,
                                                            .findModel = modelFinder(m_known),
                                                            .store_texts = m_storeTexts},
                                      m_backend);
    connect(m_job.get(), &PaysJob::stepStarting, this, [this](int pair, const Message& setting) {
        m_progress->setFormat(tr("Pair %1, %2").arg(pair).arg(term(setting)));
        m_progress->setToolTip(m_progress->format());
    });
    connect(m_job.get(), &PaysJob::progress, this, [this](double fraction) {
        m_progress->setValue(static_cast<int>(std::lround(fraction * kPaysSteps)));
    });
    connect(m_job.get(), &PaysJob::pairFinished, this, &PaysDialog::take);
    connect(m_job.get(), &PaysJob::finished, this, &PaysDialog::finish);
    if (const Status started = m_job->start(); !started) {
        m_job.reset();
        showLine(*m_problem, term(started.error().message));
        return;
    }
    m_form->setEnabled(false);
    m_keep->hide();
    m_show->hide();
    showLine(*m_kept, {});
    showLine(*m_problem, {});
    m_start->setText(tr("&Stop"));
    m_progress->setFormat({});
    m_progress->setValue(0);
    m_progress->show();
    showResult();
    Q_EMIT runningChanged(true);
}

void PaysDialog::stop()
{
    if (m_job)
        m_job->cancel();
}

void PaysDialog::take(const session::PaysResult& result)
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

void PaysDialog::finish(const session::PaysResult& result)
{
    take(result);
    m_job.release()->deleteLater(); // its thread may still be ending
    m_form->setEnabled(true);
    m_start->setText(tr("&Start"));
    m_progress->hide();
    Q_EMIT runningChanged(false); // emitting it calls update()
    update();
    if (result.error)
        showLine(*m_problem, term(result.error->message));
    else if (result.cancelled)
        showLine(*m_problem, tr("Stopped; press Start to continue."));
    // Results of commands are not kept as cards, because nobody else could tell what a command
    // does.
    m_keep->setVisible(result.decision.test.pairs > 0 && !result.error
                       && m_running->a.command.empty());
    m_keep->setEnabled(true);
    m_show->setVisible(!m_result.pairs.runs.empty());
    if (m_closeWhenStopped)
        QDialog::reject();
}

void PaysDialog::showResult()
{
    const bool any = m_result.decision.test.pairs > 0;
    showLine(*m_verdict, any || !running() ? paysVerdictText(m_result) : QString());
    showLine(*m_figures, any ? paysFiguresText(m_result.decision) : QString());
    drawChart(m_running->test.smallest_difference);
    setExportFacts(*m_chart, m_verdict->text());
}

void PaysDialog::drawChart(double smallest)
{
    m_chart->setBuilder(
        [decision = m_result.decision, course = m_course, smallest](double width, double height) {
            return paysChart(decision, course, smallest, width, height);
        });
}

void PaysDialog::keepCard()
{
    m_keep->setEnabled(false);
    m_keeping.start(
        [spec = *m_running, result = m_result,
         database = m_database]() -> Result<std::filesystem::path> {
            const auto store = store::Store::openToRead(database);
            if (!store)
                return store.error();
            const auto card = session::makeCard(spec, result, **store);
            if (!card)
                return card.error();
            return session::keepCard(*card, database);
        },
        [this](const Result<std::filesystem::path>& kept) {
            m_keep->setEnabled(!kept);
            showLine(*m_kept,
                     kept ? tr("The card is %1; Insights > Cards shows it.").arg(pathText(*kept))
                          : term(kept.error().message));
            if (kept)
                Q_EMIT cardKept();
        });
}

void PaysDialog::reject()
{
    m_closeWhenStopped = true;
    if (running())
        stop(); // the dialog stays open until the run in progress is stored
    else
        QDialog::reject();
}

} // namespace ep::ui
