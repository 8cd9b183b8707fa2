// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/session/pays_runner.h"

#include "ep/core/clock.h"
#include "ep/core/joined.h"
#include "ep/energy/paired_runs.h"
#include "ep/json/conversation.h"
#include "ep/session/privacy.h"
#include "ep/session/require_energy.h"
#include "ep/store/store.h"

#include <QTimer>

#include <algorithm>
#include <filesystem>
#include <random>
#include <string_view>
#include <utility>

namespace ep::session {

namespace {

// What a side runs, as text: equal for the same model, prompts and settings.
std::string comparedText(const RunRequest& side, const std::string& model)
{
    std::vector<std::string> parts{model, side.prompt, side.system, side.template_variables};
    const auto add = [&](std::string_view word, const std::vector<std::string>& texts) {
        for (const std::string& text : texts)
            parts.push_back(std::string(word) + text);
    };
    add("prompt ", side.further_prompts);
    add("stop ", side.sampling.stop);
    for (const Conversation& conversation : side.conversations)
        parts.push_back("conversation " + json::conversationText(conversation));
    if (side.server)
        parts.push_back("dialect " + side.server->dialect);
    if (side.record)
        add("word ", side.record->arguments);
    for (const RunSetting& row : runSettings()) {
        if (const std::string value = textOf(row, side); value != textOf(row, RunRequest()))
            parts.push_back("setting " + std::string(row.name) + ' ' + value);
    }
    return joined(parts, std::string_view("\0", 1));
}

// The tag of the runs of a spec: the same for every call that continues the comparison.
std::string tagOf(const PaysSpec& spec, const StudyOptions& options)
{
    std::string text;
    for (const NamedSettings* side : {&spec.a, &spec.b}) {
        std::string model = side->model();
        if (!side->run.server && !side->run.record && options.findModel) {
            std::error_code ignored; // the same folder may be named in several ways
            if (const auto folder = options.findModel(model))
                model = std::filesystem::weakly_canonical(*folder, ignored).string();
        }
        text += hashedText(comparedText(side->run, model));
    }
    constexpr std::size_t kPrefix = std::string_view("sha256:").size();
    constexpr std::size_t kDigits = 12;
    return energy::comparedTag(hashedText(text).substr(kPrefix, kDigits));
}

StudyPlan planOfStep(const PaysSpec& spec, const PairStep& step, const std::string& compared)
{
    NamedSettings side = step.a ? spec.a : spec.b;
    side.id = step.a ? "a" : "b";
    side.label = Message(step.a ? "A: %1" : "B: %1", step.a ? spec.a.label : spec.b.label);
    side.run.experiment = spec.name;
    if (spec.fixed_pairs > 0)
        side.run.tags.push_back(energy::fixedPairsTag(spec.fixed_pairs));
    side.run.tags.push_back(compared);
    return {.cells = {std::move(side)},
            .steps = {{.cell = 0, .repeat = step.pair, .tag = energy::pairTag(step.a, step.pair)}}};
}

} // namespace

std::vector<PairStep> planPairs(const PaysSpec& spec)
{
    std::vector<PairStep> steps;
    std::mt19937_64 draws(spec.seed); // draws the same numbers on every machine
    bool aFirst = true;
    const int pairs = spec.fixed_pairs > 0 ? spec.fixed_pairs : spec.most_pairs;
    for (int pair = 1; pair <= pairs; ++pair) {
        constexpr unsigned kHighestBit = 63;
        aFirst = pair % 2 == 1 ? (draws() >> kHighestBit) != 0 : !aFirst;
        steps.push_back({.pair = pair, .a = aFirst});
        steps.push_back({.pair = pair, .a = !aFirst});
    }
    return steps;
}

struct PaysRunner::Private {
    PaysSpec spec;
    StudyOptions options;
    Backend backend;
    std::string compared; // tag of the runs
    std::vector<PairStep> steps;
    std::size_t step = 0; // index of the next step
    std::unique_ptr<StudyRunner> runner; // makes the run in progress
    PaysResult result;
    Nanoseconds began_ns = 0;
    int made = 0; // runs made in this call
    bool cancelled = false;
    bool ended = false;

    double minutes() const
    {
        constexpr double kMinute = 60.0;
        return toSeconds(monotonicNow() - began_ns) / kMinute;
    }
};

PaysRunner::PaysRunner(PaysSpec spec, StudyOptions options, Backend backend, QObject* parent)
    : QObject(parent)
    , d(std::make_unique<Private>())
{
    d->spec = std::move(spec);
    d->options = std::move(options);
    d->backend = std::move(backend);
    d->steps = planPairs(d->spec);
}

PaysRunner::~PaysRunner() = default;

void PaysRunner::start()
{
    d->began_ns = monotonicNow();
    d->compared = tagOf(d->spec, d->options);
    if (!d->options.profiler) // created on the thread of the runs, where its timers must be
        d->options.profiler = std::make_shared<Profiler>(d->backend);
    connect(d->options.profiler.get(), &Profiler::tokenComplete, this, &PaysRunner::tokenComplete);
    connect(d->options.profiler.get(), &Profiler::finished, this, &PaysRunner::runFinished);
    for (const NamedSettings* side : {&d->spec.a, &d->spec.b}) {
        if (const Status measures = refuseNone(side->run.power); !measures)
            d->result.error = measures.error();
    }
    // Takes over the pairs of an interrupted measurement.
    std::error_code ignored;
    if (!d->result.error && std::filesystem::exists(d->options.database, ignored)) {
        if (const Status looked = decideAgain(); !looked)
            d->result.error = looked.error();
    }
    QTimer::singleShot(0, this, [this] { next(); });
}

void PaysRunner::cancel()
{
    d->cancelled = true;
    if (d->runner)
        d->runner->cancel();
}

const PaysResult& PaysRunner::result() const
{
    return d->result;
}

void PaysRunner::next()
{
    // Looking at a fixed number of pairs before they are complete would spoil their interval.
    const bool known = d->spec.fixed_pairs == 0
        && d->result.decision.test.verdict != energy::PairedVerdict::Unknown;
    // A pair that has begun is completed even after the time is up.
    const bool over = d->step % 2 == 0 && d->minutes() >= d->spec.most_minutes;
    if (d->result.error || d->cancelled || known || over || d->step >= d->steps.size())
        return end();
    runStep(d->steps[d->step++]);
}

void PaysRunner::runStep(const PairStep& step)
{
    d->runner = std::make_unique<StudyRunner>(StudySpec{.name = d->spec.name},
                                              planOfStep(d->spec, step, d->compared), d->options,
                                              d->backend);
    connect(d->runner.get(), &StudyRunner::progress, this, &PaysRunner::progress);
    connect(d->runner.get(), &StudyRunner::stepStarting, this,
            [this, step](int, int, const Message& label, double) {
                Q_EMIT stepStarting(step.pair, label, step.a);
            });
    // A runner must not be destroyed by its own signal when it finishes.
    connect(d->runner.get(), &StudyRunner::finished, this, &PaysRunner::stepEnded,
            Qt::QueuedConnection);
    d->runner->start();
}

void PaysRunner::stepEnded()
{
    const StudyResult study = d->runner->result();
    d->runner.reset();
    if (study.error)
        d->result.error = study.error;
    else if (!study.failures.empty())
        d->result.error = Error{ErrorCode::Io,
                                {"A run of the pair failed: %1: %2", study.failures.front().cell,
                                 study.failures.front().message}};
    d->made += study.ran;
    d->options.require_energy = false; // the first run has shown that there is one
    if (!d->result.error && !d->cancelled && d->step % 2 == 0) {
        if (const Status decided = decideAgain(); !decided)
            d->result.error = decided.error();
        else if (study.ran > 0)
            Q_EMIT pairFinished();
        // Without a single pair, the measurement would run to its end without an answer.
        if (!d->result.error && d->result.decision.test.pairs == 0)
            d->result.error =
                Error{ErrorCode::Unsupported,
                      "The runs of the first pair have no energy, so no verdict can follow; choose "
                      "another power source."};
    }
    next();
}

Status PaysRunner::decideAgain()
{
    const auto store = store::Store::openToRead(d->options.database);
    if (!store)
        return store.error();
    const auto runs = (*store)->list({.experiments = {d->spec.name}});
    if (!runs)
        return runs.error();
    for (const RunSummary& run : *runs) {
        if (run.info.status == RunStatus::Complete && energy::isOfOtherPairs(run.info, d->compared))
            return Error{ErrorCode::InvalidInput,
                         {"The experiment \"%1\" holds pairs of other settings; give this "
                          "comparison another name, or the settings that these pairs have.",
                          d->spec.name}};
    }
    d->result.pairs = pairsOf(*runs);
    d->result.decision = decide(d->result.pairs.table, d->spec.test, d->result.pairs.until_known);
    const auto named = [](const Message& differs, const Message& text) {
        return differs.empty() ? text : differs;
    };
    d->result.decision.a = named(d->result.pairs.a, d->spec.a.label);
    d->result.decision.b = named(d->result.pairs.b, d->spec.b.label);
    if (const auto qualities = (*store)->qualities(); qualities && !runs->empty())
        addQuality(*runs, *qualities, d->result.decision);
    d->result.minutes_left.reset();
    if (d->result.decision.test.more_needed && d->made > 1)
        d->result.minutes_left = static_cast<double>(d->result.decision.test.more_needed->about)
            * 2.0 * d->minutes() / d->made;
    return {};
}

void PaysRunner::end()
{
    if (std::exchange(d->ended, true))
        return;
    d->result.cancelled = d->cancelled;
    d->options.profiler.reset(); // the profiler must end on the thread that created it
    Q_EMIT finished();
}

} // namespace ep::session
