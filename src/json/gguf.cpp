// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/json/gguf.h"

#include "ep/core/lfs_pointer.h"
#include "ep/core/mapped_file.h"
#include "ep/core/utf8.h"
#include "ep/json/value.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>
#include <set>
#include <stdexcept>
#include <string_view>
#include <utility>

namespace ep::json {
namespace {

constexpr std::string_view kMagic = "GGUF";
constexpr std::uint32_t kOldestVersion = 2;
constexpr std::uint32_t kNewestVersion = 3;
constexpr std::uint64_t kMaxKeys = 1 << 16;
constexpr std::uint64_t kMaxTensors = 1 << 20;
constexpr std::uint64_t kLongestKey = 1 << 16;
constexpr std::uint64_t kMinPairBytes = 13; // length and type of a key, and a value
constexpr std::uint64_t kMinTensorBytes = 24; // name length, rank, type and offset of a tensor
constexpr std::uint32_t kMaxExtents = 4;
constexpr std::uint64_t kUsualAlignment = 32;
constexpr std::uint64_t kMaxAlignment = 1 << 20;
// Entries and texts of all lists and keys that are kept in memory: the largest vocabularies in use
// have 1.3 million entries with their merges, scores and types, and each takes 40 bytes and more.
constexpr std::uint64_t kMaxEntries = kMaxValues;
constexpr std::uint64_t kMaxTextBytes = 256'000'000;
constexpr int kDeepestList = 4;

// Value types, in the order of the GGUF specification.
enum class Type : std::uint32_t {
    U8,
    I8,
    U16,
    I16,
    U32,
    I32,
    F32,
    Bool,
    String,
    List,
    U64,
    I64,
    F64
};
constexpr std::array<std::uint64_t, 13> kMinBytes{1, 1, 2, 2, 4, 4, 4, 1, 8, 12, 8, 8, 8};

// The file contradicts itself.
struct Damage : std::runtime_error {
    using std::runtime_error::runtime_error;
};
// The file has another format.
struct Foreign : std::runtime_error {
    using std::runtime_error::runtime_error;
};
// The file may be sound, but this reader does not support it.
struct Unknown : std::runtime_error {
    using std::runtime_error::runtime_error;
};

// Valid UTF-8; other bytes are shown as U+FFFD.
std::string legible(std::string_view text)
{
    return isValidUtf8(text) ? std::string(text) : replaceInvalidUtf8(text);
}

// Takes values from the beginning of the remaining bytes.
class Cursor {
public:
    explicit Cursor(std::span<const std::byte> bytes)
        : m_bytes(bytes)
    {
    }

    std::uint64_t place() const { return m_place; }
    std::uint64_t left() const { return m_bytes.size() - m_place; }

    template <typename T>
    T number()
    {
        T value{};
        std::memcpy(&value, take(sizeof value), sizeof value);
        return value;
    }

    std::string_view text()
    {
        const auto length = number<std::uint64_t>();
        return {reinterpret_cast<const char*>(take(length)), length};
    }

    const std::byte* take(std::uint64_t count)
    {
        if (count > left()) {
            throw Damage("it ends in the middle of its header (" + std::to_string(count)
                         + " bytes promised, " + std::to_string(left()) + " there)");
        }
        const std::byte* const first = m_bytes.data() + m_place;
        m_place += count;
        return first;
    }

private:
    std::span<const std::byte> m_bytes;
    std::uint64_t m_place = 0;
};

class HeaderReader {
public:
    HeaderReader(std::span<const std::byte> file, std::size_t longestList)
        : m_in(file)
        , m_size(file.size())
        , m_longest_list(longestList)
    {
    }

    GgufHeader read()
    {
        const auto tensors = readBeginning();
        m_header.metadata = Json::object();
        for (std::uint64_t i = 0; i < m_keys; ++i)
            readPair();
        std::set<std::string_view> names;
        for (std::uint64_t i = 0; i < tensors; ++i)
            m_header.tensors.push_back(readTensor());
        for (const GgufTensor& tensor : m_header.tensors) {
            if (!names.insert(tensor.name).second)
                throw Damage("the tensor " + inQuotes(tensor.name) + " is in it twice");
        }
        placeData();
        return std::move(m_header);
    }

private:
    std::uint64_t readBeginning() // returns the number of tensors
    {
        if (std::memcmp(m_in.take(kMagic.size()), kMagic.data(), kMagic.size()) != 0)
            throw Foreign("it does not begin with \"GGUF\"");
        const auto version = m_in.number<std::uint32_t>();
        if (version < kOldestVersion || version > kNewestVersion) {
            const bool swapped = (version & 0xFFFFU) == 0;
            throw Unknown(swapped ? "its numbers are big endian"
                                  : "it is of version " + std::to_string(version)
                                  + ", and known are 2 and 3");
        }
        const auto tensors = m_in.number<std::uint64_t>();
        m_keys = m_in.number<std::uint64_t>();
        const std::string counts =
            std::to_string(tensors) + " tensors and " + std::to_string(m_keys) + " keys";
        if (tensors > m_in.left() / kMinTensorBytes || m_keys > m_in.left() / kMinPairBytes)
            throw Damage("it promises " + counts + ", more than its bytes can hold");
        if (tensors > kMaxTensors || m_keys > kMaxKeys)
            throw Unknown("it has " + counts + ", more than this program reads");
        return tensors;
    }

    void readPair()
    {
        const std::string key = readText();
        if (key.empty() || key.size() > kLongestKey)
            throw Damage("one of its keys is no text");
        if (m_header.metadata.contains(key))
            throw Damage("the key " + inQuotes(key) + " is in it twice");
        const Type type = readType(key);
        if (type != Type::List) {
            m_header.metadata[key] = readValue(type);
            return;
        }
        const Type entry = readType(key);
        const std::uint64_t count = readCount(entry, key);
        // Nothing needs lists of lists, or lists longer than any vocabulary.
        const bool kept = count <= m_longest_list && entry != Type::List;
        if (kept && count > kMaxEntries - m_entries) {
            throw Unknown("its lists have more than " + std::to_string(kMaxEntries)
                          + " entries, more than this program reads");
        }
        m_entries += kept ? count : 0;
        Json::array_t list;
        if (kept)
            list.reserve(count);
        for (std::uint64_t i = 0; i < count; ++i) {
            if (kept)
                list.push_back(readValue(entry));
            else
                skipValue(entry, key, kDeepestList);
        }
        if (kept)
            m_header.metadata[key] = std::move(list);
    }

    std::uint64_t readCount(Type entry, std::string_view key)
    {
        const auto count = m_in.number<std::uint64_t>();
        if (count > m_in.left() / kMinBytes[static_cast<std::size_t>(entry)]) {
            throw Damage("the key " + inQuotes(key) + " promises " + std::to_string(count)
                         + " entries");
        }
        return count;
    }

    Type readType(std::string_view key)
    {
        const auto type = m_in.number<std::uint32_t>();
        if (type >= kMinBytes.size()) {
            throw Unknown("the key " + inQuotes(key) + " has the unknown type "
                          + std::to_string(type));
        }
        return static_cast<Type>(type);
    }

    void skipValue(Type type, std::string_view key, int depth)
    {
        if (type == Type::List) {
            if (depth == 0)
                throw Unknown("the key " + inQuotes(key) + " holds lists within lists");
            const Type entry = readType(key);
            const std::uint64_t count = readCount(entry, key);
            for (std::uint64_t i = 0; i < count; ++i)
                skipValue(entry, key, depth - 1);
        } else if (type == Type::String) {
            m_in.text();
        } else {
            m_in.take(kMinBytes[static_cast<std::size_t>(type)]);
        }
    }

    Json readValue(Type type)
    {
        switch (type) {
        case Type::U8:
            return m_in.number<std::uint8_t>();
        case Type::I8:
            return m_in.number<std::int8_t>();
        case Type::U16:
            return m_in.number<std::uint16_t>();
        case Type::I16:
            return m_in.number<std::int16_t>();
        case Type::U32:
            return m_in.number<std::uint32_t>();
        case Type::I32:
            return m_in.number<std::int32_t>();
        case Type::F32:
            return static_cast<double>(m_in.number<float>());
        case Type::Bool:
            return m_in.number<std::uint8_t>() != 0;
        case Type::String:
            return readText();
        case Type::U64:
            return m_in.number<std::uint64_t>();
        case Type::I64:
            return m_in.number<std::int64_t>();
        case Type::F64:
            return m_in.number<double>();
        case Type::List:
            break;
        }
        return nullptr;
    }

    std::string readText()
    {
        const std::string_view text = m_in.text();
        m_text_bytes += text.size();
        if (m_text_bytes > kMaxTextBytes) {
            throw Unknown("its texts have more than " + std::to_string(kMaxTextBytes)
                          + " bytes, more than this program reads");
        }
        return legible(text);
    }

    GgufTensor readTensor()
    {
        GgufTensor tensor;
        const std::string name = readText();
        if (name.empty() || name.size() > kLongestKey)
            throw Damage("the name of one of its tensors is no text");
        tensor.name = name;
        const auto extents = m_in.number<std::uint32_t>();
        if (extents > m_in.left() / sizeof(std::uint64_t)) {
            throw Damage("the tensor " + inQuotes(name) + " promises " + std::to_string(extents)
                         + " dimensions");
        }
        if (extents > kMaxExtents) {
            throw Unknown("the tensor " + inQuotes(name) + " has " + std::to_string(extents)
                          + " dimensions");
        }
        constexpr auto kLimit =
            static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
        std::uint64_t elements = 1;
        for (std::uint32_t i = 0; i < extents; ++i) {
            const auto extent = m_in.number<std::uint64_t>();
            if (extent > kLimit / elements)
                throw Damage("the shape of the tensor " + inQuotes(name) + " is impossible");
            elements *= std::max<std::uint64_t>(extent, 1); // a tensor may be empty
            tensor.extents.push_back(static_cast<std::int64_t>(extent));
        }
        tensor.type = m_in.number<std::uint32_t>();
        tensor.offset = m_in.number<std::uint64_t>();
        return tensor;
    }

    void placeData()
    {
        std::uint64_t alignment = kUsualAlignment;
        if (const auto given = m_header.metadata.find("general.alignment");
            given != m_header.metadata.end()) {
            alignment = given->is_number_unsigned() ? given->get<std::uint64_t>() : 0;
            if (alignment == 0)
                throw Damage("its alignment is no whole number above 0");
            if (alignment > kMaxAlignment || (alignment & (alignment - 1)) != 0)
                throw Unknown("its alignment is " + std::to_string(alignment)
                              + ", which is no power of two up to "
                              + std::to_string(kMaxAlignment));
        }
        m_header.data_begin = (m_in.place() + alignment - 1) / alignment * alignment;
        if (m_header.tensors.empty())
            m_header.data_begin = std::min<std::uint64_t>(m_header.data_begin, m_size);
        if (m_header.data_begin > m_size)
            throw Damage("it ends before its tensors begin");
        for (const GgufTensor& tensor : m_header.tensors) {
            if (tensor.offset % alignment != 0)
                throw Damage("the tensor " + inQuotes(tensor.name) + " is not aligned");
        }
    }

    Cursor m_in;
    std::uint64_t m_size;
    std::size_t m_longest_list;
    std::uint64_t m_keys = 0;
    std::uint64_t m_entries = 0; // number of entries of the lists that were kept
    std::uint64_t m_text_bytes = 0;
    GgufHeader m_header;
};

} // namespace

Result<GgufHeader> readGgufHeader(std::span<const std::byte> file, const std::string& name,
                                  std::size_t longestList)
{
    const std::string_view text(reinterpret_cast<const char*>(file.data()), file.size());
    if (auto pointer = lfsPointer(name, text))
        return *std::move(pointer);
    try {
        return HeaderReader(file, longestList).read();
    } catch (const Unknown& problem) {
        return Error{ErrorCode::Unsupported,
                     {"%1 cannot be read: %2; convert it with a current llama.cpp, or attach to "
                      "the server that runs it.",
                      name, problem.what()}};
    } catch (const Foreign& problem) {
        return Error{ErrorCode::InvalidInput,
                     {"%1 is no GGUF file: %2; choose a GGUF file, or the folder of a model with "
                      "safetensors files.",
                      name, problem.what()}};
    } catch (const Damage& damage) {
        return Error{ErrorCode::InvalidInput,
                     {"%1 is not a usable GGUF file: %2; download it again.", name, damage.what()}};
    }
}

bool isNoToken(const Json& id)
{
    return id == std::numeric_limits<std::uint32_t>::max() || id == -1;
}

Result<Json> readGgufMetadata(const std::filesystem::path& file, std::size_t longestList)
{
    const auto mapping = MappedFile::open(file);
    return mapping ? readGgufMetadata(**mapping, longestList) : mapping.error();
}

Result<Json> readGgufMetadata(const MappedFile& file, std::size_t longestList)
{
    auto header = readGgufHeader(file.bytes(), file.path().string(), longestList);
    if (const Status unchanged = file.unchanged(); !unchanged)
        return unchanged.error();
    if (!header)
        return header.error();
    return std::move(header->metadata);
}

} // namespace ep::json
