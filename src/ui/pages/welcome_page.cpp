// SPDX-License-Identifier: GPL-3.0-or-later
#include "pages/welcome_page.h"

#include "theme/design.h"
#include "theme/ui_resources.h"

#include "ep/ui/rich_text.h"

#include <QCommandLinkButton>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QIcon>
#include <QLabel>
#include <QLayoutItem>
#include <QPushButton>
#include <QVBoxLayout>

#include <memory>

namespace ep::ui {

namespace {

using namespace Qt::Literals::StringLiterals;

constexpr int kWidth = 640;
constexpr int kInnerWidth = 600;
constexpr int kWelcomeIconSize = 72;
constexpr int kMostRecent = 5;

// A command link truncates a description longer than its line unless its width is set.
void describe(QCommandLinkButton* button, const QString& text)
{
    button->setDescription(text);
    button->setAccessibleDescription(text);
    button->setMinimumHeight(static_cast<QWidget*>(button)->heightForWidth(kInnerWidth));
}

QLabel* line(const QString& text, TypeSize size, QWidget* parent)
{
    auto* label = new QLabel(text, parent);
    label->setWordWrap(true);
    setType(*label, size);
    return label;
}

} // namespace

WelcomePage::WelcomePage(QWidget* parent)
    : QWidget(parent)
    , m_ways(new QVBoxLayout)
    , m_recent(new QVBoxLayout)
    , m_recentBox(new QWidget(this))
{
    setObjectName(u"welcomePage"_s);
    initResources();
    auto* icon = new QLabel(this);
    icon->setPixmap(QIcon(u":/icons/energy-profiler-128.png"_s).pixmap(kWelcomeIconSize));
    auto* words = new QVBoxLayout;
    words->addWidget(line(tr("Energy Profiler"), TypeSize::Title, this));
    words->addWidget(line(tr("Where do the joules of a language model go? Choose how to begin; "
                             "Help > Welcome shows this page again."),
                          TypeSize::Body, this));
    auto* head = new QHBoxLayout;
    head->addWidget(icon);
    head->addSpacing(12);
    head->addLayout(words, 1);

    m_demoRun =
        addWay(u"welcomeDemoRun"_s, "analysis"_L1, tr("Open the recorded demo run"),
               tr("A run of the bundled model on a simulated machine, with several rails, to "
                  "explore. Nothing of it was measured, and every chart says so."));
    m_demoModel =
        addWay(u"welcomeDemoModel"_s, "play"_L1, tr("Profile the demo model"),
               tr("Runs a small bundled model on this computer again and again, for five to twenty "
                  "seconds. Where no sensor works, its energy is modelled and labelled as such."));
    auto* folder = addWay(u"welcomeFolder"_s, "open"_L1, tr("Add a folder with models"),
                          tr("Models as folders of HuggingFace or MLX, or as GGUF files. You can "
                             "also drop one on this window."));
    auto* pays = addWay(u"welcomePays"_s, "compare"_L1, tr("Compare two settings"),
                        tr("Which of two models, formats or servers needs less energy on this "
                           "computer? Runs them in turns until it is known."));
    auto* sensors =
        addWay(u"welcomeSensors"_s, "live"_L1, tr("Check the power sensors"),
               tr("Shows what can be measured on this computer, why not, and what to do."));
    connect(m_demoRun, &QCommandLinkButton::clicked, this, &WelcomePage::demoRunRequested);
    connect(m_demoModel, &QCommandLinkButton::clicked, this, &WelcomePage::demoModelRequested);
    connect(folder, &QCommandLinkButton::clicked, this, &WelcomePage::folderRequested);
    connect(pays, &QCommandLinkButton::clicked, this, &WelcomePage::paysRequested);
    connect(sensors, &QCommandLinkButton::clicked, this, &WelcomePage::sensorsRequested);

    m_recent->setContentsMargins(0, 0, 0, 0);
    m_recentBox->setLayout(m_recent);
    auto* skip = new QPushButton(tr("Skip"), this);
    skip->setObjectName(u"welcomeClose"_s);
    connect(skip, &QPushButton::clicked, this, &WelcomePage::closed);
    auto* foot = new QHBoxLayout;
    foot->addStretch();
    foot->addWidget(skip);

    auto* column = new QWidget(this);
    column->setFixedWidth(kWidth);
    auto* inner = new QVBoxLayout(column);
    inner->addLayout(head);
    inner->addSpacing(16);
    inner->addLayout(m_ways);
    inner->addWidget(m_recentBox);
    inner->addSpacing(12);
    inner->addLayout(foot);
    auto* layout = new QVBoxLayout(this);
    layout->addStretch();
    layout->addWidget(column, 0, Qt::AlignHCenter);
    layout->addStretch();
    setRecentFiles({});
}

QCommandLinkButton* WelcomePage::addWay(const QString& id, QLatin1StringView icon,
                                        const QString& title, const QString& text)
{
    auto* button = new QCommandLinkButton(title, this);
    button->setObjectName(id);
    button->setIcon(lineIcon(icon));
    describe(button, text);
    m_ways->addWidget(button);
    return button;
}

void WelcomePage::setProblems(const QString& demoRun, const QString& demoModel)
{
    const auto show = [](QCommandLinkButton* button, const QString& problem) {
        button->setEnabled(problem.isEmpty());
        if (!problem.isEmpty())
            describe(button, problem);
    };
    show(m_demoRun, demoRun);
    show(m_demoModel, demoModel);
}

void WelcomePage::setRecentFiles(const QStringList& files)
{
    while (const std::unique_ptr<QLayoutItem> item{m_recent->takeAt(0)})
        delete item->widget();
    m_recentBox->setVisible(!files.isEmpty());
    if (files.isEmpty())
        return;
    m_recent->addWidget(line(tr("Recently opened"), TypeSize::Body, m_recentBox));
    for (const QString& file : files.mid(0, kMostRecent)) {
        auto* button = new QPushButton(QFileInfo(file).fileName(), m_recentBox);
        button->setObjectName(u"welcomeRecent"_s);
        button->setFlat(true);
        button->setToolTip(richText(file));
        button->setStyleSheet(u"text-align: left; padding: 4px;"_s);
        connect(button, &QPushButton::clicked, this, [this, file] { Q_EMIT fileRequested(file); });
        m_recent->addWidget(button);
    }
}

} // namespace ep::ui
