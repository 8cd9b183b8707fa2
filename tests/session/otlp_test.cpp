// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/core/run_figure.h"
#include "ep/session/otlp.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <sstream>

namespace {

using namespace ep;
using nlohmann::json;

RunSummary requestRun()
{
    RunSummary run;
    run.info.id = "11111111-2222-4333-8444-555555555555";
    run.info.status = RunStatus::Complete;
    run.info.created_at_ms = 1'769'862'896'789;
    run.info.model.name = "qwen3:0.6b";
    run.info.input_tokens = 100;
    run.info.output_tokens = 25;
    run.info.chat_template = true;
    run.info.prompt = "A secret";
    run.info.tags = {"job:j-1"};
    run.info.power.source = "rapl";
    ServerRecord& server = run.info.profiling.server.emplace();
    server.engine = "Ollama 0.12.3";
    server.address = "http://127.0.0.1:11434";
    server.finish = "stop";
    server.cached_tokens = 40;
    run.metrics.duration_ns = 2'000'000'001;
    run.metrics.energy = {
        .rails_mj = {}, .total_mj = Millijoules{5000.0}, .provenance = Provenance::Measured};
    run.metrics.joules_per_token = 0.2;
    run.metrics.joules_per_output_token = 0.16;
    run.metrics.joules_per_input_token = 0.01;
    return run;
}

json written(const std::vector<RunSummary>& runs)
{
    std::ostringstream text;
    session::writeOtlp(runs, text);
    return json::parse(text.str());
}

json attributesIn(const json& span)
{
    json found = json::object();
    for (const json& attribute : span.at("attributes"))
        found[attribute.at("key").get<std::string>()] = attribute.at("value");
    return found;
}

TEST(Otlp, WritesRequestsAsSpans)
{
    const json document = written({requestRun()});
    const json& resource = document.at("resourceSpans").at(0);
    EXPECT_EQ(resource.at("resource").at("attributes")[0].at("value").at("stringValue"),
              "energy-profiler");
    const json& span = resource.at("scopeSpans")[0].at("spans")[0];
    EXPECT_EQ(span.at("traceId"), "11111111222243338444555555555555");
    EXPECT_EQ(span.at("spanId"), "1111111122224333");
    EXPECT_EQ(span.at("name"), "chat qwen3:0.6b");
    EXPECT_EQ(span.at("kind"), 3);
    EXPECT_EQ(span.at("startTimeUnixNano"), "1769862896789000000");
    EXPECT_EQ(span.at("endTimeUnixNano"), "1769862898789000001");
    const json attributes = attributesIn(span);
    EXPECT_EQ(attributes.at("gen_ai.operation.name").at("stringValue"), "chat");
    EXPECT_EQ(attributes.at("gen_ai.provider.name").at("stringValue"), "ollama");
    EXPECT_EQ(attributes.at("gen_ai.request.model").at("stringValue"), "qwen3:0.6b");
    EXPECT_EQ(attributes.at("gen_ai.usage.input_tokens").at("intValue"), "100");
    EXPECT_EQ(attributes.at("gen_ai.usage.output_tokens").at("intValue"), "25");
    EXPECT_EQ(attributes.at("gen_ai.usage.cache_read.input_tokens").at("intValue"), "40");
    EXPECT_EQ(attributes.at("gen_ai.conversation.id").at("stringValue"), "j-1");
    EXPECT_EQ(attributes.at("server.address").at("stringValue"), "127.0.0.1");
    EXPECT_EQ(attributes.at("server.port").at("intValue"), "11434");
    EXPECT_EQ(attributes.at("energy_profiler.energy.joules").at("doubleValue"), 5.0);
    // Each name stands for the same figure as in the API.
    for (const RunFigureFacts& facts : kRunFigures) {
        const std::string key = std::string("energy_profiler.energy.") + facts.api;
        if (attributes.contains(key)) {
            EXPECT_EQ(attributes.at(key).at("doubleValue"), valueOf(facts.figure, requestRun()))
                << key;
        }
    }
    EXPECT_EQ(attributes.at("energy_profiler.energy.joules_per_token").at("doubleValue"), 0.2);
    EXPECT_EQ(attributes.at("energy_profiler.energy.joules_per_total_token").at("doubleValue"),
              0.04);
    EXPECT_EQ(attributes.at("energy_profiler.energy.joules_per_output_token").at("doubleValue"),
              0.16);
    EXPECT_EQ(attributes.at("energy_profiler.energy.joules_per_input_token").at("doubleValue"),
              0.01);
    EXPECT_EQ(attributes.at("energy_profiler.energy.provenance").at("stringValue"), "measured");
    EXPECT_EQ(document.dump().find("secret"), std::string::npos);
}

TEST(Otlp, LeavesOutWhatIsMissing)
{
    RunSummary run = requestRun();
    run.metrics.energy = {};
    run.metrics.joules_per_token.reset();
    run.metrics.joules_per_output_token.reset();
    run.metrics.joules_per_input_token.reset();
    run.info.profiling.server.reset();
    run.info.status = RunStatus::Failed;
    run.info.status_message = "Why";
    const json document = written({run});
    const json& span = document.at("resourceSpans")[0].at("scopeSpans")[0].at("spans")[0];
    const json attributes = attributesIn(span);
    EXPECT_FALSE(attributes.contains("energy_profiler.energy.joules"));
    EXPECT_FALSE(attributes.contains("server.address"));
    EXPECT_EQ(attributes.at("energy_profiler.energy.provenance").at("stringValue"), "missing");
    EXPECT_EQ(attributes.at("gen_ai.provider.name").at("stringValue"), "energy-profiler");
    EXPECT_EQ(span.at("status").at("code"), 2);
    EXPECT_EQ(written({}).at("resourceSpans").size(), 0U);
}

} // namespace
