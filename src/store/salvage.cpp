// SPDX-License-Identifier: GPL-3.0-or-later
#include "sqlite/database.h"
#include "sqlite/migrations.h"
#include "sqlite/opening.h"
#include "sqlite/schema.h"
#include "sqlite/statement.h"
#include "store_impl.h"
#include "tables/run_table.h"

#include "ep/store/store_files.h"

#include <sqlite3.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <system_error>
#include <utility>
#include <variant>
#include <vector>

namespace ep::store {

namespace fs = std::filesystem;

namespace {

constexpr const char* kSalvaging = "save what is in the damaged database";

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

// Reads the rows of a damaged database from its pages, like SQLite's ".recover": nothing in the
// file is trusted, and an unreadable page costs only its own rows. No page is read twice. Format:
// https://www.sqlite.org/fileformat2.html.
class RawPages {
    struct Page {
        std::string bytes;
        std::uint8_t type = 0;
        std::uint32_t rightmost = 0; // child of an inner page
        std::vector<std::size_t> cells{}; // offsets of the cells

        bool isInner() const { return type == kTableInterior || type == kIndexInterior; }
        bool isTable() const { return type == kTableInterior || type == kTableLeaf; }
    };

public:
    explicit RawPages(const Database& database)
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

    // Whether the header of the file states the page size.
    bool isReadable() const { return m_page_size > 0; }
    int version() const { return m_version; } // PRAGMA user_version
    std::int64_t application() const { return m_application; } // PRAGMA application_id
    std::uint32_t pages() const { return m_pages; }
    std::uint32_t damagedPages() const { return m_damaged; }

    using TakeRow = std::function<void(RawRow)>;
    // Takes all rows of this tree that can be reached from its root.
    void readTree(std::uint32_t root, const TakeRow& take)
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

    // The rows of each table leaf that no tree has reached: calls take with the rows of one page.
    void readLostLeaves(const std::function<void(std::vector<RawRow>)>& take)
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

private:
    std::optional<std::string> bytesOf(std::uint32_t page) const
    {
        if (page == 0 || page > m_pages)
            return {};
        return m_database.rawBytes(std::uint64_t{page - 1} * m_page_size, m_page_size);
    }

    std::optional<Page> parse(std::uint32_t page) const
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

    std::optional<RawRow> rowOf(const Page& page, std::size_t offset) const
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

    // Follows a long record into its overflow pages.
    std::optional<std::string> payloadOf(const Page& page, std::size_t offset, std::uint64_t size,
                                         bool isTable) const
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
            payload.append(*bytes, 4,
                           std::min<std::size_t>(m_usable - 4,
                                                 static_cast<std::size_t>(size) - payload.size()));
            next = static_cast<std::uint32_t>(bigEndian(*bytes, 0, 4));
        }
        return payload;
    }

    // Deleted rows must stay deleted.
    void markFreePages()
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
                const std::uint64_t leaf =
                    bigEndian(*bytes, 8 + 4 * static_cast<std::size_t>(i), 4);
                if (leaf <= m_pages)
                    m_visited[static_cast<std::size_t>(leaf)] = true;
            }
            trunk = static_cast<std::uint32_t>(bigEndian(*bytes, 0, 4));
        }
    }

    const Database& m_database;
    std::size_t m_page_size = 0;
    std::size_t m_usable = 0; // usable bytes of a page
    std::uint32_t m_pages = 0;
    std::uint32_t m_damaged = 0;
    int m_version = 0;
    std::int64_t m_application = 0;
    std::vector<bool> m_visited; // one flag per page
};

struct SalvagedColumn {
    std::string name;
    std::string type;
    bool not_null = false;
    bool is_rowid = false; // alias of the row id, stored as NULL
};

struct SalvagedTable {
    std::string name;
    bool has_rowid = true;
    std::vector<SalvagedColumn> columns; // in the order of the record's values

    bool fits(const RawRow& row) const
    {
        if (row.values.empty() || row.values.size() > columns.size())
            return false;
        for (std::size_t i = 0; i < row.values.size(); ++i) {
            if (!fits(columns[i], row.values[i]))
                return false;
        }
        return true;
    }

private:
    static bool fits(const SalvagedColumn& column, const RawValue& value)
    {
        if (std::holds_alternative<std::nullptr_t>(value))
            return !column.not_null || column.is_rowid;
        if (column.is_rowid)
            return false;
        if (column.type == "TEXT")
            return std::holds_alternative<std::string>(value);
        if (column.type == "BLOB")
            return std::holds_alternative<RawBlob>(value);
        const bool integer = std::holds_alternative<std::int64_t>(value);
        return integer || (column.type == "REAL" && std::holds_alternative<double>(value));
    }
};

Result<std::vector<SalvagedTable>> salvagedTables(Database& database)
{
    std::vector<SalvagedTable> tables;
    {
        Statement query = database.prepare(
            "SELECT name, sql LIKE '%WITHOUT ROWID' FROM sqlite_schema WHERE type = 'table' "
            "AND name NOT LIKE 'sqlite_%'",
            kSalvaging);
        const Status done = query.forEachRow([&](Statement& row) {
            bool withoutRowid = false;
            row.get(tables.emplace_back().name, withoutRowid);
            tables.back().has_rowid = !withoutRowid;
        });
        if (!done)
            return done.error();
    }
    for (SalvagedTable& table : tables) {
        // Virtual columns (hidden = 2) are not stored. Without row ids, key columns come first.
        Statement query = database.prepare(
            "SELECT name, type, \"notnull\", pk FROM pragma_table_xinfo('" + table.name
                + "') WHERE hidden <> 2 ORDER BY "
                + (table.has_rowid ? "cid" : "CASE pk WHEN 0 THEN 1 ELSE 0 END, pk, cid"),
            kSalvaging);
        int keys = 0;
        const Status done = query.forEachRow([&](Statement& row) {
            SalvagedColumn& column = table.columns.emplace_back();
            int key = 0;
            row.get(column.name, column.type, column.not_null, key);
            column.is_rowid = table.has_rowid && key > 0 && column.type == "INTEGER";
            keys += key > 0 ? 1 : 0;
        });
        if (!done)
            return done.error();
        if (keys > 1) {
            for (SalvagedColumn& column : table.columns)
                column.is_rowid = false;
        }
    }
    return tables;
}

class RowSalvage {
public:
    RowSalvage(Database& damaged, Database& fresh)
        : m_file(damaged.file())
        , m_pages(damaged)
        , m_fresh(fresh)
    {
    }

    Status run(std::span<const Migration> steps, SalvageReport& report)
    {
        if (!m_pages.isReadable() || m_pages.pages() == 0) {
            return Error{ErrorCode::InvalidInput,
                         "Nothing in it can be read; restore a backup with \"energy-profiler db "
                         "--restore\"."};
        }
        if (m_pages.application() == kEarlyApplicationId)
            return isEarly(m_file);
        if (const Status made = makeSchema(steps); !made)
            return made;
        auto tables = salvagedTables(m_fresh);
        if (!tables)
            return tables.error();
        m_tables = *std::move(tables);
        Transaction transaction(m_fresh);
        if (const Status begun = transaction.begin(kSalvaging); !begun)
            return begun;
        copyTrees();
        copyLostLeaves();
        if (const Status committed = transaction.commit(kSalvaging); !committed)
            return committed;
        report.lost_rows = m_lost;
        report.unreadable_pages = m_pages.damagedPages();
        return {};
    }

private:
    // Creates the tables of the file's version, so that its rows fit.
    Status makeSchema(std::span<const Migration> steps)
    {
        const int newest = steps.back().version;
        const int version =
            m_pages.version() > 0 && m_pages.version() <= newest ? m_pages.version() : newest;
        std::string sql = "PRAGMA auto_vacuum = INCREMENTAL; PRAGMA foreign_keys = OFF; BEGIN;";
        for (const Migration& step : steps) {
            if (step.version <= version)
                sql += sqlFor(step, sqlite3_libversion_number());
        }
        sql += "; PRAGMA application_id = " + std::to_string(kApplicationId)
            + "; PRAGMA user_version = " + std::to_string(version) + "; COMMIT";
        return m_fresh.execute(sql, kSalvaging);
    }

    void copyTrees()
    {
        std::map<std::string, std::uint32_t> roots;
        std::vector<std::uint32_t> indexes; // their pages are not lost, but not needed either
        m_pages.readTree(1, [&](RawRow row) {
            constexpr std::size_t kColumns = 5; // type, name, tbl_name, rootpage, sql
            if (row.values.size() != kColumns)
                return;
            const auto* type = std::get_if<std::string>(&row.values[0]);
            const auto* name = std::get_if<std::string>(&row.values[1]);
            const auto* root = std::get_if<std::int64_t>(&row.values[3]);
            if (!type || !name || !root)
                return;
            if (*type == "table")
                roots[*name] = static_cast<std::uint32_t>(*root);
            else if (*type == "index")
                indexes.push_back(static_cast<std::uint32_t>(*root));
        });
        for (const SalvagedTable& table : m_tables) {
            if (const auto root = roots.find(table.name); root != roots.end())
                m_pages.readTree(root->second, [&](RawRow row) { insert(table, row); });
        }
        for (const std::uint32_t root : indexes)
            m_pages.readTree(root, [](const RawRow&) {});
    }

    // A leaf belongs to the table whose columns all of its rows fit, if there is only one.
    void copyLostLeaves()
    {
        m_pages.readLostLeaves([&](const std::vector<RawRow>& rows) {
            const SalvagedTable* owner = nullptr;
            int owners = 0;
            for (const SalvagedTable& table : m_tables) {
                const bool fits =
                    table.has_rowid
                    && std::all_of(rows.begin(), rows.end(), [&](const RawRow& row) {
                           return row.values.size() == table.columns.size() && table.fits(row);
                       });
                owner = fits ? &table : owner;
                owners += fits ? 1 : 0;
            }
            if (owners != 1) {
                m_lost += static_cast<std::int64_t>(rows.size());
                return;
            }
            for (const RawRow& row : rows)
                insert(*owner, row);
        });
    }

    void insert(const SalvagedTable& table, const RawRow& row)
    {
        if (!table.fits(row)) {
            ++m_lost;
            return;
        }
        std::string columns = table.has_rowid ? "rowid" : "";
        std::string marks = table.has_rowid ? "?" : "";
        for (std::size_t i = 0; i < row.values.size(); ++i) {
            if (table.columns[i].is_rowid)
                continue;
            columns += (columns.empty() ? "\"" : ", \"") + table.columns[i].name + '"';
            marks += marks.empty() ? "?" : ", ?";
        }
        Statement statement = m_fresh.prepare("INSERT OR IGNORE INTO \"" + table.name + "\" ("
                                                  + columns + ") VALUES (" + marks + ")",
                                              kSalvaging);
        statement.bind();
        if (table.has_rowid)
            statement.append(row.rowid);
        for (std::size_t i = 0; i < row.values.size(); ++i) {
            if (!table.columns[i].is_rowid)
                append(statement, row.values[i]);
        }
        m_lost += statement.run() ? 0 : 1;
    }

    static void append(Statement& statement, const RawValue& value)
    {
        std::visit(
            [&](const auto& plain) {
                if constexpr (std::is_same_v<std::decay_t<decltype(plain)>, RawBlob>)
                    statement.append(Blob{plain.bytes});
                else
                    statement.append(plain);
            },
            value);
    }

    const fs::path m_file;
    RawPages m_pages;
    Database& m_fresh;
    std::vector<SalvagedTable> m_tables;
    std::int64_t m_lost = 0;
};

// Copies all readable rows from the pages of a damaged file into an empty one, which gets the
// tables of its version. Sets the report's lost rows and unreadable pages.
Status salvageRows(Database& damaged, Database& fresh, std::span<const Migration> steps,
                   SalvageReport& report)
{
    return RowSalvage(damaged, fresh).run(steps, report);
}

struct Reference {
    std::string table;
    std::string column;
    std::string parent;
    std::string key;
};

Result<std::vector<Reference>> referencesOf(Database& database)
{
    Statement query = database.prepare(
        "SELECT t.name, f.\"from\", f.\"table\", coalesce(f.\"to\", 'id') FROM sqlite_schema t, "
        "pragma_foreign_key_list(t.name) f WHERE t.type = 'table'",
        kSalvaging);
    return query.list<Reference>([](Statement& row, Reference& one) {
        row.get(one.table, one.column, one.parent, one.key);
    });
}

// Removes rows whose run, token or pack is missing, since they cannot be shown. Counts the runs of
// which nothing else is left.
Status removeFragments(Database& database, SalvageReport& report)
{
    const auto references = referencesOf(database);
    if (!references)
        return references.error();
    Transaction transaction(database);
    if (const Status begun = transaction.begin(kSalvaging); !begun)
        return begun;
    std::set<std::string> lost;
    for (bool again = true; again;) {
        again = false;
        for (const Reference& one : *references) {
            Statement erase = database.prepare(
                "DELETE FROM \"" + one.table + "\" WHERE \"" + one.column + "\" IS NOT NULL AND \""
                    + one.column + "\" NOT IN (SELECT \"" + one.key + "\" FROM \"" + one.parent
                    + "\" WHERE \"" + one.key + "\" IS NOT NULL) RETURNING CAST(\"" + one.column
                    + "\" AS TEXT)",
                kSalvaging);
            const Status done = erase.forEachRow([&](Statement& row) {
                std::string id;
                row.take(id);
                if (one.parent == "profiling_runs")
                    lost.insert(std::move(id));
                ++report.lost_rows;
                again = true;
            });
            if (!done)
                return done;
        }
    }
    report.lost += static_cast<std::int64_t>(lost.size());
    return transaction.commit(kSalvaging);
}

Status note(Database& database, const std::string& id)
{
    Statement update = database.prepare(
        "UPDATE profiling_runs SET status = 'interrupted', status_message = 'The database was "
        "damaged, and a part of this run is lost.' WHERE id = ?",
        kSalvaging);
    return update.bind(id).run();
}

// Makes sure that every run can be opened, and says if it lacks something.
Status checkRuns(Database& database, SalvageReport& report)
{
    Transaction transaction(database);
    if (const Status begun = transaction.begin(kSalvaging); !begun)
        return begun;
    std::vector<std::pair<std::string, bool>> runs; // ids, and whether tokens are missing
    {
        Statement query = database.prepare(
            "SELECT r.id, r.output_tokens > 0 AND count(t.id) < 1 + coalesce(max(t.token_index) - "
            "min(t.token_index), 0) FROM profiling_runs r LEFT JOIN tokens t ON t.run_id = r.id "
            "GROUP BY r.id",
            kSalvaging);
        const Status done = query.forEachRow([&](Statement& row) {
            auto& [id, lacks] = runs.emplace_back();
            row.get(id, lacks);
        });
        if (!done)
            return done;
    }
    for (const auto& [id, lacksTokens] : runs) {
        const bool readable = readRun(database, id).has_value();
        if (!readable) { // keeps its summary and tokens
            Statement erase = database.prepare("DELETE FROM packs WHERE run_id = ?1 OR token_id IN "
                                               "(SELECT id FROM tokens WHERE run_id = ?1)",
                                               kSalvaging);
            if (const Status done = erase.bind(id).run(); !done)
                return done;
        }
        if (readable && !lacksTokens) {
            ++report.saved;
            continue;
        }
        report.partly.push_back(id);
        if (const Status noted = note(database, id); !noted)
            return noted;
    }
    return transaction.commit(kSalvaging);
}

} // namespace

Result<SalvageReport> salvage(const fs::path& damaged, const fs::path& target)
{
    std::error_code ignored;
    if (fs::exists(target, ignored)) {
        return Error{ErrorCode::InvalidInput,
                     {"%1 exists already; name another file with --out.", target.string()}};
    }
    auto source = Database::open(damaged, Database::Access::ReadWrite);
    if (!source)
        source = Database::open(damaged, Database::Access::ReadOnly);
    if (!source)
        return source.error();
    // Copies what is only in the log.
    static_cast<void>((*source)->execute("PRAGMA wal_checkpoint(TRUNCATE)", kSalvaging));
    SalvageReport report{.file = target};
    const DatabaseDraft draft(target);
    {
        auto fresh = Database::open(draft.file(), Database::Access::Create);
        if (!fresh)
            return fresh.error();
        if (const Status done = salvageRows(**source, **fresh, migrations(), report); !done)
            return Error{done.error().code, {"%1: %2", damaged.string(), done.error().message}};
        if (const Status done = removeFragments(**fresh, report); !done)
            return done.error();
    }
    {
        auto fresh = openForWriting(draft.file()); // updates its schema
        if (!fresh)
            return fresh.error();
        if (const Status done = checkRuns(**fresh, report); !done)
            return done.error();
        if (const Status done = (*fresh)->becomeOneFile(); !done)
            return done.error();
    }
    if (const Status put = draft.putInPlace("--out"); !put)
        return put.error();
    return report;
}

Status keepChangeOfDamaged(Database& database, const std::string& doing,
                           const std::function<Status()>& change, const Error& problem)
{
    const fs::path damaged = database.file();
    // The connection itself may be the problem: a new one sees the file as it is.
    if (database.openAfresh()) {
        const auto sound =
            database.queryInteger("SELECT quick_check = 'ok' FROM pragma_quick_check(1)", doing);
        if (sound && *sound == 1)
            return change();
    }
    const fs::path target = recoveredFile(damaged);
    Message contents = "by an earlier command";
    std::error_code ignored;
    if (!fs::exists(target, ignored)) {
        const auto report = salvage(damaged, target);
        if (!report)
            return Error{problem.code, {"%1 %2", problem.message, report.error().message}};
        contents = report->sentence();
    }
    if (const Status moved = database.moveTo(target, [target] { return openForWriting(target); });
        !moved)
        return moved;
    if (const Status kept = change(); !kept)
        return Error{problem.code,
                     {"Cannot %1 in %2: the file is damaged. %3 has what could be read of it (%4), "
                      "but not this change: %5",
                      doing, damaged.string(), target.string(), contents, kept.error().message}};
    return Error{
        problem.code,
        {"Cannot %1 in %2: the file is damaged. %3 has what could be read of it (%4), and this "
         "change. Use it with --db, or restore a backup with \"energy-profiler db --restore\".",
         doing, damaged.string(), target.string(), contents}};
}

} // namespace ep::store
