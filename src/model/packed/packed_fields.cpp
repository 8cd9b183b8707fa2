// SPDX-License-Identifier: GPL-3.0-or-later
#include "packed/packed_fields.h"

#include "packed/unpacking.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <iterator>
#include <optional>

namespace ep::model {
namespace {

using Layout = PackedLayout;
using Allowed = PackedField::Values;

constexpr bool kNeeded = true;
constexpr bool kOptional = false;
constexpr std::string_view kFloats = "F32 F16 BF16";

// Several rows of one ending: the type of the tensor decides which one applies.
constexpr std::array<PackedField, 42> kFields{{
    {Layout::Fp8, ".weight", kNeeded, "F8_E4M3", "rows= columns="},
    {Layout::Fp8, ".weight_scale_inv", kOptional, kFloats,
     "1|rows|rows 1|rowBlocks= columnBlocks="},
    {Layout::Fp8, ".weight_scale", kOptional, kFloats, "1|rows|rows 1|rowBlocks= columnBlocks="},

    {Layout::Gptq, ".qweight", kNeeded, "I32", "words= rows="},
    {Layout::Gptq, ".qzeros", kNeeded, "I32", "groups zeroWords"},
    {Layout::Gptq, ".scales", kNeeded, kFloats, "groups rows"},
    {Layout::Gptq, ".g_idx", kOptional, "I32", "columns", Allowed::Groups},

    {Layout::Awq, ".qweight", kNeeded, "I32", "columns= words="},
    {Layout::Awq, ".qzeros", kNeeded, "I32", "groups words"},
    {Layout::Awq, ".scales", kNeeded, kFloats, "groups rows"},

    {Layout::Words, ".weight_packed", kNeeded, "I32", "rows= words="},
    {Layout::Words, ".weight_shape", kNeeded, "I64 I32", "2", Allowed::Extents},
    {Layout::Words, ".weight_scale", kNeeded, kFloats, "1|rows|rows groups="},
    {Layout::Words, ".weight_zero_point", kOptional, "I32", "zeroWords groups"},
    {Layout::Words, ".weight_zero_point", kOptional, "I8 I64", "rows groups|numbers|1"},
    {Layout::Words, ".weight_g_idx", kOptional, "I32 I64", "columns", Allowed::GroupsOrUnset},

    {Layout::Bytes, ".weight", kNeeded, "I8", "rows= columns="},
    {Layout::Bytes, ".weight_scale", kNeeded, kFloats, "1|rows|rows groups="},
    {Layout::Bytes, ".weight_zero_point", kOptional, "I32", "zeroWords groups"},
    {Layout::Bytes, ".weight_zero_point", kOptional, "I8 I64", "rows groups|numbers|1"},
    {Layout::Bytes, ".weight_g_idx", kOptional, "I32 I64", "columns", Allowed::GroupsOrUnset},

    {Layout::Floats, ".weight_packed", kNeeded, "U8", "rows= bytes="},
    {Layout::Floats, ".weight_scale", kNeeded, "F8_E4M3", "rows groupsOf16"},
    {Layout::Floats, ".weight_scale", kNeeded, "U8", "rows groupsOf32"},
    {Layout::Floats, ".weight_global_scale", kOptional, kFloats, "1", Allowed::NotZero},

    {Layout::GptOss, "_blocks", kNeeded, "U8", "experts= rows= groups= 16|rows= groups= 16"},
    {Layout::GptOss, "_scales", kNeeded, "U8", "experts rows groups|rows groups"},

    {Layout::FourBits, ".weight.quant_state.bitsandbytes__nf4", kNeeded, "U8", "text="},
    {Layout::FourBits, ".weight.quant_state.bitsandbytes__fp4", kOptional, "U8", "text="},
    {Layout::FourBits, ".weight", kNeeded, "U8", "bytes|bytes 1|1 bytes"},
    {Layout::FourBits, ".weight.quant_map", kNeeded, "F32", "16"},
    {Layout::FourBits, ".weight.absmax", kNeeded, "F32", "blocks"},
    {Layout::FourBits, ".weight.absmax", kNeeded, "U8", "roundedBlocks"},
    {Layout::FourBits, ".weight.nested_quant_map", kOptional, "F32", "256"},
    {Layout::FourBits, ".weight.nested_absmax", kNeeded, "F32", "nestedBlocks"},

    {Layout::EightBits, ".weight", kNeeded, "I8", "rows= columns="},
    {Layout::EightBits, ".SCB", kNeeded, "F32", "rows|rows 1|1 rows"},

    {Layout::Mlx, ".weight", kNeeded, "U32", "rows= words=|experts= rows= words="},
    {Layout::Mlx, ".scales", kNeeded, "F32 F16 BF16 U8", "rows groups=|experts rows groups="},
    {Layout::Mlx, ".biases", kNeeded, kFloats, "rows groups|experts rows groups"},
    {Layout::Mlx, ".global_scale", kOptional, kFloats, "1|first"},

    {Layout::Gguf, ".scale", kOptional, kFloats, "1|first"},
}};

// Tensors of several layouts with scales of values that are not rounded here, such as inputs.
constexpr std::array<std::string_view, 10> kLeftAside{
    ".input_scale",      ".input_zero_point", ".input_global_scale",
    ".activation_scale", ".output_scale",     ".input_scale_ub",
    ".k_scale",          ".v_scale",          ".q_scale",
    ".weight_format"};

// Calls `each` with the words of a list until it returns true, and returns whether it did.
template <typename Each>
bool anyWord(std::string_view list, char separator, const Each& each)
{
    while (true) {
        const std::size_t end = list.find(separator);
        if (each(list.substr(0, end)))
            return true;
        if (end == std::string_view::npos)
            return false;
        list.remove_prefix(end + 1);
    }
}

std::optional<std::int64_t> numberIn(std::string_view word)
{
    std::int64_t number = 0;
    const auto [end, problem] = std::from_chars(word.data(), word.data() + word.size(), number);
    return problem == std::errc() && end == word.data() + word.size() ? std::optional(number)
                                                                      : std::nullopt;
}

// Describes an invalid value in a field; absent if all are valid.
std::optional<Message> wrongValue(Allowed rule, const Entry& part, std::int64_t groups)
{
    constexpr std::int64_t kMaxExtent = std::int64_t{1} << 31; // so that products fit
    const std::int64_t count = part.tensor.elements();
    if (rule == Allowed::NotZero) {
        const float value = floatAt(part, 0);
        return value != 0.0F && std::isfinite(value)
            ? std::nullopt
            : std::optional<Message>("is not one number other than zero");
    }
    if (rule == Allowed::Extents) {
        for (std::int64_t i = 0; i < count; ++i) {
            if (const std::int64_t extent = wholeAt(part, i); extent < 1 || extent > kMaxExtent)
                return Message("has the value %1, not one from 1 to %2", extent, kMaxExtent);
        }
        return std::nullopt;
    }
    bool unset = rule == Allowed::GroupsOrUnset;
    for (std::int64_t i = 0; unset && i < count; ++i)
        unset = wholeAt(part, i) == -1;
    for (std::int64_t i = 0; !unset && i < count; ++i) {
        if (const std::int64_t group = wholeAt(part, i); group < 0 || group >= groups)
            return Message("names the group %1 of %2 for the column %3", group, groups, i);
    }
    return std::nullopt;
}

} // namespace

std::span<const PackedField> packedFields()
{
    return kFields;
}

PackedFields& PackedFields::take(const std::string& ending, std::shared_ptr<const Entry>& into)
{
    if (!m_status)
        return *this;
    const auto found = m_entries.find(m_prefix + ending);
    if (found == m_entries.end()) {
        const bool needed =
            std::any_of(kFields.begin(), kFields.end(), [&](const PackedField& row) {
                return row.layout == m_layout && row.ending == ending && row.needed;
            });
        into = nullptr;
        if (needed)
            m_status = missing(ending);
        return *this;
    }
    m_status = check(ending, found->second);
    if (m_status) {
        into = std::make_shared<const Entry>(std::move(found->second));
        m_entries.erase(found);
    }
    return *this;
}

Status PackedFields::check(const std::string& ending, const Entry& part)
{
    const StoredTensor& tensor = part.tensor;
    std::string types;
    for (const PackedField& row : kFields) {
        if (row.layout != m_layout || row.ending != ending)
            continue;
        types += (types.empty() ? "" : " ") + std::string(row.types);
        if (!anyWord(row.types, ' ', [&](std::string_view type) { return type == tensor.dtype; }))
            continue;
        const bool fitting =
            tensor.elements() > 0 && anyWord(row.shapes, '|', [&](std::string_view shape) {
                // If one field has a matrix for each expert, the other fields have one for each,
                // too.
                const bool ofAll = shape.find("rows") != shape.npos
                    && shape.find("experts") == shape.npos && size("experts") > 0;
                return !ofAll && fits(shape, tensor);
            });
        if (!fitting) {
            return wrong(
                ending, part,
                Message("has the shape %1, not %2", shapeText(tensor.shape), expected(row.shapes)));
        }
        if (const auto what = row.values == Allowed::Any
                ? std::nullopt
                : wrongValue(row.values, part, size("groups")))
            return wrong(ending, part, *what);
        return {};
    }
    return wrong(ending, part, Message("has a type that is none of %1", types));
}

bool PackedFields::fits(std::string_view shape, const StoredTensor& tensor)
{
    if (shape == "1")
        return tensor.elements() == 1;
    std::vector<std::pair<std::string_view, std::int64_t>> given;
    std::size_t place = 0;
    const bool differs = anyWord(shape, ' ', [&](std::string_view word) {
        if (place == tensor.shape.size())
            return true;
        const std::int64_t extent = tensor.shape[place++];
        if (word.back() == '=') {
            given.emplace_back(word.substr(0, word.size() - 1), extent);
            return false;
        }
        return numberIn(word).value_or(size(word)) != extent;
    });
    if (differs || place != tensor.shape.size())
        return false;
    for (const auto& [name, extent] : given)
        set(name, extent);
    return true;
}

// "16 x 4 or 16": sizes that are not known keep their names.
std::string PackedFields::expected(std::string_view shapes) const
{
    std::string text;
    anyWord(shapes, '|', [&](std::string_view shape) {
        std::string extents;
        anyWord(shape, ' ', [&](std::string_view word) {
            const std::string_view name =
                word.back() == '=' ? word.substr(0, word.size() - 1) : word;
            const std::int64_t known = word.back() == '=' ? 0 : size(name);
            extents += (extents.empty() ? "" : " x ")
                + (known > 0 ? std::to_string(known) : std::string(name));
            return false;
        });
        text += (text.empty() ? "" : " or ") + (shape == "1" ? "a single number" : extents);
        return false;
    });
    return text;
}

std::int64_t PackedFields::size(std::string_view name) const
{
    const auto known = m_sizes.find(name);
    return known == m_sizes.end() ? 0 : known->second;
}

PackedFields& PackedFields::set(std::string_view name, std::int64_t extent)
{
    m_sizes.insert_or_assign(std::string(name), extent);
    return *this;
}

Status PackedFields::put(const std::string& name, Entry entry)
{
    for (const std::string_view ending : kLeftAside)
        m_entries.erase(m_prefix + std::string(ending));
    if (!m_entries.emplace(name, std::move(entry)).second) {
        return Error{ErrorCode::InvalidInput,
                     {"The weight %1 in %2 is there twice, packed and as it is: use a copy of the "
                      "model whose files are all of one version.",
                      name, m_folder}};
    }
    return {};
}

Error PackedFields::wrong(const std::string& ending, const Entry& part, const Message& what) const
{
    return {
        ErrorCode::InvalidInput,
        {"The packed tensor %1 (%2) in %3 %4: use a copy of the model whose files are all of one "
         "version.",
         part.own_name.empty() ? m_prefix + ending : part.own_name, part.tensor.dtype, m_folder,
         what}};
}

Error PackedFields::missing(const std::string& ending) const
{
    return {
        ErrorCode::InvalidInput,
        {"The packed weight %1 in %2 lacks its tensor %3: use a copy of the model whose files are "
         "all of one version.",
         m_prefix, m_folder, m_prefix + ending}};
}

} // namespace ep::model
