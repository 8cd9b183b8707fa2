// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine_entry.h"
#include "engine_library_impl.h"

extern "C" __attribute__((visibility("default"))) ep::model::EngineLibrary*
ep_engine_entry(int interfaceVersion)
{
    if (interfaceVersion != ep::model::kEngineInterfaceVersion)
        return nullptr;
    return ep::model::makeEngineLibrary().release();
}
