// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/core/run_title.h"

#include <gtest/gtest.h>

namespace ep {
namespace {

TEST(RunTitle, IsTheUsersOrTheCommandOrThePrompt)
{
    RunInfo info;
    info.prompt = "Once upon a time";
    EXPECT_EQ(runTitle(info), "Once upon a time");
    auto& words = info.profiling.command.emplace().arguments;
    words = {"/opt/venv/bin/python", "./hf.py", "/models/SmolLM2/", "--out=/tmp/a",
             "true and/or false?",   "/"};
    EXPECT_EQ(runTitle(info), "Once upon a time");
    info.title = commandText(words);
    EXPECT_EQ(runTitle(info), "python hf.py SmolLM2 --out=/tmp/a 'true and/or false?' /");
    info.title = "Mine";
    EXPECT_EQ(runTitle(info), "Mine");
}

} // namespace
} // namespace ep
