// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/attach/endpoint.h"

#include <gtest/gtest.h>

namespace ep::attach {
namespace {

TEST(Endpoint, IsOnThisMachine)
{
    struct Case {
        const char* text;
        const char* origin;
    };
    for (const Case& c :
         {Case{"http://127.0.0.1:11434", "http://127.0.0.1:11434"},
          Case{"http://localhost:8080/", "http://127.0.0.1:8080"},
          Case{"localhost:1234", "http://127.0.0.1:1234"},
          Case{"127.0.0.5:80", "http://127.0.0.5:80"}, Case{" 11434 ", "http://127.0.0.1:11434"},
          Case{"[::1]:8080", "http://[::1]:8080"}}) {
        const auto endpoint = parseEndpoint(c.text);
        ASSERT_TRUE(endpoint) << c.text << ": " << endpoint.error().message;
        EXPECT_EQ(endpoint->origin(), c.origin);
    }
}

TEST(Endpoint, OfAnotherMachineIsRefusedWithTheReason)
{
    struct Case {
        const char* text;
        const char* reason;
    };
    for (const Case& c :
         {Case{"http://192.168.1.7:11434", "is not on this machine"},
          Case{"http://example.com:80", "is not on this machine"},
          Case{"http://0.0.0.0:8080", "is not on this machine"},
          Case{"http://127.0.0.1.example.com:80", "is not on this machine"},
          Case{"https://127.0.0.1:8080", "is not an http address"},
          Case{"http://me:secret@127.0.0.1:8080", "contains a password"},
          Case{"http://127.0.0.1", "has no port"}, Case{"http://127.0.0.1:8080/v1", "has a path"},
          Case{"", "is not the address of a server"},
          Case{"http://127.0.0.1:99999", "is not the address of a server"}}) {
        const auto endpoint = parseEndpoint(c.text);
        ASSERT_FALSE(endpoint) << c.text;
        EXPECT_NE(endpoint.error().message.english().find(c.reason), std::string::npos)
            << c.text << ": " << endpoint.error().message;
    }
}

} // namespace
} // namespace ep::attach
