// SPDX-License-Identifier: GPL-3.0-or-later
// Real file systems without free space: stored runs can be read and deleted. Needs permission to
// mount.
#include "support/sample_run.h"
#include "support/temp_folder.h"

#include "ep/store/store.h"

#include <gmock/gmock.h>

#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <string>
#include <sys/statvfs.h>
#include <unistd.h>
#include <vector>

namespace ep::store {
namespace {

namespace fs = std::filesystem;
using test::makeSampleRun;

struct Disk {
    const char* name;
    const char* make; // with IMAGE for the 4 MB file and PLACE for the mount point
};

void PrintTo(const Disk& disk, std::ostream* out)
{
    *out << disk.name;
}

class StoreFullDisk : public testing::TestWithParam<Disk> {
protected:
    void SetUp() override
    {
        fs::create_directory(m_place);
        std::string command = GetParam().make;
        const auto fill = [&](const std::string& word, const std::string& value) {
            for (std::size_t at = 0; (at = command.find(word)) != std::string::npos;)
                command.replace(at, word.size(), value);
        };
        fill("IMAGE", (m_folder / "image").string());
        fill("PLACE", m_place.string());
        m_mounted = std::system(("{ " + command + "; } >/dev/null 2>&1").c_str()) == 0;
        if (!m_mounted)
            GTEST_SKIP() << "a file system cannot be mounted here";
    }
    void TearDown() override
    {
        if (m_mounted) {
            EXPECT_EQ(std::system(("umount " + m_place.string()).c_str()), 0);
        }
    }

    // Fills the disk with a file until about this much is left.
    void fillUp(std::uint64_t left) const
    {
        const int file = ::open((m_place / "others").c_str(), O_CREAT | O_WRONLY | O_CLOEXEC, 0600);
        ASSERT_GE(file, 0);
        for (std::size_t portion : {65'536U, 4096U, 512U}) {
            const std::vector<char> bytes(portion, 'x');
            while (::write(file, bytes.data(), portion) > 0) { }
        }
        const off_t size = ::lseek(file, 0, SEEK_END);
        EXPECT_EQ(::ftruncate(file, size - static_cast<off_t>(left)), 0);
        ::fsync(file);
        ::close(file);
    }

    test::TempFolder m_folder;
    fs::path m_place = m_folder / "disk";
    bool m_mounted = false;
};

TEST_P(StoreFullDisk, StillListsShowsAndDeletes)
{
    for (const std::uint64_t left : {0U, 1024U, 4096U, 8192U, 20'000U, 30'000U, 65'536U}) {
        SCOPED_TRACE(std::to_string(left) + " bytes free");
        const fs::path file = m_place / ("runs-" + std::to_string(left) + ".db");
        const ep::Run run = makeSampleRun();
        ep::Run second = run;
        second.info.id = "ffffffff-0000-4000-8000-000000000000";
        {
            auto store = Store::open(file);
            ASSERT_TRUE(store) << store.error().message;
            ASSERT_TRUE((*store)->saveRun(run));
            ASSERT_TRUE((*store)->saveRun(second));
        }
        fs::remove(file.string() + "-shm"); // SQLite has to create it anew
        fillUp(left);
        {
            auto store = Store::openToRead(file);
            ASSERT_TRUE(store) << store.error().message;
            const auto runs = (*store)->list();
            ASSERT_TRUE(runs) << runs.error().message;
            EXPECT_EQ(runs->size(), 2U);
            EXPECT_TRUE((*store)->load(run.info.id));
        }
        {
            auto store = Store::open(file);
            ASSERT_TRUE(store) << store.error().message;
            const Status deleted = (*store)->remove(run.info.id);
            EXPECT_TRUE(deleted) << deleted.error().message;
        }
        fs::remove(m_place / "others");
        auto store = Store::open(file);
        ASSERT_TRUE(store) << store.error().message;
        EXPECT_FALSE((*store)->load(run.info.id));
        EXPECT_TRUE((*store)->load(second.info.id));
        store->reset();
        for (const char* suffix : {"", "-wal", "-shm"})
            fs::remove(file.string() + suffix);
    }
}

INSTANTIATE_TEST_SUITE_P(Disks, StoreFullDisk,
                         testing::Values(Disk{"ext4 with blocks of 1 KB",
                                              "dd if=/dev/zero of=IMAGE bs=1M count=4 && "
                                              "mkfs.ext4 -q -m 0 -b 1024 -O ^has_journal IMAGE && "
                                              "mount -o loop IMAGE PLACE"},
                                         Disk{"ext4 with blocks of 4 KB",
                                              "dd if=/dev/zero of=IMAGE bs=1M count=4 && "
                                              "mkfs.ext4 -q -m 0 -b 4096 -O ^has_journal IMAGE && "
                                              "mount -o loop IMAGE PLACE"},
                                         Disk{"tmpfs", "mount -t tmpfs -o size=4m tmpfs PLACE"}));

} // namespace
} // namespace ep::store
