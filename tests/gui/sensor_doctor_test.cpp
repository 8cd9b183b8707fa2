// SPDX-License-Identifier: GPL-3.0-or-later
#include "dialogs/sensor_doctor_dialog.h"

#include <QLabel>
#include <QPointer>
#include <QPushButton>
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
                   .title = "Energy counters of the processor",
                   .available = true,
                   .explanation = "Counters of the processor.",
                   .remedy = "",
                   .rails = {Rail::Cpu, Rail::Dram},
                   .resolution = "61 uJ",
                   .gain = "not stated by the manufacturer"};
    session::SensorCheck metrics;
    metrics.report = {.kind = "powermetrics",
                      .title = "Apple's powermetrics",
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

TEST(SensorDoctor, OffersTheModelledSourceWhereNothingWorks)
{
    auto* dialog = new SensorDoctorDialog(
        [](double, const CancelToken&, const ProgressFn&) {
            session::SensorExam exam = madeUp(0.0);
            exam.sources.erase(exam.sources.begin()); // removes the one that works
            exam.sources.front().report.explanation =
                "This machine has no battery; choose another power source.";
            return exam;
        },
        nullptr);
    const QPointer<SensorDoctorDialog> guard(dialog);
    dialog->show();
    auto* modelled = dialog->findChild<QPushButton*>(u"sensorUseModelled"_s);
    ASSERT_TRUE(QTest::qWaitFor([&] { return modelled->isVisible(); }, 20'000));
    EXPECT_TRUE(dialog->findChild<QLabel*>(u"sensorVerdict"_s)
                    ->text()
                    .contains(u"No power sensor works"_s));
    // What to choose instead is said only once, above.
    EXPECT_EQ(dialog->findChild<QLabel*>(u"explanation"_s)->text(),
              u"This machine has no battery."_s);
    bool asked = false;
    QObject::connect(dialog, &SensorDoctorDialog::modelledRequested, [&] { asked = true; });
    QTest::mouseClick(modelled, Qt::LeftButton);
    EXPECT_TRUE(asked);
    EXPECT_TRUE(QTest::qWaitFor([&] { return guard.isNull(); }, 20'000));
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
    auto* measure = dialog->findChild<QPushButton*>(u"sensorMeasure"_s);
    const auto said = [&](const QString& source, const QString& fact) {
        auto* card = dialog->findChild<QWidget*>(u"sensor-"_s + source);
        auto* label = card ? card->findChild<QLabel*>(fact) : nullptr;
        return label ? label->text() : QString();
    };
    ASSERT_TRUE(QTest::qWaitFor([&] { return !said(u"rapl"_s, u"state"_s).isEmpty(); }, 20'000));
    EXPECT_EQ(said(u"rapl"_s, u"state"_s), u"available"_s);
    EXPECT_EQ(said(u"rapl"_s, u"title"_s), u"Energy counters of the processor (rapl)"_s);
    EXPECT_EQ(said(u"rapl"_s, u"rails"_s), u"cpu, dram"_s);
    EXPECT_EQ(said(u"rapl"_s, u"explanation"_s),
              u"Counters of the processor. Error of the gain: not stated by the manufacturer."_s);
    EXPECT_EQ(said(u"rapl"_s, u"load"_s), QString()); // not measured is not zero
    EXPECT_EQ(said(u"powermetrics"_s, u"state"_s), u"not available"_s);
    EXPECT_EQ(said(u"powermetrics"_s, u"explanation"_s), u"sudo asks for a password."_s);
    EXPECT_EQ(said(u"powermetrics"_s, u"remedy"_s), u"Run scripts/setup_powermetrics.sh."_s);
    EXPECT_EQ(tests, 0);
    EXPECT_EQ(
        dialog->findChild<QLabel*>(u"sensorVerdict"_s)->text(),
        u"Energy can be measured on this computer: Energy counters of the processor (rapl)."_s);
    EXPECT_FALSE(dialog->findChild<QPushButton*>(u"sensorUseModelled"_s)->isVisible());

    ASSERT_TRUE(QTest::qWaitFor([&] { return measure->isEnabled(); }, 20'000));
    QTest::mouseClick(measure, Qt::LeftButton);
    ASSERT_TRUE(QTest::qWaitFor([&] { return !said(u"rapl"_s, u"interval"_s).isEmpty(); }, 20'000));
    const QString interval = said(u"rapl"_s, u"interval"_s);
    EXPECT_TRUE(interval == u"102 ms"_s || interval == u"103 ms"_s) << interval.toStdString();
    EXPECT_EQ(tests, 1);
    EXPECT_EQ(said(u"rapl"_s, u"load"_s), u"25.0 W"_s);
    EXPECT_EQ(said(u"rapl"_s, u"agreement"_s), u"—"_s);
    EXPECT_TRUE(said(u"rapl"_s, u"delay"_s).startsWith(u"12"_s));
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
