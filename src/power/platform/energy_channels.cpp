// SPDX-License-Identifier: GPL-3.0-or-later
#include "platform/energy_channels.h"

#include "ep/core/utf8.h"

#include <algorithm>
#include <array>

namespace ep::power {

namespace {

bool isNumber(std::string_view text)
{
    return !text.empty() && std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

bool takePrefix(std::string_view& text, std::string_view prefix)
{
    if (!text.starts_with(prefix))
        return false;
    text.remove_prefix(prefix.size());
    return true;
}

// "DIE_<number>_<rest>"
bool isOfDie(std::string_view name, std::string_view rest)
{
    if (!takePrefix(name, "DIE_"))
        return false;
    const auto bar = name.find('_');
    return bar != name.npos && isNumber(name.substr(0, bar)) && name.substr(bar + 1) == rest;
}

// "<base><number>"
bool isPackage(std::string_view name, std::string_view base)
{
    return takePrefix(name, base) && isNumber(name);
}

// "<base><number>_<number>"
bool isDieOfPackage(std::string_view name, std::string_view base)
{
    if (!takePrefix(name, base))
        return false;
    const auto bar = name.find('_');
    return bar != name.npos && isNumber(name.substr(0, bar)) && isNumber(name.substr(bar + 1));
}

struct Family {
    Rail rail;
    std::string_view name;
    bool (*belongs)(std::string_view channel, std::string_view name);
};
bool isExactly(std::string_view channel, std::string_view name)
{
    return channel == name;
}
// For each rail, the best family comes first.
constexpr std::array<Family, 13> kFamilies = {{
    {Rail::Cpu, "CPU Energy", isExactly},
    {Rail::Cpu, "CPU Energy", isOfDie},
    {Rail::Gpu, "GPU Energy", isExactly},
    {Rail::Gpu, "GPU Energy", isOfDie},
    {Rail::Gpu, "GPU", isExactly},
    {Rail::Gpu, "GPU", isPackage},
    {Rail::Gpu, "GPU", isDieOfPackage},
    {Rail::Ane, "ANE", isExactly},
    {Rail::Ane, "ANE", isPackage},
    {Rail::Ane, "ANE", isDieOfPackage},
    {Rail::Dram, "DRAM", isExactly},
    {Rail::Dram, "DRAM", isPackage},
    {Rail::Dram, "DRAM", isDieOfPackage},
}};

} // namespace

std::optional<double> millijoulesPerUnit(std::string_view unit)
{
    unit = trimmed(unit);
    if (unit == "mJ")
        return 1.0;
    if (unit == "uJ" || unit == "\u00b5J" || unit == "\u03bcJ")
        return 1e-3;
    if (unit == "nJ")
        return 1e-6;
    if (unit == "J")
        return 1e3;
    return std::nullopt;
}

PerRail<std::vector<std::size_t>> chooseChannels(const std::vector<EnergyChannel>& channels)
{
    PerRail<std::vector<std::size_t>> chosen;
    for (const Family& family : kFamilies) {
        auto& rail = chosen[family.rail];
        if (rail)
            continue;
        std::vector<std::size_t> members;
        for (std::size_t i = 0; i < channels.size(); ++i) {
            if (family.belongs(trimmed(channels[i].name), family.name)
                && millijoulesPerUnit(channels[i].unit))
                members.push_back(i);
        }
        if (!members.empty())
            rail = std::move(members);
    }
    return chosen;
}

} // namespace ep::power
