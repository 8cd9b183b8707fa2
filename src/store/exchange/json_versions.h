// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace ep::store {

// Versions of a run's JSON (docs/run-format.md): the newest is written, all of them are read.
// Unlike the database's schema, they did not start again at 1.
inline constexpr int kOldestJson = 1;
inline constexpr int kNewestJson = 19;
inline constexpr int kLastJsonInEnglish = 18; // without the patterns of its messages

} // namespace ep::store
