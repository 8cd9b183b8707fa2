// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/model/engine.h"

namespace ep::model {

// The library with the LibTorch engine, loaded once and kept (LibTorch cannot be unloaded).
// Loading takes about a second; any thread, one at a time.
class EngineLibrary {
public:
    // Looks next to the executable and in the install library folder; EP_ENGINE_LIBRARY overrides.
    static Result<std::shared_ptr<EngineLibrary>> open();

    virtual ~EngineLibrary() = default;
    virtual EngineVersions versions() const = 0;
    // A cancelled load frees everything and returns Cancelled.
    virtual Result<std::unique_ptr<Engine>>
    load(const LoadRequest& request, const ProgressFn& progress, CancelToken cancel) = 0;
};

} // namespace ep::model
