// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/model/engine_library.h"

// The only function exported by the engine library. Both sides are built from one tree; the version
// only detects a library left over from another build.
namespace ep::model {

inline constexpr int kEngineInterfaceVersion = 8;
inline constexpr const char* kEngineEntryName = "ep_engine_entry";

// Returns a new engine library object, or null if the versions differ. The caller owns it.
using EngineEntryFn = EngineLibrary* (*)(int interfaceVersion);

} // namespace ep::model
