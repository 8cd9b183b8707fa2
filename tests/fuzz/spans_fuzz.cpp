// SPDX-License-Identifier: GPL-3.0-or-later
// Any bytes as what a recorded command sends, whole and cut in two: the cut changes nothing, and
// the result is always a tree whose parts lie within their parents.
#include "ep/spans/assembler.h"
#include "ep/spans/reader.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

namespace {

using namespace ep::spans;

void require(bool holds)
{
    if (!holds)
        std::abort();
}

constexpr ep::Nanoseconds kEnd = 1'000'000;

Assembled read(std::string_view first, std::string_view second, std::int64_t& malformed)
{
    Assembler assembler(0, {.most_spans = 2000, .most_waiting = 2000, .most_names = 100});
    Reader reader([&](const Record& record) { assembler.add(record); }, assembler.budget());
    reader.feed(first);
    reader.feed(second);
    reader.finish();
    malformed = reader.malformed();
    return assembler.finish(kEnd);
}

void check(const Assembled& whole)
{
    ep::Nanoseconds at = 0;
    for (const Step& step : whole.steps) {
        require(step.token.time.begin_ns >= at && step.token.time.end_ns <= kEnd);
        at = step.token.time.end_ns;
        ep::Nanoseconds layerEnd = step.token.time.begin_ns;
        for (const ep::Span& layer : step.layers) {
            require(step.token.time.contains(layer.time) && layer.time.begin_ns >= layerEnd);
            layerEnd = layer.time.end_ns;
        }
        ep::Nanoseconds partEnd = step.token.time.begin_ns;
        for (const ep::Span& part : step.components) {
            require(step.token.time.contains(part.time) && part.time.begin_ns >= partEnd);
            partEnd = part.time.end_ns;
        }
    }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    if (size == 0)
        return 0;
    const std::string_view bytes(reinterpret_cast<const char*>(data), size);
    const std::size_t cut = data[0] % size;
    std::int64_t malformed = 0;
    std::int64_t malformedCut = 0;
    const Assembled whole = read(bytes, {}, malformed);
    const Assembled halves = read(bytes.substr(0, cut), bytes.substr(cut), malformedCut);
    require(malformed == malformedCut && whole.counts == halves.counts);
    check(whole);
    return 0;
}
