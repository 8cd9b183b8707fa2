// SPDX-License-Identifier: GPL-3.0-or-later
#include "dialogs/self_test_dialog.h"
#include "support/qt_warning_guard.h"

#include <QClipboard>
#include <QDialogButtonBox>
#include <QGuiApplication>
#include <QLabel>
#include <QPlainTextEdit>
#include <QPointer>
#include <QProgressBar>
#include <QPushButton>
#include <QTest>

#include <gmock/gmock.h>

#include <thread>

namespace {

using namespace ep;
using namespace ep::ui;
using namespace Qt::Literals::StringLiterals;
using session::CheckState;
using session::SelfCheck;
using testing::HasSubstr;

constexpr int kPatienceMs = 20'000;

TEST(SelfTestDialog, ShowsTheChecksAndCopiesThem)
{
    const QtWarningGuard guard;
    const SelfCheck good{"kernels", "AVX2", CheckState::Ok, "as they should be", {}};
    const SelfCheck bad{"power", "rapl", CheckState::Failed, "it does not react", "try again"};
    auto* dialog = new SelfTestDialog(
        [&](const CancelToken&, const std::function<void(const SelfCheck&)>& found) {
            session::SelfTestReport report;
            report.checks = {good, bad};
            for (const SelfCheck& check : report.checks)
                found(check);
            return report;
        },
        nullptr);
    dialog->show();
    const auto* progress = dialog->findChild<QProgressBar*>();
    EXPECT_TRUE(progress->isVisible());
    auto* copy = dialog->findChild<QPushButton*>(u"selfTestCopy"_s);
    ASSERT_TRUE(QTest::qWaitFor([&] { return copy->isEnabled(); }, kPatienceMs));
    const std::string lines =
        dialog->findChild<QPlainTextEdit*>(u"selfTestLines"_s)->toPlainText().toStdString();
    EXPECT_EQ(lines, lineOf(good) + '\n' + lineOf(bad));
    EXPECT_THAT(dialog->findChild<QLabel*>(u"selfTestSummary"_s)->text().toStdString(),
                HasSubstr("1 of 2 checks"));
    EXPECT_FALSE(progress->isVisible());
    copy->click();
    EXPECT_THAT(QGuiApplication::clipboard()->text().toStdString(), HasSubstr("\"failed\": 1"));
    dialog->close();
}

TEST(SelfTestDialog, ClosingInTheMiddleCancels)
{
    const QtWarningGuard guard;
    auto* dialog = new SelfTestDialog(
        [](const CancelToken& cancel, const std::function<void(const SelfCheck&)>&) {
            while (!cancel.cancelled())
                std::this_thread::sleep_for(std::chrono::milliseconds(1));
            session::SelfTestReport report;
            report.cancelled = true;
            return report;
        },
        nullptr);
    const QPointer<SelfTestDialog> alive(dialog);
    dialog->show();
    auto* buttons = dialog->findChild<QDialogButtonBox*>();
    buttons->button(QDialogButtonBox::Cancel)->click();
    EXPECT_TRUE(QTest::qWaitFor([&] { return alive.isNull(); }, kPatienceMs));
}

} // namespace
