// SPDX-License-Identifier: GPL-3.0-or-later
#include "client_job.h"

#include "ep/json/document.h"

#include <algorithm>
#include <array>

namespace ep::api {

namespace {

// Where agents name their sessions, in order of precedence. docs/pays.md has the same table, with
// what each agent sends. A sub-agent states its parent's session, or its own session and its
// parent's.
constexpr std::array kJobHeaders{
    "x-job-id", // of the user's own scripts
    "x-claude-code-session-id", // Claude Code from 2.1.86 on, also for its sub-agents
    "session-id", // Codex, also for its sub-agents; Zed with a subscription
    "session_id", // Codex until 2026; Cline to Codex's servers
    "agent-session-id", // Goose
    "goose-session-id", // Goose in 2025
    "x-opencode-session", // opencode to its own providers, and others to them
    "x-session-id", // opencode, Crush
    "x-session-affinity", // opencode, Crush
    "x-task-id", // Cline to its own servers
    "x-affinity", // Mistral Vibe, Zed to Mistral's servers
    "x-conversation-id",
    "conversation_id", // Codex in 2025
    "thread-id",
    "thread_id", // Codex: one thread of a session
};
constexpr std::array kParentHeaders{"x-parent-session-id"}; // opencode

constexpr std::array kJobFields{
    "job_id",           "session_id", // OpenRouter's clients; Codex in client_metadata
    "sessionId", // Qwen Code, in metadata
    "conversation_id",  "thread_id",
    "conversation", // the Responses API: an id, or an object with one
    "prompt_cache_key", // Codex, Zed, opencode
};
constexpr std::array kJobObjects{"metadata", "client_metadata"};

// A header in the form x-VENDOR-session-id.
bool isVendors(std::string_view name)
{
    return name.starts_with("x-") && name.ends_with("-session-id") && name != "x-parent-session-id";
}

std::string textAt(const json::Json& object, const char* key)
{
    const auto found = object.is_object() ? object.find(key) : object.end();
    if (!object.is_object() || found == object.end())
        return {};
    if (found->is_object())
        return textAt(*found, "id");
    return found->is_string() ? usableJob(found->get<std::string>()) : std::string();
}

// Claude Code's metadata.user_id: a JSON text with the session's id, or, until 2.1.85, a name that
// ends with it.
std::string sessionInUser(const json::Json& metadata)
{
    const auto user = metadata.find("user_id");
    if (user == metadata.end() || !user->is_string())
        return {};
    const auto text = user->get<std::string>();
    constexpr std::string_view kMark = "_session_";
    if (const std::size_t at = text.rfind(kMark); at != std::string::npos)
        return usableJob(text.substr(at + kMark.size()));
    const auto inner = text.starts_with('{') ? json::parse(text) : Result<json::Json>(json::Json());
    return inner ? textAt(*inner, "session_id") : std::string();
}

std::string jobIn(const json::Json& object)
{
    for (const char* field : kJobFields) {
        if (std::string job = textAt(object, field); !job.empty())
            return job;
    }
    return {};
}

std::string idIn(const HttpRequest& request, const auto& names)
{
    for (const char* name : names) {
        const std::string id = usableJob(request.header(name).value_or(""));
        if (!id.empty())
            return id;
    }
    return {};
}

} // namespace

std::string usableJob(const std::string& id)
{
    const bool printable = std::ranges::all_of(
        id, [](char c) { return c > ' ' && c < '\x7f' && c != ','; }); // commas separate tags
    return printable && id.size() <= kLongestJob ? id : std::string();
}

std::string SessionTree::rootOf(const std::string& session, const std::string& parent)
{
    constexpr std::size_t kMost = 4096;
    const auto known = m_roots.find(parent.empty() ? session : parent);
    const std::string root = known != m_roots.end() ? known->second
        : parent.empty()                            ? session
                                                    : parent;
    if (parent.empty() || session.empty() || !m_roots.try_emplace(session, root).second)
        return root;
    m_order.push_back(session);
    if (m_order.size() > kMost) {
        m_roots.erase(m_order.front());
        m_order.pop_front();
    }
    return root;
}

std::string jobOfHead(const HttpRequest& request, SessionTree& sessions)
{
    std::string job = idIn(request, kJobHeaders);
    for (const auto& [name, value] : request.headers) {
        if (job.empty() && isVendors(name))
            job = usableJob(value);
    }
    return sessions.rootOf(job, idIn(request, kParentHeaders));
}

std::string jobOfBody(std::string_view body, SessionTree& sessions)
{
    // Most requests name none of these fields and need not be parsed again.
    const auto holds = [&](const char* field) {
        return body.find('"' + std::string(field) + '"') != std::string_view::npos;
    };
    if (!std::ranges::any_of(kJobFields, holds) && !std::ranges::any_of(kJobObjects, holds))
        return {};
    const auto document = json::parse(body);
    if (!document || !document->is_object())
        return {};
    std::string job;
    for (const char* name : kJobObjects) {
        const auto object = document->find(name);
        if (job.empty() && object != document->end() && object->is_object()) {
            job = jobIn(*object);
            if (job.empty())
                job = sessionInUser(*object);
        }
    }
    if (std::string stated = jobIn(*document); job.empty())
        job = std::move(stated);
    return sessions.rootOf(job, {});
}

} // namespace ep::api
