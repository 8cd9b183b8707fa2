// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/result.h"
#include "ep/session/backend.h"
#include "ep/session/events.h"

#include <string>

namespace ep::session {

// Fails if `auto` finds no sensor, so that nobody makes many runs without energies by mistake; a
// source that the user chose, even `none`, is accepted. For use before the first of several runs;
// blocks as long as the source takes to start. device: the device of the runs, or empty.
Status requireEnergy(const Backend& backend, power::SourceChoice choice, int intervalMs,
                     const std::string& device);

// Fails for `none`, where runs without energies could answer nothing.
Status refuseNone(const power::SourceChoice& choice);

} // namespace ep::session
