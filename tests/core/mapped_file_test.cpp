// SPDX-License-Identifier: GPL-3.0-or-later
#include "support/temp_folder.h"

#include "ep/core/mapped_file.h"

#include <gtest/gtest.h>

#include <array>
#include <cerrno>
#include <fstream>
#include <string>
#include <unistd.h>

namespace {

using ep::MappedFile;

class MappedFileTest : public testing::Test {
protected:
    std::shared_ptr<const MappedFile> mapping(const std::string& content) const
    {
        const auto file = m_folder.path() / "file";
        std::ofstream(file, std::ios::binary) << content;
        auto opened = MappedFile::open(file);
        EXPECT_TRUE(opened) << opened.error().message;
        return *opened;
    }

    ep::test::TempFolder m_folder;
};

TEST_F(MappedFileTest, HoldsTheBytesOfTheFile)
{
    const auto file = mapping("weights");
    const auto bytes = file->bytes();
    EXPECT_EQ(std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size()), "weights");
    EXPECT_TRUE(mapping("")->bytes().empty());
}

// The driver of a GPU copies pages that can be written before it pins them: the weights of a model
// would be in memory twice. The system refuses to put anything into pages that cannot.
TEST_F(MappedFileTest, ItsPagesCannotBeWritten)
{
    const auto file = mapping("weights");
    std::array<int, 2> ends{};
    ASSERT_EQ(::pipe(ends.data()), 0);
    ASSERT_EQ(::write(ends[1], "x", 1), 1);
    errno = 0;
    EXPECT_EQ(::read(ends[0], const_cast<std::byte*>(file->bytes().data()), 1), -1);
    EXPECT_EQ(errno, EFAULT);
    ::close(ends[0]);
    ::close(ends[1]);
    EXPECT_EQ(file->bytes()[0], std::byte{'w'});
}

TEST_F(MappedFileTest, RefusesWhatIsNoFile)
{
    EXPECT_EQ(MappedFile::open(m_folder.path() / "none").error().code, ep::ErrorCode::NotFound);
    EXPECT_EQ(MappedFile::open(m_folder.path()).error().code, ep::ErrorCode::InvalidInput);
}

} // namespace
