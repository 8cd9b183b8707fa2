// SPDX-License-Identifier: GPL-3.0-or-later
#include "pages/history_filter_bar.h"

#include "models/run_filter_json.h"
#include "text.h"
#include "theme/design.h"
#include "widgets/assembly.h"
#include "widgets/flow_layout.h"

#include "ep/energy/paired_runs.h"

#include <QAction>
#include <QComboBox>
#include <QDate>
#include <QDateEdit>
#include <QDoubleSpinBox>
#include <QInputDialog>
#include <QJsonDocument>
#include <QLabel>
#include <QMenu>
#include <QSignalBlocker>
#include <QToolButton>

#include <algorithm>
#include <set>

namespace ep::ui {

namespace {

using namespace Qt::Literals::StringLiterals;

constexpr int kAnyTime = 0;
constexpr int kDates = -1; // other choices are numbers of days, which are positive
constexpr double kMaxMillijoules = 1e9;

QToolButton* menuButton(const QString& id, QWidget* parent)
{
    auto* button = named(new QToolButton(parent), id);
    button->setPopupMode(QToolButton::InstantPopup);
    button->setMinimumHeight(24);
    auto* menu = named(new QMenu(button), id + u"Menu"_s);
    button->setMenu(menu);
    return button;
}

QDoubleSpinBox* joulesBox(const QString& id, const QString& name, QWidget* parent)
{
    auto* box = named(new QDoubleSpinBox(parent), id, name);
    box->setRange(0.0, kMaxMillijoules);
    box->setDecimals(1);
    box->setSpecialValueText(translated("any"));
    box->setSuffix(u" mJ"_s);
    box->setKeyboardTracking(false);
    box->setMaximumWidth(std::max(110, box->minimumSizeHint().width()));
    return box;
}

} // namespace

HistoryFilterBar::HistoryFilterBar(QWidget* parent)
    : QWidget(parent)
    , m_period(named(new QComboBox(this), u"filterPeriod"_s, tr("Date")))
    , m_from(named(new QDateEdit(QDate::currentDate().addMonths(-1), this), u"filterFrom"_s,
                   tr("Created on this day or later")))
    , m_until(named(new QDateEdit(QDate::currentDate(), this), u"filterUntil"_s,
                    tr("Created on this day or earlier")))
    , m_least(joulesBox(u"filterLeastJoules"_s, tr("Minimum millijoules per token"), this))
    , m_most(joulesBox(u"filterMostJoules"_s, tr("Maximum millijoules per token"), this))
    , m_clear(named(new QToolButton(this), u"filterClear"_s))
    , m_savedButton(menuButton(u"savedFilters"_s, this))
    , m_savedMenu(m_savedButton->menu())
{
    setObjectName(u"historyFilterBar"_s);
    auto* layout = new FlowLayout(this, kGrid);
    layout->addWidget(m_period);
    layout->addWidget(m_from);
    layout->addWidget(m_until);
    addChoice(u"filterModels"_s, tr("Model"), &RunFilter::models);
    addChoice(u"filterTags"_s, tr("Tag"), &RunFilter::tags);
    addChoice(u"filterExperiments"_s, tr("Experiment"), &RunFilter::experiments);
    addChoice(u"filterDevices"_s, tr("Device"), &RunFilter::devices);
    addChoice(u"filterDtypes"_s, tr("Format"), &RunFilter::dtypes);
    addChoice(u"filterDepths"_s, tr("Depth"), &RunFilter::depths);
    addChoice(u"filterSources"_s, tr("Source"), &RunFilter::sources);
    addChoice(u"filterStatuses"_s, tr("Status"), &RunFilter::statuses);
    for (const Choice& choice : m_choices)
        layout->addWidget(choice.button);
    layout->addWidget(new QLabel(tr("J/token"), this));
    layout->addWidget(m_least);
    layout->addWidget(new QLabel(u"–"_s, this));
    layout->addWidget(m_most);
    layout->addWidget(m_clear);
    layout->addWidget(m_savedButton);

    m_period->addItem(tr("Any time"), kAnyTime);
    m_period->addItem(tr("Last day"), 1);
    m_period->addItem(tr("Last 7 days"), 7);
    m_period->addItem(tr("Last 30 days"), 30);
    m_period->addItem(tr("From … until …"), kDates);
    for (QDateEdit* date : {m_from, m_until}) {
        date->setCalendarPopup(true);
        connect(date, &QDateEdit::dateChanged, this, &HistoryFilterBar::readDates);
    }
    connect(m_period, &QComboBox::currentIndexChanged, this, &HistoryFilterBar::readDates);
    connect(m_least, &QDoubleSpinBox::valueChanged, this, &HistoryFilterBar::readJoules);
    connect(m_most, &QDoubleSpinBox::valueChanged, this, &HistoryFilterBar::readJoules);
    m_clear->setText(tr("Clear"));
    m_clear->setMinimumHeight(24);
    connect(m_clear, &QToolButton::clicked, this, &HistoryFilterBar::clear);
    m_savedButton->setText(tr("Saved Filters"));
    connect(m_savedMenu, &QMenu::aboutToShow, this, &HistoryFilterBar::fillSaved);
    showFilter();
}

void HistoryFilterBar::clear()
{
    setFilter({});
    Q_EMIT filterChanged();
}

void HistoryFilterBar::addChoice(const QString& id, const QString& title,
                                 std::vector<std::string> RunFilter::*words)
{
    Choice choice{title, words, menuButton(id, this), nullptr, {}, false};
    choice.menu = choice.button->menu();
    const std::size_t index = m_choices.size();
    connect(choice.menu, &QMenu::aboutToShow, this, [this, index] { fillMenu(m_choices[index]); });
    m_choices.push_back(choice);
}

void HistoryFilterBar::setRuns(const RunList& runs)
{
    for (Choice& choice : m_choices) {
        const auto words = std::ranges::find(runWords(), choice.words, &RunWords::wanted);
        std::set<std::string> known;
        for (std::size_t i = 0; runs && i < runs->size(); ++i) {
            std::vector<std::string> own = words->of((*runs)[i].info);
            if (own.empty())
                own.emplace_back(); // stands for untagged runs
            for (std::string& word : own)
                known.insert(std::move(word));
        }
        if (choice.words == &RunFilter::tags)
            std::erase_if(known, energy::isMachineTag);
        choice.someWithout = known.erase(std::string()) > 0;
        choice.known.clear();
        for (const std::string& word : known)
            choice.known << toQString(word);
        showChoice(choice);
    }
}

void HistoryFilterBar::fillMenu(Choice& choice)
{
    choice.menu->clear();
    QStringList words = choice.known;
    for (const std::string& chosen : m_filter.*choice.words) {
        if (!words.contains(toQString(chosen)))
            words << toQString(chosen);
    }
    for (const QString& word : words) {
        QString text = word;
        QAction* action = choice.menu->addAction(text.replace(u'&', u"&&"_s));
        action->setCheckable(true);
        const std::string wanted = word.toStdString();
        action->setChecked(std::ranges::count(m_filter.*choice.words, wanted) > 0);
        connect(action, &QAction::toggled, this, [this, &choice, wanted](bool checked) {
            std::erase(m_filter.*choice.words, wanted);
            if (checked)
                (m_filter.*choice.words).push_back(wanted);
            showFilter();
            Q_EMIT filterChanged();
        });
    }
    if (words.isEmpty())
        choice.menu->addAction(tr("None in the list"))->setEnabled(false);
}

void HistoryFilterBar::showChoice(Choice& choice)
{
    const std::vector<std::string>& chosen = m_filter.*choice.words;
    choice.button->setText(chosen.empty() ? choice.title
                               : chosen.size() == 1
                               ? choice.title + u": "_s + toQString(chosen.front())
                               : tr("%1: %2").arg(choice.title).arg(chosen.size()));
    // Properties with the same value in all runs are not offered.
    const bool differs = choice.known.size() + (choice.someWithout ? 1 : 0) > 1;
    choice.button->setVisible((differs && !choice.known.isEmpty()) || !chosen.empty());
}

void HistoryFilterBar::setFilter(const RunFilter& filter)
{
    m_filter = filter;
    showFilter();
}

void HistoryFilterBar::setText(const QString& text)
{
    m_filter.text = text.toStdString();
    m_clear->setEnabled(m_filter != RunFilter());
}

void HistoryFilterBar::showFilter()
{
    const QSignalBlocker period(m_period);
    const QSignalBlocker from(m_from);
    const QSignalBlocker until(m_until);
    const QSignalBlocker least(m_least);
    const QSignalBlocker most(m_most);
    for (Choice& choice : m_choices)
        showChoice(choice);
    const bool dates = m_filter.from_ms || m_filter.until_ms;
    const int days = m_filter.last_days.value_or(kAnyTime);
    m_period->setCurrentIndex(std::max(0, m_period->findData(dates ? kDates : days)));
    if (m_filter.from_ms)
        m_from->setDate(QDateTime::fromMSecsSinceEpoch(*m_filter.from_ms).date());
    if (m_filter.until_ms)
        m_until->setDate(QDateTime::fromMSecsSinceEpoch(*m_filter.until_ms).date().addDays(-1));
    m_from->setVisible(dates);
    m_until->setVisible(dates);
    m_least->setValue(m_filter.least_joules.value_or(0.0) * 1e3);
    m_most->setValue(m_filter.most_joules.value_or(0.0) * 1e3);
    m_clear->setEnabled(m_filter != RunFilter());
}

void HistoryFilterBar::readDates()
{
    const int chosen = m_period->currentData().toInt();
    m_filter.last_days.reset();
    m_filter.from_ms.reset();
    m_filter.until_ms.reset();
    if (chosen > 0)
        m_filter.last_days = chosen;
    if (chosen == kDates) {
        m_filter.from_ms = m_from->date().startOfDay().toMSecsSinceEpoch();
        m_filter.until_ms = m_until->date().addDays(1).startOfDay().toMSecsSinceEpoch();
    }
    showFilter();
    Q_EMIT filterChanged();
}

void HistoryFilterBar::readJoules()
{
    const auto value = [](const QDoubleSpinBox* box) {
        return box->value() > 0.0 ? std::optional(box->value() * 1e-3) : std::nullopt;
    };
    m_filter.least_joules = value(m_least);
    m_filter.most_joules = value(m_most);
    showFilter();
    Q_EMIT filterChanged();
}

QByteArray HistoryFilterBar::savedFilters() const
{
    QJsonObject all;
    for (auto it = m_saved.begin(); it != m_saved.end(); ++it)
        all[it.key()] = toJson(it.value());
    return all.isEmpty() ? QByteArray() : QJsonDocument(all).toJson(QJsonDocument::Compact);
}

void HistoryFilterBar::setSavedFilters(const QByteArray& json)
{
    m_saved.clear();
    const QJsonObject all = QJsonDocument::fromJson(json).object();
    for (auto it = all.begin(); it != all.end(); ++it)
        m_saved.insert(it.key(), runFilterFromJson(it.value().toObject()));
}

void HistoryFilterBar::apply(const QString& name)
{
    if (!m_saved.contains(name))
        return;
    setFilter(m_saved.value(name));
    Q_EMIT filterChanged();
}

void HistoryFilterBar::fillSaved()
{
    m_savedMenu->clear();
    QAction* save = m_savedMenu->addAction(tr("Save This Filter…"));
    save->setEnabled(m_filter != RunFilter());
    connect(save, &QAction::triggered, this, &HistoryFilterBar::askForName);
    if (m_saved.isEmpty())
        return;
    m_savedMenu->addSeparator();
    QMenu* remove = nullptr;
    for (const QString& name : m_saved.keys()) {
        QString text = name;
        QAction* action = m_savedMenu->addAction(text.replace(u'&', u"&&"_s));
        connect(action, &QAction::triggered, this, [this, name] { apply(name); });
    }
    m_savedMenu->addSeparator();
    remove = m_savedMenu->addMenu(tr("Remove"));
    for (const QString& name : m_saved.keys()) {
        QString text = name;
        QAction* action = remove->addAction(text.replace(u'&', u"&&"_s));
        connect(action, &QAction::triggered, this, [this, name] { m_saved.remove(name); });
    }
}

void HistoryFilterBar::askForName()
{
    auto* dialog = new QInputDialog(this);
    prepareDialog(*dialog, u"filterNameDialog"_s, tr("Save Filter"));
    dialog->setLabelText(tr("Name of the filter:"));
    connect(dialog, &QInputDialog::textValueSelected, this, [this](const QString& name) {
        if (!name.trimmed().isEmpty())
            saveAs(name.trimmed());
    });
    dialog->open();
}

} // namespace ep::ui
