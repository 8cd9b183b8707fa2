// SPDX-License-Identifier: GPL-3.0-or-later
#include "web_frame.h"

#include <gtest/gtest.h>

namespace ep::api {
namespace {

using namespace std::string_literals;

constexpr std::size_t kLimit = 1024;

// A frame as a client sends it.
std::string masked(std::uint8_t first, const std::string& payload, const std::string& length)
{
    const std::string mask = "\x01\x02\x03\x04";
    std::string bytes(1, static_cast<char>(first));
    bytes += length + mask;
    for (std::size_t i = 0; i < payload.size(); ++i)
        bytes += static_cast<char>(payload[i] ^ mask[i % mask.size()]);
    return bytes;
}

std::string text(const std::string& payload)
{
    return masked(0x81, payload, std::string(1, static_cast<char>(0x80 | payload.size())));
}

TEST(WebFrame, IsReadWhenItIsComplete)
{
    const std::string bytes = text("Hello") + "more";
    for (std::size_t size = 0; size < bytes.size() - 4; ++size)
        EXPECT_FALSE(parseFrame(bytes.substr(0, size), kLimit)) << size;
    const auto frame = parseFrame(bytes, kLimit);
    ASSERT_TRUE(frame);
    EXPECT_EQ(frame->payload, "Hello");
    EXPECT_EQ(frame->opcode, Opcode::Text);
    EXPECT_TRUE(frame->last);
    EXPECT_EQ(frame->size, bytes.size() - 4);
}

TEST(WebFrame, ReadsLongerLengths)
{
    const std::string payload(300, 'x');
    const auto shorter = parseFrame(masked(0x82, payload, "\xfe\x01\x2c"s), kLimit);
    ASSERT_TRUE(shorter);
    EXPECT_EQ(shorter->payload, payload);
    const auto longer = parseFrame(masked(0x00, payload, "\xff\0\0\0\0\0\0\x01\x2c"s), kLimit);
    ASSERT_TRUE(longer);
    EXPECT_EQ(longer->payload, payload);
    EXPECT_EQ(longer->opcode, Opcode::Continuation);
    EXPECT_FALSE(longer->last);
}

struct BadFrame {
    const char* name;
    std::string bytes;
    CloseCode code;
};

class BadFrameTest : public testing::TestWithParam<BadFrame> { };

TEST_P(BadFrameTest, IsRefused)
{
    const auto frame = parseFrame(GetParam().bytes, kLimit);
    ASSERT_TRUE(frame);
    EXPECT_EQ(frame->refusal, GetParam().code);
}

INSTANTIATE_TEST_SUITE_P(
    Frames, BadFrameTest,
    testing::Values(BadFrame{"Unmasked", "\x81\x05Hello", CloseCode::ProtocolError},
                    BadFrame{"ReservedBit", "\xc1\x80", CloseCode::ProtocolError},
                    BadFrame{"UnknownOpcode", "\x83\x80", CloseCode::ProtocolError},
                    BadFrame{"UnknownControl", "\x8b\x80", CloseCode::ProtocolError},
                    BadFrame{"FragmentedPing", "\x09\x80", CloseCode::ProtocolError},
                    BadFrame{"LongPing", "\x89\xfe", CloseCode::ProtocolError},
                    BadFrame{"TooLong", "\x82\xfe\x04\x01", CloseCode::TooLarge},
                    BadFrame{"MuchTooLong", "\x82\xff\xff\xff\xff\xff\xff\xff\xff\xff",
                             CloseCode::TooLarge}),
    [](const auto& tested) { return tested.param.name; });

TEST(WebFrame, IsWrittenUnmasked)
{
    EXPECT_EQ(frameOf(Opcode::Text, "Hello"), "\x81\x05Hello");
    EXPECT_EQ(frameOf(Opcode::Ping, ""), "\x89\0"s);
    EXPECT_EQ(frameOf(Opcode::Text, std::string(200, 'x')).substr(0, 4), "\x81\x7e\0\xc8"s);
    EXPECT_EQ(frameOf(Opcode::Text, std::string(70'000, 'x')).substr(0, 10),
              "\x81\x7f\0\0\0\0\0\x01\x11\x70"s);
    EXPECT_EQ(closeFrame(CloseCode::ProtocolError), "\x88\x02\x03\xea"s);
}

TEST(WebFrame, AcceptsKeysAsTheStandardSays)
{
    EXPECT_EQ(acceptKey("dGhlIHNhbXBsZSBub25jZQ=="), "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=");
}

} // namespace
} // namespace ep::api
