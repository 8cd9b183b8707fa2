// SPDX-License-Identifier: GPL-3.0-or-later
#include "tables/stored_english.h"

#include "sqlite/schema.h"
#include "sqlite/statement.h"
#include "tables/message_json.h"

#include "ep/core/token_ledger.h"
#include "ep/json/record.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace ep::store {

namespace {

using Json = json::OrderedJson;

constexpr std::size_t kMinFixed = 12; // too many texts match shorter ones

struct Pattern {
    std::string text;
    std::vector<std::string> fixed; // the text around %1, %2, ..., which must be in this order

    std::size_t fixedSize() const
    {
        std::size_t size = 0;
        for (const std::string& part : fixed)
            size += part.size();
        return size;
    }
};

Pattern patternOf(std::string text)
{
    Pattern pattern{.text = std::move(text), .fixed = {}};
    std::size_t begin = 0;
    for (int place = 1;; ++place) {
        const std::string mark = '%' + std::to_string(place);
        const std::size_t at = pattern.text.find(mark, begin);
        pattern.fixed.push_back(pattern.text.substr(begin, at - begin));
        if (at == std::string::npos)
            return pattern;
        begin = at + mark.size();
    }
}

struct KnownTexts {
    std::set<std::string, std::less<>> all;
    std::vector<Pattern> patterns; // those with the most fixed text come first
};

const KnownTexts& knownTexts()
{
    static const KnownTexts known = [] {
        KnownTexts texts;
        std::istringstream lines(englishTexts());
        for (std::string text; std::getline(lines, text);) {
            texts.all.insert(text);
            Pattern pattern = patternOf(text);
            if (pattern.fixed.size() > 1 && pattern.fixedSize() >= kMinFixed)
                texts.patterns.push_back(std::move(pattern));
        }
        std::ranges::stable_sort(texts.patterns, std::ranges::greater(), &Pattern::fixedSize);
        return texts;
    }();
    return known;
}

// The texts between the fixed parts; nothing if a fixed part is missing or a text is empty.
std::vector<std::string_view> varyingIn(std::string_view text, const Pattern& pattern)
{
    const std::string& last = pattern.fixed.back();
    if (!text.starts_with(pattern.fixed.front()) || !text.ends_with(last))
        return {};
    std::vector<std::string_view> varying;
    std::size_t begin = pattern.fixed.front().size();
    for (std::size_t i = 1; i < pattern.fixed.size(); ++i) {
        const bool atEnd = i + 1 == pattern.fixed.size();
        const std::size_t end =
            atEnd ? text.size() - last.size() : text.find(pattern.fixed[i], begin + 1);
        if (end > text.size() || end <= begin)
            return {};
        varying.push_back(text.substr(begin, end - begin));
        begin = end + pattern.fixed[i].size();
    }
    return varying;
}

// End of a number such as "8" or "2.5", with either decimal sign; `at` if there is none.
std::size_t endOfNumber(std::string_view word, std::size_t at)
{
    const auto digits = [&](std::size_t from) {
        return std::min(word.find_first_not_of("0123456789", from), word.size());
    };
    const std::size_t end = digits(at);
    if (end == at || end >= word.size() || (word[end] != '.' && word[end] != ','))
        return end;
    const std::size_t fraction = digits(end + 1);
    return fraction > end + 1 ? fraction : end;
}

// "Layer 3" as "Layer %1" and 3.
std::optional<Message> withoutNumbers(std::string_view text)
{
    std::string pattern;
    std::vector<Message> numbers;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = endOfNumber(text, at);
        if (end == at) {
            pattern += text[at++];
            continue;
        }
        numbers.emplace_back(text.substr(at, end - at));
        pattern += '%' + std::to_string(numbers.size());
        at = end;
    }
    if (numbers.empty() || !knownTexts().all.contains(pattern))
        return std::nullopt;
    return Message(std::move(pattern), std::move(numbers));
}

bool hasClauses(std::string_view text)
{
    return text.find(". ") != text.npos || text.find("; ") != text.npos;
}

bool isKnown(const Message& message)
{
    return knownTexts().all.contains(message.pattern())
        || std::ranges::any_of(message.arguments(), isKnown);
}

// Several sentences, clauses or list items, if at least one of them is known.
std::optional<Message> partByPart(std::string_view text)
{
    for (const std::string_view between : {". ", "; ", ", "}) {
        const std::size_t end = text.find(between);
        if (end == std::string_view::npos)
            continue;
        const std::size_t kept = between.front() == '.' ? end + 1 : end;
        const std::size_t next = end + between.size();
        Message parts("%1" + std::string(text.substr(kept, next - kept)) + "%2",
                      {messageOf(text.substr(0, kept)), messageOf(text.substr(next))});
        return isKnown(parts) ? std::optional(std::move(parts)) : std::nullopt;
    }
    return std::nullopt;
}

// The notes of an import, one a line.
Message notesOf(const std::string& lines)
{
    std::vector<Message> notes;
    std::istringstream text(lines);
    for (std::string line; std::getline(text, line);)
        notes.push_back(messageOf(line));
    Message joined = sequence(std::move(notes), "\n");
    return joined == lines ? joined : Message(lines);
}

// Notes of other runs are in the words of the user.
bool hasNotesOfImport(const std::string& source)
{
    return source == kImportedSource || source == "simulated";
}

bool readCount(const std::string& digits, std::int64_t& count)
{
    const char* const end = digits.data() + digits.size();
    const auto read = std::from_chars(digits.data(), end, count);
    return read.ec == std::errc() && read.ptr == end && count >= 0;
}

std::optional<TokenCounts> countsOf(const std::vector<Message>& notes)
{
    TokenCounts counts;
    for (const Message& note : notes) {
        const std::vector<std::string> parts(note.arguments().begin(), note.arguments().end());
        std::int64_t cached = 0;
        if (note.pattern() == kCachedNote && readCount(parts[0], cached))
            counts.cached = cached;
        if (note.pattern() != kDraftNote)
            continue;
        const std::string draft = parts[0] + ": " + parts[1]; // a name may have a colon
        const std::size_t colon = draft.rfind(": ");
        TokenCounts read{.cached = counts.cached, .draft = draft.substr(0, colon)};
        if (readCount(draft.substr(colon + 2), read.drafted) && readCount(parts[2], read.accepted)
            && read.rejected() >= 0)
            counts = read;
    }
    return counts.any() ? std::optional(counts) : std::nullopt;
}

// Members of records that hold a message or a list of messages.
constexpr std::array<std::string_view, 8> kMembers{"clock_note", "detail",  "note",    "notes",
                                                   "notice",     "problem", "reasons", "refusals"};

void replaceTexts(Json& value)
{
    if (value.is_string()) {
        value = json::messageJson(messageOf(value.get_ref<const std::string&>()));
    } else if (value.is_array()) {
        for (Json& element : value)
            replaceTexts(element);
    }
}

// Skips samples: they have no messages, and there are many of them.
void replaceMembers(Json& record)
{
    if (record.is_object()) {
        for (auto& [key, member] : record.items()) {
            if (std::ranges::find(kMembers, key) != kMembers.end())
                replaceTexts(member);
            else if (key != "samples")
                replaceMembers(member);
        }
    } else if (record.is_array()) {
        for (Json& element : record)
            replaceMembers(element);
    }
}

std::string withMessages(const std::string& record)
{
    Json value = json::parsedOrNull(record);
    if (value.is_null())
        return record;
    replaceMembers(value);
    return json::textOf(value);
}

struct OldTexts {
    std::string id, status, notes, source, detail, notice, execution, energy, secondary, profiling;
};

void replaceTexts(OldTexts& run)
{
    run.status = listText(messageOf(run.status));
    run.detail = listText(messageOf(run.detail));
    run.notice = listText(messageOf(run.notice));
    if (hasNotesOfImport(run.source))
        run.notes = listText(notesOf(run.notes));
    run.energy = withMessages(run.energy);
    run.secondary = withMessages(run.secondary);
    run.profiling = withMessages(run.profiling);
    std::vector<Message> notes;
    readList(run.execution, notes);
    for (Message& note : notes)
        note = messageOf(note.pattern());
    run.execution = listText(notes);
    if (const auto counts = countsOf(notes)) {
        Json record = json::parsedOrNull(run.profiling);
        if (record.is_object()) {
            record["token_counts"] = json::MemberWriter::valueOf(*counts);
            run.profiling = json::textOf(record);
        }
    }
}

constexpr const char* kConverting = "set up the run database";

// One run at a time, because samples of secondary sources can be large.
Status replaceInRuns(Database& database)
{
    std::vector<std::string> ids;
    Statement list = database.prepare("SELECT id FROM profiling_runs", kConverting);
    const Status listed = list.forEachRow([&](Statement& row) { row.get(ids.emplace_back()); });
    if (!listed)
        return listed;
    Statement query = database.prepare(
        "SELECT id, status_message, notes, power_source, power_detail, power_notice, "
        "execution_notes, energy_record, secondary_sources, profiling_record FROM "
        "profiling_runs WHERE id = ?",
        kConverting);
    Statement update = database.prepare(
        "UPDATE profiling_runs SET status_message = ?, notes = ?, power_detail = ?, power_notice = "
        "?, execution_notes = ?, energy_record = ?, secondary_sources = ?, profiling_record = ? "
        "WHERE id = ?",
        kConverting);
    for (const std::string& id : ids) {
        OldTexts run;
        const Status read = query.bind(id).forEachRow([&](Statement& row) {
            row.get(run.id, run.status, run.notes, run.source, run.detail, run.notice,
                    run.execution, run.energy, run.secondary, run.profiling);
        });
        if (!read)
            return read;
        replaceTexts(run);
        update.bind(run.status, run.notes, run.detail, run.notice, run.execution, run.energy,
                    run.secondary, run.profiling, run.id);
        if (const Status done = update.run(); !done)
            return done;
    }
    return {};
}

Status replaceInCalibrations(Database& database)
{
    std::map<std::string, std::string> records; // by their ids
    {
        Statement query = database.prepare("SELECT id, record FROM calibrations", kConverting);
        const Status done = query.forEachRow([&](Statement& row) {
            std::string id;
            std::string record;
            row.get(id, record);
            records.emplace(std::move(id), std::move(record));
        });
        if (!done)
            return done;
    }
    Statement update =
        database.prepare("UPDATE calibrations SET record = ? WHERE id = ?", kConverting);
    for (const auto& [id, record] : records) {
        if (const Status done = update.bind(withMessages(record), id).run(); !done)
            return done;
    }
    return {};
}

} // namespace

Message messageOf(std::string_view english)
{
    if (knownTexts().all.contains(english))
        return english;
    if (auto numbered = withoutNumbers(english))
        return *std::move(numbered);
    std::vector<std::string_view> varying;
    const auto found = std::ranges::find_if(knownTexts().patterns, [&](const Pattern& pattern) {
        varying = varyingIn(english, pattern);
        return !varying.empty();
    });
    // A variable part may contain a sentence or clause, but only if nothing else fits.
    if (varying.empty() || std::ranges::any_of(varying, hasClauses)) {
        if (auto parts = partByPart(english))
            return *std::move(parts);
    }
    if (varying.empty())
        return english;
    std::vector<Message> arguments;
    for (const std::string_view part : varying)
        arguments.push_back(messageOf(part));
    return {found->text, std::move(arguments)};
}

void findMessages(RunInfo& info, std::vector<SecondarySource>& secondary)
{
    const Message notes = info.notes;
    const auto find = [](Message& message) { message = messageOf(message.english()); };
    visitMessages(info, find);
    visitSourceMessages(secondary, find);
    info.notes = hasNotesOfImport(info.power.source) ? notesOf(notes.english()) : notes;
    if (!info.profiling.token_counts)
        info.profiling.token_counts = countsOf(info.execution.notes);
}

Status findStoredMessages(Database& database)
{
    const Status done = replaceInRuns(database);
    return done ? replaceInCalibrations(database) : done;
}

} // namespace ep::store
