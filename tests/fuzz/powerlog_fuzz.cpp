// SPDX-License-Identifier: GPL-3.0-or-later
// All readers of power logs and of requests: the log's content chooses the reader, the first byte
// the options.
#include "ep/powerlog/read.h"
#include "ep/powerlog/requests.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string_view>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    using namespace ep::powerlog;
    if (size == 0)
        return 0;
    const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
    ReadOptions options;
    if ((data[0] & 1) != 0)
        options.period_s = 0.5;
    if ((data[0] & 2) != 0)
        options.unit = "mW";
    if ((data[0] & 4) != 0)
        options.dates = DateOrder::MonthFirst;
    if ((data[0] & 8) != 0) {
        (void)readRequests(text, "requests", options);
        return 0;
    }
    const OpenLog open = [text]() -> ep::Result<ReadBytes> {
        return ReadBytes([text, at = std::size_t{0}](
                             std::span<char> buffer) mutable -> ep::Result<std::size_t> {
            const std::size_t count = std::min({buffer.size(), text.size() - at, std::size_t{977}});
            std::memcpy(buffer.data(), text.data() + at, count);
            at += count;
            return count;
        });
    };
    const auto recording = readRecording(open, "log", options);
    if (!recording)
        return 0;
    // The result adds up, and windows neither overlap nor run backwards.
    for (const RailRecording& rail : recording->rails) {
        for (std::size_t i = 0; i < rail.windows.size(); ++i) {
            if (rail.windows[i].end_ns <= rail.windows[i].begin_ns
                || (i > 0 && rail.windows[i].begin_ns < rail.windows[i - 1].end_ns))
                std::abort();
        }
    }
    return 0;
}
