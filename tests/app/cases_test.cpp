// SPDX-License-Identifier: GPL-3.0-or-later
// Files, sensors and servers from outside on which the program once failed, each with the correct
// value, by the command that a user would give. The numbers are those of the reports:
//
//   01 a template that selects from none      10 one zone of RAPL that cannot be read
//   02 a YaRN factor of transformers 4.51     13 an answer of tool calls alone
//   03 experts as MLX stacks them             14 endpoints that pass the proxy
//   04 several models behind one llama-server 17 an end token of -1
//   07 newer types of tensors nobody uses     19 pre-tokenizers that are rarely used
//   08 Infinity and NaN in JSON               20 further special tokens in templates
//   09 hwmon's error as a power
#include "app/cli_fixture.h"
#include "app/stored_runs.h"
#include "attach/raw_client.h"
#include "attach/recorded.h"
#include "support/fake_llm_server.h"
#include "support/folders.h"
#include "support/safetensors_writer.h"

#include "ep/store/store.h"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include <chrono>
#include <cstring>
#include <fstream>
#include <iterator>
#include <map>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

namespace ep::test {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using namespace std::chrono_literals;
namespace fs = std::filesystem;

const fs::path kCaseData = test::dataPath("cases");
constexpr const char* kSmallLlama = R"({"architectures": ["LlamaForCausalLM"],
    "model_type": "llama", "hidden_size": 32, "intermediate_size": 48, "num_hidden_layers": 2,
    "num_attention_heads": 4, "num_key_value_heads": 2, "head_dim": 8, "vocab_size": 96,
    "max_position_embeddings": 128, "rms_norm_eps": 1e-06, "rope_theta": 10000.0,
    "tie_word_embeddings": false, "hidden_act": "silu", "torch_dtype": "float32",
    "bos_token_id": 1, "eos_token_id": )";

std::string bytesOf(const fs::path& file)
{
    std::ifstream stream(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
}

class CasesTest : public CliTest {
protected:
    // The small Llama model with this config.json.
    fs::path llama(const std::string& config)
    {
        const fs::path to = folder() / "model";
        fs::create_directories(to);
        for (const char* const file : {"model.safetensors", "tokenizer.json"})
            fs::copy_file(kCaseData / "llama" / file, to / file);
        writeText(to / "config.json", config);
        return to;
    }

    void verifies(const fs::path& model, const fs::path& reference,
                  const std::vector<std::string>& more = {})
    {
        std::vector<std::string> command{"models",       "verify",      "--model",
                                         model.string(), "--reference", reference.string()};
        command.insert(command.end(), more.begin(), more.end());
        const Outcome outcome = run(command);
        EXPECT_EQ(outcome.status, 0) << outcome.out << outcome.err;
    }
    static fs::path usualReference() { return kCaseData / "llama" / "reference.json"; }

    // What `models tokenize` prints for a text, or for a message with the template.
    json tokenized(const fs::path& model, const std::vector<std::string>& more)
    {
        std::vector<std::string> command{"models", "tokenize", "--model", model.string(), "--json"};
        command.insert(command.end(), more.begin(), more.end());
        const Outcome outcome = run(command);
        EXPECT_EQ(outcome.status, 0) << outcome.err;
        return outcome.status == 0 ? json::parse(outcome.out) : json();
    }
    std::string rendered(const std::string& tokenizerConfig, const std::string& chatTemplate = {})
    {
        const fs::path to = llama(std::string(kSmallLlama) + "2}");
        writeText(to / "tokenizer_config.json", tokenizerConfig);
        if (!chatTemplate.empty())
            writeText(to / "chat_template.jinja", chatTemplate);
        const json read = tokenized(to, {"--chat", "--text", "hi"});
        return read.is_null() ? std::string() : read.at("text").get<std::string>();
    }
    std::vector<int> idsOf(const char* tokenizer, const std::string& text)
    {
        return tokenized(kCaseData / tokenizer, {"--text", text}).at("ids").get<std::vector<int>>();
    }

    std::vector<ep::Run> stored() const { return storedRuns(database()); }
};

TEST_F(CasesTest, Case01ATemplateMaySelectFromNone)
{
    EXPECT_EQ(
        rendered(
            R"({"bos_token": "<s>"})",
            R"({%- set n = tools | selectattr("type", "equalto", "x") | list | length -%})"
            "{{ bos_token }}{{ n }}|{{ messages[0][\"content\"] }}|"
            R"({{ documents | map("upper") | list | length }})"
            R"({{ tools | rejectattr("type") | list | length }})"
            R"({{ none | select | list | length }}{{ none | reject("none") | list | length }})"),
        "<s>0|hi|0000");
}

TEST_F(CasesTest, Case02TheFactorOfTheFileCounts)
{
    const fs::path yarn = kCaseData / "yarn";
    verifies(llama(bytesOf(yarn / "config.json")), yarn / "reference.json");
}

TEST_F(CasesTest, Case03ExpertsOfMlxAreRead)
{
    const fs::path experts = kCaseData / "experts";
    verifies(experts, experts / "reference.json", {"--dtype", "f32"});
}

// Every POST to a llama.cpp router has to name a model.
TEST_F(CasesTest, Case04ARouterIsToldTheModel)
{
    const FakeLlmServer router([](const FakeRequest& request) {
        FakeAnswer answer{.parts = {{.bytes = "{}"}}, .sized = true};
        if (request.path == "/v1/models") {
            answer.parts = {{.bytes = R"({"data":[{"id":"one","owned_by":"llamacpp"},)"
                                      R"({"id":"two","owned_by":"llamacpp"}]})"}};
        } else if (request.path == "/props") {
            answer.parts = {{.bytes = R"({"role":"router","build_info":"b0"})"}};
        } else if (request.path != "/completion") {
            answer.status = 404;
        } else if (request.body.find(R"("model":"two")") == std::string::npos) {
            answer.status = 400;
        } else {
            answer = {.type = "text/event-stream",
                      .parts = {{.bytes = "data: {\"content\":\"a\",\"stop\":false}\n\n"},
                                {.bytes = "data: {\"content\":\"\",\"stop\":true,\"timings\":{"
                                          "\"prompt_n\":2,\"prompt_ms\":1,\"predicted_n\":1,"
                                          "\"predicted_ms\":1}}\n\n"}}};
        }
        return answer;
    });
    const Outcome outcome = run({"attach", std::to_string(router.port()), "--model", "two",
                                 "--prompt", "hi", "--power", "none", "--no-save"});
    EXPECT_EQ(outcome.status, 0) << outcome.err;
}

TEST_F(CasesTest, Case07TypesOfTensorsThatNothingUsesDoNotMatter)
{
    for (const auto& [type, bytes] : {std::pair<const char*, std::size_t>{"F8_E8M0", 4},
                                      std::pair<const char*, std::size_t>{"F4", 2}}) {
        fs::remove_all(folder() / "model");
        const fs::path to = llama(std::string(kSmallLlama) + "2}");
        const std::string file = bytesOf(to / "model.safetensors");
        std::uint64_t length = 0;
        std::memcpy(&length, file.data(), sizeof length);
        json header = json::parse(file.substr(8, length));
        const std::string data = file.substr(8 + length) + std::string(bytes, '\x7f');
        header["vision.scale"] = {
            {"dtype", type}, {"shape", {4}}, {"data_offsets", {data.size() - bytes, data.size()}}};
        std::vector<std::byte> all(data.size());
        std::memcpy(all.data(), data.data(), data.size());
        writeSafetensorsRaw(to / "model.safetensors", header.dump(), all);
        verifies(to, usualReference());
    }
}

TEST_F(CasesTest, Case08InfinityInAKeyThatNobodyReadsDoesNotMatter)
{
    const fs::path to =
        llama(std::string(kSmallLlama) + R"(2, "time_step_limit": [0.0, Infinity]})");
    writeText(to / "generation_config.json", R"({"eos_token_id": 2, "repetition_penalty": NaN})");
    verifies(to, usualReference());
}

TEST_F(CasesTest, Case09AnErrorOfASensorIsNoPower)
{
    for (const char* const sensor : {"acpi", "minus"}) {
        setEnvironment("EP_HWMON", test::dataPath("hwmon_errors/") + sensor);
        const Outcome outcome =
            run({"doctor", "--watch", "--power", "hwmon", "--samples", "2", "--json"});
        EXPECT_NE(outcome.status, 0) << sensor << ": " << outcome.out;
        EXPECT_EQ(outcome.out, "") << sensor;
        EXPECT_THAT(outcome.err, HasSubstr("hwmon")) << sensor;
    }
}

TEST_F(CasesTest, Case10OneUnreadableZoneDoesNotTakeTheOthersAway)
{
    setEnvironment("EP_POWERCAP", test::dataPath("cases/rapl"));
    const Outcome outcome =
        run({"doctor", "--watch", "--power", "rapl", "--samples", "2", "--json"});
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    std::istringstream lines(outcome.out);
    int count = 0;
    for (std::string line; std::getline(lines, line); ++count) {
        const json sample = json::parse(line);
        EXPECT_TRUE(sample.at("energy_mj").at("cpu").is_number()) << line;
        EXPECT_TRUE(sample.at("energy_mj").at("dram").is_null()) << line;
    }
    EXPECT_EQ(count, 2);
}

// 12 tokens of one call, in parts over half a second: the first part counts as the first token.
TEST_F(CasesTest, Case13AnAnswerOfToolCallsHasItsPhases)
{
    const FakeLlmServer server([](const FakeRequest& request) {
        if (request.method == "POST")
            return FakeAnswer{.type = "text/event-stream",
                              .parts = messagesOf(recordedAnswer("openai_tool_calls.sse"), 100ms)};
        FakeAnswer answer{.parts = {{.bytes = R"({"data":[{"id":"m"}]})"}}, .sized = true};
        answer.status = request.path == "/v1/models" ? 200 : 404;
        return answer;
    });
    const Outcome outcome = run({"attach", std::to_string(server.port()), "--prompt", "hi",
                                 "--power", "none", "--json", "--full", "--no-save"});
    ASSERT_EQ(outcome.status, 0) << outcome.err;
    const json document = json::parse(outcome.out);
    std::map<std::string, double> seconds;
    for (const json& phase : document.at("run").at("phases"))
        seconds[phase.at("phase").get<std::string>()] = phase.at("duration_ns").get<double>() / 1e9;
    EXPECT_NEAR(seconds["prefill"], 0.2, 0.08) << outcome.out;
    EXPECT_NEAR(seconds["decode"], 0.5, 0.08) << outcome.out;
}

TEST_F(CasesTest, Case14OtherEndpointsAreMeasuredThroughTheProxy)
{
    const FakeLlmServer server([](const FakeRequest& request) {
        FakeAnswer answer{.type = "text/event-stream"};
        if (request.path == "/v1/messages") {
            answer.parts = {
                {.bytes =
                     "event: message_start\ndata: {\"type\":\"message_start\",\"message\":{"
                     "\"model\":\"m\",\"usage\":{\"input_tokens\":5,\"output_tokens\":1}}}\n\n"},
                {.bytes = "event: content_block_delta\ndata: {\"type\":\"content_block_delta\","
                          "\"delta\":{\"type\":\"text_delta\",\"text\":\"ab\"}}\n\n"},
                {.bytes = "event: message_delta\ndata: {\"type\":\"message_delta\",\"usage\":{"
                          "\"output_tokens\":3}}\n\n"},
                {.bytes = "event: message_stop\ndata: {\"type\":\"message_stop\"}\n\n"}};
        } else if (request.path == "/v1/responses") {
            answer.parts = {
                {.bytes = "event: response.output_text.delta\ndata: {\"type\":"
                          "\"response.output_text.delta\",\"delta\":\"ab\"}\n\n"},
                {.bytes = "event: response.completed\ndata: {\"type\":\"response.completed\","
                          "\"response\":{\"status\":\"completed\",\"usage\":{\"input_tokens\":5,"
                          "\"output_tokens\":3}}}\n\n"}};
        } else {
            answer = {.parts = {{.bytes = R"({"data":[{"id":"m"}]})"}}, .sized = true};
            answer.status = request.path == "/v1/models" ? 200 : 404;
        }
        return answer;
    });
    std::uint16_t port = 0;
    {
        const FakeLlmServer free([](const FakeRequest&) { return FakeAnswer(); });
        port = free.port();
    }
    QProcess proxy;
    start(proxy,
          {"attach", std::to_string(server.port()), "--proxy", "--port", std::to_string(port),
           "--power", "none"});
    const auto post = [&](const char* path, const char* body) {
        RawClient client(port);
        return client.send(postOf(port, path, body)) && client.receive().whole;
    };
    const char* const messages =
        R"({"model":"m","stream":true,"max_tokens":9,"messages":[{"role":"user","content":"x"}]})";
    bool answered = false;
    for (int i = 0; i < 200 && !answered; ++i) {
        std::this_thread::sleep_for(100ms);
        answered = post("/v1/messages", messages);
    }
    ASSERT_TRUE(answered);
    EXPECT_TRUE(post("/v1/responses", R"({"model":"m","stream":true,"input":"x"})"));
    proxy.terminate();
    ASSERT_TRUE(proxy.waitForFinished(30'000));
    const auto runs = stored();
    ASSERT_EQ(runs.size(), 2U) << proxy.readAllStandardError().toStdString();
    for (const ep::Run& run : runs) {
        EXPECT_EQ(run.info.input_tokens, 5);
        EXPECT_EQ(run.info.output_tokens, 3);
    }
}

TEST_F(CasesTest, Case17AnIdOfMinusOneIsNone)
{
    verifies(llama(bytesOf(kCaseData / "none" / "config.json")), usualReference());
    verifies(kCaseData / "none" / "model.gguf", usualReference());
}

TEST_F(CasesTest, Case19RarePreTokenizersAreKnown)
{
    EXPECT_EQ(idsOf("fixedlength", "abcdefab"), (std::vector{99, 70, 96}));
    EXPECT_EQ(idsOf("unicodescripts", "abcdef ab"), (std::vector{100, 0, 96}));
}

TEST_F(CasesTest, Case20TemplatesGetEverySpecialToken)
{
    EXPECT_EQ(rendered(R"({"bos_token": "<s>", "extra_special_tokens": {"image_token": "<img>"},
                           "additional_special_tokens": ["<a>", "<b>"],
                           "chat_template": "{{ bos_token }}{{ image_token }})"
                       R"({{ additional_special_tokens | length }}|{{ messages[0].content }}"})"),
              "<s><img>2|hi");
}

} // namespace
} // namespace ep::test
