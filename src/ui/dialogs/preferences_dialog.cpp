// SPDX-License-Identifier: GPL-3.0-or-later
#include "dialogs/preferences_dialog.h"

#include "text.h"
#include "theme/design.h"
#include "widgets/assembly.h"
#include "widgets/vertical_scroll.h"

#include "ep/store/store.h"
#include "ep/ui/file_dialog.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QDoubleSpinBox>
#include <QFileInfo>
#include <QGridLayout>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>
#include <QSpinBox>
#include <QStackedWidget>

#include <algorithm>
#include <initializer_list>
#include <utility>

namespace ep::ui {

namespace {

using namespace Qt::Literals::StringLiterals;

constexpr QSize kSize{760, 520};

template <typename Box, typename Number>
void setUp(Box* box, const QString& id, Number low, Number high, Number value)
{
    box->setObjectName(id);
    box->setRange(low, high);
    box->setValue(value);
    box->setKeyboardTracking(false); // an incomplete number must not become a setting
}

QComboBox* choice(const QString& id, std::initializer_list<std::pair<QString, QVariant>> items,
                  const QVariant& now)
{
    auto* box = named(new QComboBox, id);
    for (const auto& [text, value] : items)
        box->addItem(text, value);
    box->setCurrentIndex(std::max(0, box->findData(now)));
    return box;
}

} // namespace

SettingsPage::SettingsPage(QWidget* parent)
    : QWidget(parent)
    , m_grid(new QGridLayout(this))
{
    m_grid->setVerticalSpacing(kHalfGrid);
    m_grid->setColumnStretch(1, 1);
}

void SettingsPage::addRow(const QString& label, QWidget* control, const QString& explanation)
{
    control->setAccessibleDescription(explanation);
    if (control->accessibleName().isEmpty())
        control->setAccessibleName(QString(label).remove(u'&'));
    const int row = m_rows;
    m_rows += 2;
    if (!label.isEmpty()) {
        auto* words = new QLabel(label, this);
        words->setBuddy(control);
        m_grid->addWidget(words, row, 0, Qt::AlignRight | Qt::AlignVCenter);
    }
    auto* line = wrapped(new QLabel(explanation, this));
    line->setAlignment(Qt::AlignLeft | Qt::AlignTop); // aligned with the control that it explains
    setMuted(*line);
    setType(*line, TypeSize::Small);
    line->setContentsMargins(0, 0, 0, 2 * kGrid);
    line->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_grid->addWidget(control, row, 1);
    m_grid->addWidget(line, row + 1, 1);
    m_grid->setRowStretch(row, 0);
    m_grid->setRowStretch(m_rows, 1); // extra space goes to the bottom, not between the rows
}

PreferencesDialog::PreferencesDialog(const Settings& settings,
                                     const std::filesystem::path& tokenFile, QWidget* parent)
    : QDialog(parent)
    , m_titles(named(new QListWidget(this), u"settingsTitles"_s, tr("Settings pages")))
    , m_pages(new QStackedWidget(this))
    , m_own(settings)
{
    prepareDialog(*this, u"preferencesDialog"_s, tr("Settings"));
    m_titles->setMaximumWidth(170);
    addPage(tr("Appearance"), buildView(settings));
    addPage(tr("Runs"), buildRuns(settings));
    addPage(tr("Cost and Carbon"), buildCost(settings));
    addPage(tr("Storage and Privacy"), buildStorage(settings));
    addPage(tr("Local API"), buildApi(settings, tokenFile));
    connect(m_titles, &QListWidget::currentRowChanged, m_pages, &QStackedWidget::setCurrentIndex);
    m_titles->setCurrentRow(0);

    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
    buttons->button(QDialogButtonBox::Close)->setDefault(true);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::accept);
    auto* columns = inRow({m_titles, {m_pages, 1}});
    inColumn(this, {{columns, 1}, buttons});
    resize(kSize);
}

void PreferencesDialog::addPage(const QString& title, SettingsPage* page)
{
    m_pages->addWidget(new VerticalScroll(page, this));
    m_titles->addItem(title);
    const auto heard = [this] {
        if (!m_showing)
            Q_EMIT changed();
    };
    for (auto* box : page->findChildren<QSpinBox*>())
        connect(box, &QSpinBox::valueChanged, this, heard);
    for (auto* box : page->findChildren<QDoubleSpinBox*>())
        connect(box, &QDoubleSpinBox::valueChanged, this, heard);
    for (auto* box : page->findChildren<QComboBox*>())
        connect(box, &QComboBox::currentIndexChanged, this, heard);
    for (auto* box : page->findChildren<QCheckBox*>())
        connect(box, &QCheckBox::toggled, this, heard);
    for (auto* edit : page->findChildren<QLineEdit*>()) {
        if (qobject_cast<QAbstractSpinBox*>(edit->parentWidget()) == nullptr)
            connect(edit, &QLineEdit::editingFinished, this, heard);
    }
}

SettingsPage* PreferencesDialog::buildView(const Settings& settings)
{
    m_theme = choice(u"settingsTheme"_s,
                     {{tr("System default"), int(ThemeChoice::System)},
                      {tr("Light"), int(ThemeChoice::Light)},
                      {tr("Dark"), int(ThemeChoice::Dark)}},
                     int(settings.theme));
    m_colours =
        choice(u"settingsColours"_s, {{tr("Energy Profiler"), false}, {tr("Okabe-Ito"), true}},
               settings.okabeIto);
    m_energyUnit = choice(u"settingsEnergyUnit"_s,
                          {{tr("Joules (J)"), int(EnergyUnit::Joules)},
                           {tr("Watt-hours (Wh)"), int(EnergyUnit::WattHours)}},
                          int(settings.energyUnit));
    m_language = choice(
        u"settingsLanguage"_s,
        {{tr("System default"), QString()}, {u"English"_s, u"en"_s}, {u"Deutsch"_s, u"de"_s}},
        settings.language);
    auto* page = new SettingsPage;
    page->addRow(tr("&Theme"), m_theme, tr("Light or dark, for the window and for all charts."));
    page->addRow(tr("Colours of the &rails"), m_colours,
                 tr("The program's own colours can be distinguished with every kind of colour "
                    "vision; Okabe-Ito is a palette used in many papers."));
    page->addRow(tr("&Energy unit"), m_energyUnit,
                 tr("One watt-hour is 3600 joules. The window reopens with the new unit. Exports "
                    "and the command line always use joules."));
    page->addRow(tr("&Language"), m_language,
                 tr("The window reopens in the new language. Untranslated texts are shown in "
                    "English; numbers and dates follow the system."));
    return page;
}

SettingsPage* PreferencesDialog::buildRuns(const Settings& settings)
{
    m_interval = new QSpinBox;
    m_interval->setObjectName(u"intervalMs"_s);
    m_boxes.add(*m_interval, "interval_ms");
    m_threads = new QSpinBox;
    m_threads->setObjectName(u"threads"_s);
    m_boxes.add(*m_threads, "threads");
    m_sparsity = new DecimalBox;
    m_sparsity->setObjectName(u"sparsityThreshold"_s);
    m_sparsity->setLeastDecimals(4);
    m_sparsity->setSingleStep(0.005);
    m_boxes.add(*m_sparsity, "sparsity_threshold");
    for (QAbstractSpinBox* box :
         std::initializer_list<QAbstractSpinBox*>{m_interval, m_threads, m_sparsity})
        box->setKeyboardTracking(false); // an incomplete number must not become a setting
    m_boxes.show(settings.run);
    m_threads->setSpecialValueText(tr("all cores"));
    auto* page = new SettingsPage;
    page->addRow(
        tr("Power &sampling interval"), m_interval,
        tr("Requested from the power source; the interval achieved is shown with each run. Shorter "
           "intervals increase resolution and overhead: 100 ms suits most sensors."));
    page->addRow(
        tr("CPU &threads"), m_threads,
        tr("Number of compute threads. Fewer threads often need less energy for the same text."));
    page->addRow(tr("&Zero threshold"), m_sparsity,
                 tr("Sparsity is the share of a component's outputs whose absolute value is below "
                    "this threshold."));
    return page;
}

SettingsPage* PreferencesDialog::buildCost(const Settings& settings)
{
    m_price = new QDoubleSpinBox;
    m_price->setDecimals(4);
    m_price->setSingleStep(0.01);
    m_price->setSuffix(tr(" USD/kWh"));
    setUp(m_price, u"pricePerKwh"_s, 0.0, energy::kMaxUsdPerKwh, settings.usdPerKwh);
    m_region = named(new QComboBox, u"carbonRegion"_s);
    for (const energy::Tariff& preset : energy::tariffPresets()) {
        const QString region = toQString(preset.region);
        m_region->addItem(tr("%1: %2 g/kWh").arg(region).arg(preset.grams_per_kwh), region);
    }
    m_region->addItem(tr("Own value"), QString());
    const int known = m_region->findData(settings.carbonRegion);
    m_region->setCurrentIndex(known >= 0 ? known : m_region->count() - 1);
    m_grams = new QDoubleSpinBox;
    m_grams->setDecimals(1);
    m_grams->setSuffix(tr(" g CO₂/kWh"));
    setUp(m_grams, u"carbonGrams"_s, 0.0, energy::kMaxGramsPerKwh, settings.carbonGrams);
    m_date = named(new QLineEdit(settings.carbonDate), u"carbonDate"_s);
    m_source = named(new QLineEdit(settings.carbonSource), u"carbonSource"_s);
    auto* page = new SettingsPage;
    page->addRow(tr("&Price"), m_price,
                 tr("Price of a kilowatt-hour. Costs are computed when runs are shown, so a change "
                    "also applies to earlier runs."));
    page->addRow(
        tr("&Region"), m_region,
        tr("Emissions per kilowatt-hour: approximate values for a region, or your own value."));
    page->addRow(tr("&Emissions"), m_grams, tr("Emissions of your supplier or your grid."));
    page->addRow(tr("&Date"), m_date, tr("Date of the value, which changes from year to year."));
    page->addRow(tr("&Source"), m_source, tr("Source of the value, so that others can check it."));
    connect(m_region, &QComboBox::currentIndexChanged, this, &PreferencesDialog::showTariff);
    showTariff();
    return page;
}

// A preset's values are shown but cannot be edited; "Own value" brings back the user's values.
void PreferencesDialog::showTariff()
{
    const auto preset = energy::tariffOf(m_region->currentData().toString().toStdString());
    const bool showing = std::exchange(m_showing, true);
    if (preset) {
        if (m_grams->isEnabled()) {
            m_own.carbonGrams = m_grams->value();
            m_own.carbonDate = m_date->text();
            m_own.carbonSource = m_source->text();
        }
        m_grams->setValue(preset->grams_per_kwh);
        m_date->setText(toQString(preset->date));
        m_source->setText(toQString(preset->source));
    } else {
        m_grams->setValue(m_own.carbonGrams);
        m_date->setText(m_own.carbonDate);
        m_source->setText(m_own.carbonSource);
    }
    for (QWidget* field : std::initializer_list<QWidget*>{m_grams, m_date, m_source})
        field->setEnabled(!preset);
    m_showing = showing;
}

SettingsPage* PreferencesDialog::buildStorage(const Settings& settings)
{
    m_database = named(new QLineEdit(settings.database), u"databaseEdit"_s);
    m_database->setPlaceholderText(pathText(store::defaultDatabasePath()));
    m_database->setAccessibleName(tr("Run database"));
    auto* browse = named(new QPushButton(tr("Choose…")), u"databaseBrowse"_s);
    browse->setAutoDefault(false);
    connect(browse, &QPushButton::clicked, this, &PreferencesDialog::browseDatabase);
    auto* place = new QWidget;
    flush(inRow(place, {{m_database, 1}, browse}));
    m_hashesOnly =
        named(new QCheckBox(tr("Keep only &hashes of prompts and responses")), u"hashesOnly"_s);
    m_hashesOnly->setChecked(!settings.run.store_texts);
    m_keepBackups = named(new QCheckBox(tr("Make a daily &backup")), u"keepBackups"_s);
    m_keepBackups->setChecked(settings.keepBackups);
    m_keepRuns = new QSpinBox;
    setUp(m_keepRuns, u"keepRuns"_s, 0, store::PruneRule::kMostKept, settings.keepRuns);
    m_keepRuns->setSpecialValueText(tr("all"));
    m_keepDays = new QSpinBox;
    setUp(m_keepDays, u"keepDays"_s, 0, store::PruneRule::kMostDays, settings.keepDays);
    m_keepDays->setSpecialValueText(tr("forever"));
    m_keepDays->setSuffix(tr(" days"));

    auto* page = new SettingsPage;
    page->addRow(
        tr("&Database"), place,
        tr("The file in which runs are stored; empty for the default location. The window reopens "
           "with it. Runs are not moved: History can import them from the other file. Commands in "
           "a "
           "terminal use the default location, or the file that --db or EP_DB names."));
    page->addRow({}, m_hashesOnly,
                 tr("Prompts, responses and token texts of new runs are not stored; equal prompts "
                    "have equal hashes. Stored runs are not changed."));
    page->addRow({}, m_keepBackups,
                 tr("The last three copies of the database stay beside it. If the database cannot "
                    "be opened one day, History offers the newest."));
    page->addRow(tr("Keep the &newest"), m_keepRuns,
                 tr("Older untagged runs are deleted when the program starts; until it exits, Undo "
                    "in History restores them. Tag a run to keep it."));
    page->addRow(tr("&Keep for"), m_keepDays,
                 tr("Untagged runs older than this are deleted in the same way."));
    return page;
}

SettingsPage* PreferencesDialog::buildApi(const Settings& settings,
                                          const std::filesystem::path& tokenFile)
{
    m_api =
        named(new QCheckBox(tr("Allow &programs on this computer to profile")), u"apiEnabled"_s);
    m_api->setChecked(settings.apiEnabled);
    m_apiPort = new QSpinBox;
    setUp(m_apiPort, u"apiPort"_s, 1024, 65'535, settings.apiPort);
    m_apiPort->setEnabled(settings.apiEnabled);
    connect(m_api, &QCheckBox::toggled, m_apiPort, &QWidget::setEnabled);
    auto* page = new SettingsPage;
    page->addRow({}, m_api,
                 tr("Programs must present the token in %1, which only you can read. Other "
                    "computers cannot connect.")
                     .arg(pathText(tokenFile)));
    page->addRow(tr("P&ort"), m_apiPort,
                 tr("Port for connections from programs on this computer."));
    return page;
}

void PreferencesDialog::browseDatabase()
{
    const QString chosen = m_database->text().trimmed();
    const QString current = chosen.isEmpty() ? m_database->placeholderText() : chosen;
    auto* dialog = makeFileDialog(this, tr("Run Database"), u"databaseDialog"_s,
                                  QFileInfo(current).absolutePath());
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setOption(QFileDialog::DontConfirmOverwrite); // opens the file, never replaces it
    dialog->setNameFilter(tr("Run databases (*.db)"));
    dialog->setDefaultSuffix(u"db"_s);
    connect(dialog, &QFileDialog::fileSelected, this, [this](const QString& file) {
        m_database->setText(file);
        Q_EMIT changed();
    });
    dialog->open();
}

void PreferencesDialog::done(int result)
{
    Q_EMIT changed();
    QDialog::done(result);
}

void PreferencesDialog::writeSettings(Settings& settings) const
{
    settings.theme = static_cast<ThemeChoice>(m_theme->currentData().toInt());
    settings.okabeIto = m_colours->currentData().toBool();
    settings.energyUnit = static_cast<EnergyUnit>(m_energyUnit->currentData().toInt());
    settings.language = m_language->currentData().toString();
    m_boxes.read(settings.run);
    settings.usdPerKwh = m_price->value();
    settings.carbonRegion = m_region->currentData().toString();
    const bool own = settings.carbonRegion.isEmpty();
    settings.carbonGrams = own ? m_grams->value() : m_own.carbonGrams;
    settings.carbonDate = own ? m_date->text() : m_own.carbonDate;
    settings.carbonSource = own ? m_source->text() : m_own.carbonSource;
    settings.database = m_database->text().trimmed();
    settings.run.store_texts = !m_hashesOnly->isChecked();
    settings.keepBackups = m_keepBackups->isChecked();
    settings.keepRuns = m_keepRuns->value();
    settings.keepDays = m_keepDays->value();
    settings.apiEnabled = m_api->isChecked();
    settings.apiPort = m_apiPort->value();
}

} // namespace ep::ui
