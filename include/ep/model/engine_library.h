// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/model/engine.h"

namespace ep::model {

// The library that holds the LibTorch engine, opened once and kept (LibTorch cannot be unloaded).
// Opening takes about a second; any thread, once at a time.
class EngineLibrary {
public:
    // Looks beside the executable and in the install's library folder; EP_ENGINE_LIBRARY overrides.
    static Result<std::shared_ptr<EngineLibrary>> open();

    virtual ~EngineLibrary() = default;
    virtual EngineVersions versions() const = 0;
    // Progress and cancel as usual; a cancelled load frees everything and answers Cancelled.
    virtual Result<std::unique_ptr<Engine>>
    load(const LoadRequest& request, const ProgressFn& progress, CancelToken cancel) = 0;
};

} // namespace ep::model
