// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sqlite/migrations.h"

#include <span>

namespace ep::store {

// The steps from an empty file to the current schema, oldest first.
std::span<const Migration> migrations();

// The patterns of the messages that files up to version 4 hold in English, one a line.
const char* englishTexts();

} // namespace ep::store
