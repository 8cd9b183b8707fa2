// SPDX-License-Identifier: GPL-3.0-or-later
// Stored runs, queried as the guide's scripts do.
#include "api/api_fixture.h"
#include "support/json_schema.h"

#include <gmock/gmock.h>

#include <algorithm>

namespace ep::test {

namespace {

using namespace std::chrono_literals;
using nlohmann::json;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;
using testing::StartsWith;

// Long enough for the windows of the scripted source: a run of only a few windows has no energy.
EngineScript measurable()
{
    EngineScript script;
    script.layer_time = 5ms;
    return script;
}

std::vector<std::string> idsOf(const Answer& answer)
{
    std::vector<std::string> ids;
    const json list = answer.json();
    for (const json& run : list)
        ids.push_back(run.at("id").get<std::string>());
    return ids;
}

TEST_F(ApiTest, AnEmptyDatabaseHasAnEmptyList)
{
    serve();
    const Answer answer = ask("GET", "/api/profiling/runs");
    EXPECT_EQ(answer.status, 200);
    EXPECT_EQ(answer.body, "[]");
    EXPECT_FALSE(std::filesystem::exists(database()));
    EXPECT_EQ(ask("GET", "/api/profiling/run/00000000-0000").status, 404);
}

TEST_F(ApiTest, GeneratesAndListsAsTheScriptsExpect)
{
    serve(measurable());
    const json body{{"model_name", "tiny"},
                    {"prompt", "Explain"},
                    {"profiling_depth", "module"},
                    {"tags", {"batch-experiment"}},
                    {"max_length", 5}};
    const Answer made = ask("POST", "/api/profiling/generate", body.dump());
    ASSERT_EQ(made.status, 200) << made.body;
    const json result = made.json();
    EXPECT_EQ(result.at("output_tokens"), 5);
    EXPECT_TRUE(result.at("saved").get<bool>());

    const Answer listed = ask("GET", "/api/profiling/runs");
    ASSERT_THAT(listed.json(), SizeIs(1));
    const json run = listed.json().at(0);
    EXPECT_EQ(run.at("id"), result.at("run_id"));
    EXPECT_EQ(run.at("model_name"), "tiny");
    EXPECT_EQ(run.at("tags"), json({"batch-experiment"}));
    EXPECT_GT(run.at("joules_per_token").get<double>(), 0.0);
    EXPECT_THAT(run.at("created_at").get<std::string>(),
                testing::MatchesRegex("....-..-..T..:..:..[.]...Z"));
}

TEST_F(ApiTest, FiltersSortsAndPages)
{
    serve();
    const std::string a = generate({{"tags", {"x"}}, {"experiment", "one"}, {"prompt", "Alpha"}});
    const std::string b = generate({{"max_new_tokens", 6}, {"power_source", "none"}});
    const std::string c = generate({{"max_new_tokens", 8}, {"tags", {"x", "y"}}});
    const auto ids = [&](const std::string& query) {
        return idsOf(ask("GET", "/api/profiling/runs?" + query));
    };
    EXPECT_THAT(ids(""), ElementsAre(c, b, a));
    EXPECT_THAT(ids("order=asc"), ElementsAre(a, b, c));
    EXPECT_THAT(ids("tag=x"), ElementsAre(c, a));
    EXPECT_THAT(ids("experiment=one"), ElementsAre(a));
    EXPECT_THAT(ids("search=aLPh"), ElementsAre(a));
    EXPECT_THAT(ids("model=tiny&status=complete&device=cpu"), SizeIs(3));
    EXPECT_THAT(ids("model=other"), IsEmpty());
    EXPECT_THAT(ids("sort=output_tokens&order=asc"), ElementsAre(a, b, c));
    EXPECT_THAT(ids("offset=1&limit=1"), ElementsAre(b));
    EXPECT_THAT(ids("offset=9"), IsEmpty());
    EXPECT_THAT(ids("min_joules_per_token=1e9"), IsEmpty());
    EXPECT_THAT(ids("to_ms=1000"), IsEmpty());
    EXPECT_EQ(ask("GET", "/api/profiling/runs?limit=1").headers.at("x-total-count"), "3");
    for (const char* bad : {"sort=colour", "order=up", "limit=-1", "limit=many", "offset=1.5",
                            "min_joules_per_token=nan", "from_ms=", "modle=tiny"})
        EXPECT_EQ(ask("GET", std::string("/api/profiling/runs?") + bad).status, 400) << bad;
}

TEST_F(ApiTest, GivesARunItsSummaryAndItsPipeline)
{
    serve(measurable());
    const std::string id = generate();
    const Answer run = ask("GET", "/api/profiling/run/" + id);
    EXPECT_EQ(schemaProblem(run.body, "run.schema.json"), "");
    EXPECT_EQ(run.json().at("run").at("info").at("id"), id);
    const json summary = ask("GET", "/api/profiling/run/" + id + "/summary").json();
    EXPECT_GT(summary.at("joules_per_token").get<double>(), 0.0);
    EXPECT_FALSE(summary.at("components").empty());
    const json pipeline = ask("GET", "/api/profiling/run/" + id + "/pipeline").json();
    std::vector<std::string> phases;
    for (const json& phase : pipeline.at("phases")) {
        phases.push_back(phase.at("phase").get<std::string>());
        for (const json& section : phase.at("sections")) {
            EXPECT_GE(section.at("start_ms").get<double>(), phase.at("start_ms").get<double>());
            EXPECT_LE(section.at("end_ms").get<double>(), phase.at("end_ms").get<double>());
        }
    }
    EXPECT_THAT(phases, ElementsAre("pre_inference", "prefill", "decode", "post_inference"));
}

TEST_F(ApiTest, Exports)
{
    serve();
    const std::string id = generate();
    const std::string target = "/api/profiling/export/" + id;
    EXPECT_EQ(ask("GET", target).json().at("run").at("info").at("id"), id);
    const Answer csv = ask("GET", target + "?format=csv");
    EXPECT_THAT(csv.headers.at("content-type"), StartsWith("text/csv"));
    EXPECT_EQ(std::count(csv.body.begin(), csv.body.end(), '\n'), 5) << "a header and four tokens";
    const Answer samples = ask("GET", target + "?format=csv&table=samples");
    EXPECT_THAT(samples.body, HasSubstr("cpu"));
    const Answer all = ask("GET", target + "?format=csv&table=all");
    EXPECT_EQ(all.headers.at("content-type"), "application/zip");
    EXPECT_THAT(all.body, StartsWith("PK"));
    EXPECT_EQ(ask("GET", target + "?format=xml").status, 400);
    const Answer head = ask("GET", "/api/profiling/export/00000000?format=csv");
    EXPECT_EQ(head.status, 404);
}

TEST_F(ApiTest, Deletes)
{
    serve();
    const std::string a = generate();
    const std::string b = generate();
    EXPECT_EQ(ask("DELETE", "/api/profiling/run/" + a).status, 200);
    EXPECT_THAT(idsOf(ask("GET", "/api/profiling/runs")), ElementsAre(b));
    EXPECT_EQ(ask("DELETE", "/api/profiling/run/" + a).status, 404);
    EXPECT_EQ(ask("DELETE", "/api/profiling/run/" + b.substr(0, 8)).status, 404)
        << "only a whole id is deleted";
    EXPECT_THAT(idsOf(ask("GET", "/api/profiling/runs")), ElementsAre(b));
}

TEST_F(ApiTest, ComparesAndPredicts)
{
    serve();
    const std::string a = generate();
    const std::string b = generate({{"max_new_tokens", 8}, {"prompt", "A longer prompt"}});
    const json compared = ask("GET", "/api/profiling/compare?ids=" + a + "," + b).json();
    EXPECT_EQ(compared.at("baseline"), a);
    EXPECT_FALSE(compared.at("differences")[0].at("metrics").at("joules_per_token").is_null());
    EXPECT_FALSE(compared.at("cautions").empty());
    EXPECT_EQ(compared.at("tree")[0].at("node"), "run");
    EXPECT_EQ(compared.at("tree")[0].at("tests")[1].at("verdict"), "described");
    EXPECT_EQ(compared.at("quality")[1], "quality not measured");
    const std::string third = generate();
    const json repeated =
        ask("GET", "/api/profiling/compare?repeats=true&ids=" + a + "," + b).json();
    EXPECT_EQ(repeated.at("tree").size(), compared.at("tree").size());
    EXPECT_EQ(ask("GET", "/api/profiling/compare?repeats=true&ids=" + a + "," + third).status, 400);
    EXPECT_EQ(ask("GET", "/api/profiling/compare?ids=" + a).status, 400);
    EXPECT_EQ(ask("GET", "/api/profiling/compare?ids=" + a + ",00").status, 404);

    const std::string predict = "/api/profiling/predict?model=tiny&input_tokens=20&output_tokens=";
    EXPECT_EQ(ask("GET", predict + "0").status, 400);
    EXPECT_EQ(ask("GET", predict + "9&dtype=f16").status, 422) << "no run in f16";
    EXPECT_EQ(ask("GET", "/api/profiling/predict?model=x&input_tokens=1&output_tokens=1").status,
              404);
}

TEST_F(ApiTest, KeepsAConnectionForSeveralRequests)
{
    serve();
    // Two requests at once; the replies come in the order of the requests.
    QTcpSocket* socket = begin(request("GET", "/health") + request("GET", "/api/profiling/runs"));
    QByteArray received;
    QObject::disconnect(socket, &QTcpSocket::readyRead, nullptr, nullptr);
    QObject::connect(socket, &QTcpSocket::readyRead, socket,
                     [&] { received += socket->readAll(); });
    ASSERT_TRUE(spinUntil([&] { return received.endsWith("[]"); }));
    const std::string text = received.toStdString();
    const auto first = parseAnswer(text);
    ASSERT_TRUE(first);
    EXPECT_EQ(first->json().at("status"), "ok");
    const Answer head = sendRaw(request("HEAD", "/health", {}, {{"Connection", "close"}}));
    EXPECT_EQ(head.status, 0) << "an answer to HEAD has no body, which its length announces";
}

TEST_F(ApiTest, ShowsMetrics)
{
    serve();
    generate();
    const Answer answer = ask("GET", "/metrics");
    EXPECT_THAT(answer.headers.at("content-type"), StartsWith("text/plain; version=0.0.4"));
    EXPECT_THAT(answer.body, HasSubstr("energy_profiler_runs_total{status=\"complete\"} 1"));
    EXPECT_THAT(answer.body, HasSubstr("energy_profiler_output_tokens_total 4"));
    EXPECT_THAT(answer.body, HasSubstr("# TYPE energy_profiler_rail_power_watts gauge"));
    EXPECT_THAT(answer.body, testing::Not(HasSubstr("rail=\"cpu\""))) << "no run goes on";
}

TEST_F(ApiTest, KeepsOnlyHashesWhereAsked)
{
    serve({}, {}, [](api::Options& options) { options.store_texts = false; });
    const auto body = [](const char* prompt) {
        return json{{"model_name", "tiny"}, {"prompt", prompt}, {"max_new_tokens", 3}}.dump();
    };
    const json made = ask("POST", "/api/profiling/generate", body("sesame opens")).json();
    EXPECT_FALSE(made.at("response").get<std::string>().empty()) << "who asked gets the text";
    const std::string id = made.at("run_id").get<std::string>();
    const json stored = ask("GET", "/api/profiling/run/" + id).json();
    EXPECT_EQ(stored.dump().find("sesame"), std::string::npos);
    EXPECT_NE(stored.dump().find("sha256:"), std::string::npos);

    server().setStoreTexts(true);
    const json later = ask("POST", "/api/profiling/generate", body("sesame shuts")).json();
    const std::string other = later.at("run_id").get<std::string>();
    const Answer whole = ask("GET", "/api/profiling/run/" + other);
    EXPECT_NE(whole.body.find("sesame shuts"), std::string::npos);
}

} // namespace

} // namespace ep::test
