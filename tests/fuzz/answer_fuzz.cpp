// SPDX-License-Identifier: GPL-3.0-or-later
// Any bytes as a server's answer, in every dialect and framing, whole and cut in two: neither the
// cut nor bytes after a failure change what is understood.
#include "ep/attach/answer.h"
#include "ep/attach/request_phases.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

namespace {

using namespace ep::attach;

void require(bool holds)
{
    if (!holds)
        std::abort();
}

Answer read(const Dialect& dialect, Framing framing, std::string_view first,
            std::string_view second, bool& good)
{
    AnswerReader reader(dialect, framing, 0);
    static_cast<void>(reader.feed(first, 1000));
    static_cast<void>(reader.feed(second, 1000));
    good = reader.finish(1000).has_value();
    return reader.answer();
}

void check(const Answer& answer)
{
    const RequestParts parts = partsOf(answer);
    ep::Nanoseconds at = parts.time.begin_ns;
    for (const ep::PhaseSpan& phase : parts.phases) {
        require(phase.time.begin_ns >= at && !phase.time.empty());
        at = phase.time.end_ns;
    }
    require(at <= parts.time.end_ns);
    ep::ServerRecord record;
    describe(answer, parts, record);
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    if (size == 0)
        return 0;
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    const std::size_t cut = data[0] % size;
    for (const Dialect& dialect : dialects()) {
        for (const Framing framing : {Framing::Events, Framing::Lines, Framing::Whole}) {
            bool whole = false;
            bool halves = false;
            const Answer answer = read(dialect, framing, text, {}, whole);
            require(read(dialect, framing, text.substr(0, cut), text.substr(cut), halves)
                    == answer);
            require(whole == halves);
            if (whole)
                check(answer);
        }
    }
    static_cast<void>(readRequest(text));
    return 0;
}
