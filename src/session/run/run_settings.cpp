// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/session/run_settings.h"

#include <limits>

namespace ep::session {

std::int64_t readWhole(json::StrictObject& object, std::string_view name,
                       std::optional<std::int64_t> standard, std::string_view key)
{
    const NumberSetting& setting = numberSetting(name);
    const std::string_view where = key.empty() ? name : key;
    const auto least = static_cast<std::int64_t>(setting.least);
    const auto most = static_cast<std::int64_t>(setting.most);
    const std::int64_t usual = standard.value_or(static_cast<std::int64_t>(setting.standard));
    if (most <= std::numeric_limits<int>::max()) {
        return object.integer(where, static_cast<int>(usual), static_cast<int>(least),
                              static_cast<int>(most));
    }
    const auto value = object.find(where);
    return value ? value->asWholeNumber(least, most) : usual;
}

double readNumber(json::StrictObject& object, std::string_view name)
{
    const NumberSetting& setting = numberSetting(name);
    return object.number(name, setting.standard, setting.least, setting.most);
}

} // namespace ep::session
