// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/ui/settings_store.h"

#include "text.h"

#include "ep/core/power_limits.h"
#include "ep/session/run_settings.h"
#include "ep/store/store.h"
#include "ep/ui/terms.h"
#include "ep/ui/to_qstring.h"

#include <QSettings>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace ep::ui {

namespace {

using namespace Qt::Literals::StringLiterals;

enum class Rule {
    Plain,
    NotEmpty, // an empty value in the file becomes the default
    Typed, // the user's input: stored only if the user allows texts
};

struct Within { // the values that the file may hold
    double low;
    double high;
};

// The key of a setting of a run in the file; empty: it has none, or keys of its own.
QString keyOf(const session::RunSetting& row)
{
    struct Key {
        std::string_view name;
        QLatin1StringView key;
    };
    static constexpr std::array<Key, 8> kOther{
        {{"context", "live/context_length"_L1},
         {"repeats", "live/repeat"_L1},
         {"interval_ms", "power/interval_ms"_L1},
         {"threads", "engine/threads"_L1},
         {"sparsity_threshold", "engine/sparsity_threshold"_L1},
         {"profiling_depth", "live/depth"_L1},
         {"chat", "live/chat_template"_L1},
         {"power_source", ""_L1}}};
    if ((row.places & kInWindow) == 0)
        return {};
    const auto found = std::ranges::find(kOther, row.name, &Key::name);
    return found == kOther.end() ? u"live/"_s + toQString(row.name) : QString(found->key);
}

// Each setting with its key in the file, once for reading and writing.
template <typename S, typename Visit>
void visitSettings(S& s, const Visit& visit)
{
    for (const session::RunSetting& row : session::runSettings()) {
        if (const QString key = keyOf(row); !key.isEmpty())
            visit(key, s.run, row);
    }
    visit("live/model"_L1, s.modelFolder);
    visit("live/commands"_L1, s.commands, Rule::Typed);
    visit("live/records_python"_L1, s.recordsPython);
    visit("live/prompt"_L1, s.prompt, Rule::Typed);
    visit("live/system"_L1, s.run.system, Rule::Typed);
    visit("live/is_conversation"_L1, s.isConversation, Rule::Typed);
    visit("live/conversation"_L1, s.conversation, Rule::Typed);
    visit("live/template_variables"_L1, s.templateVariables, Rule::Typed);
    visit("live/stop"_L1, s.run.sampling.stop, Rule::Typed);
    visit("live/more_expanded"_L1, s.moreExpanded);
    visit("live/sampling_expanded"_L1, s.samplingExpanded);
    visit("live/measurement_expanded"_L1, s.measurementExpanded);
    visit("live/experiment"_L1, s.run.experiment);
    visit("live/power_source"_L1, s.run.power.kind, Rule::NotEmpty);
    visit("live/replay_file"_L1, s.run.power.argument);
    visit("live/idle_watts"_L1, s.run.power.idle_watts, Within{0.0, kMaxWatts});
    visit("live/full_watts"_L1, s.run.power.full_watts, Within{0.0, kMaxWatts});
    visit("live/tags"_L1, s.tags);

    visit("models/folders"_L1, s.modelFolders);
    visit("api/enabled"_L1, s.apiEnabled);
    visit("api/port"_L1, s.apiPort, Within{1024, 65'535});
    visit("store/database"_L1, s.database);
    visit("store/texts"_L1, s.run.store_texts);
    visit("store/backups"_L1, s.keepBackups);
    visit("store/keep_runs"_L1, s.keepRuns, Within{0, store::PruneRule::kMostKept});
    visit("store/keep_days"_L1, s.keepDays, Within{0, store::PruneRule::kMostDays});
    visit("cost/usd_per_kwh"_L1, s.usdPerKwh, Within{0.0, energy::kMaxUsdPerKwh});
    visit("cost/carbon_region"_L1, s.carbonRegion);
    visit("cost/carbon_grams"_L1, s.carbonGrams, Within{0.0, energy::kMaxGramsPerKwh});
    visit("cost/carbon_date"_L1, s.carbonDate);
    visit("cost/carbon_source"_L1, s.carbonSource);

    visit("view/theme"_L1, s.theme);
    visit("view/language"_L1, s.language);
    visit("view/okabe_ito"_L1, s.okabeIto);
    visit("view/watt_hours"_L1, s.energyUnit);
    visit("window/welcome_seen"_L1, s.welcomeSeen);
    visit("window/recent_files"_L1, s.recentFiles);
    visit("import/power_tables"_L1, s.powerTables);
    visit("window/geometry"_L1, s.windowGeometry);
    visit("window/live_splitter"_L1, s.liveSplitter);
    visit("window/navigation_folded"_L1, s.navigationFolded);
    visit("window/history_header"_L1, s.historyHeader);
    visit("history/filter"_L1, s.historyFilter);
    visit("history/group_by"_L1, s.historyGroupBy);
    visit("history/filter_database"_L1, s.historyFilterDatabase);
    visit("history/saved_filters"_L1, s.savedFilters);
    visit("history/trend"_L1, s.historyTrend);
    visit("history/details"_L1, s.historyDetails);
}

constexpr std::array<QLatin1StringView, 3> kThemeWords{"system"_L1, "light"_L1, "dark"_L1};

// Returns the value as the settings file stores it.
template <typename T>
QVariant stored(const T& value)
{
    return value;
}

QVariant stored(const std::vector<std::string>& texts)
{
    QStringList list;
    for (const std::string& text : texts)
        list.append(QString::fromStdString(text));
    return list;
}

QVariant stored(const std::string& text)
{
    return toQString(text);
}

QVariant stored(const ThemeChoice& choice)
{
    return QString(kThemeWords.at(static_cast<std::size_t>(choice)));
}

QVariant stored(const EnergyUnit& unit)
{
    return unit == EnergyUnit::WattHours;
}

// Fields keep their defaults where the file has no value, or one that cannot be used.
struct Reader {
    const QSettings& file;

    template <typename T>
    void operator()(QLatin1StringView key, T& field, Rule rule = Rule::Plain) const
    {
        const QVariant value = file.value(key);
        if (value.isValid() && (rule != Rule::NotEmpty || !value.toString().isEmpty()))
            take(value, field);
    }
    template <typename T>
    void operator()(QLatin1StringView key, T& field, Within range) const
    {
        bool ok = false;
        const double value = file.value(key).toDouble(&ok); // exact for every int
        const bool whole = !std::is_integral_v<T> || value == std::trunc(value);
        if (ok && whole && value >= range.low && value <= range.high)
            field = static_cast<T>(value);
    }
    void operator()(const QString& key, session::RunRequest& run,
                    const session::RunSetting& row) const
    {
        static_cast<void>(session::readSetting(row, file.value(key).toString().toStdString(), run));
    }

private:
    template <typename T>
    static void take(const QVariant& value, T& field)
    {
        field = value.value<T>();
    }
    static void take(const QVariant& value, std::vector<std::string>& field)
    {
        field.clear();
        for (const QString& text : value.toStringList())
            field.push_back(text.toStdString());
    }
    static void take(const QVariant& value, std::string& field)
    {
        field = value.toString().toStdString();
    }
    static void take(const QVariant& value, ThemeChoice& field)
    {
        const auto word = std::ranges::find(kThemeWords, value.toString());
        if (word != kThemeWords.end())
            field = static_cast<ThemeChoice>(word - kThemeWords.begin());
    }
    static void take(const QVariant& value, EnergyUnit& field)
    {
        field = value.toBool() ? EnergyUnit::WattHours : EnergyUnit::Joules;
    }
};

// Writes what has changed.
struct Writer {
    QSettings& file;
    bool storesTexts;

    template <typename T>
    void operator()(QLatin1StringView key, const T& field, Rule rule = Rule::Plain) const
    {
        const QVariant value = stored(rule == Rule::Typed && !storesTexts ? T() : field);
        if (file.value(key) != value)
            file.setValue(key, value);
    }
    template <typename T>
    void operator()(QLatin1StringView key, const T& field, Within) const
    {
        (*this)(key, field);
    }
    void operator()(const QString& key, const session::RunRequest& run,
                    const session::RunSetting& row) const
    {
        const double number = session::valueOf(row, run);
        const QString text = toQString(session::textOf(row, run));
        const QVariant value = row.whole() ? QVariant(static_cast<qlonglong>(number))
            : row.number()                 ? QVariant(number)
            : row.toggles()                ? QVariant(text == u"on"_s)
                                           : QVariant(text);
        if (file.value(key) != value)
            file.setValue(key, value);
    }
};

} // namespace

session::RunRequest usualRun()
{
    session::RunRequest run;
    run.chat = session::ChatUse::IfThere;
    return run;
}

energy::Tariff tariffFrom(const Settings& settings)
{
    energy::Tariff tariff{.region = {},
                          .usd_per_kwh = settings.usdPerKwh,
                          .grams_per_kwh = settings.carbonGrams,
                          .date = settings.carbonDate.toStdString(),
                          .source = settings.carbonSource.toStdString()};
    if (const auto preset = energy::tariffOf(settings.carbonRegion.toStdString())) {
        tariff = *preset;
        tariff.usd_per_kwh = settings.usdPerKwh;
    }
    return tariff;
}

Settings withTariff(Settings settings, const energy::Tariff& tariff)
{
    const double before = tariffFrom(settings).grams_per_kwh;
    settings.usdPerKwh = tariff.usd_per_kwh;
    if (energy::tariffOf(tariff.region)) {
        settings.carbonRegion = QString::fromStdString(tariff.region);
        return settings;
    }
    settings.carbonRegion.clear();
    if (tariff.grams_per_kwh != before && tariff.grams_per_kwh != settings.carbonGrams) {
        settings.carbonGrams = tariff.grams_per_kwh;
        settings.carbonDate = QString::fromStdString(tariff.date);
        settings.carbonSource = QString::fromStdString(tariff.source);
    }
    return settings;
}

std::filesystem::path SettingsStore::database()
{
    const QSettings file(u"energy-profiler"_s, u"energy-profiler"_s);
    const QString chosen = file.value(u"store/database"_s).toString();
    return chosen.isEmpty() || qEnvironmentVariableIsSet("EP_DB") ? store::defaultDatabasePath()
                                                                  : toPath(chosen);
}

SettingsStore::SettingsStore()
    : m_file(std::make_unique<QSettings>())
{
    read();
}

SettingsStore::SettingsStore(const QString& file)
    : m_file(std::make_unique<QSettings>(file, QSettings::IniFormat))
{
    read();
}

SettingsStore::~SettingsStore() = default;

void SettingsStore::read()
{
    visitSettings(m_settings, Reader{*m_file});
}

void SettingsStore::save(const Settings& settings)
{
    if (settings == m_settings)
        return;
    m_settings = settings;
    visitSettings(std::as_const(m_settings), Writer{*m_file, m_settings.run.store_texts});
    m_file->sync();
    m_problem = m_file->status() == QSettings::NoError
        ? QString()
        : translated(
              "The settings cannot be written to %1: changes of this session will be lost. Make "
              "the file and its folder writable, or free space on the disk.")
              .arg(m_file->fileName());
}

} // namespace ep::ui
