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

// Writes one run on a separate thread. Completed data are committed within half a second, so that
// they survive a killed process; the complete run follows at the end. Problems with the database
// are kept and returned by finish(); nothing here ever stops a run.
class StoreWriter {
public:
    enum class Texts { Stored, Hashed };

    explicit StoreWriter(std::filesystem::path database, Texts texts = Texts::Stored);
    // Null for an empty path.
    static std::unique_ptr<StoreWriter> make(const std::filesystem::path& database,
                                             bool storeTexts);
    ~StoreWriter(); // without finish() or discard(), the run stays in the database as interrupted
    StoreWriter(const StoreWriter&) = delete;
    StoreWriter& operator=(const StoreWriter&) = delete;

    // Called when the run is described; creates it in the database, with the data added before.
    void begin(const RunInfo& info);

    // Any thread; never waits for the disk.
    void add(TokenSpan token);
    void add(const PowerSample& sample);

    // Waits until the run is stored, or returns why it is not. Call once; valid even if the run
    // was not begun.
    Status finish(const Run& run);
    // Call it instead of finish() if there is no run: removes the run that was begun.
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
    RunInfo m_info; // used by the thread only, once it runs
    std::unique_ptr<store::Store> m_store; // used by the thread only
    bool m_begun = false; // used by the thread only

    std::mutex m_mutex; // guards the members below
    std::condition_variable m_changed;
    Batch m_pending;
    std::optional<End> m_end;
    const Run* m_final = nullptr; // set with End::Save
    Status m_result;

    std::thread m_thread; // runs from begin() on
};

} // namespace ep::session
