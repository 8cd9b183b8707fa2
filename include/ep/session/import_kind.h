// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/result.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string_view>

namespace ep::session {

// What a file to import holds: runs of this program, another program's recording of power, or a
// trace of operators.
enum class ImportKind : std::uint8_t { Runs, Power, Trace };

std::optional<ImportKind> importKindFromName(std::string_view name); // "runs", "power", "trace"

// By the beginning of its content, plain or gzip. What is neither runs nor a trace is taken for a
// recording of power, the kind with the most formats. The error is one sentence. Any thread.
Result<ImportKind> importKindOf(const std::filesystem::path& file);

} // namespace ep::session
