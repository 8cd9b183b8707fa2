// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/result.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string_view>

namespace ep::session {

// The content of a file to import: runs of this program, another program's recording of power, or a
// trace of operators.
enum class ImportKind : std::uint8_t { Runs, Power, Trace };

std::optional<ImportKind> importKindFromName(std::string_view name); // "runs", "power", "trace"

// Tells the kind by the beginning of the content, plain or gzip. A file with neither runs nor a
// trace counts as a recording of power, the kind with the most formats. The error is one sentence.
// Any thread.
Result<ImportKind> importKindOf(const std::filesystem::path& file);

} // namespace ep::session
