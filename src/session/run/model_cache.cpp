// SPDX-License-Identifier: GPL-3.0-or-later
#include "run/model_cache.h"

#include "ep/core/mapped_file.h"
#include "ep/core/start_thread.h"
#include "ep/model/computed_model.h"
#include "ep/model/describe.h"
#include "ep/session/environment.h"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <system_error>
#include <utility>
#include <vector>

namespace ep::session {

namespace {

// Fractions of the progress bar.
constexpr double kTokenizerDone = 0.05;
constexpr double kLibraryDone = 0.1;

// Name, size and time of the last change.
std::string stateOf(const std::filesystem::directory_entry& file)
{
    std::error_code ignored;
    // Does not print count() itself: with libc++ it is an __int128, which cannot be printed.
    const auto written = std::chrono::duration_cast<std::chrono::nanoseconds>(
        file.last_write_time(ignored).time_since_epoch());
    return file.path().filename().string() + ' ' + std::to_string(file.file_size(ignored)) + ' '
        + std::to_string(written.count());
}

// Changes if another model, or the same one with other settings, must be loaded.
std::string keyOf(const model::LoadRequest& request)
{
    std::error_code error;
    std::vector<std::string> files;
    if (isFile(request.folder)) // GGUF
        files.push_back(stateOf(std::filesystem::directory_entry(request.folder, error)));
    for (std::filesystem::directory_iterator it(request.folder, error), end; !error && it != end;
         it.increment(error))
        files.push_back(stateOf(*it));
    std::sort(files.begin(), files.end());
    std::string key = std::filesystem::weakly_canonical(request.folder, error).string() + '\n'
        + request.device + '\n' + request.dtype + '\n' + std::to_string(request.threads) + '\n'
        + request.kernels;
    for (const std::string& file : files)
        key += '\n' + file;
    return key;
}

// NVIDIA cards have separate memory; there, loading itself shows whether it suffices.
Status checkFits(const model::LoadRequest& request, const model::ModelDescription& described,
                 const model::GenerationPlan& plan, std::optional<std::int64_t> available)
{
    if (request.device.starts_with("cuda"))
        return {};
    return model::checkMemory(model::memoryNeed(computedIn(described, request.dtype), plan),
                              available, request.folder.filename().string());
}

} // namespace

ModelCache::ModelCache(const Backend& backend)
    : m_backend(backend)
{
}

Result<OpenedModel> ModelCache::open(const model::LoadRequest& request) const
{
    return open(m_main, request);
}

Result<LoadedModel*> ModelCache::acquire(OpenedModel opened, const PlanFn& plan,
                                         const ProgressFn& progress, const CancelToken& cancel)
{
    return acquire(m_main, std::move(opened), plan, progress, cancel);
}

Result<LoadedModel*> ModelCache::acquireDraft(const model::LoadRequest& request, const PlanFn& plan,
                                              const ProgressFn& progress, const CancelToken& cancel)
{
    auto opened = open(m_draft, request);
    return opened ? acquire(m_draft, *std::move(opened), plan, progress, cancel) : opened.error();
}

Result<OpenedModel> ModelCache::open(const Place& place, const model::LoadRequest& request)
{
    // The key comes first: files that change meanwhile are then read again by the next run.
    OpenedModel opened{.request = request, .key = keyOf(request)};
    if (place.model && opened.key == place.key && place.model->engine->weightsUnchanged())
        return opened;
    auto files = model::openModel(request.folder);
    if (!files)
        return files.error();
    opened.request.files = *std::move(files);
    return opened;
}

Result<LoadedModel*> ModelCache::acquire(Place& place, OpenedModel opened, const PlanFn& plan,
                                         const ProgressFn& progress, const CancelToken& cancel)
{
    if (!opened.request.files)
        return &*place.model;
    place.model.reset();
    if (&place == &m_main) // a draft belongs to its main model
        m_draft = {};
    auto loaded = load(opened.request, plan, progress, cancel);
    if (!loaded)
        return loaded.error();
    place.model = std::move(*loaded);
    place.key = std::move(opened.key);
    return &*place.model;
}

Result<model::EngineLibrary*> ModelCache::library()
{
    if (!m_library) {
        auto library = m_backend.openEngineLibrary();
        if (!library)
            return library.error();
        m_library = std::move(*library);
    }
    return m_library.get();
}

std::future<Result<model::EngineLibrary*>> ModelCache::openLibrary()
{
    const auto open = [this] { return library(); };
    try {
        if (!m_library && hasRoomForThread())
            return std::async(std::launch::async, open);
    } catch (const std::system_error&) { // no thread
    }
    return std::async(std::launch::deferred, open);
}

Result<LoadedModel> ModelCache::load(const model::LoadRequest& opened, const PlanFn& plan,
                                     const ProgressFn& progress, const CancelToken& cancel)
{
    const Error cancelled{ErrorCode::Cancelled, "Loading the model was cancelled."};
    const auto available = m_backend.availableMemory ? m_backend.availableMemory() : std::nullopt;
    // Opening LibTorch takes longer than reading the tokenizer, so that both happen at once.
    auto opening = openLibrary();
    progress(0.0, "Reading the model's tokenizer");
    const model::ModelFiles& files = *opened.files;
    auto tokenizer =
        files.gguf ? text::Tokenizer::ofGguf(*files.gguf) : text::Tokenizer::load(files.path);
    if (!tokenizer)
        return tokenizer.error();
    const model::ModelDescription described = model::describe(files);
    if (plan) {
        const auto planned = plan(**tokenizer, files.config);
        if (!planned)
            return planned.error();
        const Status fits = *planned && m_backend.availableMemory
            ? checkFits(opened, described, **planned, available)
            : Status();
        if (!fits)
            return fits.error();
    }
    if (cancel.cancelled())
        return cancelled;

    progress(kTokenizerDone, "Opening the inference engine");
    if (const auto engineLibrary = opening.get(); !engineLibrary)
        return engineLibrary.error();
    if (cancel.cancelled())
        return cancelled;

    model::LoadRequest complete = opened;
    complete.kernel_memory = {.file = m_backend.kernelFile,
                              .processor =
                                  m_backend.kernelFile.empty() ? "" : readEnvironment().cpu};
    auto engine = m_library->load(
        complete,
        [&](double fraction, const Message& what) {
            progress(kLibraryDone + (1.0 - kLibraryDone) * fraction, what);
        },
        cancel);
    if (!engine)
        return engine.error();
    return LoadedModel{std::move(*tokenizer), std::move(*engine), m_library->versions(),
                       computedIn(described, opened.dtype).config};
}

} // namespace ep::session
