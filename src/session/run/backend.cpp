// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/session/backend.h"

#include "ep/model/memory.h"
#include "ep/store/store.h"

namespace ep::session {

Backend realBackend()
{
    return {.openEngineLibrary = [] { return model::EngineLibrary::open(); },
            .makePowerFeed = [] { return std::make_unique<power::Sampler>(); },
            .availableMemory = [] { return model::availableMemory(); },
            .beginActivity = beginActivity,
            .kernelFile = store::defaultDatabasePath().parent_path() / "kernels.json"};
}

} // namespace ep::session
