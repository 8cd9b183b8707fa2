// SPDX-License-Identifier: GPL-3.0-or-later
// A model's files are opened once and passed on, however many runs follow.
#include "app/cli_fixture.h"
#include "model/gguf_of_folder.h"
#include "support/open_watch.h"
#include "support/tiny_model.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <list>
#include <string>
#include <vector>

namespace {

namespace fs = std::filesystem;
using ep::test::CliTest;
using ep::test::OpenWatch;

class OpenedFilesTest : public CliTest {
protected:
    // How often two runs open each of these files.
    std::vector<int> opened(const fs::path& model, const std::vector<fs::path>& files,
                            const std::vector<std::string>& more = {})
    {
        std::list<OpenWatch> watches;
        for (const fs::path& file : files)
            watches.emplace_back(file);
        std::vector<std::string> arguments{
            "run",      "--model", model.string(), "--prompt", "Once upon", "--max-new-tokens", "2",
            "--repeat", "2",       "--power",      "none"};
        arguments.insert(arguments.end(), more.begin(), more.end());
        const auto outcome = run(arguments);
        EXPECT_EQ(outcome.status, 0) << outcome.err;
        std::vector<int> counts;
        for (OpenWatch& watch : watches)
            counts.push_back(watch.opened());
        return counts;
    }
};

TEST_F(OpenedFilesTest, AFolderOnce)
{
    EXPECT_EQ(opened(model(),
                     {model() / "config.json", model() / "generation_config.json",
                      model() / "tokenizer.json", model() / "tokenizer_config.json",
                      model() / "model.safetensors"}),
              std::vector<int>(5, 1));
}

TEST_F(OpenedFilesTest, AGgufFileOnce)
{
    const fs::path file = folder() / "tiny.gguf";
    ep::test::ggufOf(model()).write(file);
    EXPECT_EQ(opened(file, {file}), std::vector<int>{1});
}

} // namespace
