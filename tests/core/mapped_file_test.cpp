// SPDX-License-Identifier: GPL-3.0-or-later
#include "support/temp_folder.h"

#include "ep/core/mapped_file.h"

#include <gtest/gtest.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstddef>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <string>
#include <sys/mman.h>
#include <thread>
#include <unistd.h>
#include <vector>

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

// A GPU's driver copies writable pages before it pins them, so the weights of a model would be in
// memory twice. The system refuses to write anything into read-only pages.
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

// When no page backs the address, the system raises SIGBUS, which used to end the process.
TEST_F(MappedFileTest, ShrinksWhileItIsRead)
{
    const std::size_t page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
    const auto other = mapping(std::string(page, 'o'));
    const auto path = m_folder.path() / "long";
    std::ofstream(path, std::ios::binary) << std::string(5 * page, 'x');
    const auto file = MappedFile::open(path);
    ASSERT_TRUE(file);
    EXPECT_TRUE((*file)->unchanged());

    std::filesystem::resize_file(path, page + 1);
    const auto bytes = (*file)->bytes();
    EXPECT_FALSE((*file)->hasGaps());
    EXPECT_EQ(bytes[0], std::byte{'x'});
    EXPECT_EQ(bytes[3 * page + 7], std::byte{0});
    EXPECT_TRUE((*file)->hasGaps());
    EXPECT_EQ(bytes[2 * page], std::byte{0});
    EXPECT_EQ(bytes[5 * page - 1], std::byte{0});
    EXPECT_EQ(bytes[0], std::byte{'x'});
    const auto unchanged = (*file)->unchanged();
    ASSERT_FALSE(unchanged);
    EXPECT_EQ(unchanged.error(),
              (ep::Error{ep::ErrorCode::Io,
                         {"The file %1 changed while it was read: wait until its download or copy "
                          "is complete, then try again.",
                          path.string()}}));
    EXPECT_FALSE(other->hasGaps());
    EXPECT_TRUE(other->unchanged());
}

TEST_F(MappedFileTest, ShrinksWhileManyThreadsReadIt)
{
    const std::size_t page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
    constexpr int kPages = 64;
    const auto path = m_folder.path() / "long";
    for (int round = 0; round < 20; ++round) {
        std::ofstream(path, std::ios::binary) << std::string(kPages * page, 'x');
        const auto file = MappedFile::open(path);
        ASSERT_TRUE(file);
        std::vector<std::thread> threads;
        for (int i = 0; i < 8; ++i) {
            threads.emplace_back([&, i] {
                const auto bytes = (*file)->bytes();
                for (int at = 0; at < kPages; ++at)
                    static_cast<void>(*const_cast<const volatile std::byte*>(
                        &bytes[static_cast<std::size_t>((at * 7 + i) % kPages) * page]));
                // Meanwhile a region is mapped and unmapped.
                static_cast<void>(MappedFile::open(path));
            });
        }
        std::filesystem::resize_file(path, page);
        for (std::thread& thread : threads)
            thread.join();
        EXPECT_EQ((*file)->bytes()[(kPages - 1) * page], std::byte{0});
        EXPECT_TRUE((*file)->hasGaps());
    }
}

TEST_F(MappedFileTest, KnowsAFileThatWasRewrittenInPlace)
{
    const auto path = m_folder.path() / "file";
    const auto file = mapping("weights");
    std::filesystem::last_write_time(
        path, std::filesystem::last_write_time(path) + std::chrono::seconds(1));
    EXPECT_FALSE(file->unchanged());
}

TEST_F(MappedFileTest, KeepsAFileThatWasReplacedOrDeleted)
{
    const auto path = m_folder.path() / "file";
    const auto file = mapping("weights");
    std::ofstream(m_folder.path() / "new", std::ios::binary) << "w";
    std::filesystem::rename(m_folder.path() / "new", path);
    EXPECT_TRUE(file->unchanged());
    std::filesystem::remove(path);
    EXPECT_TRUE(file->unchanged());
    EXPECT_EQ(file->bytes()[6], std::byte{'s'});
}

// A bus error that does not concern a mapped file still ends the process.
TEST_F(MappedFileTest, LeavesOtherBusErrorsAlone)
{
    const auto file = mapping("weights");
    EXPECT_EXIT(std::raise(SIGBUS), testing::KilledBySignal(SIGBUS), "");
    const std::size_t page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
    const auto foreign = [&] {
        const auto path = m_folder.path() / "foreign";
        std::ofstream(path, std::ios::binary) << std::string(2 * page, 'x');
        const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
        void* const data = ::mmap(nullptr, 2 * page, PROT_READ, MAP_PRIVATE, fd, 0);
        std::filesystem::resize_file(path, 0);
        static_cast<void>(*(static_cast<const volatile char*>(data) + page));
    };
    EXPECT_EXIT(foreign(), testing::KilledBySignal(SIGBUS), "");
}

} // namespace
