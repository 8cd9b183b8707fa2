// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/ui/settings_store.h"

#include <QSettings>

#include <algorithm>
#include <cmath>

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

} // namespace

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
    s.prompt = file.value("live/prompt"_L1).toString();
    s.chatTemplate = file.value("live/chat_template"_L1, defaults.chatTemplate).toBool();
    s.maxNewTokens =
        boundedInt(file, u"live/max_new_tokens"_s, defaults.maxNewTokens, 1, 1'000'000);
    s.depth = depthFromName(file.value("live/depth"_L1).toString().toStdString())
                  .value_or(defaults.depth);
    s.device = wordOr(file, u"live/device"_s, defaults.device);
    s.dtype = wordOr(file, u"live/dtype"_s, defaults.dtype);
    s.sampling.temperature =
        boundedDouble(file, u"live/temperature"_s, defaults.sampling.temperature, 0.0, 10.0);
    s.sampling.top_k = boundedInt(file, u"live/top_k"_s, defaults.sampling.top_k, 0, 1'000'000);
    s.sampling.top_p = boundedDouble(file, u"live/top_p"_s, defaults.sampling.top_p, 0.01, 1.0);
    s.sampling.min_p = boundedDouble(file, u"live/min_p"_s, defaults.sampling.min_p, 0.0, 1.0);
    s.sampling.repetition_penalty = boundedDouble(file, u"live/repetition_penalty"_s,
                                                  defaults.sampling.repetition_penalty, 0.1, 10.0);
    for (const QString& stop : file.value("live/stop"_L1).toStringList())
        s.sampling.stop.push_back(stop.toStdString());
    s.batchSize = boundedInt(file, u"live/batch_size"_s, defaults.batchSize, 1, 256);
    s.sampling.seed = file.value("live/seed"_L1).toULongLong();
    s.samplingExpanded = file.value("live/sampling_expanded"_L1).toBool();
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

    s.windowGeometry = file.value("window/geometry"_L1).toByteArray();
    s.liveSplitter = file.value("window/live_splitter"_L1).toByteArray();
    s.historyHeader = file.value("window/history_header"_L1).toByteArray();
}

void SettingsStore::save(const Settings& settings)
{
    if (settings == m_settings)
        return;
    m_settings = settings;
    const Settings& s = m_settings;
    const auto put = [this](QLatin1StringView key, const QVariant& value) {
        if (m_file->value(key) != value)
            m_file->setValue(key, value);
    };
    const auto word = [](std::string_view text) {
        return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
    };
    put("view/theme"_L1, themeWord(s.theme));

    put("live/model"_L1, s.modelFolder);
    put("live/prompt"_L1, s.prompt);
    put("live/chat_template"_L1, s.chatTemplate);
    put("live/max_new_tokens"_L1, s.maxNewTokens);
    put("live/depth"_L1, word(name(s.depth)));
    put("live/device"_L1, s.device);
    put("live/dtype"_L1, s.dtype);
    put("live/temperature"_L1, s.sampling.temperature);
    put("live/top_k"_L1, s.sampling.top_k);
    put("live/top_p"_L1, s.sampling.top_p);
    put("live/min_p"_L1, s.sampling.min_p);
    put("live/repetition_penalty"_L1, s.sampling.repetition_penalty);
    QStringList stops;
    for (const std::string& stop : s.sampling.stop)
        stops.append(QString::fromStdString(stop));
    put("live/stop"_L1, stops);
    put("live/batch_size"_L1, s.batchSize);
    put("live/seed"_L1, static_cast<qulonglong>(s.sampling.seed));
    put("live/sampling_expanded"_L1, s.samplingExpanded);
    put("live/power_source"_L1, s.powerSource);
    put("live/replay_file"_L1, s.replayFile);
    put("live/idle_watts"_L1, s.idleWatts);
    put("live/full_watts"_L1, s.fullWatts);
    put("live/tags"_L1, s.tags);

    put("models/folders"_L1, s.modelFolders);
    put("power/interval_ms"_L1, s.intervalMs);
    put("engine/threads"_L1, s.threads);
    put("engine/sparsity_threshold"_L1, s.sparsityThreshold);

    put("window/geometry"_L1, s.windowGeometry);
    put("window/live_splitter"_L1, s.liveSplitter);
    put("window/history_header"_L1, s.historyHeader);
    m_file->sync();
}

} // namespace ep::ui
