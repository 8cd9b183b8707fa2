// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/result.h"
#include "ep/core/run.h"

#include <condition_variable>
#include <filesystem>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

namespace ep::store {
class Store;
}

namespace ep::session {

// Writes one run on a thread of its own. What became complete is committed at most half a second
// later, so that a killed process leaves it behind; the whole run follows at the end. Trouble with
// the database is kept and told by finish(); nothing here ever stops a run.
class StoreWriter {
public:
    enum class Texts { Stored, Hashed };

    explicit StoreWriter(std::filesystem::path database, Texts texts = Texts::Stored);
    ~StoreWriter(); // without finish() or discard() the run stays behind as interrupted
    StoreWriter(const StoreWriter&) = delete;
    StoreWriter& operator=(const StoreWriter&) = delete;

    // Once it is known what runs; from then on it is in the database, with what was added before.
    void begin(const RunInfo& info);

    // Any thread; never waits for the disk.
    void add(TokenSpan token);
    void add(const PowerSample& sample);

    // Waits until the run is stored, or says why it is not. Once; also of a run that was not begun.
    Status finish(const Run& run);
    // Instead of finish(): no run came about, takes the begun one back.
    void discard();

private:
    enum class End { Save, Discard, Leave };
    struct Batch {
        std::vector<TokenSpan> tokens;
        std::vector<PowerSample> samples;
    };

    void work();
    void open();
    Status save(const Run& run);
    void flush(Batch& batch);
    Status conclude(End end, const Run* run);
    void endWith(End end, const Run* run);

    const std::filesystem::path m_database;
    const Texts m_texts;
    RunInfo m_info; // the thread's only, once it runs
    std::unique_ptr<store::Store> m_store; // the thread's only
    bool m_begun = false; // the thread's only

    std::mutex m_mutex; // guards the members below
    std::condition_variable m_changed;
    Batch m_pending;
    std::optional<End> m_end;
    const Run* m_final = nullptr; // with End::Save
    Status m_result;

    std::thread m_thread; // since begin()
};

} // namespace ep::session
