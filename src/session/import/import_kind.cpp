// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/session/import_kind.h"

#include "ep/spans/trace_file.h"
#include "ep/store/store.h"

#include <algorithm>
#include <string>
#include <string_view>

namespace ep::session {

namespace {

// Text may contain NUL bytes: between the documents of powermetrics, and in UTF-16.
bool isBinary(std::string_view start)
{
    const auto has = [&](char least, char most) {
        return std::ranges::any_of(start, [=](char c) { return c >= least && c <= most; });
    };
    return has('\0', '\0') && has('\1', '\6') && !start.starts_with("\xFF\xFE")
        && !start.starts_with("\xFE\xFF");
}

} // namespace

std::optional<ImportKind> importKindFromName(std::string_view name)
{
    return name == "runs" ? std::optional(ImportKind::Runs)
        : name == "power" ? std::optional(ImportKind::Power)
        : name == "trace" ? std::optional(ImportKind::Trace)
                          : std::nullopt;
}

Result<ImportKind> importKindOf(const std::filesystem::path& file)
{
    // Before the list of events, PyTorch writes at most the properties of the devices.
    constexpr std::size_t kBeginning = 1 << 20;
    const auto start = spans::beginningOf(file, kBeginning);
    if (!start)
        return start.error();
    if (store::isDatabase(file))
        return ImportKind::Runs;
    constexpr std::size_t kHeader = 512;
    if (isBinary(std::string_view(*start).substr(0, kHeader))) {
        return Error{ErrorCode::InvalidInput,
                     {"%1 is a binary file; choose the JSON of a run, a run database, a recording "
                      "of power or a trace.",
                      file.string()}};
    }
    const auto contains = [&](std::string_view text) {
        return start->find(text) != std::string::npos;
    };
    const std::size_t first = start->find_first_not_of(" \t\r\n\xEF\xBB\xBF");
    const bool isList = first != std::string::npos && (*start)[first] == '[';
    if (contains("\"energy-profiler-run")) // also overviews, which say that they are incomplete
        return ImportKind::Runs;
    if (contains("\"traceEvents\"") || (isList && contains("\"ph\"")))
        return ImportKind::Trace;
    return ImportKind::Power;
}

} // namespace ep::session
