// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/model/engine_library.h"

#include "engine_entry.h"

#include "ep/core/executable_path.h"
#include "ep/core/format.h"
#include "ep/core/result.h"
#include "ep/core/start_thread.h"

#include <algorithm>
#include <atomic>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <sys/mman.h>
#include <thread>
#include <utility>

namespace ep::model {
namespace {

// Threads of a run that do not compute: power, storage, the clocks, and a spare one.
constexpr int kFurtherThreads = 4;

// Address space, most of which is not used: for LibTorch 1.13's libraries, and for what OpenBLAS
// reserves per computing thread and for its stack.
constexpr std::int64_t kLibraries = 500'000'000;
constexpr std::int64_t kPerThread = 142'000'000;

// Counts the threads of OpenBLAS by its own rules, including the calling one.
int threadsOfBlas()
{
    for (const char* name : {"OPENBLAS_NUM_THREADS", "GOTO_NUM_THREADS", "OMP_NUM_THREADS"}) {
        const char* wanted = std::getenv(name);
        int threads = 0;
        if (wanted
            && std::from_chars(wanted, wanted + std::strlen(wanted), threads).ec == std::errc()
            && threads > 0)
            return threads;
    }
    return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

bool canReserve(std::int64_t bytes)
{
    const auto size = static_cast<std::size_t>(bytes);
    void* const place = ::mmap(nullptr, size, PROT_NONE, MAP_PRIVATE | MAP_ANON, -1, 0);
    return place != MAP_FAILED && ::munmap(place, size) == 0;
}

// Whether the engine's libraries can be loaded within this program's limits (ulimit, control
// groups). OpenBLAS starts a thread for each processor while it is being loaded: if one cannot
// start, it interrupts the program or waits forever; if one gets no memory, it retries
// forever.
Status checkRoomForEngine()
{
    const int threads = threadsOfBlas();
    if (const Status startable = checkThreads(threads - 1 + kFurtherThreads); !startable)
        return startable;
    const std::int64_t bytes = kLibraries + threads * kPerThread;
    if (canReserve(bytes))
        return {};
    return Error{ErrorCode::Io,
                 {"The inference engine needs %1 of address space, which the limit of this program "
                  "does not leave: raise the limit of memory (ulimit -v), then try again.",
                  formatBytes(bytes)}};
}

namespace fs = std::filesystem;

constexpr const char* kFileName = "ep-engine.so";

std::vector<fs::path> candidates()
{
    if (const char* override = std::getenv("EP_ENGINE_LIBRARY"); override && *override)
        return {fs::path(override)};
    const fs::path folder = executablePath().parent_path();
    return {folder / ".." / "lib" / kFileName, folder / kFileName,
            folder / ".." / "lib" / "energy-profiler" / kFileName,
            folder / ".." / "Frameworks" / kFileName};
}

std::string listOf(const std::vector<fs::path>& paths)
{
    std::string text;
    for (const fs::path& path : paths)
        text += (text.empty() ? "" : ", ") + path.lexically_normal().string();
    return text;
}

} // namespace

const char* name(CacheKind kind)
{
    switch (kind) {
    case CacheKind::Static:
        return "static";
    case CacheKind::Q8:
        return "q8_0";
    case CacheKind::Growing:
        break;
    }
    return "growing";
}

std::optional<CacheKind> cacheKindFromName(std::string_view word)
{
    for (const CacheKind kind : {CacheKind::Growing, CacheKind::Static, CacheKind::Q8}) {
        if (word == name(kind))
            return kind;
    }
    return std::nullopt;
}

Result<ForwardResult> Engine::forwardWith(CacheKind /*cache*/, std::span<const text::TokenId> ids,
                                          const CancelToken& cancel)
{
    return forward(ids, cancel);
}

Result<std::unique_ptr<Replay>> Engine::record(const ReplayRequest& /*request*/,
                                               const CancelToken& /*cancel*/)
{
    return Error{ErrorCode::Unsupported, "This engine cannot repeat parts of a token."};
}

Result<MatmulTimes> EngineLibrary::timeMatmuls(const MatmulRequest& /*request*/)
{
    return Error{ErrorCode::Unsupported, "This engine cannot time matmuls."};
}

Result<EngineFile> EngineLibrary::find()
{
    const std::vector<fs::path> places = candidates();
    for (const fs::path& place : places) {
        std::error_code ignored;
        if (fs::exists(place, ignored))
            return EngineFile{place.lexically_normal(), EP_TORCH_VERSION};
    }
    return Error{ErrorCode::NotFound,
                 {"The inference engine was not found (looked for %1): build or install the "
                  "program again, or set EP_ENGINE_LIBRARY.",
                  listOf(places)}};
}

Result<std::shared_ptr<EngineLibrary>> EngineLibrary::open()
{
    const auto file = find();
    if (!file)
        return file.error();
    // Checked only once, because the libraries stay loaded.
    static std::atomic<bool> hasRoom = false;
    if (!hasRoom) {
        if (const Status room = checkRoomForEngine(); !room)
            return room.error();
        hasRoom = true;
    }
    const std::string path = file->path.string();
    // Never closed: LibTorch leaves threads and static state that need its code. The engine itself
    // is linked with -z now, so that it is refused here if LibTorch lacks a function; binding all
    // functions of LibTorch's own libraries would take a tenth of the time that this takes.
    void* handle = dlopen(path.c_str(), RTLD_LAZY | RTLD_LOCAL);
    if (!handle) {
        const char* reason = dlerror();
        return Error{ErrorCode::Unsupported,
                     {"The inference engine %1 cannot be opened (%2): install LibTorch or build "
                      "the program again.",
                      path, reason ? reason : "unknown reason"}};
    }
    const auto entry = reinterpret_cast<EngineEntryFn>(dlsym(handle, kEngineEntryName));
    EngineLibrary* library = entry ? entry(kEngineInterfaceVersion) : nullptr;
    if (!library) {
        return Error{
            ErrorCode::Unsupported,
            {"The inference engine %1 belongs to another version of the program: build it again.",
             path}};
    }
    std::shared_ptr<EngineLibrary> opened(library);
    if (Message reason = opened->whyUnusable(); !reason.empty())
        return Error{ErrorCode::Unsupported, std::move(reason)};
    return opened;
}

} // namespace ep::model
