// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace ep::store {

class Database;

// A value of a record, as stored in the file format.
struct RawBlob {
    std::string bytes;
    bool operator==(const RawBlob&) const = default;
};
using RawValue = std::variant<std::nullptr_t, std::int64_t, double, std::string, RawBlob>;

struct RawRow {
    std::int64_t rowid = 0; // if the table has row ids
    std::vector<RawValue> values; // as stored: without virtual columns
};

// Reads the rows of a damaged database from its pages, like SQLite's ".recover": nothing in the
// file is trusted, and an unreadable page costs only its own rows. No page is read twice. Format:
// https://www.sqlite.org/fileformat2.html.
class RawPages {
public:
    explicit RawPages(const Database& database);

    // Whether the header of the file states the page size.
    bool isReadable() const { return m_page_size > 0; }
    int version() const { return m_version; } // PRAGMA user_version
    std::int64_t application() const { return m_application; } // PRAGMA application_id
    std::uint32_t pages() const { return m_pages; }
    std::uint32_t damagedPages() const { return m_damaged; }

    using TakeRow = std::function<void(RawRow)>;
    // All reachable rows of the tree with this root.
    void readTree(std::uint32_t root, const TakeRow& take);
    // The rows of each table leaf that no tree has reached: calls take with the rows of one page.
    void readLostLeaves(const std::function<void(std::vector<RawRow>)>& take);

private:
    struct Page;
    std::optional<std::string> bytesOf(std::uint32_t page) const;
    std::optional<Page> parse(std::uint32_t page) const;
    std::optional<RawRow> rowOf(const Page& page, std::size_t offset) const;
    std::optional<std::string> payloadOf(const Page& page, std::size_t offset, std::uint64_t size,
                                         bool isTable) const;
    void markFreePages();

    const Database& m_database;
    std::size_t m_page_size = 0;
    std::size_t m_usable = 0; // usable bytes of a page
    std::uint32_t m_pages = 0;
    std::uint32_t m_damaged = 0;
    int m_version = 0;
    std::int64_t m_application = 0;
    std::vector<bool> m_visited; // one flag per page
};

} // namespace ep::store
