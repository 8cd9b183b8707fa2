// SPDX-License-Identifier: GPL-3.0-or-later
#include "pages/welcome_page.h"

#include "theme/design.h"
#include "theme/ui_resources.h"
#include "widgets/answer_panel.h"
#include "widgets/assembly.h"

#include "ep/core/format.h"
#include "ep/ui/rich_text.h"

#include <QCommandLinkButton>
#include <QFileInfo>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QIcon>
#include <QLabel>
#include <QLayoutItem>
#include <QMenu>
#include <QPushButton>
#include <QVBoxLayout>

#include <array>
#include <memory>

namespace ep::ui {

namespace {

using namespace Qt::Literals::StringLiterals;

constexpr int kWaysInARow = 2;
constexpr int kWidth = 90 * kGrid;
constexpr int kInnerWidth = 40 * kGrid; // width of one entry
constexpr int kWelcomeIconSize = 72;
constexpr int kMaxRecent = 5;

// Without a set width, a command link truncates descriptions that are longer than its line.
void describe(QCommandLinkButton* button, const QString& text)
{
    button->setDescription(text);
    button->setAccessibleDescription(text);
    button->setMinimumHeight(static_cast<QWidget*>(button)->heightForWidth(kInnerWidth));
}

QLabel* line(const QString& text, TypeSize size, QWidget* parent)
{
    auto* label = wrapped(new QLabel(text, parent));
    setType(*label, size);
    return label;
}

} // namespace

WelcomePage::WelcomePage(QWidget* parent)
    : QWidget(parent)
    , m_column(new QVBoxLayout)
    , m_recent(new QVBoxLayout)
    , m_recentBox(new QWidget(this))
{
    setObjectName(u"welcomePage"_s);
    initResources();
    auto* icon = new QLabel(this);
    icon->setPixmap(QIcon(u":/icons/energy-profiler-128.png"_s).pixmap(kWelcomeIconSize));
    auto* words =
        inColumn({line(tr("Energy Profiler"), TypeSize::Title, this),
                  line(tr("What would you like to know? Each question is answered by runs on this "
                          "computer; Help > Welcome shows this page again."),
                       TypeSize::Body, this)});
    auto* head = inRow({icon, Space{12}, {words, 1}});

    m_recent->setContentsMargins(0, 0, 0, 0);
    m_recentBox->setLayout(m_recent);
    auto* skip = named(new QPushButton(tr("Skip"), this), u"welcomeClose"_s);
    connect(skip, &QPushButton::clicked, this, &WelcomePage::closed);
    auto* foot = inRow({Stretch{}, skip});

    auto* column = new QWidget(this);
    column->setFixedWidth(kWidth);
    column->setLayout(m_column);
    m_column->setSpacing(kGrid);
    m_column->addLayout(head);
    addExample();
    addQuestions();
    addFurtherWays();
    m_column->addWidget(m_recentBox);
    m_column->addLayout(foot);
    inColumn(this, {Stretch{}, {column, 0, Qt::AlignHCenter}, Stretch{}});
    setRecentFiles({});
}

// Shows an example of an answer: the largest parts of the recorded demo run, as Analysis shows them
// (first_start_test compares both).
void WelcomePage::addExample()
{
    const auto joules = [](double amount) { return formatEnergy(Millijoules{amount * 1e3}); };
    const std::array<session::AnswerBar, 3> parts{
        {{"MLP", joules(81.3), 0.543, {"heatmap"}},
         {"Attention", joules(28.6), 0.191, {"heatmap"}},
         {"Output head", joules(22.7), 0.152, {"heatmap"}}}};
    m_example = new QWidget(this);
    auto* column = new QVBoxLayout(m_example);
    column->setContentsMargins(0, kGrid, 0, kGrid);
    column->setSpacing(kHalfGrid);
    auto* caption =
        line(tr("An answer looks like this (the recorded demo run, a simulated machine):"),
             TypeSize::Small, this);
    setMuted(*caption);
    column->addWidget(caption);
    auto* bars = new QHBoxLayout;
    bars->setSpacing(2 * kGrid);
    for (std::size_t i = 0; i < parts.size(); ++i) {
        auto* bar = named(new AnswerBar(m_example), u"welcomeExample%1"_s.arg(i));
        bar->showBar(parts[i]);
        connect(bar, &AnswerBar::clicked, this, &WelcomePage::demoRunRequested);
        bars->addWidget(bar, 1);
    }
    column->addLayout(bars);
    m_column->addWidget(m_example);
}

void WelcomePage::addQuestions()
{
    m_ways = addWays({});
    m_demoModel = addWay(u"welcomeDemoModel"_s, "analysis"_L1, tr("Where do the joules go?"),
                         tr("Repeats a run for up to 20 s and ranks the parts of the model."));
    auto* format =
        addWay(u"welcomePays"_s, "compare"_L1, tr("Which format is cheapest here?"),
               tr("Alternates between two number formats until one is known to need less energy."));
    auto* change = addWay(u"welcomeChange"_s, "trend"_L1, tr("Did my change help?"),
                          tr("Compares two settings, two runs, or before and after."));
    m_million = addWay(u"welcomeMillion"_s, "insights"_L1, tr("What would a million tokens cost?"),
                       tr("Repeats a run for up to 20 s: kWh, money and CO₂."));
    connect(m_demoModel, &QCommandLinkButton::clicked, this, &WelcomePage::demoModelRequested);
    connect(format, &QCommandLinkButton::clicked, this, &WelcomePage::paysRequested);
    connect(m_million, &QCommandLinkButton::clicked, this, &WelcomePage::millionRequested);
    auto* changes = new QMenu(change);
    changes->addAction(tr("Two settings, models or servers, measured in turns"), this,
                       &WelcomePage::paysRequested);
    changes->addAction(tr("Record the state before a change now"), this,
                       &WelcomePage::changeBeforeRequested);
    m_changeAfter = changes->addAction(QString(), this, &WelcomePage::changeAfterRequested);
    setPendingChange({});
    changes->addAction(tr("Runs that exist already: choose them in History"), this,
                       &WelcomePage::existingRequested);
    change->setMenu(changes);
}

void WelcomePage::addFurtherWays()
{
    m_ways = addWays(tr("Or begin here"));
    m_demoRun = addWay(
        u"welcomeDemoRun"_s, "open"_L1, tr("Open the recorded demo run"),
        tr("Recorded on a simulated machine with several rails; its energies are not measured."));
    auto* folder = addWay(u"welcomeFolder"_s, "storage"_L1, tr("Add a folder with models"),
                          tr("HuggingFace, MLX or GGUF. You can also drop one here."));
    auto* sensors = addWay(u"welcomeSensors"_s, "live"_L1, tr("Check the power sensors"),
                           tr("What this computer can measure, and what is missing."));
    connect(m_demoRun, &QCommandLinkButton::clicked, this, &WelcomePage::demoRunRequested);
    connect(folder, &QCommandLinkButton::clicked, this, &WelcomePage::folderRequested);
    connect(sensors, &QCommandLinkButton::clicked, this, &WelcomePage::sensorsRequested);
}

QGridLayout* WelcomePage::addWays(const QString& heading)
{
    if (!heading.isEmpty()) {
        auto* title = line(heading, TypeSize::Body, this);
        setMuted(*title);
        m_column->addWidget(title);
    }
    auto* grid = new QGridLayout;
    grid->setSpacing(kGrid);
    for (int column = 0; column < kWaysInARow; ++column)
        grid->setColumnStretch(column, 1);
    m_column->addLayout(grid);
    return grid;
}

QCommandLinkButton* WelcomePage::addWay(const QString& id, QLatin1StringView icon,
                                        const QString& title, const QString& text)
{
    auto* button = named(new QCommandLinkButton(title, this), id);
    button->setIcon(lineIcon(icon));
    describe(button, text);
    m_ways->addWidget(button, m_ways->count() / kWaysInARow, m_ways->count() % kWaysInARow);
    return button;
}

void WelcomePage::setProblems(const QString& demoRun, const QString& demoModel)
{
    const auto show = [](QCommandLinkButton* button, const QString& problem) {
        button->setEnabled(problem.isEmpty());
        if (!problem.isEmpty())
            describe(button, problem);
    };
    m_example->setVisible(demoRun.isEmpty());
    show(m_demoRun, demoRun);
    show(m_demoModel, demoModel);
    show(m_million, demoModel);
}

void WelcomePage::setPendingChange(const QString& when)
{
    m_changeAfter->setEnabled(!when.isEmpty());
    m_changeAfter->setText(when.isEmpty()
                               ? tr("Measure again after the change")
                               : tr("Measure again after the change: compares with %1").arg(when));
}

void WelcomePage::setFirstRun(const QString& model, const QString& prompt)
{
    m_demoModel->setDescription(
        tr("Runs %1 for up to 20 s and ranks its parts. Prompt: “%2”").arg(model, prompt));
}

void WelcomePage::setRecentFiles(const QStringList& files)
{
    while (const std::unique_ptr<QLayoutItem> item{m_recent->takeAt(0)})
        delete item->widget();
    m_recentBox->setVisible(!files.isEmpty());
    if (files.isEmpty())
        return;
    m_recent->addWidget(line(tr("Recently opened"), TypeSize::Body, m_recentBox));
    for (const QString& file : files.mid(0, kMaxRecent)) {
        auto* button =
            named(new QPushButton(QFileInfo(file).fileName(), m_recentBox), u"welcomeRecent"_s);
        button->setFlat(true);
        button->setToolTip(richText(file));
        button->setStyleSheet(u"text-align: left; padding: 4px;"_s);
        connect(button, &QPushButton::clicked, this, [this, file] { Q_EMIT fileRequested(file); });
        m_recent->addWidget(button);
    }
}

} // namespace ep::ui
