// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/ui/models/run_list_filter.h"

#include "text.h"

#include <QJsonArray>

#include <algorithm>
#include <array>
#include <utility>

namespace ep::ui {

namespace {

using namespace Qt::Literals::StringLiterals;

bool anyOf(const QStringList& wanted, const std::string& word)
{
    return wanted.isEmpty() || wanted.contains(toQString(word));
}

using List = QStringList RunListFilter::*;
constexpr std::array<std::pair<const char*, List>, 7> kLists{{
    {"models", &RunListFilter::models},
    {"tags", &RunListFilter::tags},
    {"experiments", &RunListFilter::experiments},
    {"devices", &RunListFilter::devices},
    {"depths", &RunListFilter::depths},
    {"sources", &RunListFilter::sources},
    {"statuses", &RunListFilter::statuses},
}};

} // namespace

bool RunListFilter::accepts(const RunSummary& run, qint64 nowMs) const
{
    const RunInfo& info = run.info;
    const auto& joules = run.metrics.joules_per_token;
    return anyOf(models, info.model.name) && anyOf(experiments, info.experiment)
        && anyOf(devices, info.device) && anyOf(depths, std::string(name(info.depth)))
        && anyOf(sources, info.power.source) && anyOf(statuses, std::string(name(info.status)))
        && (tags.isEmpty()
            || std::any_of(
                info.tags.begin(), info.tags.end(),
                [this](const std::string& tag) { return tags.contains(toQString(tag)); }))
        && (!from_ms || info.created_at_ms >= *from_ms)
        && (!until_ms || info.created_at_ms < *until_ms)
        && (!last_days || info.created_at_ms >= nowMs - *last_days * kMillisecondsPerDay)
        && (!least_joules || (joules && *joules >= *least_joules))
        && (!most_joules || (joules && *joules <= *most_joules));
}

bool RunListFilter::onlyText() const
{
    RunListFilter other;
    other.text = text;
    return *this == other;
}

QJsonObject RunListFilter::toJson() const
{
    QJsonObject object;
    if (!text.isEmpty())
        object["text"_L1] = text;
    for (const auto& [key, list] : kLists) {
        if (!(this->*list).isEmpty())
            object[QLatin1StringView(key)] = QJsonArray::fromStringList(this->*list);
    }
    const auto put = [&](QLatin1StringView key, const auto& value) {
        if (value)
            object[key] = static_cast<double>(*value);
    };
    put("from_ms"_L1, from_ms);
    put("until_ms"_L1, until_ms);
    put("last_days"_L1, last_days);
    put("least_joules"_L1, least_joules);
    put("most_joules"_L1, most_joules);
    return object;
}

RunListFilter RunListFilter::fromJson(const QJsonObject& object)
{
    RunListFilter filter;
    filter.text = object["text"_L1].toString();
    for (const auto& [key, list] : kLists) {
        for (const auto& word : object[QLatin1StringView(key)].toArray())
            (filter.*list) << word.toString();
    }
    const auto number = [&](QLatin1StringView key) -> std::optional<double> {
        const auto value = object[key];
        return value.isDouble() ? std::optional(value.toDouble()) : std::nullopt;
    };
    if (const auto value = number("from_ms"_L1))
        filter.from_ms = static_cast<qint64>(*value);
    if (const auto value = number("until_ms"_L1))
        filter.until_ms = static_cast<qint64>(*value);
    if (const auto value = number("last_days"_L1))
        filter.last_days = static_cast<int>(*value);
    filter.least_joules = number("least_joules"_L1);
    filter.most_joules = number("most_joules"_L1);
    return filter;
}

} // namespace ep::ui
