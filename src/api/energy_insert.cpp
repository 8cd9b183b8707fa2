// SPDX-License-Identifier: GPL-3.0-or-later
#include "energy_insert.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <utility>

namespace ep::api {

namespace {

constexpr std::string_view kMember = "\"energy_profiler\":";
constexpr std::string_view kBlanks = " \t\r\n";
constexpr std::size_t kLongestLine = 256 * 1024; // of JSON; a longer line is passed on unparsed

// Lines that end a stream of events: clients may stop reading after them.
constexpr std::array<std::string_view, 3> kLastEvents{"data: [DONE]", "data:[DONE]",
                                                      "event: message_stop"};

bool isJson(const std::string& type)
{
    return type.starts_with("application/json");
}

std::string_view withoutBreak(std::string_view line)
{
    while (line.ends_with('\n') || line.ends_with('\r'))
        line.remove_suffix(1);
    return line;
}

} // namespace

std::string energyJson(const session::RequestFigures& figures)
{
    if (!figures.metrics || !figures.metrics->energy.total_mj)
        return {};
    const RunMetrics& metrics = *figures.metrics;
    const auto orNull = [](const std::optional<double>& value) {
        return value ? nlohmann::ordered_json(*value) : nlohmann::ordered_json();
    };
    const auto& sd = metrics.energy.sd_mj;
    const double joules = metrics.energy.total_mj->value / kMillijoulesPerJoule;
    return nlohmann::ordered_json{
        {"joules", joules},
        {"standard_deviation_joules",
         orNull(sd ? std::optional(sd->value / kMillijoulesPerJoule) : std::nullopt)},
        {"provenance", name(metrics.energy.provenance)},
        {"power_source", figures.power_source},
        {"seconds", toSeconds(metrics.duration_ns)},
        {"joules_per_output_token", orNull(metrics.joules_per_token)},
        {"joules_per_total_token",
         orNull(figures.tokens > 0 ? std::optional(joules / figures.tokens) : std::nullopt)},
        {"run", figures.run_id}}
        .dump();
}

std::optional<EnergyInsert::Form> EnergyInsert::formOf(const attach::AnswerHead& head)
{
    constexpr int kAnswered = 200;
    if (head.status != kAnswered)
        return std::nullopt;
    for (const char* digest : {"content-digest", "repr-digest", "digest", "content-md5", "etag"}) {
        if (head.field(digest))
            return std::nullopt;
    }
    for (const std::string_view coding : attach::listIn(head.fields, "content-encoding")) {
        if (!attach::sameFieldName(coding, "identity"))
            return std::nullopt;
    }
    for (const std::string_view rule : attach::listIn(head.fields, "cache-control")) {
        if (attach::sameFieldName(rule, "no-transform")) // RFC 9110, 7.7
            return std::nullopt;
    }
    const std::string type = head.field("content-type").value_or("");
    if (isJson(type))
        return Form::Object;
    if (type.starts_with("application/x-ndjson") || type.starts_with("application/ndjson"))
        return Form::Lines;
    return type.starts_with("text/event-stream") ? std::optional(Form::Events) : std::nullopt;
}

EnergyInsert::EnergyInsert(Form form, const attach::Dialect& dialect)
    : m_form(form)
    , m_chunks(std::string_view(dialect.path).ends_with("/completions"))
{
}

std::string EnergyInsert::pass(std::string_view piece)
{
    return m_form == Form::Object ? passObject(piece) : passLines(piece);
}

// Holds back the brace that ends the object, with the whitespace after it.
std::string EnergyInsert::passObject(std::string_view piece)
{
    std::string text = std::exchange(m_held, {}) + std::string(piece);
    const std::size_t last = text.find_last_not_of(kBlanks);
    if (last == std::string::npos) {
        m_held = std::move(text);
        return {};
    }
    if (!m_first)
        m_first = text[text.find_first_not_of(kBlanks)];
    const std::size_t end = text[last] == '}' ? last : last + 1;
    m_held = text.substr(end);
    text.resize(end);
    if (const std::size_t sent = text.find_last_not_of(kBlanks); sent != std::string::npos)
        m_before = text[sent];
    return text;
}

bool EnergyInsert::isLast(std::string_view line) const
{
    if (m_form == Form::Lines) // inside a string, quotes would be escaped
        return line.find("\"done\":true") != line.npos || line.find("\"done\": true") != line.npos;
    return std::ranges::find(kLastEvents, withoutBreak(line)) != kLastEvents.end();
}

bool EnergyInsert::mayBecomeLast(std::string_view line) const
{
    if (m_form == Form::Lines)
        return line.size() <= kLongestLine;
    return std::ranges::any_of(
        kLastEvents, [&](std::string_view last) { return last.starts_with(withoutBreak(line)); });
}

// Passes complete lines; holds back everything from the last one on.
std::string EnergyInsert::passLines(std::string_view piece)
{
    std::string sent;
    while (!piece.empty()) {
        if (m_last) {
            m_held += piece;
            break;
        }
        const std::size_t line = piece.find('\n');
        const bool whole = line != piece.npos;
        const std::string_view part = piece.substr(0, whole ? line + 1 : piece.size());
        piece.remove_prefix(part.size());
        if (m_inLine) {
            sent += part;
            m_inLine = !whole;
            m_blank = false;
            continue;
        }
        m_line += part;
        if (whole && isLast(m_line)) {
            m_last = true;
            m_held = std::exchange(m_line, {});
        } else if (whole || !mayBecomeLast(m_line)) {
            m_blank = whole && withoutBreak(m_line).empty();
            sent += std::exchange(m_line, {});
            m_inLine = !whole;
        }
    }
    return sent;
}

std::string EnergyInsert::withMember(const std::string& energy) const
{
    return std::string(m_before == '{' ? "" : ",") + std::string(kMember) + energy;
}

std::string EnergyInsert::event(const std::string& energy) const
{
    // A chunk without choices, like the one with the usage.
    if (m_chunks)
        return "data: "
               "{\"id\":\"energy-profiler\",\"object\":\"chat.completion.chunk\",\"created\":0,"
               "\"model\":\"\",\"choices\":[],"
            + std::string(kMember) + energy + "}\n\n";
    return "event: energy_profiler\ndata: {\"type\":\"energy_profiler\"," + std::string(kMember)
        + energy + "}\n\n";
}

std::string EnergyInsert::end(const std::string& energy)
{
    const std::string rest = std::exchange(m_held, {}) + std::exchange(m_line, {});
    if (energy.empty())
        return rest;
    if (m_form == Form::Events) {
        // Inserts before the last event, or at the end of a stream that has no such event.
        const bool place = m_blank && !m_inLine && (m_last || rest.empty());
        return place ? event(energy) + rest : rest;
    }
    if (m_form == Form::Object)
        return m_first == '{' && rest.starts_with('}') ? withMember(energy) + rest : rest;
    // The last line, complete or without a line break.
    const std::size_t end = rest.find_last_not_of(kBlanks);
    const std::size_t begin = rest.find_first_not_of(kBlanks);
    if (end == std::string::npos || rest[end] != '}' || rest[begin] != '{' || !isLast(rest)
        || rest.find('\n') < end)
        return rest;
    return rest.substr(0, end) + ',' + std::string(kMember) + energy + rest.substr(end);
}

} // namespace ep::api
