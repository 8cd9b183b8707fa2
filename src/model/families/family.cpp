// SPDX-License-Identifier: GPL-3.0-or-later
#include "families/family.h"

#include <algorithm>

namespace ep::model {

namespace families {
#define EP_FAMILY(architecture, describe) Family describe();
#include "families/families.def"
#undef EP_FAMILY
} // namespace families

namespace {

struct FamilyRow {
    std::string_view architecture;
    Family family;
};

const std::vector<FamilyRow>& familyTable()
{
    static const std::vector<FamilyRow> kTable{
#define EP_FAMILY(architecture, describe) {#architecture, families::describe()},
#include "families/families.def"
#undef EP_FAMILY
    };
    return kTable;
}

} // namespace

FamilyShape familyShape(const ModelConfig& config)
{
    for (const FamilyRow& row : familyTable()) {
        if (row.architecture == config.architecture)
            return row.family.shape(config);
    }
    return {};
}

const Family& familyOfType(std::string_view modelType)
{
    static const Family kGeneral{};
    const auto& table = familyTable();
    const auto found = std::find_if(table.begin(), table.end(), [&](const FamilyRow& row) {
        return row.family.defaults.model_type == modelType;
    });
    return found == table.end() ? kGeneral : found->family;
}

const std::vector<std::string_view>& supportedArchitectures()
{
    static const std::vector<std::string_view> kNames = [] {
        std::vector<std::string_view> names;
        for (const FamilyRow& row : familyTable())
            names.push_back(row.architecture);
        return names;
    }();
    return kNames;
}

} // namespace ep::model
