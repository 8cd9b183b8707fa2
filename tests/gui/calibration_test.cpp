// SPDX-License-Identifier: GPL-3.0-or-later
#include "dialogs/calibration_dialog.h"
#include "support/temp_folder.h"

#include "ep/store/store.h"

#include <QLabel>
#include <QPushButton>
#include <QTableWidget>
#include <QTest>

#include <gtest/gtest.h>

#include <atomic>

namespace ep::ui {
namespace {

using namespace Qt::Literals::StringLiterals;

session::CalibrationReport calibrated(const std::string& refusal)
{
    session::CalibrationReport report;
    report.record = {.id = "one", .model = "tiny", .source = "rapl", .token_joules = 0.05};
    report.record.kinds = {
        {.kind = "attention", .bytes = 1e6, .share = 0.25, .tau = 0.01},
        {.kind = "down_proj", .share = 0.75, .doubled_share = 0.5, .problem = "Cheaper alone."}};
    report.refusal = refusal;
    return report;
}

} // namespace

TEST(CalibrationDialog, ShowsAndStoresWhatWasFound)
{
    const test::TempFolder folder;
    const auto database = folder.path() / "runs.db";
    {
        const auto store = store::Store::open(database);
        ASSERT_TRUE(store);
        MachineRecord machine;
        machine.machine = "Mac, M1";
        machine.device = "cpu";
        machine.dtype = "bf16";
        machine.joules_per_byte = MeasuredConstant{60e-12, 1e-12};
        ASSERT_TRUE((*store)->saveMachine(machine));
    }
    std::string refusal = "The machine ran on battery.";
    CalibrationDialog dialog(
        [&](const CancelToken&, const ProgressFn& progress) {
            progress(0.5, "half");
            return Result(calibrated(refusal));
        },
        u"tiny"_s, database, nullptr);
    dialog.setAttribute(Qt::WA_DeleteOnClose, false);
    dialog.show();
    auto* kinds = dialog.findChild<QTableWidget*>(u"calibrationKinds"_s);
    auto* machines = dialog.findChild<QTableWidget*>(u"calibrationMachines"_s);
    auto* state = dialog.findChild<QLabel*>(u"calibrationState"_s);
    auto* start = dialog.findChild<QPushButton*>(u"calibrationStart"_s);
    EXPECT_EQ(kinds->rowCount(), 0);
    ASSERT_EQ(machines->rowCount(), 1);
    EXPECT_EQ(machines->item(0, 2)->text(), u"60.0 ± 2.0 pJ"_s);
    EXPECT_EQ(machines->item(0, 3)->text(), u"—"_s); // not measured is not zero

    QTest::mouseClick(start, Qt::LeftButton);
    ASSERT_TRUE(QTest::qWaitFor([&] { return start->isEnabled(); }, 20'000));
    EXPECT_TRUE(state->text().contains(u"on battery"_s));
    EXPECT_TRUE(store::Store::open(database).value()->calibrations().value().empty());

    refusal.clear();
    QTest::mouseClick(start, Qt::LeftButton);
    ASSERT_TRUE(QTest::qWaitFor([&] { return start->isEnabled(); }, 20'000));
    ASSERT_EQ(kinds->rowCount(), 2);
    EXPECT_EQ(kinds->item(0, 0)->text(), u"down_proj"_s); // largest first
    EXPECT_EQ(kinds->item(0, 5)->text(), u"Cheaper alone."_s);
    EXPECT_EQ(kinds->item(1, 4)->text(), u"—"_s);
    EXPECT_EQ(store::Store::open(database).value()->calibrations().value().size(), 1U);

    const CalibrationDialog again({}, u"tiny"_s, database, nullptr);
    EXPECT_EQ(again.findChild<QTableWidget*>(u"calibrationKinds"_s)->rowCount(), 2);
}

TEST(CalibrationDialog, ClosingInTheMiddleCancels)
{
    std::atomic<bool> cancelled = false;
    auto* dialog = new CalibrationDialog(
        [&](const CancelToken& cancel, const ProgressFn&) -> Result<session::CalibrationReport> {
            while (!cancel.cancelled())
                QThread::msleep(1);
            cancelled = true;
            return Error{ErrorCode::Cancelled, "cancelled"};
        },
        u"tiny"_s, {}, nullptr);
    dialog->show();
    QTest::mouseClick(dialog->findChild<QPushButton*>(u"calibrationStart"_s), Qt::LeftButton);
    delete dialog;
    EXPECT_TRUE(cancelled);
}

} // namespace ep::ui
