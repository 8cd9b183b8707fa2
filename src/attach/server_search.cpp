// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/attach/server_search.h"

#include "ep/attach/http_client.h"
#include "ep/json/document.h"

#include <algorithm>
#include <optional>
#include <string_view>

namespace ep::attach {

namespace {

using json::Json;

constexpr ClientLimits kQuick{
    .first_byte_ms = 3000, .silence_ms = 3000, .total_ms = 10'000, .answer_bytes = 1024 * 1024};
constexpr std::uint16_t kUsualPorts[] = {11434, 1234, 8080, 8000, 1976, 2276};
constexpr std::uint16_t kApplePort = 1976; // port of `fm serve`

class Asker {
public:
    Asker(const Endpoint& endpoint, const std::string& token, const CancelToken& cancel)
        : m_endpoint(endpoint)
        , m_token(token)
        , m_cancel(cancel)
    {
    }

    // Absent if the server has no such address, or replies with something other than JSON.
    std::optional<Json> get(const char* path)
    {
        const auto body = fetch(
            {.endpoint = m_endpoint, .path = path, .token = m_token, .limits = kQuick}, m_cancel);
        if (!body) {
            if (m_problem.message.empty() || body.error().code != ErrorCode::NotFound)
                m_problem = body.error();
            return std::nullopt;
        }
        auto json = json::parse(*body);
        return json && json->is_object() ? std::optional(std::move(*json)) : std::nullopt;
    }

    // Whether the server answers this address with success and an empty body.
    bool isEmpty(const char* path)
    {
        const auto body = fetch(
            {.endpoint = m_endpoint, .path = path, .token = m_token, .limits = kQuick}, m_cancel);
        return body && body->empty();
    }

    const Error& problem() const { return m_problem; }

private:
    const Endpoint& m_endpoint;
    const std::string& m_token;
    const CancelToken& m_cancel;
    Error m_problem{ErrorCode::NotFound, {}};
};

std::string joined(const char* name, const std::string& version)
{
    return version.empty() ? name : name + (' ' + version);
}

// The names in a list of objects.
std::vector<std::string> namesIn(const std::optional<Json>& json, const char* list,
                                 const char* name)
{
    std::vector<std::string> names;
    const auto found = json ? json->find(list) : Json::const_iterator();
    if (!json || found == json->end() || !found->is_array())
        return names;
    for (const Json& one : *found) {
        if (!json::stringAt(one, name).empty())
            names.push_back(json::stringAt(one, name));
    }
    return names;
}

bool ownedBy(const std::optional<Json>& models, const char* owner)
{
    if (!models || !models->contains("data") || !models->at("data").is_array())
        return false;
    for (const Json& one : models->at("data")) {
        if (json::stringAt(one, "owned_by") == owner)
            return true;
    }
    return false;
}

bool holds(const std::vector<std::string>& names, std::string_view name)
{
    return std::ranges::find(names, name) != names.end();
}

bool isOllama(Asker& ask, FoundServer& found)
{
    const auto version = ask.get("/api/version");
    if (!version || json::stringAt(*version, "version").empty())
        return false;
    found.engine = joined("Ollama", json::stringAt(*version, "version"));
    found.dialect = "ollama-chat";
    found.models = namesIn(ask.get("/api/tags"), "models", "name");
    return true;
}

bool isLmStudio(Asker& ask, FoundServer& found)
{
    const auto models = ask.get("/api/v0/models");
    if (!models || !models->contains("data"))
        return false;
    found.engine = "LM Studio";
    found.dialect = "lmstudio-chat";
    found.models = namesIn(models, "data", "id");
    return true;
}

// mlx_lm.server fails to list its models on a machine without a cache of HuggingFace's hub, but
// still answers with the model that it was started with.
bool isOpenAiWithoutList(Asker& ask, FoundServer& found)
{
    if (!ask.isEmpty("/v1/models"))
        return false;
    const auto health = ask.get("/health");
    if (!health || json::stringAt(*health, "status") != "ok")
        return false;
    found.dialect = "openai-chat";
    found.engine = "OpenAI-compatible server";
    return true;
}

bool isOpenAi(Asker& ask, FoundServer& found)
{
    const auto models = ask.get("/v1/models");
    if (!models)
        return isOpenAiWithoutList(ask, found);
    if (!models->contains("data"))
        return false;
    found.models = namesIn(models, "data", "id");
    found.dialect = "openai-chat";
    if (ownedBy(models, "llamacpp")) {
        const auto props = ask.get("/props");
        found.engine =
            joined("llama.cpp", props ? json::stringAt(*props, "build_info") : std::string());
        found.dialect = "llamacpp";
    } else if (ownedBy(models, "vllm")) {
        const auto version = ask.get("/version");
        found.engine =
            joined("vLLM", version ? json::stringAt(*version, "version") : std::string());
    } else if (ownedBy(models, "omlx")) {
        found.engine = "oMLX";
    } else if (found.endpoint.port == kApplePort && holds(found.models, "system")) {
        found.engine = "Apple Foundation Models";
    } else {
        found.engine = "OpenAI-compatible server";
    }
    return true;
}

} // namespace

Result<FoundServer> identify(const Endpoint& endpoint, const std::string& token,
                             const CancelToken& cancel)
{
    FoundServer found;
    found.endpoint = endpoint;
    Asker ask(endpoint, token, cancel);
    // Ollama and llama.cpp share some addresses, but only Ollama has this one.
    if (isOllama(ask, found))
        return found;
    const bool nobody = nobodyListens(ask.problem());
    if (!nobody && (isLmStudio(ask, found) || isOpenAi(ask, found)))
        return found;
    if (nobody || ask.problem().code != ErrorCode::NotFound)
        return ask.problem();
    return Error{
        ErrorCode::NotFound,
        {"The server at %1 is not of a known kind: it lists no models.", endpoint.origin()}};
}

std::vector<FoundServer> findServers(const CancelToken& cancel)
{
    std::vector<FoundServer> all;
    for (const std::uint16_t port : kUsualPorts) {
        if (cancel.cancelled())
            break;
        if (auto found = identify({"127.0.0.1", port}, {}, cancel))
            all.push_back(*std::move(found));
    }
    return all;
}

} // namespace ep::attach
