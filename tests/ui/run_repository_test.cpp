// SPDX-License-Identifier: GPL-3.0-or-later
#include "repository/run_document.h"
#include "support/qt_warning_guard.h"
#include "support/sample_run.h"
#include "support/wait_until.h"

#include "ep/core/run_tree.h"
#include "ep/store/store.h"
#include "ep/ui/run_repository.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <gmock/gmock.h>

namespace {

using namespace ep;
using testing::HasSubstr;
using ui::RunRepository;

const std::string kFirst = "11111111-2222-4333-8444-555555555555";
const std::string kSecondRun = "21111111-2222-4333-8444-555555555555";

class RunRepositoryTest : public testing::Test {
protected:
    RunRepositoryTest()
        : database(std::filesystem::path(folder.path().toStdString()) / "runs.db")
    {
    }

    void save(const std::string& id)
    {
        auto store = store::Store::open(database);
        ASSERT_TRUE(store);
        ASSERT_TRUE((*store)->saveRun(test::makeSampleRun({.id = id})));
    }

    // Records all signals of the repository.
    void listen(RunRepository& repository)
    {
        QObject::connect(&repository, &RunRepository::listed, &context,
                         [this](const ui::RunList& runs) { lists.push_back(runs); });
        QObject::connect(&repository, &RunRepository::opened, &context,
                         [this](const RunPtr& run, const ui::TotalsPtr& ofRun) {
                             opened.push_back(run);
                             totals.push_back(ofRun);
                         });
        QObject::connect(&repository, &RunRepository::removed, &context,
                         [this](const QStringList& ids) { removed << ids; });
        QObject::connect(&repository, &RunRepository::exported, &context,
                         [this](const QString& path) { exported << path; });
        QObject::connect(&repository, &RunRepository::failed, &context,
                         [this](const Error& error) { problems << text(error.message.english()); });
    }
    static bool waitFor(const std::function<bool()>& condition)
    {
        return test::waitUntil(condition);
    }
    static QString text(const std::string& utf8) { return QString::fromStdString(utf8); }

    QtWarningGuard guard;
    QTemporaryDir folder;
    std::filesystem::path database;
    QObject context;
    std::vector<ui::RunList> lists;
    std::vector<RunPtr> opened;
    std::vector<ui::TotalsPtr> totals;
    QStringList removed;
    QStringList exported;
    QStringList problems;
};

TEST_F(RunRepositoryTest, ListsAndOpens)
{
    save(kFirst);
    RunRepository repository(database);
    listen(repository);
    repository.refresh();
    repository.open(text(kFirst.substr(0, 6)));
    ASSERT_TRUE(waitFor([this] { return lists.size() == 1 && opened.size() == 1; }));
    ASSERT_EQ(lists[0]->size(), 1U);
    EXPECT_EQ((*lists[0])[0].info.id, kFirst);
    EXPECT_EQ(opened[0]->info.id, kFirst);
    EXPECT_FALSE(opened[0]->trace.tokens.empty());
    EXPECT_TRUE(opened[0]->trace.components.empty()) << "the totals stand for them";
    ASSERT_EQ(totals.size(), 1U);
    EXPECT_EQ(totals[0]->size(), 24U);
}

TEST_F(RunRepositoryTest, ReadsWhatOpeningLeavesOut)
{
    save(kFirst);
    RunRepository repository(database);
    listen(repository);
    ui::RunDocument document;
    document.readFrom(&repository);
    std::vector<Error> errors;
    QObject::connect(&document, &ui::RunDocument::failed, &context,
                     [&](const Error& error) { errors.push_back(error); });
    repository.open(text(kFirst));
    ASSERT_TRUE(waitFor([&] { return !opened.empty(); }));
    document.open(opened.front(), totals.front());
    document.wantBreakdown();
    document.wantSteps({2});
    ASSERT_TRUE(waitFor([&] { return document.breakdown() && document.step(2); }));
    EXPECT_EQ(*document.breakdown(), breakDown(test::makeSampleRun({.id = kFirst}).trace));
    ASSERT_FALSE(document.step(2)->components.empty());
    EXPECT_EQ(document.step(2)->components.front().token, 2);
    ep::Run another = *opened.front();
    another.info.id = "none";
    document.open(std::make_shared<const ep::Run>(std::move(another)), totals.front());
    EXPECT_FALSE(document.breakdown());
    document.wantBreakdown();
    ASSERT_TRUE(waitFor([&] { return !errors.empty(); }));
    EXPECT_EQ(errors.front().code, ErrorCode::NotFound);
}

TEST_F(RunRepositoryTest, OnlyTheLatestQuestionOfAKindIsAnswered)
{
    save(kFirst);
    save(kSecondRun);
    RunRepository repository(database);
    listen(repository);
    for (int i = 0; i < 5; ++i)
        repository.refresh();
    repository.open(text(kFirst));
    repository.open(text(kSecondRun));
    ASSERT_TRUE(waitFor([this] { return !lists.empty() && !opened.empty(); }));
    QTest::qWait(50); // a late signal would have arrived by then
    EXPECT_EQ(lists.size(), 1U);
    ASSERT_EQ(opened.size(), 1U);
    EXPECT_EQ(opened[0]->info.id, kSecondRun);
}

TEST_F(RunRepositoryTest, RemovesAndBringsBack)
{
    save(kFirst);
    save(kSecondRun);
    RunRepository repository(database);
    listen(repository);
    repository.remove({text(kFirst), text("none")});
    ASSERT_TRUE(waitFor([this] { return !problems.isEmpty(); }));
    EXPECT_TRUE(removed.isEmpty()) << "all of them or none";
    repository.remove({text(kFirst)});
    ASSERT_TRUE(waitFor([this] { return !removed.isEmpty(); }));
    EXPECT_EQ(removed, QStringList(text(kFirst)));
    repository.refresh();
    ASSERT_TRUE(waitFor([this] { return !lists.empty(); }));
    EXPECT_EQ(lists.back()->size(), 1U);
    repository.restore(removed);
    ASSERT_TRUE(waitFor([this] { return lists.size() > 1; }));
    EXPECT_EQ(lists.back()->size(), 2U);
}

TEST_F(RunRepositoryTest, EditsAndListsAnew)
{
    save(kFirst);
    RunRepository repository(database);
    listen(repository);
    repository.edit({text(kFirst)}, {.title = "New name", .add_tags = {"x"}});
    ASSERT_TRUE(waitFor([this] { return !lists.empty(); }));
    EXPECT_EQ(lists.back()->front().info.title, "New name");
    EXPECT_EQ(lists.back()->front().info.tags.back(), "x");
}

TEST_F(RunRepositoryTest, CleansUpByRule)
{
    save(kFirst);
    save(kSecondRun);
    RunRepository repository(database);
    listen(repository);
    ui::StoreSizePtr size;
    QObject::connect(&repository, &RunRepository::measured, &context,
                     [&](const ui::StoreSizePtr& measured) { size = measured; });
    repository.prune({.keep_last = 1});
    ASSERT_TRUE(waitFor([this] { return !removed.isEmpty(); }));
    EXPECT_EQ(removed.size(), 1);
    repository.vacuum();
    ASSERT_TRUE(waitFor([&] { return size != nullptr; }));
    EXPECT_EQ(size->runs.size(), 1U);
}

TEST_F(RunRepositoryTest, ListsAnewWhenAnotherProcessChangesTheFile)
{
    save(kFirst);
    RunRepository repository(database);
    listen(repository);
    repository.refresh();
    ASSERT_TRUE(waitFor([this] { return !lists.empty(); }));
    {
        auto store = store::Store::open(database);
        ASSERT_TRUE(store);
        ASSERT_TRUE((*store)->edit(kFirst, {.title = "changed elsewhere"}));
    }
    ASSERT_TRUE(test::waitUntil([this] { return lists.size() > 1; }));
    EXPECT_EQ(lists.back()->front().info.title, "changed elsewhere");
}

TEST_F(RunRepositoryTest, ANewerFileIsShownWithASentence)
{
    save(kFirst);
    {
        QFile file(text(database.string()));
        ASSERT_TRUE(file.open(QIODevice::ReadWrite));
        file.seek(60); // user_version, big-endian
        file.write(QByteArray("\0\0\0\x63", 4));
    }
    RunRepository repository(database);
    listen(repository);
    QString notice;
    QObject::connect(&repository, &RunRepository::noticed, &context,
                     [&](const Message& sentence) { notice = text(sentence.english()); });
    repository.refresh();
    ASSERT_TRUE(waitFor([&] { return !notice.isEmpty(); }));
    EXPECT_THAT(notice.toStdString(), HasSubstr("newer"));
    EXPECT_EQ(lists.back()->size(), 1U);
}

TEST_F(RunRepositoryTest, ExportsJsonAndCsv)
{
    save(kFirst);
    RunRepository repository(database);
    listen(repository);
    const QString json = folder.filePath(QStringLiteral("run.json"));
    const QString csv = folder.filePath(QStringLiteral("csv"));
    repository.exportRun(text(kFirst), RunRepository::Format::Json, json);
    repository.exportRun(text(kFirst), RunRepository::Format::Csv, csv);
    repository.exportRun(text(kFirst), RunRepository::Format::CsvZip,
                         folder.filePath(QStringLiteral("run.zip")));
    repository.exportRun(text(kFirst), RunRepository::Format::Trace,
                         folder.filePath(QStringLiteral("trace.json")));
    ASSERT_TRUE(waitFor([this] { return exported.size() == 4; }));
    QFile file(json);
    ASSERT_TRUE(file.open(QIODevice::ReadOnly));
    EXPECT_THAT(file.readAll().toStdString(), HasSubstr(kFirst));
    EXPECT_FALSE(QDir(csv).entryList({QStringLiteral("*.csv")}).isEmpty());
}

TEST_F(RunRepositoryTest, AnswersEveryFailureWithASentence)
{
    RunRepository repository(database);
    listen(repository);
    repository.open(text(kFirst));
    ASSERT_TRUE(waitFor([this] { return problems.size() == 1; }));
    repository.exportRun(text(kFirst), RunRepository::Format::Json,
                         folder.filePath(QStringLiteral("x.json")));
    ASSERT_TRUE(waitFor([this] { return problems.size() == 2; }));
    save(kFirst);
    repository.exportRun(text(kFirst), RunRepository::Format::Json,
                         folder.filePath(QStringLiteral("no/such/folder/x.json")));
    ASSERT_TRUE(waitFor([this] { return problems.size() == 3; }));
    EXPECT_THAT(problems.last().toStdString(), HasSubstr("no/such/folder/x.json"));
}

TEST_F(RunRepositoryTest, CanBeDestroyedWithQuestionsOpen)
{
    save(kFirst);
    auto repository = std::make_unique<RunRepository>(database);
    listen(*repository);
    for (int i = 0; i < 20; ++i)
        repository->open(text(kFirst));
    repository.reset();
    QTest::qWait(20);
    EXPECT_TRUE(opened.empty());
}

} // namespace
