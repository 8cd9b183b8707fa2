// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "attach/recorded.h"
#include "support/fake_llm_server.h"

#include <chrono>
#include <string>

namespace ep::test {

// A fake of one kind of server: what it says about itself, and a recorded answer to generations.
struct KnownServer {
    const char* name;
    const char* engine; // the engine it is recognised as
    const char* dialect; // the dialect it is asked in
    const char* recorded; // file with the recorded answer
    const char* type; // content type of the recorded answer
    std::vector<std::pair<const char*, const char*>> facts; // path and JSON
    const char* told = nullptr; // engine, if only its answers reveal it
};

inline const std::vector<KnownServer>& knownServers()
{
    constexpr const char* kEvents = "text/event-stream";
    constexpr const char* kLines = "application/x-ndjson";
    static const std::vector<KnownServer> all{
        {"Ollama",
         "Ollama 0.12.3",
         "ollama",
         "ollama_generate.ndjson",
         kLines,
         {{"/api/version", R"({"version":"0.12.3"})"},
          {"/api/tags", R"({"models":[{"name":"qwen3:0.6b","size":522653767}]})"}}},
        {"Ollama chat",
         "Ollama 0.5.7",
         "",
         "ollama_chat.ndjson",
         kLines,
         {{"/api/version", R"({"version":"0.5.7"})"},
          {"/api/tags", R"({"models":[{"name":"deepseek-r1:1.5b"}]})"}}},
        {"llama.cpp",
         "llama.cpp b4689-90e4dba4",
         "",
         "llamacpp_completion.sse",
         kEvents,
         {{"/v1/models",
           R"({"object":"list","data":[{"id":"/models/tiny.gguf","object":"model","owned_by":"llamacpp"}]})"},
          {"/props", R"({"total_slots":1,"build_info":"b4689-90e4dba4"})"}}},
        {"vLLM",
         "vLLM 0.11.0",
         "",
         "vllm_chat.sse",
         kEvents,
         {{"/v1/models",
           R"({"object":"list","data":[{"id":"meta-llama/Llama-3.1-8B-Instruct","owned_by":"vllm"}]})"},
          {"/version", R"({"version":"0.11.0"})"}}},
        {"LM Studio",
         "LM Studio",
         "",
         "lmstudio_chat.sse",
         kEvents,
         {{"/api/v0/models",
           R"({"object":"list","data":[{"id":"granite-3.0-2b-instruct","type":"llm"}]})"},
          {"/v1/models",
           R"({"data":[{"id":"granite-3.0-2b-instruct","owned_by":"organization_owner"}]})"}}},
        {"MLX",
         "OpenAI-compatible server",
         "openai",
         "mlx_text.sse",
         kEvents,
         {{"/v1/models",
           R"({"object":"list","data":[{"id":"mlx-community/Llama-3.2-3B-Instruct-4bit"}]})"}},
         "MLX 0.26.3"},
        {"oMLX",
         "oMLX",
         "",
         "omlx_chat.sse",
         kEvents,
         {{"/v1/models", R"({"object":"list","data":[{"id":"m","owned_by":"omlx"}]})"}}},
    };
    return all;
}

// Answers generations with `generation`, and everything else like the known server.
inline FakeLlmServer::Handler handlerOf(const KnownServer& server, FakeAnswer generation)
{
    return [server, generation](const FakeRequest& request) {
        if (request.method == "POST")
            return generation;
        FakeAnswer answer;
        answer.sized = true;
        for (const auto& [path, json] : server.facts) {
            if (request.path == path) {
                answer.parts = {{.bytes = json}};
                return answer;
            }
        }
        answer.status = 404;
        answer.parts = {{.bytes = R"({"error":{"message":"Not Found"}})"}};
        return answer;
    };
}

inline FakeAnswer generationOf(const KnownServer& server, std::chrono::microseconds pause)
{
    FakeAnswer answer;
    answer.type = server.type;
    answer.parts = messagesOf(recordedAnswer(server.recorded), pause);
    return answer;
}

} // namespace ep::test
