// SPDX-License-Identifier: GPL-3.0-or-later
#include "tables/quality_table.h"

#include "sqlite/statement.h"
#include "store_impl.h"

#include <nlohmann/json.hpp>

namespace ep::store {

namespace {

constexpr const char* kQualityDoing = "store or read the quality of a model";
constexpr const char* kQualityColumns =
    "model_name, model_fingerprint, dtype, device, text_name, text_hash, tokens, scored_tokens, "
    "context, stride, nll, perplexity, kl_nats, top1_agreement, created_at_ms, app_version, "
    "nll_blocks";

std::vector<double> blocksIn(const std::string& text)
{
    std::vector<double> blocks;
    const auto json = nlohmann::json::parse(text, nullptr, false);
    for (const auto& block : json.is_array() ? json : nlohmann::json::array()) {
        if (!block.is_number())
            return {};
        blocks.push_back(block.get<double>());
    }
    return blocks;
}

} // namespace

Status writeQuality(Database& database, const QualityRecord& record)
{
    Statement insert =
        database.prepare(std::string("INSERT OR REPLACE INTO model_quality (") + kQualityColumns
                             + ") VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                         kQualityDoing);
    return insert
        .bind(record.model, record.fingerprint, record.dtype, record.device, record.text_name,
              record.text_hash, record.tokens, record.scored, record.context, record.stride,
              record.nll, record.perplexity, record.kl, record.top1, record.created_at_ms,
              record.app_version, nlohmann::json(record.nll_blocks).dump())
        .run();
}

Result<std::vector<QualityRecord>> readQualities(Database& database)
{
    // A database of an earlier version that is read-only lacks this table.
    const auto tables = database.queryInteger(
        "SELECT count(*) FROM sqlite_master WHERE name = 'model_quality'", kQualityDoing);
    if (!tables)
        return tables.error();
    std::vector<QualityRecord> records;
    if (*tables == 0)
        return records;
    Statement query =
        database.prepare(std::string("SELECT ") + kQualityColumns
                             + " FROM model_quality ORDER BY created_at_ms DESC, id DESC",
                         kQualityDoing);
    const Status done = query.forEachRow([&](Statement& row) {
        QualityRecord& record = records.emplace_back();
        std::string parts;
        row.get(record.model, record.fingerprint, record.dtype, record.device, record.text_name,
                record.text_hash, record.tokens, record.scored, record.context, record.stride,
                record.nll, record.perplexity, record.kl, record.top1, record.created_at_ms,
                record.app_version, parts);
        record.nll_blocks = blocksIn(parts);
    });
    if (!done)
        return done.error();
    return records;
}

Status Store::saveQuality(const QualityRecord& record)
{
    Database& database = *m_impl->database;
    return changeAtOnce(database, kQualityDoing, [&] { return writeQuality(database, record); });
}

Result<std::vector<QualityRecord>> Store::qualities() const
{
    return readQualities(*m_impl->database);
}

} // namespace ep::store
