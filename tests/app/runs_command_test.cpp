// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli_fixture.h"
#include "support/run_id.h"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include <fstream>
#include <sstream>

namespace {

namespace fs = std::filesystem;
using ep::test::idFrom;
using ep::test::Outcome;
using nlohmann::json;
using testing::HasSubstr;

// Imports runs as JSON written by hand, so that no model is needed.
class RunsCommand : public ep::test::CliTest {
protected:
    std::string writeRun(const std::string& id, std::int64_t createdMs, const json& tags = {})
    {
        const json run = {
            {"format", "energy-profiler-run"},
            {"version", 2},
            {"run",
             {{"info",
               {{"id", idFrom(id)},
                {"created_at_ms", createdMs},
                {"prompt", "Once"},
                {"tags", tags.is_null() ? json::array() : tags}}},
              {"tokens", {{{"start_ns", 0}, {"duration_ns", 5'000'000}, {"text", " upon"}}}}}}};
        const fs::path file = folder() / (id + ".json");
        std::ofstream(file) << run.dump();
        return file.string();
    }

    void importThree()
    {
        const Outcome outcome = run({"runs", "import", writeRun("aaa", 1'000),
                                     writeRun("bbb", 2'000, {"old"}), writeRun("ccc", 3'000)});
        ASSERT_EQ(outcome.status, 0) << outcome.err;
        EXPECT_EQ(outcome.out,
                  "Imported " + idFrom("aaa") + "\nImported " + idFrom("bbb") + "\nImported "
                      + idFrom("ccc") + "\n");
    }

    json shown(const std::string& id)
    {
        const Outcome outcome = run({"runs", "show", id, "--json", "--full"});
        EXPECT_EQ(outcome.status, 0) << outcome.err;
        return json::parse(outcome.out)["run"];
    }

    static std::string content(const fs::path& file)
    {
        std::ifstream stream(file, std::ios::binary);
        std::ostringstream text;
        text << stream.rdbuf();
        return text.str();
    }
};

TEST_F(RunsCommand, ImportsOnceAndSaysWhatIsWrong)
{
    importThree();
    const Outcome again = run({"runs", "import", (folder() / "aaa.json").string(), "--json"});
    EXPECT_EQ(json::parse(again.out),
              json({{"format", "energy-profiler-imported"},
                    {"version", 1},
                    {"imported", json::array()},
                    {"skipped", {idFrom("aaa")}}}));

    std::ofstream(folder() / "bad.json")
        << R"({"format": "energy-profiler-run", "version": 2, "run": {"info": {"id": 7}}})";
    const Outcome bad = run({"runs", "import", (folder() / "bad.json").string()});
    EXPECT_THAT(bad, failsWith(1, "bad.json"));
    EXPECT_THAT(bad.err, HasSubstr("run.info.id must be a string"));
    EXPECT_EQ(run({"runs", "import", (folder() / "none.json").string()}).status, 1);
    for (const char* id : {"../../x", "a\r\nX: y", "<b>", "\x1b[2J", "aaa", ""}) {
        std::ofstream(folder() / "bad.json")
            << json{{"format", "energy-profiler-run"},
                    {"version", 2},
                    {"run", {{"info", {{"id", id}, {"prompt", "Once"}}}}}};
        const Outcome refused = run({"runs", "import", (folder() / "bad.json").string()});
        EXPECT_THAT(refused, failsWith(1, "UUID")) << id;
    }
    EXPECT_EQ(storedIds().size(), 3U);
}

TEST_F(RunsCommand, ExportsAndImportsTheSame)
{
    importThree();
    const std::string file = (folder() / "out.json").string();
    ASSERT_EQ(run({"runs", "export", "bbb", "--out", file}).status, 0);
    const json before = shown("bbb");
    ASSERT_EQ(run({"runs", "delete", "bbb"}).status, 0);
    ASSERT_EQ(run({"runs", "import", file}).status, 0);
    EXPECT_EQ(shown("bbb"), before);
    EXPECT_EQ(run({"runs", "export", "bbb", "--out", "-"}).out, content(file));
}

TEST_F(RunsCommand, ExportsInOtherForms)
{
    importThree();
    const auto exported = [this](const char* format, const std::string& out) {
        const Outcome outcome =
            run({"runs", "export", "aaa", "--format", format, "--out", (folder() / out).string()});
        EXPECT_EQ(outcome.status, 0) << outcome.err;
    };
    exported("csv", "tables");
    EXPECT_TRUE(fs::exists(folder() / "tables" / "tokens.csv"));
    exported("csv", "tables.zip");
    EXPECT_TRUE(content(folder() / "tables.zip").starts_with("PK"));
    exported("trace", "trace.json");
    EXPECT_TRUE(json::parse(content(folder() / "trace.json")).contains("traceEvents"));
    EXPECT_EQ(run({"runs", "export", "aaa", "bbb", "--out", "-"}).status, 2) << "one file, one run";

    ASSERT_EQ(run({"runs", "export", "aaa", "ccc", "--format", "sqlite", "--out",
                   (folder() / "copy.db").string()})
                  .status,
              0);
    ASSERT_EQ(run({"runs", "delete", "aaa", "ccc"}).status, 0);
    const Outcome back = run({"runs", "import", (folder() / "copy.db").string()});
    EXPECT_EQ(back.out, "Imported " + idFrom("aaa") + "\nImported " + idFrom("ccc") + "\n");
}

TEST_F(RunsCommand, EditsAndTags)
{
    importThree();
    ASSERT_EQ(
        run({"runs", "edit", "bbb", "--title", "A title", "--notes", "n", "--experiment", "e"})
            .status,
        0);
    ASSERT_EQ(run({"runs", "edit", "bbb", "+new", "-old", "+hot", "-help"}).status, 0);
    const json info = shown("bbb")["info"];
    EXPECT_EQ(info["title"], "A title");
    EXPECT_EQ(info["notes"], "n");
    EXPECT_EQ(info["experiment"], "e");
    EXPECT_EQ(info["tags"], json({"new", "hot"}));
    EXPECT_THAT(run({"runs", "show", "bbb"}).out, HasSubstr("A title"));
    EXPECT_EQ(run({"runs", "list", "--experiment", "none", "--json"}).out.find("bbb"),
              std::string::npos);

    EXPECT_EQ(run({"runs", "edit", "bbb"}).status, 2);
    EXPECT_EQ(run({"runs", "edit", "bbb"}).status, 2);
    EXPECT_EQ(run({"runs", "edit", "bbb", "plain"}).status, 2);
    EXPECT_EQ(run({"runs", "edit", "bbb", "--jsn"}).status, 2);
    EXPECT_EQ(run({"runs", "edit", "zzz", "+a"}).status, 1);
}

TEST_F(RunsCommand, PrunesByRule)
{
    importThree();
    EXPECT_EQ(run({"runs", "delete"}).status, 2);
    EXPECT_EQ(run({"runs", "delete", "--keep-last", "1", "--untagged", "--dry-run"}).out,
              "Would delete " + idFrom("aaa") + "\n");
    EXPECT_EQ(storedIds().size(), 3U);
    const Outcome pruned = run({"runs", "delete", "--older-than", "1", "--untagged", "--json"});
    EXPECT_EQ(json::parse(pruned.out)["deleted"], json({idFrom("ccc"), idFrom("aaa")}));
    EXPECT_EQ(storedIds(), std::vector<std::string>{idFrom("bbb")});
    EXPECT_EQ(run({"runs", "delete", "--keep-last", "5"}).out, "No run to delete\n");
}

TEST_F(RunsCommand, ShowsSizesAndGivesRoomBack)
{
    importThree();
    const json size = json::parse(run({"db", "--json"}).out);
    EXPECT_EQ(size["runs"].size(), 3U);
    EXPECT_GT(size["runs"][0]["bytes"], 0);
    EXPECT_THAT(run({"db"}).out, HasSubstr("file size"));
    ASSERT_EQ(run({"runs", "delete", "aaa"}).status, 0);
    ASSERT_EQ(run({"db", "--vacuum"}).status, 0);
    EXPECT_EQ(json::parse(run({"db", "--json"}).out)["free_bytes"], 0);
}

} // namespace
