// SPDX-License-Identifier: GPL-3.0-or-later
#include "store/file_guards.h"
#include "support/fault_vfs.h"
#include "support/sample_run.h"
#include "support/sound_database.h"
#include "support/temp_folder.h"

#include "ep/store/store.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ep::store {
namespace {

namespace fs = std::filesystem;
using test::FaultVfs;
using test::makeSampleRun;
using test::TempFolder;
using testing::AllOf;
using testing::HasSubstr;

struct FaultCase {
    const char* name;
    FaultVfs::Call call;
    FaultVfs::Fault fault;
    bool lasting;
};

void PrintTo(const FaultCase& one, std::ostream* out)
{
    *out << one.name;
}

class StoreFault : public testing::TestWithParam<FaultCase> {
protected:
    // A database with one run, in one file.
    void SetUp() override
    {
        {
            auto store = Store::open(m_template);
            ASSERT_TRUE(store);
            ASSERT_TRUE((*store)->saveRun(m_earlier));
        }
        ASSERT_EQ(test::readFile(m_template.string() + "-wal"), "");
    }

    // Checks that the first `expected` runs exist and are complete.
    void expectWhole(const fs::path& file, const std::vector<const ep::Run*>& expected)
    {
        auto store = Store::open(file);
        ASSERT_TRUE(store) << store.error().message;
        const auto runs = (*store)->list();
        ASSERT_TRUE(runs) << runs.error().message;
        ASSERT_EQ(runs->size(), expected.size());
        for (const ep::Run* run : expected) {
            const auto loaded = (*store)->load(run->info.id);
            ASSERT_TRUE(loaded) << loaded.error().message;
            EXPECT_TRUE(*loaded == *run);
        }
        test::expectSound(file);
    }

    const ep::Run m_earlier = makeSampleRun({.id = "earlier", .tokens = 1});
    const ep::Run m_fresh = makeSampleRun({.id = "fresh", .tokens = 3});
    TempFolder m_folder;
    fs::path m_template = m_folder / "template.db";
};

// The nth call fails, for every n until the save makes fewer calls.
TEST_P(StoreFault, LosesNoEarlierRun)
{
    constexpr int kMany = 400;
    const FaultCase& fault = GetParam();
    const fs::path file = m_folder / "runs.db";
    FaultVfs vfs;
    int nth = 1;
    for (; nth < kMany; ++nth) {
        SCOPED_TRACE(nth);
        for (const char* suffix : {"", "-wal", "-shm"})
            fs::remove(file.string() + suffix);
        fs::copy_file(m_template, file);
        vfs.failAt(fault.call, nth, fault.fault, fault.lasting);
        bool saved = false;
        {
            auto store = Store::open(file);
            const Status done = store ? (*store)->saveRun(m_fresh) : Status(store.error());
            saved = done.has_value();
            if (!saved) {
                EXPECT_NE(done.error().code, ErrorCode::Internal) << done.error().message;
                EXPECT_THAT(done.error().message,
                            AllOf(HasSubstr("Cannot"), HasSubstr(file.string())));
            }
            vfs.stopFailing();
            if (store && !saved) { // the program continues with the same connection
                const Status again = (*store)->saveRun(m_fresh);
                EXPECT_TRUE(again) << again.error().message;
                saved = again.has_value();
            }
        }
        const bool reached = vfs.failed();
        if (saved)
            expectWhole(file, {&m_earlier, &m_fresh});
        else
            expectWhole(file, {&m_earlier});
        if (HasFatalFailure() || !reached)
            break;
    }
    if (fault.call != FaultVfs::Call::Truncate) { // which only comes after large runs
        EXPECT_GT(nth, 1) << "no such call was ever made";
    }
    EXPECT_LT(nth, kMany);
}

INSTANTIATE_TEST_SUITE_P(
    Faults, StoreFault,
    testing::Values(
        FaultCase{"full_disk", FaultVfs::Call::Write, FaultVfs::Fault::Full, true},
        FaultCase{"write_fails_once", FaultVfs::Call::Write, FaultVfs::Fault::IoError, false},
        FaultCase{"short_write", FaultVfs::Call::Write, FaultVfs::Fault::ShortWrite, false},
        FaultCase{"sync_fails", FaultVfs::Call::Sync, FaultVfs::Fault::IoError, false},
        FaultCase{"truncate_fails", FaultVfs::Call::Truncate, FaultVfs::Fault::IoError, false},
        FaultCase{"open_fails", FaultVfs::Call::Open, FaultVfs::Fault::IoError, false}),
    [](const auto& fault) { return std::string(fault.param.name); });

} // namespace
} // namespace ep::store
