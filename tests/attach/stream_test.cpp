// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/attach/stream.h"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

namespace ep::attach {
namespace {

std::vector<std::string> messagesIn(Framing framing, std::string_view text,
                                    const std::vector<std::size_t>& cuts = {})
{
    MessageSplitter splitter(framing);
    std::vector<std::string> all;
    const auto add = [&](std::vector<std::string> some) {
        all.insert(all.end(), std::make_move_iterator(some.begin()),
                   std::make_move_iterator(some.end()));
    };
    std::size_t begin = 0;
    for (const std::size_t cut : cuts) {
        const auto part = splitter.feed(text.substr(begin, cut - begin));
        EXPECT_TRUE(part);
        add(*part);
        begin = cut;
    }
    const auto rest = splitter.feed(text.substr(begin));
    EXPECT_TRUE(rest);
    add(*rest);
    add(splitter.finish());
    return all;
}

TEST(Stream, KnowsTheFramingByTheContentType)
{
    EXPECT_EQ(framingOf("text/event-stream; charset=utf-8"), Framing::Events);
    EXPECT_EQ(framingOf("application/x-ndjson"), Framing::Lines);
    EXPECT_EQ(framingOf("application/json; charset=utf-8"), Framing::Whole);
    EXPECT_EQ(framingOf(""), Framing::Whole);
}

TEST(Stream, FindsTheMessages)
{
    using Texts = std::vector<std::string>;
    struct Case {
        const char* name;
        Framing framing;
        std::string_view text;
        Texts messages;
    };
    for (const Case& c : {
             Case{"events", Framing::Events, "data: a\n\ndata: b\n\n", {"a", "b"}},
             Case{"CR LF", Framing::Events, "data: a\r\n\r\ndata: b\r\n\r\n", {"a", "b"}},
             Case{"CR alone", Framing::Events, "data: a\r\rdata: b\r\r", {"a", "b"}},
             Case{"only one blank belongs to the field",
                  Framing::Events,
                  "data:  a\n\ndata:b\n\n",
                  {" a", "b"}},
             Case{"several lines", Framing::Events, "data: a\ndata: b\n\n", {"a\nb"}},
             Case{"comments and other fields",
                  Framing::Events,
                  ": ping\nevent: x\nid: 7\ndata: a\n\nretry: 5\n\n",
                  {"a"}},
             Case{"an error of llama.cpp", Framing::Events, "error: {}\n\n", {"{}"}},
             Case{"no blank line at the end", Framing::Events, "data: a\n\ndata: b", {"a", "b"}},
             Case{"an empty event", Framing::Events, "data\n\n", {""}},
             Case{"lines", Framing::Lines, "{1}\n{2}\r\n\n{3}", {"{1}", "{2}", "{3}"}},
             Case{"whole", Framing::Whole, "{\n \"a\": 1\n}\n", {"{\n \"a\": 1\n}\n"}},
             Case{"nothing", Framing::Whole, "", {}},
         })
        EXPECT_EQ(messagesIn(c.framing, c.text), c.messages) << c.name;
}

TEST(Stream, IsTheSameHoweverItIsCut)
{
    const std::string text = ": hello\r\ndata: {\"a\":\"1\"}\r\n\r\nevent: x\ndata: b\ndata: c\n\n"
                             "data:d\r\rdata: [DONE]\n\n";
    const auto whole = messagesIn(Framing::Events, text);
    ASSERT_EQ(whole.size(), 4U);
    std::mt19937 random(7);
    for (int i = 0; i < 1000; ++i) {
        std::vector<std::size_t> cuts;
        std::size_t at = 0;
        while (at < text.size()) {
            at += random() % 7;
            cuts.push_back(std::min(at, text.size()));
        }
        ASSERT_EQ(messagesIn(Framing::Events, text, cuts), whole) << i;
    }
}

TEST(Stream, RefusesAnEndlessMessage)
{
    MessageSplitter splitter(Framing::Lines);
    const std::string megabyte(1024 * 1024, 'x');
    for (int i = 0; i < 2; ++i)
        ASSERT_TRUE(splitter.feed(megabyte)) << i;
    const auto more = splitter.feed(megabyte);
    ASSERT_FALSE(more);
    EXPECT_EQ(more.error().message, "The server sent a message of more than 2 MB.");
}

} // namespace
} // namespace ep::attach
