// SPDX-License-Identifier: GPL-3.0-or-later
#include "repository/run_document.h"
#include "support/sample_run.h"
#include "support/wait_until.h"

#include "ep/core/run_tree.h"
#include "ep/session/explain.h"
#include "ep/store/store.h"

#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include <gtest/gtest.h>

#include <filesystem>
#include <functional>
#include <utility>
#include <vector>

namespace ep::ui {
namespace {

// A reader that keeps requests until the test has them answered.
class PatientReader final : public RunReader {
public:
    explicit PatientReader(const store::Store& store)
        : m_store(store)
    {
    }
    void read(const CancelToken& cancel, Question question) override
    {
        asked.emplace_back(cancel, std::move(question));
    }
    void answer()
    {
        for (const auto& [cancel, question] : std::exchange(asked, {})) {
            if (const Answer answer = question(&m_store))
                answer();
        }
    }

    std::vector<std::pair<CancelToken, Question>> asked;

private:
    const store::Store& m_store;
};

class RunDocumentTest : public testing::Test {
protected:
    RunDocumentTest()
        : store(*store::Store::open(std::filesystem::path(folder.path().toStdString()) / "runs.db"))
        , reader(*store)
    {
        EXPECT_TRUE(store->saveRun(whole));
        document.readFrom(&reader);
    }

    // Opens a run as the window does: without its spans.
    void openStored()
    {
        auto overview = store->overview(whole.info.id);
        ASSERT_TRUE(overview);
        document.open(std::make_shared<const ep::Run>(std::move(overview->run)),
                      std::make_shared<const std::vector<ComponentTotal>>(overview->totals));
    }
    TimeRange half() const
    {
        const TimeRange time = whole.trace.time;
        return {time.begin_ns, time.begin_ns + time.duration_ns() / 2};
    }

    QTemporaryDir folder;
    const ep::Run whole = test::makeSampleRun({});
    std::unique_ptr<store::Store> store;
    PatientReader reader;
    RunDocument document;
};

TEST_F(RunDocumentTest, ReadsWhatAnOpenedRunLacks)
{
    openStored();
    EXPECT_TRUE(document.lacksSpans());
    ASSERT_TRUE(document.energy());
    EXPECT_TRUE(reader.asked.empty()) << "nothing is read before it is wanted";
    document.wantBreakdown();
    document.wantExplanation();
    document.wantSteps({1});
    document.wantExcerpt(half());
    document.wantTypicalToken();
    EXPECT_EQ(reader.asked.size(), 5U);
    EXPECT_FALSE(document.breakdown());
    EXPECT_FALSE(document.step(1));
    EXPECT_FALSE(document.excerpt(half()));
    reader.answer();
    ASSERT_TRUE(document.breakdown());
    EXPECT_EQ(*document.breakdown(), breakDown(whole.trace));
    ASSERT_TRUE(document.explanation());
    EXPECT_EQ(document.explanation()->run, whole.info.id);
    ASSERT_TRUE(document.step(1));
    EXPECT_FALSE(document.step(1)->components.empty());
    ASSERT_TRUE(document.excerpt(half()));
    EXPECT_FALSE(document.excerpt(whole.trace.time)) << "of another time";
    EXPECT_TRUE(document.aggregate());
    document.wantBreakdown();
    document.wantExcerpt(half());
    EXPECT_TRUE(reader.asked.empty()) << "what is known is not asked again";
}

TEST_F(RunDocumentTest, ComputesWhatAWholeRunHas)
{
    document.open(std::make_shared<const ep::Run>(whole), nullptr);
    EXPECT_FALSE(document.lacksSpans());
    document.wantBreakdown();
    document.wantSteps({1});
    document.wantExcerpt(half());
    document.wantTypicalToken();
    EXPECT_TRUE(document.excerpt(half())) << "few spans are cut at once";
    ASSERT_TRUE(test::waitUntil([this] { return document.breakdown() && document.aggregate(); }));
    EXPECT_EQ(*document.breakdown(), breakDown(whole.trace));
    EXPECT_TRUE(reader.asked.empty());
}

TEST_F(RunDocumentTest, LateAnswersAreDropped)
{
    const QSignalSpy excerpts(&document, &RunDocument::excerptChanged);
    const QSignalSpy breakdowns(&document, &RunDocument::breakdownChanged);
    const QSignalSpy aggregates(&document, &RunDocument::aggregateChanged);
    openStored();
    document.wantExcerpt(whole.trace.time);
    document.wantExcerpt(half()); // replaces the previous request
    document.wantTypicalToken();
    document.dropAggregate();
    reader.answer();
    EXPECT_EQ(excerpts.count(), 1);
    EXPECT_TRUE(document.excerpt(half()));
    EXPECT_EQ(aggregates.count(), 0);

    document.wantBreakdown();
    document.wantExplanation();
    document.wantSteps({1});
    openStored(); // as if it were a different run
    reader.answer();
    EXPECT_EQ(breakdowns.count(), 0);
    EXPECT_FALSE(document.explanation());
    EXPECT_FALSE(document.step(1));
    EXPECT_FALSE(document.excerpt(half()));
}

TEST_F(RunDocumentTest, ReadsTheQualityOfItsModelInItsFormat)
{
    const QSignalSpy qualities(&document, &RunDocument::qualitiesChanged);
    openStored();
    QualityRecord measured;
    measured.model = document.run()->info.model.name;
    measured.fingerprint = document.run()->info.model.fingerprint;
    measured.dtype = document.run()->info.dtype;
    measured.text_name = "tale.txt";
    QualityRecord other = measured;
    other.dtype = "another format";
    ASSERT_TRUE(store->saveQuality(measured));
    ASSERT_TRUE(store->saveQuality(other));
    document.wantQualities();
    EXPECT_FALSE(document.qualities());
    reader.answer();
    EXPECT_EQ(qualities.count(), 1);
    ASSERT_TRUE(document.qualities());
    EXPECT_EQ(*document.qualities(), std::vector{measured});
    openStored();
    EXPECT_FALSE(document.qualities()) << "that of the run before";
}

TEST_F(RunDocumentTest, AnInterruptedQuestionIsAskedAgain)
{
    openStored();
    document.wantBreakdown();
    for (const auto& [cancel, question] : reader.asked)
        cancel.cancel(); // as when another run is opened: the request fails
    reader.answer();
    EXPECT_FALSE(document.breakdown());
    document.wantBreakdown();
    reader.answer();
    EXPECT_TRUE(document.breakdown());
}

TEST_F(RunDocumentTest, SaysWhatCannotBeRead)
{
    std::vector<Error> errors;
    QObject::connect(&document, &RunDocument::failed, &document,
                     [&](const Error& error) { errors.push_back(error); });
    openStored();
    ep::Run gone = *document.run();
    gone.info.id = "gone";
    document.open(std::make_shared<const ep::Run>(std::move(gone)), document.totals());
    document.wantBreakdown();
    document.wantSteps({1});
    document.wantExplanation();
    reader.answer();
    EXPECT_FALSE(errors.empty());
    EXPECT_FALSE(document.breakdown());
    ASSERT_TRUE(document.explanation());
    EXPECT_NE(document.explanation()->diagnosis.answer.find("not stored"), std::string::npos);
    const std::size_t before = errors.size();
    document.wantSteps({1}); // the first request was dropped
    reader.answer();
    EXPECT_GT(errors.size(), before);
}

TEST_F(RunDocumentTest, WithoutAReaderNothingIsKnown)
{
    document.readFrom(nullptr);
    openStored();
    document.wantBreakdown();
    document.wantExplanation();
    EXPECT_FALSE(document.breakdown());
    document.open(nullptr, nullptr);
    document.wantBreakdown();
    document.wantExplanation();
    document.wantExcerpt(half());
    document.wantTypicalToken();
    EXPECT_FALSE(document.run());
    EXPECT_FALSE(document.lacksSpans());
}

} // namespace
} // namespace ep::ui
