// SPDX-License-Identifier: GPL-3.0-or-later
// The engine as the program uses it: a library opened at run time.
#include "support/safetensors_writer.h"
#include "support/temp_folder.h"
#include "support/tiny_model.h"
#include "torch_compat.h"

#include "ep/model/engine_library.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

namespace ep::model {
namespace {

using testing::HasSubstr;

TEST(EngineLibraryTest, OpensBesideTheProgramAndRunsAModel)
{
    const auto library = EngineLibrary::open();
    ASSERT_TRUE(library) << library.error().message;
    EXPECT_FALSE((*library)->versions().torch.empty());

    const test::TempFolder folder;
    test::writeTinyModel(folder.path());
    const auto engine = (*library)->load({.folder = folder.path(), .device = "cpu"}, {}, {});
    ASSERT_TRUE(engine) << engine.error().message;
    const auto generation = (*engine)->begin({.prompts = {{256, 65}}}, nullptr, {});
    ASSERT_TRUE(generation) << generation.error().message;
    EXPECT_TRUE((*generation)->prefill());
    EXPECT_TRUE((*generation)->finish());
}

TEST(EngineLibraryTest, SaysWhatIsWrongWithALibrary)
{
    const test::TempFolder folder;
    test::writeText(folder / "engine.so", "not a library");
    ASSERT_EQ(setenv("EP_ENGINE_LIBRARY", (folder / "engine.so").c_str(), 1), 0);
    EXPECT_THAT(EngineLibrary::open().error().message, HasSubstr("cannot be opened"));
    ASSERT_EQ(setenv("EP_ENGINE_LIBRARY", (folder / "missing.so").c_str(), 1), 0);
    EXPECT_THAT(EngineLibrary::open().error().message, HasSubstr("was not found (looked for"));
    EXPECT_EQ(EngineLibrary::open().error().code, ErrorCode::NotFound);
    unsetenv("EP_ENGINE_LIBRARY");
}

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
