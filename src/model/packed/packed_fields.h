// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "checkpoint.h"

#include "ep/core/result.h"

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace ep::model {

// The arrangements of a quantized matrix in several tensors. One table (packed_fields.cpp) lists
// the permitted properties of these tensors.
enum class PackedLayout : std::uint8_t {
    Fp8,
    Gptq,
    Awq,
    Words, // compressed-tensors: int4, int8 in words
    Bytes, // compressed-tensors: I8
    Floats, // compressed-tensors: nvfp4, mxfp4
    GptOss,
    FourBits, // bitsandbytes: nf4, fp4
    EightBits, // bitsandbytes
    Mlx,
    Gguf // the factors beside a tensor
};

// The tensors of one quantized matrix. Each is compared with the table when it is taken: its type,
// its shape, and the range of its numbers. Afterwards they can be read without further checks.
class PackedFields {
public:
    using Entry = Checkpoint::Entry;
    using Entries = std::map<std::string, Entry>;

    PackedFields(PackedLayout layout, Entries& entries, std::string prefix, std::string folder)
        : m_layout(layout)
        , m_entries(entries)
        , m_prefix(std::move(prefix))
        , m_folder(std::move(folder))
    {
    }

    // Moves the field with this ending to `into`, which becomes null if there is none and none is
    // needed. Does nothing once a field was wrong.
    PackedFields& take(const std::string& ending, std::shared_ptr<const Entry>& into);
    const Status& status() const { return m_status; }

    // The sizes that shapes in the table refer to; 0: not known.
    std::int64_t size(std::string_view name) const;
    PackedFields& set(std::string_view name, std::int64_t extent);

    // Stores the joined matrix, and drops the scales of activations and caches beside it, which
    // this program does not round. There must be no other tensor of this name.
    Status put(const std::string& name, Entry entry);
    Status put(Entry entry) { return put(m_prefix + ".weight", std::move(entry)); }
    const std::string& prefix() const { return m_prefix; }
    bool has(const std::string& ending) const { return m_entries.contains(m_prefix + ending); }

    // "The packed tensor x.qweight (I32) in .. <what>: .."
    Error wrong(const std::string& ending, const Entry& part, const Message& what) const;

private:
    bool fits(std::string_view shape, const StoredTensor& tensor);
    std::string expected(std::string_view shapes) const;
    Status check(const std::string& ending, const Entry& part);
    Error missing(const std::string& ending) const;

    PackedLayout m_layout;
    Entries& m_entries;
    std::string m_prefix;
    std::string m_folder;
    std::map<std::string, std::int64_t, std::less<>> m_sizes{};
    Status m_status{};
};

// For the test of the table and the fuzz target.
struct PackedField {
    PackedLayout layout;
    std::string_view ending;
    bool needed;
    std::string_view types; // types, separated by blanks
    // Alternatives between bars, each a list of extents: a number, a size that another field or
    // the settings gave, or "size=" for one that this field gives. "1" fits every shape with a
    // single value.
    std::string_view shapes;
    enum class Values : std::uint8_t {
        Any,
        Groups, // 0 to the number of groups, exclusive
        GroupsOrUnset, // like Groups, or all of them are -1
        Extents, // 1 to 2^31
        NotZero // finite, and not zero
    } values = Values::Any;
};
std::span<const PackedField> packedFields();

} // namespace ep::model
