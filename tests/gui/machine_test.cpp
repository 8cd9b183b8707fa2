// SPDX-License-Identifier: GPL-3.0-or-later
// The dialog This Machine: each of its parts, and the button that does what is missing.
#include "dialogs/machine_dialog.h"
#include "support/qt_warning_guard.h"
#include "support/temp_folder.h"
#include "support/wait_until.h"

#include "ep/store/store.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QLabel>
#include <QListWidget>
#include <QPlainTextEdit>
#include <QPointer>
#include <QPushButton>
#include <QSignalSpy>
#include <QTableWidget>
#include <QTest>
#include <QThread>

#include <gmock/gmock.h>

#include <atomic>

namespace ep::ui {
namespace {

using namespace Qt::Literals::StringLiterals;
using session::CheckState;
using session::SelfCheck;
using testing::HasSubstr;

session::SensorExam madeUpExam(double seconds)
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

Result<session::RooflineReport> madeUpLimits()
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

session::CalibrationReport madeUpCalibration(const std::string& refusal)
{
    session::CalibrationReport report;
    report.record.model = "tiny";
    report.record.token_joules = 0.1;
    report.record.kinds = {
        {.kind = "attention", .bytes = 1e6, .share = 0.25, .tau = 0.01},
        {.kind = "down_proj", .share = 0.75, .doubled_share = 0.5, .problem = "Cheaper alone."}};
    report.refusal = refusal;
    return report;
}

const SelfCheck kGood{"kernels", "AVX2", CheckState::Ok, "as they should be", {}};
const SelfCheck kBad{"power", "rapl", CheckState::Failed, "it does not react", "try again"};

class MachineDialogTest : public testing::Test {
protected:
    MachineServices services()
    {
        return {
            .examine =
                [this](double seconds, const CancelToken&, const ProgressFn&) {
                    loads += seconds > 0.0;
                    return madeUpExam(seconds);
                },
            .measureLimits = [](const CancelToken&, const ProgressFn&) { return madeUpLimits(); },
            .calibrate =
                [this](const CancelToken&, const ProgressFn& progress) {
                    progress(0.5, "half");
                    return Result(madeUpCalibration(refusal));
                },
            .model = u"tiny"_s,
            .selfTest =
                [](const CancelToken&, const std::function<void(const SelfCheck&)>& found) {
                    session::SelfTestReport report;
                    report.checks = {kGood, kBad};
                    for (const SelfCheck& check : report.checks)
                        found(check);
                    return report;
                },
            .diagnostics = [] { return std::string("all that there is to say"); },
            .database = m_folder.path() / "runs.db"};
    }
    void open(MachineServices services)
    {
        m_dialog = new MachineDialog(std::move(services), nullptr);
        m_dialog->show();
        ASSERT_TRUE(waitUntilIdle());
    }
    bool waitUntilIdle()
    {
        return test::waitUntil([this] { return find<QPushButton>("limitsStart")->isEnabled(); });
    }
    template <typename T>
    T* find(const char* id)
    {
        return m_dialog->findChild<T*>(QString::fromLatin1(id));
    }
    void start(MachinePart part, const char* id)
    {
        m_dialog->showPart(part);
        QTest::mouseClick(find<QPushButton>(id), Qt::LeftButton);
        ASSERT_TRUE(waitUntilIdle());
    }
    std::string state(MachinePart part) { return m_dialog->stateOf(part).toStdString(); }
    QString fact(const QString& source, const QString& name)
    {
        auto* card = m_dialog->findChild<QWidget*>(u"sensor-"_s + source);
        auto* label = card ? card->findChild<QLabel*>(name) : nullptr;
        return label ? label->text() : QString();
    }
    ~MachineDialogTest() override { delete m_dialog; }

    std::atomic<int> loads = 0;
    std::string refusal;
    test::TempFolder m_folder;
    QPointer<MachineDialog> m_dialog;
};

TEST_F(MachineDialogTest, ShowsTheSensorsAndMeasuresOnRequest)
{
    open(services());
    EXPECT_EQ(state(MachinePart::Sensors),
              "Energy can be measured on this computer: Energy "
              "counters of the processor (rapl).");
    EXPECT_EQ(fact(u"rapl"_s, u"state"_s), u"available"_s);
    EXPECT_EQ(fact(u"rapl"_s, u"title"_s), u"Energy counters of the processor (rapl)"_s);
    EXPECT_EQ(fact(u"rapl"_s, u"rails"_s), u"cpu, dram"_s);
    EXPECT_EQ(fact(u"rapl"_s, u"explanation"_s),
              u"Counters of the processor. Systematic error: not stated by the manufacturer."_s);
    EXPECT_EQ(fact(u"rapl"_s, u"load"_s), QString()); // not measured is not zero
    EXPECT_EQ(fact(u"powermetrics"_s, u"state"_s), u"not available"_s);
    EXPECT_EQ(fact(u"powermetrics"_s, u"remedy"_s), u"Run scripts/setup_powermetrics.sh."_s);
    EXPECT_EQ(loads, 0);
    EXPECT_FALSE(find<QPushButton>("sensorUseModelled")->isVisible());
    start(MachinePart::Sensors, "sensorMeasure");
    EXPECT_EQ(loads, 1);
    const QString interval = fact(u"rapl"_s, u"interval"_s);
    EXPECT_TRUE(interval == u"102 ms"_s || interval == u"103 ms"_s) << interval.toStdString();
    EXPECT_EQ(fact(u"rapl"_s, u"load"_s), u"25.0 W"_s);
    EXPECT_EQ(fact(u"rapl"_s, u"agreement"_s), u"—"_s);
    EXPECT_TRUE(fact(u"rapl"_s, u"delay"_s).startsWith(u"12"_s));
}

TEST_F(MachineDialogTest, OffersTheModelledSourceWhereNothingWorks)
{
    MachineServices none = services();
    none.examine = [](double, const CancelToken&, const ProgressFn&) {
        session::SensorExam exam = madeUpExam(0.0);
        exam.sources.erase(exam.sources.begin()); // removes the one that works
        exam.sources.front().report.explanation =
            "This machine has no battery; choose another power source.";
        return exam;
    };
    open(std::move(none));
    EXPECT_THAT(state(MachinePart::Sensors), HasSubstr("No power sensor works"));
    // The page says only once what to choose instead.
    EXPECT_EQ(find<QLabel>("explanation")->text(), u"This machine has no battery."_s);
    QSignalSpy asked(m_dialog.data(), &MachineDialog::modelledRequested);
    QTest::mouseClick(find<QPushButton>("sensorUseModelled"), Qt::LeftButton);
    EXPECT_EQ(asked.count(), 1);
    EXPECT_TRUE(test::waitUntil([this] { return m_dialog.isNull(); }));
}

TEST_F(MachineDialogTest, ShowsAndStoresTheLimits)
{
    open(services());
    EXPECT_EQ(state(MachinePart::Limits), "Not measured yet.");
    QSignalSpy stored(m_dialog.data(), &MachineDialog::limitsStored);
    start(MachinePart::Limits, "limitsStart");
    EXPECT_EQ(stored.count(), 1);
    const auto* limits = find<QTableWidget>("limitsTable");
    ASSERT_EQ(limits->rowCount(), 1);
    EXPECT_EQ(limits->item(0, 2)->text(), u"8.10 ± 0.20 GB/s"_s);
    EXPECT_EQ(limits->item(0, 4)->text(), u"—"_s); // not measured is not zero
    EXPECT_THAT(state(MachinePart::Limits), HasSubstr("No power source works."));
    const auto machines = store::Store::open(m_folder.path() / "runs.db").value()->machines();
    ASSERT_TRUE(machines);
    ASSERT_EQ(machines->size(), 1U);
    EXPECT_EQ(machines->front().dtype, "bf16");
}

TEST_F(MachineDialogTest, ShowsAndStoresTheCalibration)
{
    refusal = "The machine ran on battery.";
    open(services());
    const auto* kinds = find<QTableWidget>("calibrationKinds");
    EXPECT_EQ(kinds->rowCount(), 0);
    start(MachinePart::Calibration, "calibrationStart");
    EXPECT_THAT(state(MachinePart::Calibration), HasSubstr("on battery"));
    refusal.clear();
    start(MachinePart::Calibration, "calibrationStart");
    ASSERT_EQ(kinds->rowCount(), 2);
    EXPECT_EQ(kinds->item(0, 0)->text(), u"down_proj"_s); // largest first
    EXPECT_EQ(kinds->item(0, 5)->text(), u"Cheaper alone."_s);
    EXPECT_EQ(kinds->item(1, 4)->text(), u"—"_s);
    const auto database = m_folder.path() / "runs.db";
    EXPECT_EQ(store::Store::open(database).value()->calibrations().value().size(), 1U);
    delete m_dialog;
    open(services());
    EXPECT_EQ(find<QTableWidget>("calibrationKinds")->rowCount(), 2);
    EXPECT_THAT(state(MachinePart::Calibration), HasSubstr("Calibrated on"));
}

TEST_F(MachineDialogTest, ShowsTheChecksAndCopiesThem)
{
    const QtWarningGuard guard;
    open(services());
    start(MachinePart::SelfTest, "selfTestStart");
    EXPECT_EQ(find<QPlainTextEdit>("selfTestLines")->toPlainText().toStdString(),
              lineOf(kGood) + '\n' + lineOf(kBad));
    EXPECT_THAT(state(MachinePart::SelfTest), HasSubstr("1 of 2 checks"));
    QTest::mouseClick(find<QPushButton>("selfTestCopy"), Qt::LeftButton);
    EXPECT_THAT(QGuiApplication::clipboard()->text().toStdString(), HasSubstr("\"failed\": 1"));
}

TEST_F(MachineDialogTest, MakeReadyDoesWhatIsMissing)
{
    MachineServices all = services();
    all.selfTest = [](const CancelToken&, const std::function<void(const SelfCheck&)>&) {
        return session::SelfTestReport();
    };
    open(std::move(all));
    auto* ready = find<QPushButton>("machineReady");
    EXPECT_EQ(ready->text(), u"Make &Ready (about 4 min)"_s);
    QTest::mouseClick(ready, Qt::LeftButton);
    ASSERT_TRUE(waitUntilIdle());
    EXPECT_THAT(state(MachinePart::Limits), HasSubstr("Stored"));
    EXPECT_THAT(state(MachinePart::Calibration), HasSubstr("later runs"));
    EXPECT_THAT(state(MachinePart::SelfTest), HasSubstr("passed"));
    EXPECT_EQ(ready->text(), u"Ready"_s);
    EXPECT_FALSE(ready->isEnabled());
}

TEST_F(MachineDialogTest, ClosingInTheMiddleCancels)
{
    std::atomic<bool> cancelled = false;
    MachineServices endless = services();
    endless.calibrate = [&](const CancelToken& cancel,
                            const ProgressFn&) -> Result<session::CalibrationReport> {
        while (!cancel.cancelled())
            QThread::msleep(1);
        cancelled = true;
        return Error{ErrorCode::Cancelled, "cancelled"};
    };
    open(std::move(endless));
    m_dialog->showPart(MachinePart::Calibration);
    QTest::mouseClick(find<QPushButton>("calibrationStart"), Qt::LeftButton);
    delete m_dialog;
    EXPECT_TRUE(cancelled);
}

} // namespace
} // namespace ep::ui
