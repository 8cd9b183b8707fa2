// SPDX-License-Identifier: GPL-3.0-or-later
#include "self_test/mach_object.h"
#include "support/temp_folder.h"

#include "ep/session/self_test.h"

#include <gmock/gmock.h>

#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace {

using namespace ep;
using session::CheckState;
using session::MachObject;
using testing::HasSubstr;

void append(std::string& bytes, std::uint32_t word)
{
    bytes.append(reinterpret_cast<const char*>(&word), sizeof(word));
}

// A load command whose text comes after so many words.
std::string command(std::uint32_t number, const std::string& text, std::vector<std::uint32_t> words)
{
    const auto offset = static_cast<std::uint32_t>(12 + 4 * words.size());
    std::string padded = text + '\0';
    while ((offset + padded.size()) % 8 != 0)
        padded += '\0';
    std::string bytes;
    append(bytes, number);
    append(bytes, static_cast<std::uint32_t>(offset + padded.size()));
    append(bytes, offset);
    for (const std::uint32_t word : words)
        append(bytes, word);
    return bytes + padded;
}
std::string library(const std::string& name)
{
    return command(0x0C, name, {0, 0, 0});
}
std::string weakLibrary(const std::string& name)
{
    return command(0x80000018, name, {0, 0, 0});
}
std::string rpath(const std::string& path)
{
    return command(0x8000001C, path, {});
}
std::string minimum(std::uint32_t major, std::uint32_t minor)
{
    std::string bytes;
    for (const std::uint32_t word : {0x32U, 24U, 1U, major << 16 | minor << 8, 0U, 0U})
        append(bytes, word);
    return bytes;
}

std::string mach(const std::vector<std::string>& commands)
{
    std::string body;
    for (const std::string& one : commands)
        body += one;
    std::string bytes;
    for (const std::uint32_t word :
         {0xFEEDFACFU, 0x0100000CU, 0U, 6U, static_cast<std::uint32_t>(commands.size()),
          static_cast<std::uint32_t>(body.size()), 0U, 0U})
        append(bytes, word);
    return bytes + body;
}

void write(const std::filesystem::path& file, const std::string& bytes)
{
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file, std::ios::binary) << bytes;
}

TEST(MachObject, ReadsWhatDyldReads)
{
    const test::TempFolder folder;
    write(folder / "one",
          mach({library("@rpath/libtorch.dylib"), weakLibrary("/opt/gone.dylib"),
                rpath("@loader_path"), rpath("/opt/with a blank/lib"), minimum(14, 4)}));
    const auto object = session::readMachObject(folder / "one");
    ASSERT_TRUE(object);
    ASSERT_EQ(object->libraries.size(), 2U);
    EXPECT_EQ(object->libraries[0].name, "@rpath/libtorch.dylib");
    EXPECT_FALSE(object->libraries[0].weak);
    EXPECT_TRUE(object->libraries[1].weak);
    EXPECT_EQ(object->rpaths, (std::vector<std::string>{"@loader_path", "/opt/with a blank/lib"}));
    EXPECT_EQ(object->minimum, "14.4");
}

TEST(MachObject, ReadsTheFirstOfSeveral)
{
    const test::TempFolder folder;
    std::string fat;
    // Big-endian: magic, number of parts, then processor, subtype, offset, size, alignment.
    for (const std::uint32_t word : {0xCAFEBABEU, 1U, 0x0100000CU, 0U, 64U, 0U, 0U})
        append(fat, __builtin_bswap32(word));
    fat.resize(64, '\0');
    write(folder / "fat", fat + mach({rpath("@loader_path")}));
    const auto object = session::readMachObject(folder / "fat");
    ASSERT_TRUE(object);
    EXPECT_EQ(object->rpaths.size(), 1U);
}

TEST(MachObject, RefusesWhatIsNone)
{
    const test::TempFolder folder;
    const std::string whole = mach({library("@rpath/libtorch.dylib"), rpath("@loader_path")});
    write(folder / "text", "#!/bin/sh\necho\n");
    write(folder / "empty", "");
    EXPECT_FALSE(session::readMachObject(folder / "text"));
    EXPECT_FALSE(session::readMachObject(folder / "empty"));
    EXPECT_FALSE(session::readMachObject(folder / "absent"));
    for (std::size_t length = 4; length < whole.size(); length += 4) {
        write(folder / "cut", whole.substr(0, length));
        EXPECT_FALSE(session::readMachObject(folder / "cut")) << length;
    }
    std::string endless = whole;
    std::memset(endless.data() + 36, 0, 4); // a command of no size
    write(folder / "endless", endless);
    EXPECT_FALSE(session::readMachObject(folder / "endless"));
}

// The check of a complete bundle of such files.
class BundleCheckTest : public testing::Test {
protected:
    BundleCheckTest()
    {
        put("MacOS/energy-profiler",
            {library("@rpath/QtCore.framework/Versions/A/QtCore"),
             library("/usr/lib/libc++.1.dylib"), rpath("@executable_path/../Frameworks")});
        put("Frameworks/QtCore.framework/Versions/A/QtCore", {library("@rpath/libzip.dylib")});
        put("Frameworks/libzip.dylib", {weakLibrary("@rpath/gone.dylib")});
        write(contents / "Resources/readme", "no program");
    }
    void put(const char* name, const std::vector<std::string>& commands)
    {
        write(contents / name, mach(commands));
    }
    session::SelfCheck check()
    {
        CancelToken cancel;
        std::optional<session::SelfCheck> libraries;
        const session::Backend nothing{
            .openEngineLibrary = []() -> Result<std::shared_ptr<model::EngineLibrary>> {
                return Error{ErrorCode::NotFound, "none"};
            },
            .makePowerFeed = {}};
        session::selfTest(
            {.model = {}, .program = contents / "MacOS/energy-profiler", .scratch = folder.path()},
            nothing, cancel, [&](const session::SelfCheck& one) {
                if (one.group == "bundle" && one.name == "libraries") {
                    libraries = one;
                    cancel.cancel(); // the rest is of no interest
                }
            });
        return libraries.value_or(session::SelfCheck{});
    }

    const test::TempFolder folder;
    const std::filesystem::path contents = folder / "Energy Profiler.app" / "Contents";
};

TEST_F(BundleCheckTest, AWholeOneIsFine)
{
    const auto result = check();
    EXPECT_EQ(result.state, CheckState::Ok) << result.detail;
    EXPECT_THAT(result.detail, HasSubstr("its 3 programs and libraries"));
}

TEST_F(BundleCheckTest, FindsWhatWouldNotStartElsewhere)
{
    const std::vector<std::pair<std::vector<std::string>, const char*>> faults = {
        {{library("@rpath/libgone.dylib")}, "libgone.dylib, which is not in the bundle"},
        {{library("@loader_path/../../../outside.dylib")}, "outside.dylib, which is not"},
        {{library("/opt/homebrew/lib/libx.dylib")}, "/opt/homebrew/lib/libx.dylib, which is not"},
        {{rpath("@loader_path"), rpath("@loader_path")}, "an rpath twice"},
        {{rpath("/opt/homebrew/lib")}, "outside of the bundle"},
    };
    write(folder / "outside.dylib", mach({}));
    for (const auto& [commands, said] : faults) {
        put("Frameworks/libzip.dylib", commands);
        const auto result = check();
        EXPECT_EQ(result.state, CheckState::Failed) << said;
        EXPECT_THAT(result.detail, HasSubstr(said));
    }
}

} // namespace
