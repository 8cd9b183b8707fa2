// SPDX-License-Identifier: GPL-3.0-or-later
//
// Runs the fuzz target over its corpus and the fixtures, so that old findings stay fixed.
#include "support/folders.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace ep::power {
namespace {

int runFolder(const std::filesystem::path& folder)
{
    int count = 0;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
        std::ifstream file(entry.path(), std::ios::binary);
        const std::string bytes{std::istreambuf_iterator<char>(file), {}};
        for (const char piece : {'\1', '\x7f'}) {
            const std::string input = piece + bytes;
            LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(input.data()),
                                   input.size());
        }
        LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
        ++count;
    }
    return count;
}

TEST(PlistFuzz, HasNothingToSayAboutItsCorpus)
{
    EXPECT_GE(runFolder(test::sourcePath("tests/fuzz/plist_corpus")), 5); // aborts on a finding
    EXPECT_GE(runFolder(test::dataPath("powermetrics")), 5);
}

} // namespace
} // namespace ep::power
