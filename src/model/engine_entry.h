// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/model/engine_library.h"

// The one function that the engine library exports. Both sides are built from one tree; the version
// only catches a library left over from another build.
namespace ep::model {

inline constexpr int kEngineInterfaceVersion = 2;
inline constexpr const char* kEngineEntryName = "ep_engine_entry";

// A new engine library object, or null when the versions differ. The caller owns it.
using EngineEntryFn = EngineLibrary* (*)(int interfaceVersion);

} // namespace ep::model
