// SPDX-License-Identifier: GPL-3.0-or-later
#include "dialogs/limits_dialog.h"
#include "support/temp_folder.h"

#include "ep/store/store.h"

#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>
#include <QTableWidget>
#include <QTest>

#include <gtest/gtest.h>

#include <atomic>

namespace ep::ui {
namespace {

using namespace Qt::Literals::StringLiterals;

Result<session::RooflineReport> measuredLimits()
{
    session::RooflineReport report;
    report.limits = {{.machine = "Mac, M1",
                      .device = "cpu",
                      .dtype = "bf16",
                      .flops_per_second = {52e9, 1e9},
                      .bytes_per_second = {8.1e9, 0.1e9}}};
    report.energy_problem = "No power source works.";
    return report;
}

} // namespace

TEST(LimitsDialog, ShowsAndStoresTheLimits)
{
    const test::TempFolder folder;
    const auto database = folder.path() / "runs.db";
    LimitsDialog dialog([](const CancelToken&, const ProgressFn&) { return measuredLimits(); },
                        database, nullptr);
    dialog.setAttribute(Qt::WA_DeleteOnClose, false);
    dialog.show();
    QSignalSpy stored(&dialog, &LimitsDialog::stored);
    auto* start = dialog.findChild<QPushButton*>(u"limitsStart"_s);
    QTest::mouseClick(start, Qt::LeftButton);
    ASSERT_TRUE(QTest::qWaitFor([&] { return start->isEnabled(); }, 20'000));
    EXPECT_EQ(stored.count(), 1);
    auto* limits = dialog.findChild<QTableWidget*>(u"limitsTable"_s);
    ASSERT_EQ(limits->rowCount(), 1);
    EXPECT_EQ(limits->item(0, 1)->text(), u"8.10 ± 0.20 GB/s"_s);
    EXPECT_EQ(limits->item(0, 3)->text(), u"—"_s); // not measured is not zero
    EXPECT_TRUE(
        dialog.findChild<QLabel*>(u"limitsState"_s)->text().contains(u"No power source works."_s));
    const auto machines = store::Store::open(database).value()->machines();
    ASSERT_TRUE(machines);
    ASSERT_EQ(machines->size(), 1U);
    EXPECT_EQ(machines->front().dtype, "bf16");
}

TEST(LimitsDialog, ClosingInTheMiddleCancels)
{
    std::atomic<bool> cancelled = false;
    auto* dialog = new LimitsDialog(
        [&](const CancelToken& cancel, const ProgressFn&) -> Result<session::RooflineReport> {
            while (!cancel.cancelled())
                QThread::msleep(1);
            cancelled = true;
            return Error{ErrorCode::Cancelled, "cancelled"};
        },
        {}, nullptr);
    dialog->show();
    QTest::mouseClick(dialog->findChild<QPushButton*>(u"limitsStart"_s), Qt::LeftButton);
    delete dialog;
    EXPECT_TRUE(cancelled);
}

} // namespace ep::ui
