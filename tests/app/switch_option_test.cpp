// SPDX-License-Identifier: GPL-3.0-or-later
#include "commands/options.h"

#include <gtest/gtest.h>

#include <optional>
#include <string>

namespace ep::app {
namespace {

std::optional<bool> parsed(const std::string& words)
{
    CLI::App program;
    session::RunRequest request;
    addSetting(program, request, "twin");
    program.parse(words);
    return request.twin;
}

TEST(SwitchOptionTest, IsAbsentUnlessGiven)
{
    EXPECT_EQ(parsed(""), std::nullopt);
    EXPECT_EQ(parsed("--twin"), true);
    EXPECT_EQ(parsed("--no-twin"), false);
}

} // namespace
} // namespace ep::app
