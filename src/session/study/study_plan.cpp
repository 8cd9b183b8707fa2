// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/core/format.h"
#include "ep/energy/paired_runs.h"
#include "ep/json/conversation.h"
#include "ep/session/study.h"

#include <QByteArray>
#include <QCryptographicHash>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <set>
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

std::string idOf(const StudySpec& spec, const NamedSettings& cell)
{
    const RunRequest& run = cell.run;
    const SamplingSettings& sampling = run.sampling;
    Identity identity;
    identity.add(spec.name)
        .add(cell.model())
        .add(run.prompt)
        .add(name(run.depth))
        .add(cell.device())
        .add(cell.dtype())
        .add(run.batch_size)
        .add(run.max_new_tokens)
        .add(static_cast<int>(run.ignore_eos))
        .add(spec.run.load.threads)
        .add(sampling.temperature)
        .add(sampling.top_k)
        .add(sampling.top_p)
        .add(sampling.min_p)
        .add(sampling.repetition_penalty)
        .add(sampling.seed);
    for (const Conversation& conversation : run.conversations)
        identity.add("conversation").add(json::conversationText(conversation));
    if (run.server)
        identity.add("server").add(run.server->dialect);
    // Settings of the measurement. Only non-default ones, so that ids from before they existed
    // stay the same.
    const RunRequest usual = usualOfStudies();
    const auto addUnusual = [&](const char* name, const auto& value, const auto& usually) {
        if (value != usually)
            identity.add(name).add(value);
    };
    addUnusual("power", spec.power, std::string("auto"));
    addUnusual("interval", run.interval_ms, usual.interval_ms);
    addUnusual("baseline", run.baseline_seconds, usual.baseline_seconds);
    addUnusual("warm-up", run.warmup_tokens, usual.warmup_tokens);
    addUnusual("settled", run.warmup_settled, usual.warmup_settled);
    addUnusual("chat template", static_cast<int>(run.chat != ChatUse::Off), 0);
    addUnusual("cool-down", run.cool_down_seconds, usual.cool_down_seconds);
    const Levers none;
    addUnusual("cache", static_cast<int>(run.levers.cache), static_cast<int>(none.cache));
    addUnusual("prompt cache", static_cast<int>(run.levers.prompt_cache), 0);
    addUnusual("draft", run.levers.draft, none.draft);
    addUnusual("context", run.context_length, usual.context_length);
    addUnusual("draft tokens", run.levers.draft_tokens, none.draft_tokens);
    return identity.digits();
}

std::string nameOfPath(const std::string& model)
{
    const std::filesystem::path path(model);
    if (path.parent_path().filename() == "snapshots") // of a cache: named by a revision
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

std::string labelOf(const StudySpec& spec, const NamedSettings& cell)
{
    std::string label;
    const auto add = [&](bool varies, const std::string& text) {
        if (varies)
            label += (label.empty() ? "" : ", ") + text;
    };
    const RunRequest& run = cell.run;
    const bool ours = !run.server;
    add(spec.models.size() + spec.servers.size() > 1, titleOf(spec, cell));
    add(ours && spec.dtypes.size() > 1, run.load.dtype);
    add(ours && spec.devices.size() > 1, run.load.device);
    add(ours && spec.depths.size() > 1, "depth " + std::string(name(run.depth)));
    add(ours && spec.batch_sizes.size() > 1, "batch " + std::to_string(run.batch_size));
    add(spec.output_tokens.size() > 1, std::to_string(run.max_new_tokens) + " tokens");
    add(spec.prompts.size() > 1, cell.prompt);
    return label.empty() ? titleOf(spec, cell) : label;
}

std::vector<NamedSettings> cellsOf(const StudySpec& spec)
{
    std::vector<NamedSettings> cells;
    const auto add = [&](RunRequest run, int tokens, const StudyPrompt& prompt) {
        run.max_new_tokens = tokens;
        run.prompt = prompt.text;
        run.conversations = prompt.conversations;
        run.experiment = spec.name;
        NamedSettings cell{.label = {}, .prompt = prompt.name, .run = std::move(run)};
        cell.id = idOf(spec, cell);
        cell.label = labelOf(spec, cell);
        cells.push_back(std::move(cell));
    };
    RunRequest common = spec.run;
    if (auto power = power::parseSourceChoice(spec.power))
        common.power = *std::move(power);
    else
        common.power.kind = spec.power; // fails when it runs
    RunRequest run = common;
    for (const std::string& model : spec.models)
        for (const std::string& dtype : spec.dtypes)
            for (const std::string& device : spec.devices)
                for (const Depth depth : spec.depths)
                    for (const int batch : spec.batch_sizes)
                        for (const int tokens : spec.output_tokens)
                            for (const StudyPrompt& prompt : spec.prompts) {
                                run.load.folder = model;
                                run.load.dtype = dtype;
                                run.load.device = device;
                                run.depth = depth;
                                run.batch_size = batch;
                                add(run, tokens, prompt);
                            }
    for (const ServerTarget& server : spec.servers)
        for (const int tokens : spec.output_tokens)
            for (const StudyPrompt& prompt : spec.prompts) {
                run = common;
                run.server = server;
                run.load = {};
                run.levers = {};
                run.depth = Depth::None;
                add(run, tokens, prompt);
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
