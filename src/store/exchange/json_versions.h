// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace ep::store {

// Versions of the JSON of runs (docs/run-format.md): the newest is written, all of them are read.
// They have counted on since before the schema of the database began at 1.
inline constexpr int kOldestJson = 1;
inline constexpr int kNewestJson = 17;

} // namespace ep::store
