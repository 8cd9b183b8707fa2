// SPDX-License-Identifier: GPL-3.0-or-later
#include "record/store_writer.h"

#include "ep/core/start_thread.h"
#include "ep/session/privacy.h"
#include "ep/store/store.h"

#include <chrono>
#include <iterator>
#include <utility>

namespace ep::session {

namespace {

constexpr std::chrono::milliseconds kFlushInterval{500};

} // namespace

StoreWriter::StoreWriter(std::filesystem::path database, Texts texts)
    : m_database(std::move(database))
    , m_texts(texts)
{
}

std::unique_ptr<StoreWriter> StoreWriter::make(const std::filesystem::path& database,
                                               bool storeTexts)
{
    return database.empty()
        ? nullptr
        : std::make_unique<StoreWriter>(database, storeTexts ? Texts::Stored : Texts::Hashed);
}

StoreWriter::~StoreWriter()
{
    endWith(End::Leave, nullptr);
}

void StoreWriter::begin(const RunInfo& info)
{
    m_info = info;
    if (m_texts == Texts::Hashed)
        hashTexts(m_info);
    // If no thread can start, the run is stored at its end.
    static_cast<void>(startThread(m_thread, [this] { work(); }));
}

void StoreWriter::add(TokenSpan token)
{
    if (m_texts == Texts::Hashed)
        leaveTextOut(token);
    const std::lock_guard lock(m_mutex);
    m_pending.tokens.push_back(std::move(token));
}

void StoreWriter::add(const PowerSample& sample)
{
    const std::lock_guard lock(m_mutex);
    m_pending.samples.push_back(sample);
}

Status StoreWriter::finish(const Run& run)
{
    if (m_texts == Texts::Stored)
        return save(run);
    Run hashed = run;
    hashTexts(hashed);
    return save(hashed);
}

Status StoreWriter::save(const Run& run)
{
    if (!m_thread.joinable())
        return conclude(End::Save, &run);
    endWith(End::Save, &run);
    const std::lock_guard lock(m_mutex);
    return m_result;
}

void StoreWriter::discard()
{
    endWith(End::Discard, nullptr);
}

void StoreWriter::endWith(End end, const Run* run)
{
    if (!m_thread.joinable())
        return;
    {
        const std::lock_guard lock(m_mutex);
        m_end = end;
        m_final = run;
        m_changed.notify_all();
    }
    m_thread.join();
}

void StoreWriter::work()
{
    open();
    // Kept after a failed attempt (busy database), so that the next one writes it too.
    Batch batch;
    std::unique_lock lock(m_mutex);
    for (bool last = false; !last;) {
        last = m_changed.wait_for(lock, kFlushInterval, [this] { return m_end.has_value(); });
        std::move(m_pending.tokens.begin(), m_pending.tokens.end(),
                  std::back_inserter(batch.tokens));
        std::move(m_pending.samples.begin(), m_pending.samples.end(),
                  std::back_inserter(batch.samples));
        m_pending = {};
        lock.unlock();
        flush(batch);
        lock.lock();
    }
    const End end = *m_end;
    const Run* run = m_final;
    lock.unlock();
    Status result = conclude(end, run);
    lock.lock();
    m_result = std::move(result);
}

void StoreWriter::open()
{
    auto opened = store::Store::open(m_database);
    if (!opened)
        return;
    m_store = std::move(*opened);
    m_begun = m_store->beginRun(m_info).has_value();
}

void StoreWriter::flush(Batch& batch)
{
    if (!m_begun || (batch.tokens.empty() && batch.samples.empty()))
        return;
    if (m_store->appendProgress(m_info.id, batch.tokens, batch.samples))
        batch = {};
}

Status StoreWriter::conclude(End end, const Run* run)
{
    if (end == End::Discard && m_begun)
        return m_store->remove(m_info.id);
    if (end != End::Save)
        return {};
    if (m_store && m_store->saveRun(*run))
        return {};
    // Opens the database again, because the file may have been moved in the meantime.
    m_store.reset();
    auto opened = store::Store::open(m_database);
    if (!opened)
        return opened.error();
    return (*opened)->saveRun(*run);
}

} // namespace ep::session
