// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/run_filter_json.h"

#include "text.h"

#include <QJsonArray>

namespace ep::ui {

using namespace Qt::Literals::StringLiterals;

QJsonObject toJson(const RunFilter& filter)
{
    QJsonObject object;
    if (!filter.text.empty())
        object["text"_L1] = toQString(filter.text);
    for (const RunWords& words : runWords()) {
        QJsonArray list;
        for (const std::string& word : filter.*words.wanted)
            list.append(toQString(word));
        if (!list.isEmpty())
            object[QLatin1StringView(words.id)] = list;
    }
    const auto put = [&](QLatin1StringView key, const auto& value) {
        if (value)
            object[key] = static_cast<double>(*value);
    };
    put("from_ms"_L1, filter.from_ms);
    put("until_ms"_L1, filter.until_ms);
    put("last_days"_L1, filter.last_days);
    put("least_joules"_L1, filter.least_joules);
    put("most_joules"_L1, filter.most_joules);
    return object;
}

RunFilter runFilterFromJson(const QJsonObject& object)
{
    RunFilter filter;
    filter.text = object["text"_L1].toString().toStdString();
    for (const RunWords& words : runWords()) {
        for (const auto& word : object[QLatin1StringView(words.id)].toArray())
            (filter.*words.wanted).push_back(word.toString().toStdString());
    }
    const auto number = [&](QLatin1StringView key) -> std::optional<double> {
        const auto value = object[key];
        return value.isDouble() ? std::optional(value.toDouble()) : std::nullopt;
    };
    if (const auto value = number("from_ms"_L1))
        filter.from_ms = static_cast<std::int64_t>(*value);
    if (const auto value = number("until_ms"_L1))
        filter.until_ms = static_cast<std::int64_t>(*value);
    if (const auto value = number("last_days"_L1))
        filter.last_days = static_cast<int>(*value);
    filter.least_joules = number("least_joules"_L1);
    filter.most_joules = number("most_joules"_L1);
    return filter;
}

} // namespace ep::ui
