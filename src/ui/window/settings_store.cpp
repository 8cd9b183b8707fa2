// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/ui/settings_store.h"

#include <QCoreApplication>
#include <QSettings>

#include <algorithm>
#include <cmath>
#include <functional>
#include <string_view>
#include <utility>
#include <vector>

namespace ep::ui {

namespace {

using namespace Qt::Literals::StringLiterals;

QString themeWord(ThemeChoice choice)
{
    switch (choice) {
    case ThemeChoice::System:
        break;
    case ThemeChoice::Light:
        return u"light"_s;
    case ThemeChoice::Dark:
        return u"dark"_s;
    }
    return u"system"_s;
}

ThemeChoice themeFromWord(const QString& word)
{
    if (word == "light"_L1)
        return ThemeChoice::Light;
    return word == "dark"_L1 ? ThemeChoice::Dark : ThemeChoice::System;
}

int boundedInt(const QSettings& file, const QString& key, int fallback, int low, int high)
{
    bool ok = false;
    const int value = file.value(key, fallback).toInt(&ok);
    return ok && value >= low && value <= high ? value : fallback;
}

double boundedDouble(const QSettings& file, const QString& key, double fallback, double low,
                     double high)
{
    bool ok = false;
    const double value = file.value(key, fallback).toDouble(&ok);
    return ok && std::isfinite(value) && value >= low && value <= high ? value : fallback;
}

QString wordOr(const QSettings& file, const QString& key, const QString& fallback)
{
    const QString word = file.value(key).toString();
    return word.isEmpty() ? fallback : word;
}

SamplingSettings readSampling(const QSettings& file)
{
    const SamplingSettings defaults = Settings().sampling;
    SamplingSettings s;
    s.temperature = boundedDouble(file, u"live/temperature"_s, defaults.temperature, 0.0, 10.0);
    s.top_k = boundedInt(file, u"live/top_k"_s, defaults.top_k, 0, 1'000'000);
    s.top_p = boundedDouble(file, u"live/top_p"_s, defaults.top_p, 0.01, 1.0);
    s.min_p = boundedDouble(file, u"live/min_p"_s, defaults.min_p, 0.0, 1.0);
    s.repetition_penalty =
        boundedDouble(file, u"live/repetition_penalty"_s, defaults.repetition_penalty, 0.1, 10.0);
    for (const QString& stop : file.value("live/stop"_L1).toStringList())
        s.stop.push_back(stop.toStdString());
    s.seed = file.value("live/seed"_L1).toULongLong();
    return s;
}

std::vector<std::pair<QLatin1StringView, QVariant>> historyValues(const Settings& s)
{
    return {{"history/filter"_L1, s.historyFilter},
            {"history/group_by"_L1, s.historyGroupBy},
            {"history/filter_database"_L1, s.historyFilterDatabase},
            {"history/saved_filters"_L1, s.savedFilters},
            {"history/trend"_L1, s.historyTrend},
            {"history/details"_L1, s.historyDetails}};
}

void readHistory(const QSettings& file, Settings& s)
{
    s.historyFilter = file.value("history/filter"_L1).toByteArray();
    s.historyGroupBy = file.value("history/group_by"_L1).toString();
    s.historyFilterDatabase = file.value("history/filter_database"_L1).toString();
    s.savedFilters = file.value("history/saved_filters"_L1).toByteArray();
    s.historyTrend = file.value("history/trend"_L1, s.historyTrend).toBool();
    s.historyDetails = file.value("history/details"_L1, s.historyDetails).toBool();
}

// Writes a value under its key.
using Put = std::function<void(QLatin1StringView, const QVariant&)>;

void putRunForm(const Put& put, const Settings& s)
{
    const std::string_view depth = name(s.depth);
    put("live/model"_L1, s.modelFolder);
    put("live/commands"_L1, s.storeTexts ? s.commands : QStringList());
    put("live/records_python"_L1, s.recordsPython);
    put("live/prompt"_L1, s.storeTexts ? s.prompt : QString());
    put("live/system"_L1, s.storeTexts ? s.systemMessage : QString());
    put("live/chat_template"_L1, s.chatTemplate);
    put("live/is_conversation"_L1, s.storeTexts && s.isConversation);
    put("live/conversation"_L1, s.storeTexts ? s.conversation : QString());
    put("live/template_variables"_L1, s.storeTexts ? s.templateVariables : QString());
    put("live/max_new_tokens"_L1, s.maxNewTokens);
    put("live/depth"_L1, QString::fromUtf8(depth.data(), static_cast<qsizetype>(depth.size())));
    put("live/device"_L1, s.device);
    put("live/dtype"_L1, s.dtype);
    put("live/temperature"_L1, s.sampling.temperature);
    put("live/top_k"_L1, s.sampling.top_k);
    put("live/top_p"_L1, s.sampling.top_p);
    put("live/min_p"_L1, s.sampling.min_p);
    put("live/repetition_penalty"_L1, s.sampling.repetition_penalty);
    QStringList stops;
    for (const std::string& stop : s.storeTexts ? s.sampling.stop : std::vector<std::string>())
        stops.append(QString::fromStdString(stop));
    put("live/stop"_L1, stops);
    put("live/batch_size"_L1, s.batchSize);
    put("live/context_length"_L1, s.contextLength);
    put("live/seed"_L1, static_cast<qulonglong>(s.sampling.seed));
    put("live/sampling_expanded"_L1, s.samplingExpanded);
    put("live/baseline_seconds"_L1, s.baselineSeconds);
    put("live/warmup_tokens"_L1, s.warmupTokens);
    put("live/repeat"_L1, s.repeat);
    put("live/cool_down_seconds"_L1, s.coolDownSeconds);
    put("live/measurement_expanded"_L1, s.measurementExpanded);
    put("live/experiment"_L1, s.experiment);
    put("live/power_source"_L1, s.powerSource);
    put("live/replay_file"_L1, s.replayFile);
    put("live/idle_watts"_L1, s.idleWatts);
    put("live/full_watts"_L1, s.fullWatts);
    put("live/tags"_L1, s.tags);
}

void putMachine(const Put& put, const Settings& s)
{
    put("models/folders"_L1, s.modelFolders);
    put("power/interval_ms"_L1, s.intervalMs);
    put("engine/threads"_L1, s.threads);
    put("engine/sparsity_threshold"_L1, s.sparsityThreshold);
    put("api/enabled"_L1, s.apiEnabled);
    put("api/port"_L1, s.apiPort);
    put("store/database"_L1, s.database);
    put("store/texts"_L1, s.storeTexts);
    put("store/backups"_L1, s.keepBackups);
    put("store/keep_runs"_L1, s.keepRuns);
    put("store/keep_days"_L1, s.keepDays);
    put("cost/usd_per_kwh"_L1, s.usdPerKwh);
    put("cost/carbon_region"_L1, s.carbonRegion);
    put("cost/carbon_grams"_L1, s.carbonGrams);
    put("cost/carbon_date"_L1, s.carbonDate);
    put("cost/carbon_source"_L1, s.carbonSource);
}

void putWindow(const Put& put, const Settings& s)
{
    put("view/theme"_L1, themeWord(s.theme));
    put("view/language"_L1, s.language);
    put("view/okabe_ito"_L1, s.okabeIto);
    put("view/watt_hours"_L1, s.energyUnit == EnergyUnit::WattHours);
    put("window/welcome_seen"_L1, s.welcomeSeen);
    put("window/recent_files"_L1, s.recentFiles);
    put("import/power_tables"_L1, s.powerTables);
    put("window/geometry"_L1, s.windowGeometry);
    put("window/live_splitter"_L1, s.liveSplitter);
    put("window/navigation_folded"_L1, s.navigationFolded);
    put("window/history_header"_L1, s.historyHeader);
    for (const auto& [key, value] : historyValues(s))
        put(key, value);
}

} // namespace

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
    const QSettings& file = *m_file;
    const Settings defaults;
    Settings& s = m_settings;
    s.theme = themeFromWord(file.value("view/theme"_L1).toString());

    s.modelFolder = file.value("live/model"_L1).toString();
    s.commands = file.value("live/commands"_L1).toStringList();
    s.recordsPython = file.value("live/records_python"_L1, defaults.recordsPython).toBool();
    s.prompt = file.value("live/prompt"_L1, defaults.prompt).toString();
    s.systemMessage = file.value("live/system"_L1).toString();
    s.chatTemplate = file.value("live/chat_template"_L1, defaults.chatTemplate).toBool();
    s.isConversation = file.value("live/is_conversation"_L1).toBool();
    s.conversation = file.value("live/conversation"_L1).toString();
    s.templateVariables = file.value("live/template_variables"_L1).toString();
    s.maxNewTokens =
        boundedInt(file, u"live/max_new_tokens"_s, defaults.maxNewTokens, 1, 1'000'000);
    s.depth = depthFromName(file.value("live/depth"_L1).toString().toStdString())
                  .value_or(defaults.depth);
    s.device = wordOr(file, u"live/device"_s, defaults.device);
    s.dtype = wordOr(file, u"live/dtype"_s, defaults.dtype);
    s.sampling = readSampling(file);
    s.contextLength =
        boundedInt(file, u"live/context_length"_s, defaults.contextLength, 0, 1'000'000'000);
    s.batchSize = boundedInt(file, u"live/batch_size"_s, defaults.batchSize, 1, 256);
    s.samplingExpanded = file.value("live/sampling_expanded"_L1).toBool();
    s.baselineSeconds =
        boundedDouble(file, u"live/baseline_seconds"_s, defaults.baselineSeconds, 0.0, 600.0);
    s.warmupTokens = boundedInt(file, u"live/warmup_tokens"_s, defaults.warmupTokens, 0, 10'000);
    s.repeat = boundedInt(file, u"live/repeat"_s, defaults.repeat, 1, 1000);
    s.coolDownSeconds =
        boundedDouble(file, u"live/cool_down_seconds"_s, defaults.coolDownSeconds, 0.0, 3600.0);
    s.measurementExpanded = file.value("live/measurement_expanded"_L1).toBool();
    s.experiment = file.value("live/experiment"_L1).toString();
    s.powerSource = wordOr(file, u"live/power_source"_s, defaults.powerSource);
    s.replayFile = file.value("live/replay_file"_L1).toString();
    s.idleWatts = boundedDouble(file, u"live/idle_watts"_s, defaults.idleWatts, 0.0, 100'000.0);
    s.fullWatts = boundedDouble(file, u"live/full_watts"_s, defaults.fullWatts, 0.0, 100'000.0);
    s.tags = file.value("live/tags"_L1).toString();

    s.modelFolders = file.value("models/folders"_L1).toStringList();
    s.intervalMs = boundedInt(file, u"power/interval_ms"_s, defaults.intervalMs, 10, 10'000);
    s.threads = boundedInt(file, u"engine/threads"_s, defaults.threads, 0, 1024);
    s.sparsityThreshold =
        boundedDouble(file, u"engine/sparsity_threshold"_s, defaults.sparsityThreshold, 0.0, 1e6);
    s.apiEnabled = file.value("api/enabled"_L1, false).toBool();
    s.apiPort = boundedInt(file, u"api/port"_s, defaults.apiPort, 1024, 65'535);

    s.language = file.value("view/language"_L1).toString();
    s.okabeIto = file.value("view/okabe_ito"_L1).toBool();
    s.energyUnit =
        file.value("view/watt_hours"_L1).toBool() ? EnergyUnit::WattHours : EnergyUnit::Joules;
    s.database = file.value("store/database"_L1).toString();
    s.keepBackups = file.value("store/backups"_L1, defaults.keepBackups).toBool();
    s.storeTexts = file.value("store/texts"_L1, defaults.storeTexts).toBool();
    s.keepRuns = boundedInt(file, u"store/keep_runs"_s, defaults.keepRuns, 0, 1'000'000);
    s.keepDays = boundedInt(file, u"store/keep_days"_s, defaults.keepDays, 0, 36'500);
    s.usdPerKwh = boundedDouble(file, u"cost/usd_per_kwh"_s, defaults.usdPerKwh, 0.0, 1000.0);
    s.carbonRegion = file.value("cost/carbon_region"_L1, defaults.carbonRegion).toString();
    s.carbonGrams = boundedDouble(file, u"cost/carbon_grams"_s, defaults.carbonGrams, 0.0, 1e5);
    s.carbonDate = file.value("cost/carbon_date"_L1).toString();
    s.carbonSource = file.value("cost/carbon_source"_L1).toString();
    s.welcomeSeen = file.value("window/welcome_seen"_L1).toBool();
    s.recentFiles = file.value("window/recent_files"_L1).toStringList();
    s.powerTables = file.value("import/power_tables"_L1).toByteArray();

    s.windowGeometry = file.value("window/geometry"_L1).toByteArray();
    s.liveSplitter = file.value("window/live_splitter"_L1).toByteArray();
    s.navigationFolded = file.value("window/navigation_folded"_L1).toBool();
    s.historyHeader = file.value("window/history_header"_L1).toByteArray();
    readHistory(file, s);
}

void SettingsStore::save(const Settings& settings)
{
    if (settings == m_settings)
        return;
    m_settings = settings;
    const Put put = [this](QLatin1StringView key, const QVariant& value) {
        if (m_file->value(key) != value)
            m_file->setValue(key, value);
    };
    putRunForm(put, m_settings);
    putMachine(put, m_settings);
    putWindow(put, m_settings);
    m_file->sync();
    m_problem = m_file->status() == QSettings::NoError
        ? QString()
        : QCoreApplication::translate(
              "ep::ui::SettingsStore",
              "The settings cannot be written to %1: changes of this session will be lost. Make "
              "the file and its folder writable, or free space on the disk.")
              .arg(m_file->fileName());
}

} // namespace ep::ui
