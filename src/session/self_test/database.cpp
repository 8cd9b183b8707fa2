// SPDX-License-Identifier: GPL-3.0-or-later
#include "self_test/groups.h"

#include "ep/core/clock.h"
#include "ep/core/format.h"
#include "ep/core/start_thread.h"
#include "ep/core/uuid.h"
#include "ep/store/store.h"

#include <atomic>
#include <system_error>
#include <thread>

namespace ep::session {

namespace {

constexpr int kStressRuns = 12;
constexpr int kStressTokens = 300;

// A temporary folder that is deleted with the object.
struct ScratchFolder {
    explicit ScratchFolder(const std::filesystem::path& parent)
        : path(parent / ("energy-profiler-self-test-" + makeUuid()))
    {
        std::filesystem::create_directories(path, error);
    }
    ~ScratchFolder()
    {
        std::error_code ignored;
        std::filesystem::remove_all(path, ignored);
    }
    ScratchFolder(const ScratchFolder&) = delete;
    ScratchFolder& operator=(const ScratchFolder&) = delete;

    std::filesystem::path path;
    std::error_code error;
};

Run stressRun()
{
    Run run;
    run.info.id = makeUuid();
    run.info.status = RunStatus::Complete;
    run.info.created_at_ms = wallClockMs();
    run.info.prompt = "self-test";
    run.info.output_tokens = kStressTokens;
    run.trace.time = {0, Nanoseconds{kStressTokens} * 1'000'000};
    for (int i = 0; i < kStressTokens; ++i) {
        TokenSpan token;
        token.index = i;
        token.position = i;
        token.time = {Nanoseconds{i} * 1'000'000, Nanoseconds{i + 1} * 1'000'000};
        run.trace.tokens.push_back(token);
        PowerSample sample;
        sample.window = token.time;
        sample.power_mw[Rail::Cpu] = Milliwatts{1000.0 + i};
        run.trace.samples.push_back(sample);
    }
    return run;
}

// Writes as a run does: announced, appended to, then saved completely.
Status writeRuns(const std::filesystem::path& database, const CancelToken& cancel)
{
    auto store = store::Store::open(database);
    if (!store)
        return store.error();
    for (int i = 0; i < kStressRuns && !cancel.cancelled(); ++i) {
        const Run run = stressRun();
        RunInfo info = run.info;
        info.status = RunStatus::Running;
        if (const Status begun = (*store)->beginRun(info); !begun)
            return begun;
        for (int part = 0; part < 10; ++part) {
            const auto first = run.trace.tokens.begin() + part * kStressTokens / 10;
            const auto sample = run.trace.samples.begin() + part * kStressTokens / 10;
            const Status appended =
                (*store)->appendProgress(info.id, {first, first + kStressTokens / 10},
                                         {sample, sample + kStressTokens / 10});
            if (!appended)
                return appended;
        }
        if (const Status saved = (*store)->saveRun(run); !saved)
            return saved;
    }
    return {};
}

// Lists and loads until told to stop; returns how often it did.
Result<int> readRuns(const std::filesystem::path& database, const std::atomic<bool>& end)
{
    auto store = store::Store::open(database, store::Store::Mode::ReadOnly);
    if (!store)
        return store.error();
    int count = 0;
    while (!end) {
        const auto runs = (*store)->list();
        if (!runs)
            return runs.error();
        for (const RunSummary& run : *runs) {
            const auto loaded = (*store)->load(run.info.id);
            if (!loaded)
                return loaded.error();
            if (run.info.status == RunStatus::Complete
                && loaded->trace.tokens.size() != static_cast<std::size_t>(kStressTokens))
                return Error{ErrorCode::Internal, "a complete run was read with tokens missing"};
            ++count;
        }
    }
    return count;
}

} // namespace

void checkDatabase(SelfTestContext& context)
{
    constexpr const char* kStress = "written and read at once";
    constexpr const char* kCheckDisk = "check the disk and its free room";
    std::error_code ignored;
    const std::filesystem::path parent = context.request.scratch.empty()
        ? std::filesystem::temp_directory_path(ignored)
        : context.request.scratch;
    const ScratchFolder folder(parent);
    if (folder.error)
        return context.fail(
            "database", kStress,
            Message("no folder can be made in %1 (%2)", parent.string(), folder.error.message()),
            kCheckDisk);
    const auto database = folder.path / "runs.db";
    if (const auto made = store::Store::open(database); !made)
        return context.fail("database", kStress, made.error().message, kCheckDisk);

    const Nanoseconds begin = monotonicNow();
    std::atomic<bool> end = false;
    Result<int> read = 0;
    std::thread reader;
    if (const Status started = startThread(reader, [&] { read = readRuns(database, end); });
        !started)
        return context.fail("database", kStress, started.error().message, "try again");
    const Status written = writeRuns(database, context.cancel);
    end = true;
    reader.join();
    if (!written)
        return context.fail("database", kStress, written.error().message, kCheckDisk);
    if (!read)
        return context.fail("database", kStress, read.error().message, kCheckDisk);
    const auto store = store::Store::open(database);
    const auto runs = store ? (*store)->list() : Result<std::vector<RunSummary>>(store.error());
    if (!runs)
        return context.fail("database", kStress, runs.error().message, kCheckDisk);
    const std::string detail = std::to_string(runs->size()) + " runs written and "
        + std::to_string(*read) + " read meanwhile in " + formatDuration(monotonicNow() - begin);
    if (context.cancel.cancelled() || runs->size() == static_cast<std::size_t>(kStressRuns))
        context.ok("database", kStress, detail);
    else
        context.fail("database", kStress, Message("%1, of %2", detail, kStressRuns), "report this");
}

} // namespace ep::session
