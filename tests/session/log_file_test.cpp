// SPDX-License-Identifier: GPL-3.0-or-later
#include "support/temp_folder.h"

#include "ep/session/diagnostics.h"
#include "ep/session/log_file.h"

#include <QtGlobal>

#include <gmock/gmock.h>

#include <filesystem>
#include <string>

namespace {

using namespace ep;
using session::LogFile;
using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

TEST(LogFile, KeepsLinesWithTheirTime)
{
    const test::TempFolder folder;
    LogFile log(folder.path() / "deep" / "x.log");
    log.write("first");
    log.write("second\nline\033[2J");
    EXPECT_THAT(session::lastLines(log.file(), 10),
                ElementsAre(EndsWith("Z first"), EndsWith("Z second line\uFFFD[2J")));
    EXPECT_THAT(session::lastLines(log.file(), 1), ElementsAre(HasSubstr("Z second line")));
}

TEST(LogFile, RotatesAndForgetsTheOldest)
{
    const test::TempFolder folder;
    LogFile log(folder.path() / "x.log", 100, 2);
    for (int i = 0; i < 20; ++i)
        log.write("line " + std::to_string(i) + " of some length");
    int files = 0;
    for (const auto& entry : std::filesystem::directory_iterator(folder.path())) {
        EXPECT_LE(entry.file_size(), 100U) << entry.path();
        ++files;
    }
    EXPECT_EQ(files, 3);
    const auto lines = session::lastLines(log.file(), 100);
    ASSERT_FALSE(lines.empty());
    EXPECT_THAT(lines.back(), HasSubstr("line 19"));
    EXPECT_THAT(lines.front(), Not(HasSubstr("line 0 ")));
}

TEST(LogFile, APlaceThatCannotBeWrittenIsNoReasonToFail)
{
    LogFile log("/proc/no/such/place.log");
    log.write("lost");
    EXPECT_THAT(session::lastLines(log.file(), 10), IsEmpty());
}

TEST(LogFile, HearsQtAndLetsGo)
{
    const test::TempFolder folder;
    const auto file = folder.path() / "x.log";
    const QtMessageHandler silent = [](QtMsgType, const QMessageLogContext&, const QString&) {};
    const QtMessageHandler before = qInstallMessageHandler(silent);
    {
        LogFile log(file);
        log.takeOverQtMessages();
        qWarning("something is odd");
    }
    qWarning("nobody hears this");
    qInstallMessageHandler(before);
    EXPECT_THAT(session::lastLines(file, 10), ElementsAre(EndsWith("warning: something is odd")));
}

TEST(Diagnostics, NamesAreTakenOut)
{
    EXPECT_EQ(session::withoutNames("/home/someone/models of someone", "/home/someone", "someone"),
              "~/models of USER");
    EXPECT_EQ(session::withoutNames("/root/x", "/root", "root"), "~/x");
    EXPECT_EQ(session::withoutNames("a b", "/", "a"), "a b");
}

TEST(Diagnostics, SayWhatIsThere)
{
    const test::TempFolder folder;
    LogFile log(folder.path() / "x.log");
    log.write("the last thing");
    const std::string text = session::collectDiagnostics(
        {.database = folder.path() / "none.db",
         .resources = "/somewhere/resources",
         .log = log.file(),
         .probeSources = [] {
             return std::vector<power::SourceReport>{{.kind = "rapl",
                                                      .title = "Energy counters",
                                                      .available = false,
                                                      .explanation = "It is not there.",
                                                      .remedy = "Nothing helps.",
                                                      .rails = {}}};
         }});
    for (const char* part :
         {"== Program", "/somewhere/resources", "== Machine", "There is no database yet",
          "rapl: not available. It is not there. Nothing helps.", "the last thing"})
        EXPECT_THAT(text, HasSubstr(part));
}

} // namespace
