// SPDX-License-Identifier: GPL-3.0-or-later
#include "dialogs/sensor_doctor_dialog.h"

#include <QLabel>
#include <QPointer>
#include <QPushButton>
#include <QTableWidget>
#include <QTest>

#include <gtest/gtest.h>

#include <atomic>

namespace ep::ui {
namespace {

using namespace Qt::Literals::StringLiterals;

session::SensorExam madeUp(double seconds)
{
    session::SensorExam exam;
    session::SensorCheck rapl;
    rapl.report = {.kind = "rapl",
                   .available = true,
                   .explanation = "Counters of the processor.",
                   .remedy = "",
                   .rails = {Rail::Cpu, Rail::Dram},
                   .resolution = "61 uJ",
                   .gain = "not stated by the manufacturer"};
    session::SensorCheck metrics;
    metrics.report = {.kind = "powermetrics",
                      .available = false,
                      .explanation = "sudo asks for a password.",
                      .remedy = "Run scripts/setup_powermetrics.sh.",
                      .rails = {},
                      .resolution = "1 mJ"};
    if (seconds > 0.0) {
        rapl.quality = PowerQuality{};
        rapl.quality->median_interval_ms = 102.5;
        rapl.idle_mw = Milliwatts{5000.0};
        rapl.load_mw = Milliwatts{25'000.0};
        rapl.offset = {.ns = 12'000'000, .sd_ns = 1e6, .correlation = 0.99, .significant = true};
    }
    exam.sources = {rapl, metrics};
    return exam;
}

TEST(SensorDoctor, ShowsWhatThereIsAndMeasuresOnRequest)
{
    std::atomic<int> tests = 0;
    auto* dialog = new SensorDoctorDialog(
        [&](double seconds, const CancelToken&, const ProgressFn& progress) {
            if (seconds > 0.0)
                ++tests;
            progress(0.5, "half");
            return madeUp(seconds);
        },
        nullptr);
    const QPointer<SensorDoctorDialog> guard(dialog);
    dialog->show();
    auto* table = dialog->findChild<QTableWidget*>(u"sensorTable"_s);
    auto* measure = dialog->findChild<QPushButton*>(u"sensorMeasure"_s);
    auto* explanation = dialog->findChild<QLabel*>(u"sensorExplanation"_s);
    ASSERT_TRUE(QTest::qWaitFor([&] { return table->rowCount() == 2; }, 20'000));
    EXPECT_EQ(table->item(0, 0)->text(), u"rapl"_s);
    EXPECT_EQ(table->item(0, 2)->text(), u"cpu, dram"_s);
    EXPECT_EQ(table->item(0, 4)->text(), u"—"_s); // not measured is not zero
    EXPECT_EQ(
        explanation->text(),
        u"Counters of the processor.\n\nError of the gain: not stated by the manufacturer."_s);
    table->selectRow(1);
    EXPECT_TRUE(explanation->text().contains(u"setup_powermetrics.sh"_s));
    EXPECT_EQ(tests, 0);

    ASSERT_TRUE(QTest::qWaitFor([&] { return measure->isEnabled(); }, 20'000));
    QTest::mouseClick(measure, Qt::LeftButton);
    ASSERT_TRUE(QTest::qWaitFor(
        [&] {
            return table->item(0, 4)->text() == u"102 ms"_s
                || table->item(0, 4)->text() == u"103 ms"_s;
        },
        20'000))
        << table->item(0, 4)->text().toStdString();
    EXPECT_EQ(tests, 1);
    EXPECT_EQ(table->item(0, 6)->text(), u"25.0 W"_s);
    EXPECT_TRUE(table->item(0, 7)->text().startsWith(u"12"_s));
    dialog->close();
    EXPECT_TRUE(QTest::qWaitFor([&] { return guard.isNull(); }, 20'000));
}

TEST(SensorDoctor, ClosingInTheMiddleCancels)
{
    std::atomic<bool> cancelled = false;
    auto* dialog = new SensorDoctorDialog(
        [&](double, const CancelToken& cancel, const ProgressFn&) {
            while (!cancel.cancelled())
                QThread::msleep(1);
            cancelled = true;
            return session::SensorExam();
        },
        nullptr);
    dialog->show();
    delete dialog;
    EXPECT_TRUE(cancelled);
}

} // namespace
} // namespace ep::ui
