// SPDX-License-Identifier: GPL-3.0-or-later
#include "diagnosis_text.h"
#include "support/diagnosed_run.h"
#include "widgets/answer_panel.h"
#include "widgets/answer_view.h"
#include "widgets/roofline_view.h"

#include "ep/ui/terms.h"

#include <QAbstractButton>
#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>

#include <gtest/gtest.h>

#include <algorithm>

namespace ep::ui {
namespace {

ExplanationPtr explanationOf(energy::Cause cause)
{
    test::RunSetup setup;
    test::inject(setup, cause, 3);
    const test::DiagnosedRun run = test::diagnosedRun(setup);
    session::Explanation explanation;
    explanation.diagnosis = energy::diagnose(run.request());
    explanation.remedies = energy::remediesFor(explanation.diagnosis, run.run.info);
    explanation.bars = session::barsOf(explanation.diagnosis);
    return std::make_shared<const session::Explanation>(std::move(explanation));
}

bool shows(const QWidget& widget, const char* text)
{
    for (const QLabel* label : widget.findChildren<QLabel*>()) {
        if (label->text().contains(QLatin1String(text)))
            return true;
    }
    return false;
}

TEST(AnswerViewTest, OpensWithTheAnswerAndItsBars)
{
    AnswerView view;
    view.resize(500, 400);
    view.show();
    EXPECT_TRUE(shows(view, "Looking for the reasons"));
    view.setExplanation(explanationOf(energy::Cause::MemoryBoundDecode));
    EXPECT_TRUE(shows(view, "the memory is the limit"));

    QAbstractButton* bar = nullptr;
    for (QAbstractButton* button : view.findChildren<QAbstractButton*>()) {
        if (button->text() == QLatin1String("MLP"))
            bar = button;
    }
    ASSERT_NE(bar, nullptr);
    int requests = 0;
    QString chart;
    QObject::connect(&view, &AnswerView::placeRequested, &view,
                     [&](const energy::CausePlace& place) {
                         ++requests;
                         chart = QString::fromUtf8(place.chart);
                     });
    QTest::mouseClick(bar, Qt::LeftButton);
    EXPECT_EQ(requests, 1);
    EXPECT_EQ(chart, QLatin1String("heatmap"));
    QTest::keyClick(bar, Qt::Key_Space);
    EXPECT_EQ(requests, 2);
}

// Without a translation, the sentences of the window are those of the terminal.
TEST(AnswerViewTest, SaysTheSameAsTheTerminalWordForWord)
{
    int remedies = 0;
    for (std::size_t i = 0; i < energy::kCauseCount; ++i) {
        const ExplanationPtr explanation = explanationOf(static_cast<energy::Cause>(i));
        const energy::Diagnosis& diagnosis = explanation->diagnosis;
        EXPECT_EQ(answerTexts(diagnosis).front().toStdString(), diagnosis.answer);
        EXPECT_EQ(leadText(*explanation).toStdString(), diagnosis.reason);
        for (const energy::Finding& finding : diagnosis.findings)
            EXPECT_EQ(term(lineOf(diagnosis, finding)).toStdString(), lineOf(diagnosis, finding));
        for (const energy::Remedy& remedy : explanation->remedies) {
            ++remedies;
            EXPECT_EQ(term(lineOf(diagnosis, remedy)).toStdString(), lineOf(diagnosis, remedy));
        }
    }
    EXPECT_GT(remedies, 5);
    // What was not recorded cannot be explained.
    test::RunSetup setup;
    test::DiagnosedRun unknown = test::diagnosedRun(setup);
    energy::Diagnosis doubtful = energy::diagnose(unknown.request());
    for (energy::Finding& finding : doubtful.findings) {
        finding.judgement = energy::Judgement::CannotTell;
        finding.explained = {};
        finding.missing = energy::factsOf(finding.cause).settles;
    }
    doubtful.findings.front().explained = {0.5, 0.2};
    doubtful.findings.front().share = {0.1, 0.04};
    const std::vector<Message> plain = doubtsOf(doubtful);
    const QStringList shown = doubtTexts(doubtful);
    ASSERT_EQ(shown.size(), std::ssize(plain));
    for (std::size_t i = 0; i < plain.size(); ++i)
        EXPECT_EQ(shown[static_cast<qsizetype>(i)].toStdString(), plain[i]);
    EXPECT_GT(plain.size(), 5U);
    for (const int held : {0, 1, 2}) {
        std::vector<session::TriedRemedy> tried(2);
        tried[0].advice.lever = "batch";
        tried[0].advice.setting = "8";
        tried[0].advice.share.value = 0.3;
        tried[0].advice.share.sd = 0.05;
        tried[0].observed = energy::Estimate{0.28, 0.02};
        tried[0].held = held > 0;
        if (held > 1) {
            tried[1].observed = energy::Estimate{0.1, 0.01};
            tried[1].held = true;
        }
        EXPECT_EQ(term(session::trackRecordOf(tried)).toStdString(), session::trackRecordOf(tried));
        for (const session::TriedRemedy& one : tried)
            EXPECT_EQ(term(lineOf(one)).toStdString(), lineOf(one));
    }
    EXPECT_TRUE(session::trackRecordOf({}).empty());
}

TEST(AnswerPanelTest, ShowsTheSentenceAndItsBarsOnly)
{
    AnswerPanel panel;
    panel.resize(900, 80);
    panel.show();
    const auto bar = [&](int i) {
        return panel.findChild<QAbstractButton*>(QStringLiteral("answerBar%1").arg(i));
    };
    EXPECT_FALSE(bar(0)->isVisible());
    const int height = panel.sizeHint().height();
    const ExplanationPtr explanation = explanationOf(energy::Cause::MemoryBoundDecode);
    panel.setRun(std::make_shared<const ep::Run>(), {});
    panel.setExplanation(explanation);
    EXPECT_TRUE(shows(panel, "the memory is the limit"));
    EXPECT_EQ(panel.sizeHint().height(), height) << "the charts below stay where they are";
    const int bars = static_cast<int>(explanation->bars.size());
    for (int i = 0; i < 3; ++i)
        EXPECT_EQ(bar(i)->isVisible(), i < bars) << i;
    std::string chart;
    QObject::connect(&panel, &AnswerPanel::placeRequested, &panel,
                     [&](const energy::CausePlace& place) { chart = place.chart; });
    QTest::mouseClick(bar(0), Qt::LeftButton);
    EXPECT_EQ(chart, explanation->bars.front().place.chart);
    panel.setExplanation(nullptr);
    EXPECT_FALSE(bar(0)->isVisible());
}

TEST(AnswerViewTest, OffersAStudyOnlyForWhatAStudyCanTry)
{
    AnswerView view;
    const ExplanationPtr format = explanationOf(energy::Cause::WideFormat);
    view.setExplanation(format);
    QSignalSpy spy(&view, &AnswerView::tryRequested);
    const auto buttons = view.findChildren<QPushButton*>();
    ASSERT_FALSE(buttons.isEmpty());
    QTest::mouseClick(buttons.front(), Qt::LeftButton);
    ASSERT_EQ(spy.count(), 1);
    const auto index = static_cast<std::size_t>(spy.front().front().toInt());
    EXPECT_EQ(format->remedies[index].trial, energy::Trial::Study);

    AnswerView other;
    other.setExplanation(explanationOf(energy::Cause::OtherLoad));
    EXPECT_TRUE(other.findChildren<QPushButton*>().isEmpty());
    EXPECT_TRUE(shows(other, "Close other programs"));
}

TEST(AnswerViewTest, HasAtMostThreeCardsAndNoOptionsOfTheCommandLine)
{
    for (std::size_t i = 0; i < energy::kCauseCount; ++i) {
        AnswerView view;
        view.setExplanation(explanationOf(static_cast<energy::Cause>(i)));
        EXPECT_LE(view.findChildren<QFrame*>(QStringLiteral("answerCard")).size(), 3) << i;
        for (const QLabel* label : view.findChildren<QLabel*>()) {
            EXPECT_FALSE(label->text().contains(QLatin1String("--"))
                         || label->text().contains(u'`'))
                << label->text().toStdString();
        }
        for (const QString& settled :
             {inWindow(energy::factsOf(static_cast<energy::Cause>(i)).settles)})
            EXPECT_FALSE(settled.contains(QLatin1String("--")) || settled.contains(u'`'))
                << settled.toStdString();
    }
}

TEST(AnswerViewTest, OffersToMeasureLimitsThatAreMissing)
{
    test::RunSetup setup;
    const test::DiagnosedRun run = test::diagnosedRun(setup);
    session::Explanation explanation;
    explanation.diagnosis = energy::diagnose(run.request());
    energy::Finding& finding = explanation.diagnosis.findings.front();
    finding.judgement = energy::Judgement::CannotTell;
    finding.missing = energy::factsOf(energy::Cause::MemoryBoundDecode).settles;
    AnswerView view;
    view.setExplanation(std::make_shared<const session::Explanation>(explanation));
    QSignalSpy spy(&view, &AnswerView::limitsRequested);
    auto* button = view.findChild<QPushButton*>(QStringLiteral("answerMeasureLimits"));
    ASSERT_NE(button, nullptr);
    QTest::mouseClick(button, Qt::LeftButton);
    EXPECT_EQ(spy.count(), 1);
}

// Advice is hidden if its saving may be a loss.
TEST(AnswerViewTest, HidesSavingsThatMayBeLosses)
{
    auto explanation =
        std::make_shared<session::Explanation>(*explanationOf(energy::Cause::WideFormat));
    ASSERT_FALSE(explanation->remedies.empty());
    for (energy::Remedy& remedy : explanation->remedies)
        remedy.saving = energy::Estimate{0.1, 0.2};
    AnswerView view;
    view.setExplanation(explanation);
    EXPECT_FALSE(shows(view, "Compute in"));
    EXPECT_TRUE(view.findChildren<QPushButton*>().isEmpty());
}

TEST(RooflineViewTest, BrushesPartsAndShowsAllAgain)
{
    const ExplanationPtr explanation = explanationOf(energy::Cause::MemoryBoundDecode);
    RooflineView view;
    view.resize(640, 360);
    view.addRun(explanation->diagnosis, "A");
    view.show();
    const std::size_t all = view.scene().marks.size();
    ASSERT_GT(all, 4U);
    // Selects only the leftmost dot.
    double left = 1e9;
    for (const viz::SceneMark& mark : view.scene().marks)
        left = std::min(left, mark.area.x + mark.area.width / 2.0);
    const int y = view.height() / 2;
    QTest::mousePress(&view, Qt::LeftButton, {}, {static_cast<int>(left) - 5, y});
    QTest::mouseRelease(&view, Qt::LeftButton, {}, {static_cast<int>(left) + 5, y});
    EXPECT_TRUE(view.brushed());
    EXPECT_LT(view.scene().marks.size(), all);
    QTest::mouseDClick(&view, Qt::LeftButton, {}, {300, y});
    EXPECT_FALSE(view.brushed());
    EXPECT_EQ(view.scene().marks.size(), all);
    view.addRun(explanation->diagnosis, "B");
    EXPECT_EQ(view.scene().marks.size(), 2 * all);
}

} // namespace
} // namespace ep::ui
