// SPDX-License-Identifier: GPL-3.0-or-later
#include "support/safetensors_writer.h"
#include "support/temp_folder.h"
#include "support/tiny_model.h"

#include "ep/model/engine_library.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

// The engine as the program uses it: a library opened at run time.
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

} // namespace
} // namespace ep::model
