// SPDX-License-Identifier: GPL-3.0-or-later
#include "gguf/gguf_file.h"

#include "ep/json/gguf.h"
#include "ep/json/value.h"
#include "ep/model/dtype.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace ep::model {
namespace {

namespace fs = std::filesystem;

constexpr int kMaxParts = 1024;

struct TensorType {
    std::string_view name;
    std::int64_t block = 1; // numbers in a block
    std::int64_t bytes = 1; // bytes of a block
};
// Types in which nothing is computed; F64 also becomes F32 when loading.
struct PlainType {
    std::uint32_t number; // number in the file
    std::string_view name;
    std::int64_t bytes;
};
constexpr std::array<PlainType, 5> kPlainTypes{
    {{24, "I8", 1}, {25, "I16", 2}, {26, "I32", 4}, {27, "I64", 8}, {28, "F64", 8}}};

std::optional<TensorType> typeNumbered(std::uint32_t number)
{
    for (const DTypeRow& row : kDTypes) {
        if (row.gguf >= 0 && static_cast<std::uint32_t>(row.gguf) == number)
            return TensorType{.name = row.stored, .block = row.block, .bytes = row.bytes};
    }
    for (const PlainType& plain : kPlainTypes) {
        if (plain.number == number)
            return TensorType{.name = plain.name, .bytes = plain.bytes};
    }
    return std::nullopt;
}

Error broken(const fs::path& file, const Message& what)
{
    return {ErrorCode::InvalidInput,
            {"%1 is not a usable GGUF file: %2; download it again.", file.string(), what}};
}

// Whether the program may read a tensor of this name; others may have any type.
bool mayBeRead(std::string_view name)
{
    constexpr std::array<std::string_view, 6> kBeginnings{"blk.",          "token_embd", "output",
                                                          "position_embd", "per_layer_", "rope_"};
    return std::any_of(kBeginnings.begin(), kBeginnings.end(),
                       [&](std::string_view beginning) { return name.starts_with(beginning); });
}

// Location of a tensor, checked against the size of its file.
Result<StoredTensor> place(const json::GgufTensor& tensor, std::span<const std::byte> data,
                           const fs::path& file)
{
    const std::string what = "the tensor " + tensor.name;
    const auto type = typeNumbered(tensor.type);
    if (!type) {
        return Error{ErrorCode::Unsupported,
                     {"%1 cannot be read: %2 has the type %3 of ggml, which is not known; use "
                      "another file of the model, or attach to the server that runs it.",
                      file.string(), what, tensor.type}};
    }
    StoredTensor stored;
    stored.dtype = type->name;
    stored.shape.assign(tensor.extents.rbegin(), tensor.extents.rend());
    const std::int64_t row = tensor.extents.empty() ? 1 : tensor.extents.front();
    if (row % type->block != 0) {
        return broken(
            file,
            Message("%1 has rows of %2 values, which are no blocks of %3", what, row, type->name));
    }
    const auto blocks = static_cast<std::uint64_t>(stored.elements() / type->block);
    const auto unit = static_cast<std::uint64_t>(type->bytes);
    if (tensor.offset > data.size() || blocks > (data.size() - tensor.offset) / unit) {
        return broken(file,
                      Message("%1 is beyond the end of the file, which is therefore incomplete (%2 "
                              "bytes of data there)",
                              what, data.size()));
    }
    stored.bytes = data.subspan(tensor.offset, blocks * unit);
    return stored;
}

std::string partName(const std::string& stem, int index, int count)
{
    std::array<char, 32> end{};
    std::snprintf(end.data(), end.size(), "-%05d-of-%05d.gguf", index + 1, count);
    return stem + end.data();
}

class Opening {
public:
    explicit Opening(std::size_t longestList)
        : m_longest_list(longestList)
    {
    }

    Result<GgufFile> open(const fs::path& path)
    {
        m_file.path = path;
        int count = 1;
        if (const Status first = add(path, &m_file.metadata); !first)
            return first.error();
        const auto split = json::read(path.string(), m_file.metadata, [&](const json::Value& keys) {
            count = std::max(1, keys.integer("split.count", 1, 0, kMaxParts));
            return keys.integer("split.no", 0, 0, kMaxParts);
        });
        if (!split)
            return split.error();
        if (count > 1) {
            const std::string own = path.filename().string();
            const std::string end = partName("", *split, count);
            if (!own.ends_with(end)) {
                return Error{ErrorCode::InvalidInput,
                             {"%1 is a part of a split model, but its name does not end with "
                              "\"%2\": give it back its name.",
                              path.string(), end}};
            }
            const std::string stem = own.substr(0, own.size() - end.size());
            if (*split != 0) {
                return Error{ErrorCode::InvalidInput,
                             {"%1 is part %2 of %3: choose the first part, %4.", path.string(),
                              *split + 1, count, partName(stem, 0, count)}};
            }
            for (int part = 1; part < count; ++part) {
                const fs::path next = path.parent_path() / partName(stem, part, count);
                if (const Status added = add(next, nullptr); !added)
                    return added.error();
            }
        }
        return std::move(m_file);
    }

private:
    Status add(const fs::path& path, json::Json* metadata)
    {
        auto mapping = MappedFile::open(path);
        if (!mapping && mapping.error().code == ErrorCode::NotFound) {
            return Error{
                ErrorCode::NotFound,
                {"%1 is missing: put it beside the other files of the model.", path.string()}};
        }
        if (!mapping)
            return mapping.error();
        auto header =
            json::readGgufHeader((*mapping)->bytes(), path.string(), metadata ? m_longest_list : 0);
        if (const Status unchanged = (*mapping)->unchanged(); !unchanged)
            return unchanged.error();
        if (!header)
            return header.error();
        if (metadata) {
            *metadata = std::move(header->metadata);
            m_file.first = *mapping;
        }
        const auto data = (*mapping)->bytes().subspan(header->data_begin);
        std::vector<std::pair<const std::byte*, const std::byte*>> places;
        for (const json::GgufTensor& tensor : header->tensors) {
            if (!typeNumbered(tensor.type) && !mayBeRead(tensor.name))
                continue;
            auto stored = place(tensor, data, path);
            if (!stored)
                return stored.error();
            places.emplace_back(stored->bytes.data(), stored->bytes.data() + stored->bytes.size());
            const auto [known, isNew] = m_file.tensors.emplace(
                tensor.name,
                GgufFile::Tensor{std::move(*stored), *mapping, path.filename().string()});
            if (!isNew) {
                return Error{ErrorCode::InvalidInput,
                             {"%1 and %2 are parts of different models, for the tensor %3 is in "
                              "both: put the parts of one model together.",
                              path.string(), known->second.file, tensor.name}};
            }
        }
        std::sort(places.begin(), places.end());
        for (std::size_t i = 1; i < places.size(); ++i) {
            if (places[i - 1].second > places[i].first)
                return broken(path, "two of its tensors overlap");
        }
        return {};
    }

    std::size_t m_longest_list;
    GgufFile m_file;
};

} // namespace

Result<GgufFile> GgufFile::open(const fs::path& file, std::size_t longestList)
{
    return Opening(longestList).open(file);
}

} // namespace ep::model
