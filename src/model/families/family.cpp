// SPDX-License-Identifier: GPL-3.0-or-later
#include "families/family.h"

#include "config_parts.h"
#include "gguf/gguf_config.h"

#include <algorithm>

namespace ep::model {

namespace families {
#define EP_FAMILY(architecture, describe) Family describe();
#include "families/families.def"
#undef EP_FAMILY

bool hasExperts(const GgufKeys& keys)
{
    return keys.integer("expert_count", 0, kMaxExperts) > 0;
}

bool hasWindow(const GgufKeys& keys)
{
    return keys.has("attention.sliding_window");
}

bool choosesBySigmoids(const GgufKeys& keys)
{
    constexpr int kSigmoid = 2;
    if (keys.has("expert_gating_func"))
        return keys.integer("expert_gating_func", 0, kMaxExperts) == kSigmoid;
    const int dense = keys.integer("leading_dense_block_count", 0, kMaxLayers);
    return keys.layerHas(dense, "exp_probs_b.bias");
}

} // namespace families

namespace {

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

const FamilyRow* familyOfGguf(const GgufKeys& keys)
{
    const std::string word = keys.prefix.substr(0, keys.prefix.size() - 1);
    const FamilyRow* usual = nullptr;
    for (const FamilyRow& row : familyTable()) {
        const GgufForm& form = row.family.gguf;
        if (std::ranges::find(form.architectures, word) == form.architectures.end())
            continue;
        if (form.matches && form.matches(keys))
            return &row;
        if (!form.matches && !usual)
            usual = &row;
    }
    return usual;
}

std::string supportedInGguf()
{
    std::vector<std::string_view> words;
    std::string list;
    for (const FamilyRow& row : familyTable()) {
        for (const std::string_view word : row.family.gguf.architectures) {
            if (std::ranges::find(words, word) != words.end())
                continue;
            words.push_back(word);
            list += (list.empty() ? "" : ", ") + std::string(word);
        }
    }
    return list;
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
