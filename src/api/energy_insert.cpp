// SPDX-License-Identifier: GPL-3.0-or-later
#include "energy_insert.h"

#include "proxy_limits.h"

#include "ep/core/run_figure.h"
#include "ep/json/document.h"

#include <algorithm>
#include <array>
#include <utility>

namespace ep::api {

namespace {

constexpr std::string_view kMember = "\"energy_profiler\":";
constexpr std::string_view kBlanks = " \t\r\n";

// The first line of an event that ends a stream: clients may stop reading after this event.
struct LastEvent {
    std::string_view line;
    bool more; // the event has further lines
};
constexpr std::array<LastEvent, 3> kLastEvents{
    {{"data: [DONE]", false}, {"data:[DONE]", false}, {"event: message_stop", true}}};

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

std::string energyJson(const RunSummary& run)
{
    const EnergyValue& energy = run.metrics.energy;
    if (!energy.total_mj)
        return {};
    json::OrderedJson figures{
        {"joules", energy.total_mj->value / kMillijoulesPerJoule},
        {"standard_deviation_joules",
         energy.sd_mj ? std::optional(energy.sd_mj->value / kMillijoulesPerJoule) : std::nullopt},
        {"provenance", name(energy.provenance)},
        {"power_source", run.info.power.source},
        {"seconds", toSeconds(run.metrics.duration_ns)}};
    for (const RunFigure figure : kFiguresPerToken)
        figures[std::string(factsOf(figure).api)] = apiValueOf(figure, run);
    figures["run"] = run.info.id;
    return json::textOf(figures);
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
    if (m_ended)
        return std::string(piece);
    return m_form == Form::Object ? passObject(piece) : passLines(piece);
}

// Holds back the brace that ends the object, with the whitespace after it.
std::string EnergyInsert::passObject(std::string_view piece)
{
    const std::size_t last = piece.find_last_not_of(kBlanks);
    if (last == piece.npos) {
        if (m_held.empty())
            return std::string(piece);
        m_held += piece;
        return givenUp();
    }
    if (!m_first)
        m_first = piece[piece.find_first_not_of(kBlanks)];
    const std::size_t end = piece[last] == '}' ? last : last + 1;
    std::string text = std::exchange(m_held, {});
    text += piece.substr(0, end);
    m_held = piece.substr(end);
    if (const std::size_t sent = text.find_last_not_of(kBlanks); sent != std::string::npos)
        m_before = text[sent];
    return text + givenUp();
}

// No server ends an object with so many blanks, so the object is passed on unchanged.
std::string EnergyInsert::givenUp()
{
    m_ended = m_held.size() > kMaxHeldEnd;
    return m_ended ? std::exchange(m_held, {}) : std::string();
}

bool EnergyInsert::isLast(std::string_view line) const
{
    if (!mayBecomeLast(line))
        return false;
    if (m_form == Form::Events)
        return std::ranges::find(kLastEvents, withoutBreak(line), &LastEvent::line)
            != kLastEvents.end();
    if (line.find("\"done\"") == line.npos) // most lines need not be parsed
        return false;
    const auto json = json::parse(line);
    const bool object = json && json->is_object();
    const auto done = object ? json->find("done") : json::Json::const_iterator();
    return object && done != json->end() && done->is_boolean() && done->get<bool>();
}

bool EnergyInsert::mayBecomeLast(std::string_view line) const
{
    if (m_form == Form::Lines)
        return line.size() <= kMaxHeldLine;
    constexpr std::size_t kLongest = 32; // with its line break
    return line.size() <= kLongest && std::ranges::any_of(kLastEvents, [&](const LastEvent& last) {
               return last.line.starts_with(withoutBreak(line));
           });
}

// Takes the complete line m_line: it is sent, or it begins, continues or ends the last event.
void EnergyInsert::takeLine(std::string& sent)
{
    const std::string_view text = withoutBreak(m_line);
    if (!m_inLast && isLast(m_line)) {
        m_inLast = true;
        const auto* event = std::ranges::find(kLastEvents, text, &LastEvent::line);
        m_reached = m_form == Form::Lines || !event->more;
        m_held = std::exchange(m_line, {});
    } else if (m_inLast) {
        m_reached = text.empty() || m_held.size() + m_line.size() > kMaxHeldEnd;
        m_held += std::exchange(m_line, {});
    } else {
        m_blank = text.empty();
        sent += std::exchange(m_line, {});
    }
}

// Passes complete lines; holds back everything from the last one on.
std::string EnergyInsert::passLines(std::string_view piece)
{
    std::string sent;
    while (!piece.empty()) {
        if (m_reached) {
            m_held += piece; // the rest of this piece: the caller reads no further
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
        if (whole) {
            takeLine(sent);
        } else if (m_inLast) {
            m_reached = m_held.size() + m_line.size() > kMaxHeldEnd;
        } else if (!mayBecomeLast(m_line)) {
            m_blank = false;
            sent += std::exchange(m_line, {});
            m_inLine = true;
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
    // Makes a chunk without choices, like the one that states the usage.
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
    const bool changes = !std::exchange(m_ended, true) && !energy.empty();
    if (!changes)
        return rest;
    if (m_form == Form::Events) {
        // The energy goes before the last event. Streams of chunks have such an event; others may
        // end without it.
        const bool place = m_blank && !m_inLine && (m_inLast || (rest.empty() && !m_chunks));
        return place ? event(energy) + rest : rest;
    }
    if (m_form == Form::Object)
        return m_first == '{' && rest.starts_with('}') ? withMember(energy) + rest : rest;
    // The last line, complete or without a line break; what followed it in the same piece stays.
    const std::size_t line = std::min(rest.find('\n'), rest.size());
    const std::size_t end = rest.find_last_not_of(kBlanks, line);
    if (end == std::string::npos || rest[end] != '}' || !isLast(rest.substr(0, line)))
        return rest;
    return rest.substr(0, end) + ',' + std::string(kMember) + energy + rest.substr(end);
}

} // namespace ep::api
