// SPDX-License-Identifier: GPL-3.0-or-later
#include "sqlite/raw_pages.h"

#include "sqlite/database.h"

#include <algorithm>
#include <cstring>

namespace ep::store {

namespace {

constexpr std::size_t kFileHeader = 100;
constexpr std::uint8_t kTableInterior = 0x05;
constexpr std::uint8_t kTableLeaf = 0x0D;
constexpr std::uint8_t kIndexInterior = 0x02;
constexpr std::uint8_t kIndexLeaf = 0x0A;
constexpr std::uint64_t kLongestPayload = 1'000'000'000; // SQLite's own limit

std::uint64_t bigEndian(const std::string& bytes, std::size_t offset, std::size_t size)
{
    std::uint64_t value = 0;
    for (std::size_t i = 0; i < size; ++i)
        value = value << 8U | static_cast<std::uint8_t>(bytes[offset + i]);
    return value;
}

// Advances the offset past the number; nothing if the text ends before.
std::optional<std::uint64_t> takeVarint(const std::string& bytes, std::size_t& offset)
{
    std::uint64_t value = 0;
    constexpr int kLongest = 9;
    for (int i = 0; i < kLongest && offset < bytes.size(); ++i) {
        const auto byte = static_cast<std::uint8_t>(bytes[offset++]);
        if (i == kLongest - 1)
            return value << 8U | byte;
        value = value << 7U | (byte & 0x7FU);
        if (byte < 0x80)
            return value;
    }
    return {};
}

std::size_t sizeOfType(std::uint64_t type)
{
    constexpr std::size_t kSizes[] = {0, 1, 2, 3, 4, 6, 8, 8, 0, 0};
    constexpr std::uint64_t kFirstText = 12;
    return type < std::size(kSizes) ? kSizes[type]
                                    : static_cast<std::size_t>((type - kFirstText) / 2);
}

std::optional<RawValue> valueOf(std::uint64_t type, const std::string& bytes, std::size_t offset)
{
    constexpr std::uint64_t kReal = 7;
    constexpr std::uint64_t kZero = 8;
    constexpr std::uint64_t kOne = 9;
    constexpr std::uint64_t kFirstText = 12;
    const std::size_t size = sizeOfType(type);
    if (type == 10 || type == 11 || size > bytes.size() || offset > bytes.size() - size)
        return {};
    if (type == 0)
        return RawValue(nullptr);
    if (type == kZero || type == kOne)
        return RawValue(std::int64_t{type == kOne});
    if (type >= kFirstText) {
        std::string text = bytes.substr(offset, size);
        return type % 2 == 0 ? RawValue(RawBlob{std::move(text)}) : RawValue(std::move(text));
    }
    const std::uint64_t bits = bigEndian(bytes, offset, size);
    if (type == kReal) {
        double real = 0.0;
        std::memcpy(&real, &bits, sizeof real);
        return RawValue(real);
    }
    const unsigned unused = 64U - 8U * static_cast<unsigned>(size); // sign extension
    return RawValue(static_cast<std::int64_t>(bits << unused) >> unused);
}

std::optional<std::vector<RawValue>> recordOf(const std::string& payload)
{
    std::size_t head = 0;
    const auto headSize = takeVarint(payload, head);
    if (!headSize || *headSize > payload.size())
        return {};
    std::vector<RawValue> values;
    for (std::size_t body = *headSize; head < *headSize;) {
        const auto type = takeVarint(payload, head);
        if (!type)
            return {};
        auto value = valueOf(*type, payload, body);
        if (!value)
            return {};
        body += sizeOfType(*type);
        values.push_back(*std::move(value));
    }
    return values;
}

} // namespace

struct RawPages::Page {
    std::string bytes;
    std::uint8_t type = 0;
    std::uint32_t rightmost = 0; // child of an inner page
    std::vector<std::size_t> cells{}; // offsets of the cells

    bool isInner() const { return type == kTableInterior || type == kIndexInterior; }
    bool isTable() const { return type == kTableInterior || type == kTableLeaf; }
};

RawPages::RawPages(const Database& database)
    : m_database(database)
{
    const auto header = database.rawBytes(0, kFileHeader);
    if (!header)
        return;
    constexpr std::uint64_t kMin = 512;
    constexpr std::uint64_t kMax = 65'536;
    std::uint64_t size = bigEndian(*header, 16, 2);
    size = size == 1 ? kMax : size;
    if (size < kMin || (size & (size - 1)) != 0)
        size = 4096; // the header is damaged; we write pages of this size
    m_page_size = static_cast<std::size_t>(size);
    constexpr std::size_t kMaxReserved = 32;
    m_usable = m_page_size - std::min<std::size_t>(bigEndian(*header, 20, 1), kMaxReserved);
    m_pages = static_cast<std::uint32_t>(database.rawSize() / size);
    m_version = static_cast<int>(static_cast<std::int32_t>(bigEndian(*header, 60, 4)));
    m_application = static_cast<std::int64_t>(bigEndian(*header, 68, 4));
    m_visited.assign(std::size_t{m_pages} + 1, false);
    markFreePages();
}

std::optional<std::string> RawPages::bytesOf(std::uint32_t page) const
{
    if (page == 0 || page > m_pages)
        return {};
    return m_database.rawBytes(std::uint64_t{page - 1} * m_page_size, m_page_size);
}

// Deleted rows must stay deleted.
void RawPages::markFreePages()
{
    const auto header = bytesOf(1);
    if (!header)
        return;
    auto trunk = static_cast<std::uint32_t>(bigEndian(*header, 32, 4));
    while (trunk > 0 && trunk <= m_pages && !m_visited[trunk]) {
        const auto bytes = bytesOf(trunk);
        if (!bytes)
            return;
        m_visited[trunk] = true;
        const std::uint64_t leaves =
            std::min<std::uint64_t>(bigEndian(*bytes, 4, 4), m_page_size / 4 - 2);
        for (std::uint64_t i = 0; i < leaves; ++i) {
            const std::uint64_t leaf = bigEndian(*bytes, 8 + 4 * static_cast<std::size_t>(i), 4);
            if (leaf <= m_pages)
                m_visited[static_cast<std::size_t>(leaf)] = true;
        }
        trunk = static_cast<std::uint32_t>(bigEndian(*bytes, 0, 4));
    }
}

std::optional<RawPages::Page> RawPages::parse(std::uint32_t page) const
{
    auto bytes = bytesOf(page);
    if (!bytes)
        return {};
    Page parsed{.bytes = *std::move(bytes)};
    const std::size_t start = page == 1 ? kFileHeader : 0;
    parsed.type = static_cast<std::uint8_t>(parsed.bytes[start]);
    const bool known = parsed.type == kTableInterior || parsed.type == kTableLeaf
        || parsed.type == kIndexInterior || parsed.type == kIndexLeaf;
    if (!known)
        return {};
    const std::size_t header = parsed.isInner() ? 12 : 8;
    const std::size_t count = bigEndian(parsed.bytes, start + 3, 2);
    if (start + header + 2 * count > m_usable)
        return {};
    if (parsed.isInner())
        parsed.rightmost = static_cast<std::uint32_t>(bigEndian(parsed.bytes, start + 8, 4));
    for (std::size_t i = 0; i < count; ++i) {
        const std::size_t offset = bigEndian(parsed.bytes, start + header + 2 * i, 2);
        if (offset < start + header + 2 * count || offset + 4 > m_usable)
            return {};
        parsed.cells.push_back(offset);
    }
    return parsed;
}

// Follows a long record into its overflow pages.
std::optional<std::string> RawPages::payloadOf(const Page& page, std::size_t offset,
                                               std::uint64_t size, bool isTable) const
{
    if (size > kLongestPayload || size > std::uint64_t{m_pages} * m_usable)
        return {};
    const std::uint64_t most = isTable ? m_usable - 35 : (m_usable - 12) * 64 / 255 - 23;
    const std::uint64_t least = (m_usable - 12) * 32 / 255 - 23;
    std::uint64_t local = size;
    if (size > most) {
        const std::uint64_t fitting = least + (size - least) % (m_usable - 4);
        local = fitting <= most ? fitting : least;
    }
    const bool goesOn = local < size;
    if (offset + local + (goesOn ? 4 : 0) > m_usable)
        return {};
    std::string payload = page.bytes.substr(offset, static_cast<std::size_t>(local));
    std::uint32_t next = goesOn ? static_cast<std::uint32_t>(
                             bigEndian(page.bytes, offset + static_cast<std::size_t>(local), 4))
                                : 0;
    while (payload.size() < size) { // each round adds bytes, so it ends
        const auto bytes = bytesOf(next);
        if (!bytes)
            return {};
        payload.append(
            *bytes, 4,
            std::min<std::size_t>(m_usable - 4, static_cast<std::size_t>(size) - payload.size()));
        next = static_cast<std::uint32_t>(bigEndian(*bytes, 0, 4));
    }
    return payload;
}

std::optional<RawRow> RawPages::rowOf(const Page& page, std::size_t offset) const
{
    if (page.type == kIndexInterior)
        offset += 4; // the number of the child page precedes it
    RawRow row;
    const auto size = takeVarint(page.bytes, offset);
    if (!size)
        return {};
    if (page.isTable()) {
        const auto rowid = takeVarint(page.bytes, offset);
        if (!rowid)
            return {};
        row.rowid = static_cast<std::int64_t>(*rowid);
    }
    const auto payload = payloadOf(page, offset, *size, page.isTable());
    auto values = payload ? recordOf(*payload) : std::nullopt;
    if (!values)
        return {};
    row.values = *std::move(values);
    return row;
}

void RawPages::readTree(std::uint32_t root, const TakeRow& take)
{
    std::vector<std::uint32_t> open{root};
    while (!open.empty()) {
        const std::uint32_t number = open.back();
        open.pop_back();
        if (number == 0 || number > m_pages || m_visited[number]) {
            ++m_damaged;
            continue;
        }
        m_visited[number] = true;
        const auto page = parse(number);
        if (!page) {
            ++m_damaged;
            continue;
        }
        if (page->isInner())
            open.push_back(page->rightmost);
        for (const std::size_t cell : page->cells) {
            if (page->isInner())
                open.push_back(static_cast<std::uint32_t>(bigEndian(page->bytes, cell, 4)));
            if (page->type == kTableInterior)
                continue;
            if (auto row = rowOf(*page, cell))
                take(*std::move(row));
        }
    }
}

void RawPages::readLostLeaves(const std::function<void(std::vector<RawRow>)>& take)
{
    for (std::uint32_t number = 2; number <= m_pages; ++number) {
        if (m_visited[number])
            continue;
        const auto page = parse(number);
        if (!page || page->type != kTableLeaf)
            continue;
        std::vector<RawRow> rows;
        for (const std::size_t cell : page->cells) {
            if (auto row = rowOf(*page, cell))
                rows.push_back(*std::move(row));
        }
        if (!rows.empty())
            take(std::move(rows));
    }
}

} // namespace ep::store
