// SPDX-License-Identifier: GPL-3.0-or-later
#include "torch_compat.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ep::model {
namespace {

TEST(TorchVersionTest, IsReadFromTheOpenedLibrary)
{
    EXPECT_EQ(buildOption("TORCH_VERSION"), torchVersion());
    EXPECT_EQ(buildOption("no such option"), "");
    // Here, compiled with and run on the same library.
    EXPECT_EQ(torchMismatch(TORCH_VERSION, torchVersion()), "");
}

TEST(TorchVersionTest, OnlyThePatchLevelMayDiffer)
{
    struct Case {
        const char* built;
        const char* opened;
        bool fits;
    };
    for (const Case& c : {Case{"2.13.0", "2.13.0", true}, Case{"2.13.0", "2.13.1", true},
                          Case{"2.13.0", "2.13.0+cpu", true}, Case{"2.13.0", "2.14.1", false},
                          Case{"1.13.1", "2.13.0", false}, Case{"2.1.0", "2.13.0", false}}) {
        EXPECT_EQ(torchMismatch(c.built, c.opened).empty(), c.fits) << c.built << " " << c.opened;
    }
    EXPECT_EQ(torchMismatch("2.13.0", "2.14.1"),
              "The inference engine was built with LibTorch 2.13.0, but LibTorch 2.14.1 is "
              "installed: build the program "
              "again, or install LibTorch 2.13.");
    EXPECT_EQ(shownTorchVersion("2.13.0", "2.13.0"), "2.13.0");
    EXPECT_EQ(shownTorchVersion("2.13.0", "2.13.1"), "2.13.1 (the engine was built with 2.13.0)");
}

} // namespace
} // namespace ep::model
