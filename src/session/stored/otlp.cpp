// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/session/otlp.h"

#include "ep/core/run_figure.h"
#include "ep/json/document.h"
#include "ep/session/environment.h"
#include "ep/session/jobs.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace ep::session {

namespace {

using SpanJson = json::OrderedJson;

// Attributes of a span in OTLP's encoding, where 64-bit integers are strings.
class Attributes {
public:
    void text(const char* key, const std::string& value)
    {
        if (!value.empty())
            add(key, {{"stringValue", value}});
    }
    void integer(const char* key, std::optional<std::int64_t> value)
    {
        if (value)
            add(key, {{"intValue", std::to_string(*value)}});
    }
    void number(const char* key, std::optional<double> value)
    {
        if (value)
            add(key, {{"doubleValue", *value}});
    }
    void texts(const char* key, const std::vector<std::string>& values)
    {
        SpanJson list = SpanJson::array();
        for (const std::string& value : values)
            list.push_back({{"stringValue", value}});
        if (!values.empty())
            add(key, {{"arrayValue", {{"values", std::move(list)}}}});
    }
    SpanJson take() { return std::move(m_json); }

private:
    void add(const char* key, SpanJson value)
    {
        m_json.push_back({{"key", key}, {"value", std::move(value)}});
    }

    SpanJson m_json = SpanJson::array();
};

// "ollama", "llama.cpp", "vllm": the first word of the engine.
std::string providerOf(const RunInfo& info)
{
    const auto& server = info.profiling.server;
    if (!server)
        return "energy-profiler";
    std::string word = server->engine.substr(0, server->engine.find(' '));
    std::ranges::transform(word, word.begin(), [](char c) {
        return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    });
    return word;
}

std::string operationOf(const RunInfo& info)
{
    return info.chat_template || !info.conversation.empty() ? "chat" : "text_completion";
}

void addServer(Attributes& attributes, const ServerRecord& server)
{
    attributes.integer("gen_ai.usage.cache_read.input_tokens", server.cached_tokens);
    if (!server.finish.empty())
        attributes.texts("gen_ai.response.finish_reasons", {server.finish});
    const std::size_t host = server.address.find("://");
    const std::size_t port = server.address.rfind(':');
    if (host == std::string::npos)
        return;
    constexpr std::size_t kAfterScheme = 3;
    const std::size_t begin = host + kAfterScheme;
    const bool hasPort = port != std::string::npos && port > begin;
    attributes.text("server.address",
                    server.address.substr(begin, hasPort ? port - begin : std::string::npos));
    const std::string digits = hasPort ? server.address.substr(port + 1) : std::string();
    constexpr std::size_t kMaxDigits = 5;
    if (!digits.empty() && digits.size() <= kMaxDigits
        && digits.find_first_not_of("0123456789") == std::string::npos)
        attributes.integer("server.port", std::stoi(digits));
}

SpanJson attributesOf(const RunSummary& run)
{
    const RunInfo& info = run.info;
    Attributes attributes;
    attributes.text("gen_ai.operation.name", operationOf(info));
    attributes.text("gen_ai.provider.name", providerOf(info));
    attributes.text("gen_ai.request.model", info.model.name);
    attributes.integer("gen_ai.usage.input_tokens", info.input_tokens);
    attributes.integer("gen_ai.usage.output_tokens", info.output_tokens);
    if (info.max_new_tokens > 0)
        attributes.integer("gen_ai.request.max_tokens", info.max_new_tokens);
    attributes.number("gen_ai.request.temperature", info.sampling.temperature);
    for (const std::string& tag : info.tags) {
        if (tag.starts_with(kJobTag))
            attributes.text("gen_ai.conversation.id", tag.substr(kJobTag.size()));
    }
    if (info.profiling.server)
        addServer(attributes, *info.profiling.server);
    attributes.text("energy_profiler.run.id", info.id);
    attributes.text("energy_profiler.power.source", info.power.source);
    attributes.text("energy_profiler.energy.provenance",
                    std::string(name(run.metrics.energy.provenance)));
    attributes.number("energy_profiler.energy.joules", valueOf(RunFigure::Energy, run));
    attributes.number("energy_profiler.power.mean_watts", valueOf(RunFigure::MeanPower, run));
    for (const RunFigure figure : kFiguresPerToken) {
        const std::string key = std::string("energy_profiler.energy.") + factsOf(figure).api;
        attributes.number(key.c_str(), valueOf(figure, run));
    }
    return attributes.take();
}

SpanJson spanOf(const RunSummary& run)
{
    std::string digits; // 32 hex digits of the UUID, as many as a trace id has
    std::ranges::copy_if(run.info.id, std::back_inserter(digits), [](char c) { return c != '-'; });
    constexpr std::size_t kTraceDigits = 32;
    constexpr std::size_t kSpanDigits = 16;
    digits.resize(kTraceDigits, '0');
    const std::int64_t begin = run.info.created_at_ms * kNsPerMs;
    constexpr int kClient = 3;
    constexpr int kInternal = 1;
    constexpr int kStatusError = 2;
    SpanJson span{{"traceId", digits},
                  {"spanId", digits.substr(0, kSpanDigits)},
                  {"name", operationOf(run.info) + ' ' + run.info.model.name},
                  {"kind", run.info.profiling.server ? kClient : kInternal},
                  {"startTimeUnixNano", std::to_string(begin)},
                  {"endTimeUnixNano", std::to_string(begin + run.metrics.duration_ns)},
                  {"attributes", attributesOf(run)}};
    if (run.info.status == RunStatus::Failed)
        span["status"] = {{"code", kStatusError}, {"message", run.info.status_message}};
    return span;
}

} // namespace

void writeOtlp(std::span<const RunSummary> runs, std::ostream& sink)
{
    // One resource for each machine and version that made runs.
    std::map<std::tuple<std::string, std::string, std::string>, SpanJson> spans;
    for (const RunSummary& run : runs) {
        const Environment& at = run.info.environment;
        SpanJson& list = spans[{at.app_version, at.os, at.cpu}];
        list.push_back(spanOf(run));
    }
    SpanJson resources = SpanJson::array();
    for (auto& [key, list] : spans) {
        Attributes attributes;
        attributes.text("service.name", "energy-profiler");
        attributes.text("service.version", std::get<0>(key));
        attributes.text("os.description", std::get<1>(key));
        attributes.text("host.cpu.model.name", std::get<2>(key));
        resources.push_back(
            {{"resource", {{"attributes", attributes.take()}}},
             {"scopeSpans",
              SpanJson::array(
                  {{{"scope", {{"name", "energy-profiler"}, {"version", applicationVersion()}}},
                    {"spans", std::move(list)}}})}});
    }
    const SpanJson document{{"resourceSpans", std::move(resources)}};
    sink << json::textOf(document) << '\n';
}

} // namespace ep::session
