// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/model/engine_library.h"

#include <memory>

namespace ep::model {

// The engine that is linked into this binary.
std::unique_ptr<EngineLibrary> makeEngineLibrary();

} // namespace ep::model
