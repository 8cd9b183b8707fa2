// SPDX-License-Identifier: GPL-3.0-or-later
#include "support/temp_folder.h"

#include "ep/store/store.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>

namespace {

using namespace ep;
using store::Store;

CalibrationRecord calibration(const std::string& id, std::int64_t at)
{
    CalibrationRecord record;
    record.id = id;
    record.machine = "Mac, M1";
    record.device = "cpu";
    record.dtype = "bf16";
    record.fingerprint = "abc";
    record.source = "ioreport";
    record.measured_at_ms = at;
    record.kappa = 0.99;
    record.kinds = {{.kind = "attention", .share = 0.25, .doubled_share = 0.26, .tau = 0.01},
                    {.kind = "down_proj", .share = 0.75, .problem = "Cheaper alone."}};
    return record;
}

CalibrationKey keyAt(std::int64_t at)
{
    return {.machine = "Mac, M1",
            .os = {},
            .device = "cpu",
            .dtype = "bf16",
            .fingerprint = "abc",
            .attention = {},
            .kernels = {},
            .source = "ioreport",
            .at_ms = at};
}

class CalibrationTable : public testing::Test {
protected:
    std::unique_ptr<Store> open(const std::string& name)
    {
        auto opened = Store::open(m_folder.path() / name);
        EXPECT_TRUE(opened);
        return std::move(*opened);
    }
    std::filesystem::path at(const std::string& name) const { return m_folder.path() / name; }

private:
    test::TempFolder m_folder;
};

} // namespace

TEST_F(CalibrationTable, KeepsEverythingNewestFirst)
{
    const auto store = open("runs.db");
    EXPECT_TRUE(store->calibrations()->empty());
    ASSERT_TRUE(store->saveCalibration(calibration("old", 1000)));
    ASSERT_TRUE(store->saveCalibration(calibration("new", 2000)));
    const auto all = store->calibrations();
    ASSERT_TRUE(all);
    ASSERT_EQ(all->size(), 2U);
    EXPECT_EQ(all->front(), calibration("new", 2000));
    EXPECT_EQ(all->back(), calibration("old", 1000));
}

TEST_F(CalibrationTable, FindsWhatSaysSomethingAboutARun)
{
    const auto store = open("runs.db");
    ASSERT_TRUE(store->saveCalibration(calibration("one", 1000)));
    EXPECT_EQ(store->calibration(keyAt(5000)).value()->id, "one");
    EXPECT_FALSE(store->calibration(keyAt(5000 + kCalibrationLastsMs)).value());
    const auto without = [&](auto change) {
        CalibrationKey key = keyAt(5000);
        change(key);
        return !store->calibration(key).value();
    };
    EXPECT_TRUE(without([](CalibrationKey& key) { key.machine = "Mac, M2"; }));
    EXPECT_TRUE(without([](CalibrationKey& key) { key.dtype = "f32"; }));
    EXPECT_TRUE(without([](CalibrationKey& key) { key.kernels = "neon"; }));
    EXPECT_TRUE(without([](CalibrationKey& key) { key.threads = 4; }));
    EXPECT_TRUE(without([](CalibrationKey& key) { key.os = "macOS 27"; }));
    EXPECT_TRUE(without([](CalibrationKey& key) { key.source = "powermetrics"; }));
}

TEST_F(CalibrationTable, IsSharedWithOtherDatabases)
{
    const auto mine = open("mine.db");
    ASSERT_TRUE(mine->saveCalibration(calibration("mine", 1000)));
    {
        const auto theirs = open("theirs.db");
        ASSERT_TRUE(theirs->saveCalibration(calibration("theirs", 2000)));
    }
    ASSERT_TRUE(mine->importDatabase(at("theirs.db")));
    EXPECT_EQ(mine->calibrations()->size(), 2U);
    ASSERT_TRUE(mine->copyTo(at("copy.db"), {}));
    EXPECT_EQ(open("copy.db")->calibrations()->size(), 2U);
}
