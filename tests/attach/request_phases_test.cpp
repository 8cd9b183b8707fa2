// SPDX-License-Identifier: GPL-3.0-or-later
#include "support/milliseconds.h"

#include "ep/attach/request_phases.h"

#include <gtest/gtest.h>

#include <string>

namespace ep::attach {
namespace {

using test::kMs;

// Prints "load 0-100, prefill 200-300" (ms).
std::string describePhases(const RequestParts& parts)
{
    std::string text;
    for (const PhaseSpan& phase : parts.phases)
        text += (text.empty() ? "" : ", ") + std::string(name(phase.phase)) + ' '
            + std::to_string(phase.time.begin_ns / kMs) + '-'
            + std::to_string(phase.time.end_ns / kMs);
    return text;
}

// Parts arrive at 300, 400 and 500 ms; the final message at 600 ms.
Answer usualAnswer()
{
    Answer answer;
    answer.asked_ns = 0;
    answer.streamed = true;
    answer.chunks = {{300 * kMs, "a"}, {400 * kMs, "b"}, {500 * kMs, "c"}};
    answer.stopped_ns = 600 * kMs;
    answer.ended_ns = 601 * kMs;
    answer.figures.output_tokens = 4;
    answer.figures.prompt_tokens = 9;
    answer.figures.uncached_tokens = 9;
    answer.figures.prompt_ns = 150 * kMs;
    answer.figures.decode_ns = 299 * kMs;
    answer.figures.load_ns = 50 * kMs;
    return answer;
}

TEST(RequestPhases, FollowTheServersFigures)
{
    struct Case {
        const char* name;
        void (*change)(Answer&);
        const char* phases;
        std::size_t tokens;
    };
    for (const Case& c : {
             Case{"all stated", [](Answer&) {},
                  "load 0-50, queue 50-150, prefill 150-300, decode 300-600", 4},
             Case{"an end at the first token",
                  [](Answer& a) {
                      a.chunks.clear();
                      a.figures.output_tokens = 1;
                  },
                  "load 0-50, queue 50-450, prefill 450-600", 0},
             Case{"no load", [](Answer& a) { a.figures.load_ns.reset(); },
                  "queue 0-150, prefill 150-300, decode 300-600", 4},
             Case{"no time of the prompt", [](Answer& a) { a.figures.prompt_ns.reset(); },
                  "load 0-50, prefill 50-300, decode 300-600", 4},
             Case{"longer than there is room", [](Answer& a) { a.figures.prompt_ns = 900 * kMs; },
                  "load 0-50, prefill 50-300, decode 300-600", 4},
             Case{"loading until the first token", [](Answer& a) { a.figures.load_ns = 900 * kMs; },
                  "load 0-300, decode 300-600", 4},
             Case{"parts of several tokens", [](Answer& a) { a.figures.output_tokens = 40; },
                  "load 0-50, queue 50-150, prefill 150-300, decode 300-600", 0},
             Case{"as many parts as tokens", [](Answer& a) { a.figures.output_tokens = 3; },
                  "load 0-50, queue 50-150, prefill 150-300, decode 300-600", 3},
             Case{"tokens not stated", [](Answer& a) { a.figures.output_tokens.reset(); },
                  "load 0-50, queue 50-150, prefill 150-300, decode 300-600", 0},
             Case{"no final message", [](Answer& a) { a.stopped_ns.reset(); },
                  "load 0-50, queue 50-150, prefill 150-300", 0},
             Case{"nothing came", [](Answer& a) { a.chunks.clear(); }, "", 0},
             Case{"in one piece",
                  [](Answer& a) {
                      a.streamed = false;
                      a.chunks = {{600 * kMs, "abc"}};
                  },
                  "load 0-50, queue 50-151, prefill 151-301, decode 301-600", 0},
             Case{"in one piece, without times",
                  [](Answer& a) {
                      a.streamed = false;
                      a.figures.decode_ns.reset();
                  },
                  "", 0},
         }) {
        Answer answer = usualAnswer();
        c.change(answer);
        const RequestParts parts = partsOf(answer);
        EXPECT_EQ(describePhases(parts), c.phases) << c.name;
        EXPECT_EQ(parts.tokens.size(), c.tokens) << c.name;
        EXPECT_EQ(parts.time, (TimeRange{0, 601 * kMs})) << c.name;
    }
}

TEST(RequestPhases, TokensFollowEachOther)
{
    const RequestParts parts = partsOf(usualAnswer());
    ASSERT_EQ(parts.tokens.size(), 4U);
    EXPECT_EQ(parts.tokens[0].time, (TimeRange{150 * kMs, 300 * kMs}));
    EXPECT_EQ(parts.tokens[0].phase, Phase::Prefill);
    EXPECT_EQ(parts.tokens[1].time, (TimeRange{300 * kMs, 400 * kMs}));
    EXPECT_EQ(parts.tokens[3].time, (TimeRange{500 * kMs, 600 * kMs}));
    EXPECT_EQ(parts.tokens[3].text, "");
    EXPECT_EQ(parts.tokens[3].position, 12);
}

TEST(RequestPhases, RecordSaysWhatIsMissing)
{
    const auto notes = [](void (*change)(Answer&)) {
        Answer answer = usualAnswer();
        change(answer);
        ServerRecord record;
        describe(answer, partsOf(answer), record);
        std::string all;
        for (const ep::Message& note : record.notes)
            all += note.english() + '\n';
        return all;
    };
    EXPECT_EQ(notes([](Answer&) {}), "");
    EXPECT_NE(notes([](Answer& a) {
                  a.figures.uncached_tokens.reset();
              }).find("how much of the prompt was in its cache"),
              std::string::npos);
    EXPECT_NE(notes([](Answer& a) { a.figures.output_tokens.reset(); }).find("usage"),
              std::string::npos);
    EXPECT_NE(notes([](Answer& a) { a.figures.prompt_ns.reset(); }).find("includes any waiting"),
              std::string::npos);
    EXPECT_NE(notes([](Answer& a) { a.figures.output_tokens = 40; }).find("differ in number"),
              std::string::npos);
    ServerRecord record;
    const Answer answer = usualAnswer();
    describe(answer, partsOf(answer), record);
    EXPECT_EQ(record.client_decode_ns, 300 * kMs);
    EXPECT_EQ(record.decode_ns, 299 * kMs);
    EXPECT_EQ(record.chunks, 3);
}

} // namespace
} // namespace ep::attach
