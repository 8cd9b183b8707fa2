// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/cancel.h"
#include "ep/core/result.h"
#include "ep/spans/assembler.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

// Traces in the format of Chrome and Perfetto, as written by torch.profiler.
namespace ep::spans {

// A trace as the tree of a run. Times are relative to its first event.
struct TraceImport {
    Assembled parts;
    Nanoseconds duration_ns = 0;
    Nanoseconds epoch_ns = 0; // time of the first event since 1970; 0: not in the file
    std::string way{}; // "module stack", "shapes and order"; empty: nothing could be mapped
    std::int64_t events = 0;
    std::int64_t operators = 0; // number of outermost operators
    Nanoseconds operator_ns = 0; // total time of outermost operators
    Nanoseconds mapped_ns = 0; // part of that time within a section or component
    std::int64_t kernels = 0; // number of accelerator kernels, which are not mapped
    std::string model{}; // the class of the outermost module
    std::vector<Message> notes{}; // one sentence each

    double mappedShare() const
    {
        return operator_ns > 0 ? static_cast<double>(mapped_ns) / static_cast<double>(operator_ns)
                               : 0.0;
    }
};

// Streams the file, plain or gzip: memory grows with the relevant events, about 30 bytes each. A
// truncated file is read as far as it goes, which a note says. The error is one sentence. Any
// thread.
Result<TraceImport> readTrace(const std::filesystem::path& file, const CancelToken& cancel = {});
// The first bytes of a file, at most `size` when expanded. Any thread.
Result<std::string> beginningOf(const std::filesystem::path& file, std::size_t size);
// Like readTrace(), for a document in memory.
Result<TraceImport> readTraceText(std::string_view json, const std::string& name);

} // namespace ep::spans
