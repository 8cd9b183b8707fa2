// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/session/backend.h"

#include "power/sampler_feed.h"

#include "ep/model/memory.h"

namespace ep::session {

Backend realBackend()
{
    return {.openEngineLibrary = [] { return model::EngineLibrary::open(); },
            .makePowerFeed = [] { return std::make_unique<SamplerFeed>(); },
            .availableMemory = [] { return model::availableMemory(); },
            .beginActivity = beginActivity};
}

} // namespace ep::session
