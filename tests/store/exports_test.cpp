// SPDX-License-Identifier: GPL-3.0-or-later
#include "sqlite/database.h"
#include "store/file_guards.h"
#include "store/run_variations.h"
#include "support/sample_run.h"
#include "support/temp_folder.h"

#include "ep/store/run_json.h"
#include "ep/store/store.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <fstream>
#include <functional>
#include <map>
#include <set>
#include <sstream>
#include <zip.h>

namespace ep::store {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using test::makeSampleRun;
using test::TempFolder;

// Checks an event against Chrome's "Trace Event Format", as strictly as that document says.
void expectStrictEvent(const json& event)
{
    ASSERT_TRUE(event.is_object());
    const std::string kind = event.at("ph");
    const std::map<std::string, std::set<std::string>> members{
        {"M", {"ph", "name", "pid", "tid", "args"}},
        {"X", {"ph", "name", "cat", "pid", "tid", "ts", "dur", "args"}},
        {"C", {"ph", "name", "pid", "ts", "args"}},
    };
    ASSERT_TRUE(members.contains(kind)) << event;
    for (const auto& [member, value] : event.items())
        EXPECT_TRUE(members.at(kind).contains(member)) << event;
    EXPECT_TRUE(event.at("name").is_string() && !event.at("name").get<std::string>().empty());
    EXPECT_TRUE(event.at("pid").is_number_integer());
    EXPECT_TRUE(event.at("args").is_object());
    if (kind == "M")
        return;
    EXPECT_TRUE(event.at("ts").is_number() && event.at("ts") >= 0) << event;
    if (kind == "X") {
        EXPECT_TRUE(event.at("dur").is_number() && event.at("dur") >= 0) << event;
        EXPECT_TRUE(event.at("tid").is_number_integer());
    } else {
        for (const auto& [series, value] : event.at("args").items())
            EXPECT_TRUE(value.is_number()) << event;
    }
}

// Slices on a track may contain each other, but must not overlap partially.
void expectSlicesNest(const json& events)
{
    std::map<int, std::vector<std::pair<double, double>>> tracks;
    for (const json& event : events) {
        if (event.at("ph") == "X") {
            const double begin = event.at("ts");
            tracks[event.at("tid")].emplace_back(begin, begin + event.at("dur").get<double>());
        }
    }
    constexpr double kRounding = 1e-3; // one nanosecond, in microseconds
    for (const auto& [track, slices] : tracks) {
        std::vector<double> ends;
        for (const auto& [begin, end] : slices) {
            while (!ends.empty() && ends.back() <= begin + kRounding)
                ends.pop_back();
            EXPECT_TRUE(ends.empty() || end <= ends.back() + kRounding) << "track " << track;
            ends.push_back(end);
        }
    }
}

TEST(TraceExport, FollowsTheFormat)
{
    for (const test::RunVariation& variation : test::runVariations()) {
        ep::Run run = makeSampleRun();
        variation.apply(run);
        std::ostringstream text;
        ASSERT_TRUE(writeTrace(RunInMemory(run), text));
        const json root = json::parse(text.str());
        ASSERT_TRUE(root.at("traceEvents").is_array()) << variation.name;
        double before = 0.0;
        for (const json& event : root.at("traceEvents")) {
            expectStrictEvent(event);
            if (event.at("ph") == "M")
                continue;
            EXPECT_GE(event.at("ts").get<double>(), before) << variation.name << event;
            before = event.at("ts").get<double>();
        }
    }
}

TEST(TraceExport, HoldsEverySpanWithItsJoules)
{
    const ep::Run run = makeSampleRun();
    std::ostringstream text;
    ASSERT_TRUE(writeTrace(RunInMemory(run), text));
    const json root = json::parse(text.str());
    const json& events = root["traceEvents"];
    expectSlicesNest(events);
    std::map<std::string, std::size_t> slices;
    std::map<std::string, double> joules;
    std::size_t counters = 0;
    for (const json& event : events) {
        if (event["ph"] == "X") {
            const std::string kind = event["cat"];
            ++slices[kind];
            joules[kind] += event["args"].at("joules").get<double>();
        }
        counters += event["ph"] == "C" ? 1 : 0;
    }
    EXPECT_EQ(slices["phase"], run.trace.phases.size());
    EXPECT_EQ(slices["section"], run.trace.sections.size());
    EXPECT_EQ(slices["token"], run.trace.tokens.size());
    EXPECT_EQ(slices["layer"], run.trace.layers.size());
    EXPECT_EQ(slices["component"], run.trace.components.size());
    EXPECT_EQ(slices["operation"], run.trace.operations.size());
    EXPECT_EQ(counters, run.trace.samples.size() * 5) << "cpu, gpu, ane, system, total";
    double phases = 0.0;
    for (const PhaseSpan& phase : run.trace.phases)
        phases += phase.energy.total_mj->value / 1000.0;
    EXPECT_NEAR(joules["phase"], phases, 1e-9);
}

TEST(FileExports, AppearWholeOrNotAtAll)
{
    const TempFolder folder;
    const ep::Run run = makeSampleRun();
    ASSERT_TRUE(exportJson(RunInMemory(run), (folder / "run.json").string()));
    EXPECT_EQ(test::readFile(folder / "run.json"), runToJson(run) + "\n");
    ASSERT_TRUE(exportTrace(RunInMemory(run), (folder / "trace.json").string()));
    EXPECT_FALSE(json::parse(test::readFile(folder / "trace.json")).empty());
    using Write = std::function<Status(const RunSource&, const std::string&)>;
    const auto exportZip = [](const RunSource& one, const std::string& file) {
        return exportCsvZip(one, file);
    };
    for (const Write& write : {Write(exportJson), Write(exportTrace), Write(exportZip)}) {
        const Status done = write(RunInMemory(run), (folder / "none" / "file").string());
        EXPECT_EQ(done.error().code, ErrorCode::Io);
        const Status blocked = write(RunInMemory(run), folder.path().string());
        EXPECT_FALSE(blocked);
    }
    EXPECT_EQ(std::distance(fs::directory_iterator(folder.path()), fs::directory_iterator()), 2);
}

// A stored run is exported in pieces, with the same result as when exported from memory.
TEST(StoredExports, AreThoseOfTheLoadedRun)
{
    std::vector<test::RunVariation> variations = test::runVariations();
    variations.push_back({"several_pieces", [](ep::Run& run) {
                              run = makeSampleRun({.tokens = 70, .layers = 1});
                              run.trace.phases[1].energy = {}; // known only from its tokens
                          }});
    for (const test::RunVariation& variation : variations) {
        SCOPED_TRACE(variation.name);
        const TempFolder folder;
        ep::Run run = makeSampleRun();
        variation.apply(run);
        auto store = Store::open(folder / "runs.db");
        ASSERT_TRUE(store && (*store)->saveRun(run));
        const auto loaded = (*store)->load(run.info.id);
        ASSERT_TRUE(loaded);
        const auto source = (*store)->source(run.info.id);
        ASSERT_TRUE(source) << source.error().message;
        std::ostringstream text;
        ASSERT_TRUE(writeJson(**source, text));
        EXPECT_TRUE(text.str() == runToJson(*loaded) + '\n');
        ASSERT_TRUE(exportCsv(**source, (folder / "stored").string()));
        ASSERT_TRUE(exportCsv(RunInMemory(*loaded), (folder / "memory").string()));
        for (const fs::directory_entry& entry : fs::directory_iterator(folder / "memory")) {
            EXPECT_TRUE(test::readFile(folder / "stored" / entry.path().filename())
                        == test::readFile(entry.path()))
                << entry.path();
        }
    }
}

TEST(StoredExports, EndWithTheErrorOfTheFile)
{
    const TempFolder folder;
    const ep::Run run = makeSampleRun();
    auto store = Store::open(folder / "runs.db");
    ASSERT_TRUE(store && (*store)->saveRun(run));
    {
        auto database = Database::open(folder / "runs.db", Database::Access::ReadWrite);
        ASSERT_TRUE(database);
        ASSERT_TRUE((*database)->execute(
            "UPDATE packs SET data = substr(data, 1, 5) WHERE kind = 'operation'", "test"));
    }
    const auto source = (*store)->source(run.info.id);
    ASSERT_TRUE(source);
    const Status written = exportJson(**source, (folder / "run.json").string());
    ASSERT_FALSE(written);
    EXPECT_NE(written.error().message.english().find("damaged"), std::string::npos)
        << written.error().message;
    EXPECT_FALSE(fs::exists(folder / "run.json"));
}

TEST(CompressedJson, IsReadLikePlainJson)
{
    const TempFolder folder;
    const ep::Run run = makeSampleRun({.tokens = 40});
    ASSERT_TRUE(exportJson(RunInMemory(run), (folder / "run.json").string()));
    ASSERT_TRUE(exportJson(RunInMemory(run), (folder / "run.json.gz").string()));
    EXPECT_LT(fs::file_size(folder / "run.json.gz"), fs::file_size(folder / "run.json") / 4);
    std::ifstream packed(folder / "run.json.gz", std::ios::binary);
    const auto read = runFromJson(packed);
    ASSERT_TRUE(read) << read.error().message;
    EXPECT_TRUE(runToJson(*read) == runToJson(run));

    const std::string whole = test::readFile(folder / "run.json.gz");
    for (const std::string& damaged :
         {whole.substr(0, whole.size() / 2), whole.substr(0, 1), std::string("\x1f\x8b no"),
          whole.substr(0, 100) + std::string(200, 'x')}) {
        std::istringstream stream(damaged);
        EXPECT_FALSE(runFromJson(stream));
    }
}

TEST(CsvZip, HoldsTheFilesOfTheFolder)
{
    const TempFolder folder;
    const ep::Run run = makeSampleRun();
    ASSERT_TRUE(exportCsv(RunInMemory(run), (folder / "csv").string()));
    const fs::path file = folder / "run.zip";
    test::writeFile(file, "an older one");
    const Status done = exportCsvZip(RunInMemory(run), file.string());
    ASSERT_TRUE(done) << done.error().message;
    int code = 0;
    zip_t* archive = zip_open(file.c_str(), ZIP_RDONLY | ZIP_CHECKCONS, &code);
    ASSERT_TRUE(archive);
    EXPECT_EQ(zip_get_num_entries(archive, 0), 10);
    for (const fs::directory_entry& entry : fs::directory_iterator(folder / "csv")) {
        const std::string expected = test::readFile(entry.path());
        zip_file_t* member = zip_fopen(archive, entry.path().filename().c_str(), 0);
        ASSERT_TRUE(member) << entry.path();
        std::string content(expected.size() + 1, '\0');
        content.resize(static_cast<std::size_t>(
            std::max<zip_int64_t>(0, zip_fread(member, content.data(), content.size()))));
        EXPECT_TRUE(content == expected) << entry.path();
        zip_fclose(member);
    }
    zip_discard(archive);
}

} // namespace
} // namespace ep::store
