// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/core/message.h"

#include <gtest/gtest.h>

#include <sstream>

namespace ep {
namespace {

TEST(MessageTest, TheEnglishIsThePatternWithItsArguments)
{
    struct Case {
        Message message;
        const char* english;
    };
    const Case cases[] = {
        {{}, ""},
        {"The prompts differ.", "The prompts differ."},
        {{"There is no folder %1.", "/a b"}, "There is no folder /a b."},
        {{"%2 of %1, again %2", 7, std::size_t{3}}, "3 of 7, again 3"},
        {{"%1, %2", std::string("a"), std::string_view("b")}, "a, b"},
        {{"in %1: %2", "x", Message("%1 rows", 2)}, "in x: 2 rows"},
        {{"%1 at 95 %", 1}, "1 at 95 %"}, // no place
        {{"%1 of %2", "%2"}, "%2 of %2"}, // an argument is not a pattern
        {{"%1 and %3", "a", "b"}, "a and %3"}, // a place without an argument
        {"100 %1", "100 %1"}, // no arguments: a text, such as a name
        {{"%1%2", std::vector<Message>{"a", "b"}}, "ab"},
    };
    for (const Case& c : cases) {
        EXPECT_EQ(c.message.english(), c.english);
        EXPECT_EQ(c.message, c.english);
        std::ostringstream out;
        out << c.message;
        EXPECT_EQ(out.str(), c.english);
        EXPECT_EQ(c.message.empty(), *c.english == '\0');
    }
}

TEST(MessageTest, MessagesAreEqualIfPatternsAndArgumentsAre)
{
    EXPECT_EQ(Message("%1 rows", 2), Message("%1 rows", "2"));
    EXPECT_NE(Message("%1 rows", 2), Message("%1 rows", 3));
    EXPECT_NE(Message("%1 rows", 2), Message("2 rows"));
    EXPECT_EQ(Message("%1 rows", 2), std::string("2 rows"));
}

TEST(MessageTest, ASequenceLeavesOutWhatIsEmpty)
{
    EXPECT_TRUE(sequence({}).empty());
    EXPECT_EQ(sequence({"One."}), "One.");
    EXPECT_EQ(sequence({"One.", {}, "Two."}), "One. Two.");
    const Message list = sequence({"a", Message("%1 b", 2), "c"}, ", ");
    EXPECT_EQ(list, "a, 2 b, c");
    EXPECT_EQ(list.pattern(), "%1, %2");
}

} // namespace
} // namespace ep
