// SPDX-License-Identifier: GPL-3.0-or-later
#include "attach/known_server.h"
#include "support/fake_power_feed.h"
#include "support/temp_folder.h"

#include "ep/session/study_runner.h"
#include "ep/store/store.h"

#include <QEventLoop>

#include <gtest/gtest.h>

#include <set>

namespace ep::test {
namespace {

using namespace std::chrono_literals;
using session::StudyRunner;
using session::StudySpec;

StudySpec specOf(const std::string& json)
{
    const auto spec = session::parseStudy(json, ".");
    EXPECT_TRUE(spec) << (spec ? "" : spec.error().message);
    return spec ? *spec : StudySpec();
}

TEST(StudyServers, AreCellsBesideTheModels)
{
    const StudySpec spec = specOf(R"({"name":"both","models":"a","servers":["localhost:8080",
        {"address":"http://127.0.0.1:11434","model":"qwen3","dialect":"ollama"}],
        "prompts":["x","y"],"dtypes":["f32","bf16"],"repeats":2})");
    ASSERT_EQ(spec.servers.size(), 2U);
    EXPECT_EQ(spec.servers[0].label(), "http://127.0.0.1:8080");
    EXPECT_EQ(spec.servers[1].label(), "qwen3 at http://127.0.0.1:11434");
    EXPECT_EQ(specOf(studyToJson(spec)), spec);
    const session::StudyPlan plan = planStudy(spec);
    // 2 dtypes x 2 prompts for the model, 2 prompts for each server.
    ASSERT_EQ(plan.cells.size(), 8U);
    std::set<std::string> ids;
    std::size_t servers = 0;
    for (const session::NamedSettings& cell : plan.cells) {
        EXPECT_TRUE(ids.insert(cell.id).second);
        servers += cell.run.server ? 1 : 0;
    }
    EXPECT_EQ(servers, 4U);
    EXPECT_EQ(plan.cells.back().label, "qwen3 at http://127.0.0.1:11434, prompt 2");
    // Interleaved: each round has every cell once.
    std::set<std::size_t> round;
    for (std::size_t i = 0; i < 8; ++i)
        round.insert(plan.steps[i].cell);
    EXPECT_EQ(round.size(), 8U);
    // The cells of the models are the same as in a study without servers.
    StudySpec alone = spec;
    alone.servers.clear();
    EXPECT_EQ(planStudy(alone).cells.front().id, plan.cells.front().id);
}

TEST(StudyServers, AreRefusedWithTheReason)
{
    struct Case {
        const char* servers;
        const char* message;
    };
    for (const Case& c :
         {Case{R"(["http://example.com:80"])", "is not on this machine"},
          Case{R"([7])", "must be an address"},
          Case{R"([{"address":"8080","dialect":"gopher"}])", "is no dialect of a server"},
          Case{R"([{"address":"8080","port":1}])", "is not a setting of a server"},
          Case{R"([])", "is empty"}}) {
        const auto spec = session::parseStudy(
            std::string(R"({"name":"n","prompts":"x","servers":)") + c.servers + '}', ".");
        ASSERT_FALSE(spec) << c.servers;
        EXPECT_NE(spec.error().message.english().find(c.message), std::string::npos)
            << spec.error().message;
    }
}

TEST(StudyServers, RunAndAreStoredWithTheirSteps)
{
    const KnownServer& llama = knownServers()[2];
    FakeLlmServer server(handlerOf(llama, generationOf(llama, 2ms)));
    TempFolder folder;
    StudySpec spec = specOf(R"({"name":"theirs","servers":[")" + server.origin()
                            + R"("],"prompts":"Hi","repeats":2,"output_tokens":3,
                                "warmup_tokens":2})");
    StudyRunner runner(
        spec, planStudy(spec),
        {.database = folder / "runs.db", .findModel = {}, .server_token = "t", .cool_down = false},
        scriptedBackend());
    QEventLoop loop;
    QObject::connect(&runner, &StudyRunner::finished, &loop, &QEventLoop::quit);
    runner.start();
    loop.exec();
    EXPECT_EQ(runner.result().ran, 2);
    EXPECT_TRUE(runner.result().failures.empty());
    const auto store = store::Store::open(folder / "runs.db");
    ASSERT_TRUE(store);
    const auto runs = (*store)->list();
    ASSERT_TRUE(runs);
    ASSERT_EQ(runs->size(), 2U);
    for (const RunSummary& run : *runs) {
        EXPECT_EQ(run.info.experiment, "theirs");
        EXPECT_EQ(run.info.profiling.server->engine, "llama.cpp b4689-90e4dba4");
        EXPECT_EQ(run.info.model.name, "tiny");
    }
    // A warm-up before each run, both without a prompt cache and without an end token.
    std::size_t generations = 0;
    for (const FakeRequest& request : server.requests()) {
        if (request.method != "POST")
            continue;
        ++generations;
        EXPECT_NE(request.body.find(R"("cache_prompt":false)"), std::string::npos);
        EXPECT_NE(request.body.find(R"("ignore_eos":true)"), std::string::npos);
    }
    EXPECT_EQ(generations, 4U);
}

} // namespace
} // namespace ep::test
