// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/core/format.h"
#include "ep/energy/paired_runs.h"
#include "ep/json/conversation.h"
#include "ep/session/study.h"

#include <QByteArray>
#include <QCryptographicHash>

#include <algorithm>
#include <array>
#include <charconv>
#include <filesystem>
#include <set>
#include <string_view>
#include <utility>

namespace ep::session {

namespace {

constexpr int kIdDigits = 12;
constexpr int kMaxShards = 100'000;

// Random numbers and shuffles that are the same on every machine (SplitMix64; Fisher and Yates),
// unlike those of the standard library.
class Draws {
public:
    explicit Draws(std::uint64_t seed)
        : m_state(seed)
    {
    }

    template <typename T>
    void shuffle(std::vector<T>& values)
    {
        for (std::size_t i = values.size(); i > 1; --i)
            std::swap(values[i - 1], values[next() % i]);
    }

private:
    std::uint64_t next()
    {
        m_state += 0x9E3779B97F4A7C15U;
        std::uint64_t z = m_state;
        z = (z ^ (z >> 30U)) * 0xBF58476D1CE4E5B9U;
        z = (z ^ (z >> 27U)) * 0x94D049BB133111EBU;
        return z ^ (z >> 31U);
    }

    std::uint64_t m_state;
};

class Identity {
public:
    template <typename T>
    Identity& add(const T& value)
    {
        if constexpr (std::is_convertible_v<const T&, std::string_view>)
            m_text += std::string(value);
        else if constexpr (std::is_floating_point_v<T>)
            m_text += withPlainPoint(formatSignificant(value, 17));
        else
            m_text += std::to_string(value);
        m_text += '\0'; // separator, so that different lists never give the same text
        return *this;
    }
    std::string digits() const
    {
        const QByteArray hash = QCryptographicHash::hash(
            QByteArray(m_text.data(), static_cast<qsizetype>(m_text.size())),
            QCryptographicHash::Sha1);
        return hash.toHex().left(kIdDigits).toStdString();
    }

private:
    // The window and the command line must produce the same ids in every locale.
    static std::string withPlainPoint(std::string number)
    {
        std::replace(number.begin(), number.end(), numberStyle().decimal_point, '.');
        return number;
    }

    std::string m_text;
};

// Hashed in every id, before all others.
constexpr std::array<std::string_view, 3> kFirstHashed{"profiling_depth", "device", "dtype"};
// Hashed in every id, in this order.
constexpr std::array<std::string_view, 10> kAlwaysHashed{
    "batch_size", "max_new_tokens", "ignore_eos",         "threads", "temperature", "top_k",
    "top_p",      "min_p",          "repetition_penalty", "seed"};

// Settings that an id contains only if their values are unusual, so that ids from before these
// settings existed stay the same: in this order and by these words, then all others of the table.
struct HashedSetting {
    std::string_view name;
    std::string_view word;
};
constexpr std::array<HashedSetting, 12> kHashedIfUnusual{{{"power_source", "power"},
                                                          {"interval_ms", "interval"},
                                                          {"baseline_seconds", "baseline"},
                                                          {"warmup_tokens", "warm-up"},
                                                          {"warmup_cv", "settled"},
                                                          {"chat", "chat template"},
                                                          {"cool_down_seconds", "cool-down"},
                                                          {"kv_cache", "cache"},
                                                          {"prompt_cache", "prompt cache"},
                                                          {"draft", "draft"},
                                                          {"context", "context"},
                                                          {"draft_tokens", "draft tokens"}}};

bool isHashedElsewhere(const RunSetting& row)
{
    return (row.places & (kInStudies | kInSampling | kInLists)) == 0 || row.name == "repeats"
        || std::ranges::count(kFirstHashed, row.name) > 0
        || std::ranges::count(kAlwaysHashed, row.name) > 0
        || std::ranges::count(kHashedIfUnusual, row.name, &HashedSetting::name) > 0;
}

void addSetting(Identity& identity, const RunSetting& row, const RunRequest& run)
{
    if (row.toggles())
        identity.add(textOf(row, run) == "on" ? 1 : 0);
    else if (row.name == "kv_cache")
        identity.add(static_cast<int>(run.levers.cache));
    else if (row.whole() || !row.number())
        identity.add(textOf(row, run));
    else
        identity.add(valueOf(row, run));
}

std::string idOf(const StudySpec& spec, const NamedSettings& cell)
{
    const RunRequest& run = cell.run;
    Identity identity;
    identity.add(spec.name)
        .add(cell.model())
        .add(run.prompt)
        .add(name(run.depth))
        .add(cell.device())
        .add(cell.dtype());
    for (const std::string_view setting : kAlwaysHashed)
        addSetting(identity, runSetting(setting), setting == "threads" ? spec.run : run);
    for (const Conversation& conversation : run.conversations)
        identity.add("conversation").add(json::conversationText(conversation));
    if (run.server)
        identity.add("server").add(run.server->dialect);
    const RunRequest usual = usualOfStudies();
    const auto addUnusual = [&](const RunSetting& row, std::string_view word) {
        if (textOf(row, run) != textOf(row, usual))
            addSetting(identity.add(word), row, run);
    };
    for (const HashedSetting& hashed : kHashedIfUnusual)
        addUnusual(runSetting(hashed.name), hashed.word);
    for (const RunSetting& row : runSettings()) {
        if (!isHashedElsewhere(row))
            addUnusual(row, row.name);
    }
    return identity.digits();
}

std::string nameOfPath(const std::string& model)
{
    const std::filesystem::path path(model);
    if (path.parent_path().filename() == "snapshots") // a revision in a cache
        return model;
    return (path.extension() == ".gguf" ? path.stem() : path.filename()).string();
}

// A model of a study by its name; by its whole path if another model has the same name.
std::string titleOf(const StudySpec& spec, const NamedSettings& cell)
{
    const std::string name = nameOfPath(cell.model());
    const auto alike = std::ranges::count(spec.models, name, nameOfPath);
    return cell.run.server || name.empty() || alike > 1 ? cell.model() : name;
}

// Settings with lists: the order of their loops, and how labels of cells state them. Others follow.
struct ListedSetting {
    std::string_view name;
    const char* pattern;
};
constexpr std::array<ListedSetting, 5> kListed{{{"dtype", "%1"},
                                                {"device", "%1"},
                                                {"profiling_depth", "depth %1"},
                                                {"batch_size", "batch %1"},
                                                {"max_new_tokens", "%1 tokens"}}};

std::string patternOf(const RunSetting& row)
{
    const auto known = std::ranges::find(kListed, row.name, &ListedSetting::name);
    return known == kListed.end() ? std::string(row.name) + " %1" : known->pattern;
}

// Keeps words that the table does not have, which the run refuses with a reason.
void setText(const RunSetting& row, const std::string& value, RunRequest& run)
{
    const SettingField field = row.field(run);
    if (const auto* const text = std::get_if<std::string*>(&field))
        **text = value;
    else
        static_cast<void>(readSetting(row, value, run));
}

Message labelOf(const StudySpec& spec, const NamedSettings& cell)
{
    std::vector<Message> parts;
    const auto add = [&](bool varies, const Message& text) {
        if (varies)
            parts.push_back(text);
    };
    const RunRequest& run = cell.run;
    add(spec.models.size() + spec.servers.size() > 1, titleOf(spec, cell));
    for (const StudyList& list : spec.lists) {
        const RunSetting& row = runSetting(list.setting);
        add(list.values.size() > 1 && (!run.server || (row.places & kWithServers) != 0),
            Message(patternOf(row), {textOf(row, run)}));
    }
    add(spec.prompts.size() > 1, cell.prompt);
    Message label = sequence(std::move(parts), ", ");
    return label.empty() ? Message(titleOf(spec, cell)) : label;
}

// One run for each combination of the values of lists that have one of these places.
std::vector<RunRequest> combinations(const StudySpec& spec, const RunRequest& run, unsigned places)
{
    std::vector<RunRequest> runs{run};
    for (const StudyList& list : spec.lists) {
        const RunSetting& row = runSetting(list.setting);
        if ((row.places & places) == 0)
            continue;
        std::vector<RunRequest> more;
        for (const RunRequest& each : runs) {
            for (const std::string& value : list.values)
                setText(row, value, more.emplace_back(each));
        }
        runs = std::move(more);
    }
    return runs;
}

std::vector<NamedSettings> cellsOf(const StudySpec& spec)
{
    std::vector<NamedSettings> cells;
    const auto add = [&](const RunRequest& common, unsigned places) {
        for (const RunRequest& each : combinations(spec, common, places)) {
            for (const StudyPrompt& prompt : spec.prompts) {
                NamedSettings cell{.label = {}, .prompt = prompt.name, .run = each};
                cell.run.prompt = prompt.text;
                cell.run.conversations = prompt.conversations;
                cell.run.experiment = spec.name;
                cell.id = idOf(spec, cell);
                cell.label = labelOf(spec, cell);
                cells.push_back(std::move(cell));
            }
        }
    };
    for (const std::string& model : spec.models) {
        RunRequest run = spec.run;
        run.load.folder = model;
        add(run, kInLists);
    }
    for (const ServerTarget& server : spec.servers) {
        RunRequest run = spec.run;
        run.server = server;
        run.load = {};
        run.levers = {};
        run.depth = Depth::None;
        add(run, kWithServers);
    }
    return cells;
}

std::vector<StudyStep> stepsOf(const StudySpec& spec, const std::vector<NamedSettings>& cells)
{
    std::vector<StudyStep> steps;
    const auto add = [&](std::size_t cell, int repeat) {
        steps.push_back(
            {.cell = cell, .repeat = repeat, .tag = energy::cellTag(cells[cell].id, repeat)});
    };
    Draws draws(spec.seed);
    if (spec.order == StudyOrder::Interleaved) {
        std::vector<std::size_t> round(cells.size());
        for (std::size_t i = 0; i < round.size(); ++i)
            round[i] = i;
        for (int repeat = 1; repeat <= spec.run.repeats; ++repeat) {
            draws.shuffle(round);
            for (const std::size_t cell : round)
                add(cell, repeat);
        }
        return steps;
    }
    for (std::size_t cell = 0; cell < cells.size(); ++cell) {
        for (int repeat = 1; repeat <= spec.run.repeats; ++repeat)
            add(cell, repeat);
    }
    if (spec.order == StudyOrder::Random)
        draws.shuffle(steps);
    return steps;
}

} // namespace

std::vector<StudyList> usualLists()
{
    std::vector<StudyList> lists;
    const auto add = [&](const RunSetting& row) {
        const bool there = std::ranges::count(lists, row.name, &StudyList::setting) > 0;
        if ((row.places & kInLists) != 0 && !there)
            lists.push_back({.setting = row.name, .values = {textOf(row, RunRequest())}});
    };
    for (const ListedSetting& first : kListed)
        add(runSetting(first.name));
    std::ranges::for_each(runSettings(), add);
    return lists;
}

std::vector<std::string>& StudySpec::values(std::string_view setting)
{
    return std::ranges::find(lists, setting, &StudyList::setting)->values;
}

const std::vector<std::string>& StudySpec::values(std::string_view setting) const
{
    return std::ranges::find(lists, setting, &StudyList::setting)->values;
}

StudySpec studyLike(const RunRequest& run)
{
    StudySpec spec;
    for (StudyList& list : spec.lists)
        list.values = {textOf(runSetting(list.setting), run)};
    for (const RunSetting& row : runSettings()) {
        if ((row.places & (kInStudies | kInSampling)) != 0
            && (row.places & (kInSides | kInSampling)) != 0)
            copySetting(row, run, spec.run);
    }
    spec.run.sampling.stop = run.sampling.stop;
    spec.run.power.kind = run.power.kind;
    return spec;
}

RunRequest usualOfStudies()
{
    RunRequest run;
    run.ignore_eos = true;
    run.repeats = 3;
    run.warmup_tokens = 64;
    run.warmup_settled = 0.05;
    return run;
}

Result<StudyShard> parseShard(const std::string& text)
{
    StudyShard shard{0, 0};
    const char* end = text.data() + text.size();
    auto read = std::from_chars(text.data(), end, shard.index);
    if (read.ec == std::errc() && read.ptr != end && *read.ptr == '/')
        read = std::from_chars(read.ptr + 1, end, shard.count);
    if (read.ec != std::errc() || read.ptr != end || shard.index < 1 || shard.count < shard.index
        || shard.count > kMaxShards) {
        return Error{ErrorCode::InvalidInput,
                     {"'%1' is not a shard: write I/N with I from 1 to N, as in 2/5.", text}};
    }
    return shard;
}

StudyPlan planStudy(const StudySpec& spec, const StudyShard& shard)
{
    StudyPlan plan;
    plan.cells = cellsOf(spec);
    const std::vector<StudyStep> all = stepsOf(spec, plan.cells);
    const auto count = static_cast<std::size_t>(shard.count);
    for (std::size_t i = static_cast<std::size_t>(shard.index - 1); i < all.size(); i += count)
        plan.steps.push_back(all[i]);
    return plan;
}

std::vector<bool> doneSteps(const StudyPlan& plan, const std::vector<RunSummary>& runs)
{
    std::set<std::string> tags;
    for (const RunSummary& run : runs) {
        if (run.info.status == RunStatus::Complete)
            tags.insert(run.info.tags.begin(), run.info.tags.end());
    }
    std::vector<bool> done;
    for (const StudyStep& step : plan.steps)
        done.push_back(tags.contains(step.tag));
    return done;
}

} // namespace ep::session
