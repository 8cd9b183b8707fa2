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

// One value of a record as the file format knows it.
struct RawBlob {
    std::string bytes;
    bool operator==(const RawBlob&) const = default;
};
using RawValue = std::variant<std::nullptr_t, std::int64_t, double, std::string, RawBlob>;

struct RawRow {
    std::int64_t rowid = 0; // of a table with row ids
    std::vector<RawValue> values; // as stored: without virtual columns
};

// Reads the rows of a damaged database from its pages, as SQLite's ".recover" does: nothing in the
// file is trusted, and a page that cannot be understood costs its own rows only. No page is read
// twice. https://www.sqlite.org/fileformat2.html has the format.
class RawPages {
public:
    explicit RawPages(const Database& database);

    // Whether the header of the file says which size its pages have.
    bool isReadable() const { return m_page_size > 0; }
    int version() const { return m_version; } // PRAGMA user_version
    std::int64_t application() const { return m_application; } // PRAGMA application_id
    std::uint32_t pages() const { return m_pages; }
    std::uint32_t damagedPages() const { return m_damaged; }

    using TakeRow = std::function<void(RawRow)>;
    // All rows of the tree with this root that can be reached.
    void readTree(std::uint32_t root, const TakeRow& take);
    // The rows of each leaf of a table that no tree has led to: take(rows of one page).
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
    std::size_t m_usable = 0; // bytes of a page
    std::uint32_t m_pages = 0;
    std::uint32_t m_damaged = 0;
    int m_version = 0;
    std::int64_t m_application = 0;
    std::vector<bool> m_visited; // by page
};

} // namespace ep::store
