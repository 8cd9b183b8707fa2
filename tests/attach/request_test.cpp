// SPDX-License-Identifier: GPL-3.0-or-later
// What requests of clients say, however they are packed and however long they are.
#include "ep/attach/answer.h"
#include "ep/attach/content_coding.h"
#include "ep/attach/request_scan.h"

#include <gtest/gtest.h>

#include <array>
#include <string>
#include <utility>
#include <zlib.h>

namespace ep::attach {
namespace {

std::string bytesOf(std::string_view hexadecimal)
{
    std::string bytes;
    for (std::size_t i = 0; i + 1 < hexadecimal.size(); i += 2)
        bytes += static_cast<char>(std::stoi(std::string(hexadecimal.substr(i, 2)), nullptr, 16));
    return bytes;
}

// Made by the encoders of Python's brotli 1.2 and of zstd 1.5.4.
constexpr std::string_view kHello = R"({"model":"m","prompt":"Hello there"})";
struct Packed {
    const char* coding;
    const char* hello;
    const char* million; // times the letter a
};
constexpr std::array<Packed, 2> kPacked{
    {{"br", "8b11807b226d6f64656c223a226d222c2270726f6d7074223a2248656c6c6f207468657265227d03",
      "5b3f428f5f222c1e0b04f2731e00"},
     {"zstd",
      "28b52ffd04582101007b226d6f64656c223a226d222c2270726f6d7074223a2248656c6c6f2074686572"
      "65227ddb26dfcd",
      "28b52ffd04684c000008610100fcff39100202001061020010610200106102001061020010610200106102001061"
      "03120a6140dc4f9b"}}};

TEST(ContentCoding, ReadsBrotliAndZstdHoweverTheyAreCut)
{
    for (const Packed& one : kPacked) {
        const auto coding = contentCodingOf({{"Content-Encoding", one.coding}});
        ASSERT_TRUE(coding);
        const std::string bytes = bytesOf(one.hello);
        for (std::size_t cut = 0; cut <= bytes.size(); ++cut) {
            ContentDecoder decoder(*coding);
            std::string text;
            const auto take = [&](std::string_view part) {
                text += part;
                return Status();
            };
            ASSERT_TRUE(decoder.decode(std::string_view(bytes).substr(0, cut), take));
            ASSERT_TRUE(decoder.decode(std::string_view(bytes).substr(cut), take));
            EXPECT_EQ(text, kHello) << one.coding << cut;
        }
        ContentDecoder broken(*coding);
        EXPECT_FALSE(broken.decode("{\"model\":\"m\"}", [](std::string_view) { return Status(); }))
            << one.coding;
        // A few bytes that expand to a million are passed on in portions, and the receiver can
        // stop.
        ContentDecoder bomb(*coding);
        std::size_t taken = 0;
        const Status stopped = bomb.decode(bytesOf(one.million), [&](std::string_view part) {
            EXPECT_LE(part.size(), 65536U);
            taken += part.size();
            return taken < 200'000 ? Status() : Status(Error{ErrorCode::NoMemory, "enough"});
        });
        EXPECT_FALSE(stopped);
        EXPECT_LT(taken, 300'000U);
    }
}

// A few bytes that expand to very many take the time of the many bytes, no matter how much of them
// is kept.
TEST(ContentCoding, StopsWhereTooMuchIsMadeOfABody)
{
    const std::string zeros(20'000'000, '0');
    std::string packed(zeros.size(), '\0');
    uLongf size = packed.size();
    ASSERT_EQ(compress2(reinterpret_cast<Bytef*>(packed.data()), &size,
                        reinterpret_cast<const Bytef*>(zeros.data()), zeros.size(), 9),
              Z_OK);
    packed.resize(size);
    ContentDecoder decoder(ContentCoding::Deflate);
    std::size_t taken = 0;
    const Status stopped = decoder.decode(packed, [&](std::string_view part) {
        taken += part.size();
        return Status();
    });
    ASSERT_FALSE(stopped);
    EXPECT_EQ(stopped.error().message.english(), "expands to more than 200 times its size");
    EXPECT_GT(taken, 4'000'000U) << "short bodies may";
    EXPECT_LT(taken, 9'000'000U);
}

AskedFor scanned(const std::string& body, std::size_t piece)
{
    RequestScan scan;
    for (std::size_t at = 0; at < body.size(); at += piece)
        scan.feed(std::string_view(body).substr(at, piece));
    return readRequest(scan.reduced());
}

TEST(RequestScan, KeepsModelQuestionAndLimits)
{
    std::string messages;
    for (int i = 0; i < 3000; ++i)
        messages += R"({"role":"user","content":")" + std::string(1000, 'x')
            + R"("},{"role":"assistant","content":"a, \"b\" ]}"},)";
    const std::string body = R"({ "system": ")" + std::string(200'000, 's') + R"(", "messages": [)"
        + messages + R"({"role": "user", "content": "Why [so]?"},)"
        + R"({"role":"tool","content":"4"}], "tools":[{"a":1},{"b":2}],)"
        + R"("model":"m", "max_tokens":7,"n":2,"previous_response_id":"r-1"})";
    for (const std::size_t piece : {std::size_t{1}, std::size_t{4096}, body.size()}) {
        const AskedFor asked = scanned(body, piece);
        EXPECT_EQ(asked.model, "m");
        EXPECT_EQ(asked.prompt, "Why [so]?");
        EXPECT_EQ(asked.max_tokens, 7);
        EXPECT_EQ(asked.sequences, 2);
        EXPECT_EQ(asked.follows, "r-1");
    }
    const std::string longPrompt =
        R"({"model":"m","prompt":")" + std::string(70'000, '\\') + "\",\"n_predict\":3}";
    EXPECT_EQ(scanned(longPrompt, 1000).max_tokens, 3);
    for (const char* odd : {"", "[1,2]", "{", "{\"a\":[", "\"", "}}}]]]", "{\"a\":{\"b\":[{]}"})
        scanned(odd, 1);
}

// The answer in these events, and whether it is complete.
std::pair<Answer, bool> answerIn(const char* dialect, const std::string& events)
{
    AnswerReader reader(*dialectFromId(dialect), Framing::Events, 0);
    EXPECT_TRUE(reader.feed(events, 1'000'000)) << events;
    const bool complete = reader.finish(2'000'000).has_value();
    return {reader.takeAnswer(), complete};
}

TEST(AnswerReader, NoZeroReplacesWhatWasStatedBefore)
{
    const auto [answer, complete] = answerIn(
        "anthropic",
        "data: {\"type\":\"message_start\",\"message\":{\"usage\":{\"input_tokens\":300}}}\n\n"
        "data: {\"type\":\"message_delta\",\"delta\":{\"stop_reason\":\"end_turn\"},"
        "\"usage\":{\"input_tokens\":0,\"output_tokens\":5}}\n\n");
    EXPECT_TRUE(complete);
    EXPECT_EQ(answer.figures.prompt_tokens, 300);
    EXPECT_EQ(answer.figures.output_tokens, 5);
}

TEST(AnswerReader, ReadsTimingsInEveryDialect)
{
    const std::string timings =
        R"("timings":{"prompt_n":30,"prompt_ms":590.0,"predicted_n":5,"predicted_ms":20.0,)"
        R"("draft_n":4,"draft_n_accepted":3})";
    for (const auto& [dialect, event] :
         {std::pair{"openai-chat", "{\"choices\":[{\"finish_reason\":\"stop\"}]," + timings + "}"},
          std::pair{"anthropic", "{\"type\":\"message_stop\"," + timings + "}"},
          std::pair{"responses",
                    "{\"type\":\"response.completed\",\"response\":{\"id\":\"r\"}," + timings
                        + "}"},
          std::pair{"responses",
                    "{\"type\":\"response.completed\",\"response\":{" + timings + "}}"},
          std::pair{"lmstudio-v1", "{\"type\":\"chat.end\",\"result\":{" + timings + "}}"},
          std::pair{"ollama-chat", "{\"done\":true," + timings + "}"},
          std::pair{"llamacpp", "{\"stop\":true," + timings + "}"}}) {
        const auto [answer, complete] = answerIn(dialect, "data: " + event + "\n\n");
        EXPECT_TRUE(complete) << event;
        const Figures& figures = answer.figures;
        EXPECT_EQ(figures.uncached_tokens, 30) << event;
        EXPECT_EQ(figures.prompt_ns, 590'000'000) << event;
        EXPECT_EQ(figures.draft_accepted_tokens, 3) << event;
    }
}

TEST(AnswerReader, AnAnswerThatTheServerStoppedIsNotComplete)
{
    for (const auto& [finish, complete] :
         {std::pair{"stop", true}, std::pair{"length", true}, std::pair{"tool_calls", true},
          std::pair{"abort", false}, std::pair{"content_filter", false},
          std::pair{"error", false}}) {
        const std::string event =
            R"({"choices":[{"finish_reason":")" + std::string(finish) + "\"}]}";
        EXPECT_EQ(answerIn("openai-chat", "data: " + event + "\n\n").second, complete) << finish;
    }
    EXPECT_FALSE(answerIn("responses",
                          "data: {\"type\":\"response.incomplete\",\"response\":"
                          "{\"incomplete_details\":{\"reason\":\"content_filter\"}}}\n\n")
                     .second);
}

} // namespace
} // namespace ep::attach
