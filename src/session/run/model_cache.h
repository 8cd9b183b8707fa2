// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/model/config.h"
#include "ep/model/memory.h"
#include "ep/session/backend.h"

#include <functional>
#include <future>
#include <memory>
#include <optional>
#include <string>

namespace ep::session {

struct LoadedModel {
    std::shared_ptr<const text::Tokenizer> tokenizer;
    std::unique_ptr<model::Engine> engine;
    model::EngineVersions versions;
    model::ModelConfig config{}; // as loaded; the folder may change afterwards
};

// Plans the generation. Fails if it is impossible; without a plan, memory is not checked.
using PlanFn = std::function<Result<std::optional<model::GenerationPlan>>(
    const text::Tokenizer&, const model::ModelConfig&)>;

// A model to acquire, and the state of its folder when it was opened.
struct OpenedModel {
    model::LoadRequest request; // with its files, unless it is loaded already
    std::string key;
};

// Keeps the model of the last run for the next one. Belongs to the inference thread.
class ModelCache {
public:
    explicit ModelCache(const Backend& backend);

    // Opens the files of the requested model, unless the cached one matches and its files are
    // unchanged.
    Result<OpenedModel> open(const model::LoadRequest& request) const;

    // Returns the opened model, loading it unless it is the cached one. A model that is no longer
    // needed is freed first, so that two never share the memory. The pointer is valid until the
    // next call. plan: the planned generation, to check that everything fits into memory; empty: no
    // check.
    Result<LoadedModel*> acquire(OpenedModel opened, const PlanFn& plan, const ProgressFn& progress,
                                 const CancelToken& cancel);

    // Opens and returns a draft model, which proposes tokens to the main one.
    Result<LoadedModel*> acquireDraft(const model::LoadRequest& request, const PlanFn& plan,
                                      const ProgressFn& progress, const CancelToken& cancel);

    // The engine's library, opened at the first call.
    Result<model::EngineLibrary*> library();

private:
    struct Place {
        std::string key; // key of model
        std::optional<LoadedModel> model;
    };

    static Result<OpenedModel> open(const Place& place, const model::LoadRequest& request);
    Result<LoadedModel*> acquire(Place& place, OpenedModel opened, const PlanFn& plan,
                                 const ProgressFn& progress, const CancelToken& cancel);
    // The library is there at once, or is opened by a separate thread or, if no thread can start,
    // by get().
    std::future<Result<model::EngineLibrary*>> openLibrary();
    Result<LoadedModel> load(const model::LoadRequest& opened, const PlanFn& plan,
                             const ProgressFn& progress, const CancelToken& cancel);

    const Backend& m_backend;
    std::shared_ptr<model::EngineLibrary> m_library;
    Place m_main;
    Place m_draft;
};

} // namespace ep::session
