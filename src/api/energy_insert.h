// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/attach/dialect.h"
#include "ep/attach/http_answer.h"
#include "ep/session/request_recorder.h"

#include <optional>
#include <string>
#include <string_view>

// Adds the energy of a request to its own answer: as the member `energy_profiler` of a JSON object
// or of the last of several JSON lines, or as an event before the last event of a stream. All other
// bytes are passed on unchanged, and at once except for those after this place. Pure.
namespace ep::api {

// The JSON object of the run of a request; empty if its energy is not known.
std::string energyJson(const RunSummary& run);

class EnergyInsert {
public:
    enum class Form {
        Object, // one JSON object
        Lines, // JSON, line by line: Ollama
        Events, // server-sent events
    };
    // Returns how the answer with this head can carry an energy; absent if the answer may not be
    // changed (compressed, no-transform, with a digest) or has none of these forms.
    static std::optional<Form> formOf(const attach::AnswerHead& head);

    EnergyInsert(Form form, const attach::Dialect& dialect);

    std::string pass(std::string_view piece); // returns the bytes that may be sent now
    // The last event or line has arrived: nothing more is generated, whatever the server sends.
    bool reached() const { return m_reached; }
    // Returns what was held back, with `energy`, a JSON object, inserted; unchanged if `energy` is
    // empty (unknown). Call it once, when the end is reached or the answer is over; what follows
    // passes unchanged.
    std::string end(const std::string& energy);

private:
    std::string passObject(std::string_view piece);
    std::string givenUp();
    std::string passLines(std::string_view piece);
    void takeLine(std::string& sent);
    bool isLast(std::string_view line) const;
    bool mayBecomeLast(std::string_view line) const;
    std::string withMember(const std::string& energy) const;
    std::string event(const std::string& energy) const;

    Form m_form;
    bool m_chunks; // unnamed events with OpenAI's chunks
    std::string m_held; // not sent yet, since the energy may belong before or inside it
    std::string m_line; // an incomplete line that may still be the last one
    bool m_inLine = false; // the rest of a line whose beginning was sent
    bool m_blank = true; // the previous line is empty, which ends an event
    bool m_inLast = false; // within the last event
    bool m_reached = false; // everything that follows is held back
    bool m_ended = false; // everything passes
    std::optional<char> m_first; // for an object: its first character
    char m_before = '\0'; // the last byte that was sent
};

} // namespace ep::api
