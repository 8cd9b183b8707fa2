// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/result.h"
#include "ep/session/backend.h"
#include "ep/session/events.h"

#include <string>

namespace ep::session {

// Fails if `auto` finds no sensor, so that many runs are not made without energies that nobody
// renounced; a source that was chosen, `none` among them, is always right. For use before the first
// of several runs; blocks as long as the source takes to start. device: of the runs, or empty.
Status requireEnergy(const Backend& backend, power::SourceChoice choice, int intervalMs,
                     const std::string& device);

} // namespace ep::session
