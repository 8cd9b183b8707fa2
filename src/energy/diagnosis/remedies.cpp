// SPDX-License-Identifier: GPL-3.0-or-later
#include "evidence.h"

#include "ep/core/enum_words.h"
#include "ep/energy/diagnosis.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>

namespace ep::energy {

namespace {

constexpr std::array<std::string_view, 11> kLeverWords{
    "number_format", "batch",   "shorter_context", "prompt_cache", "max_tokens",   "depth",
    "device",        "threads", "cool_down",       "charger",      "quiet_machine"};

// A remedy that removes a cause, and so saves exactly the amount that the cause explains.
struct Removal {
    Cause cause;
    Lever lever;
    const char* what;
    const char* setting = "";
    Trial trial = Trial::Elsewhere;
    const char* how;
};
constexpr std::array kRemovals{Removal{.cause = Cause::SmallBatch,
                                       .lever = Lever::MaxTokens,
                                       .what = "Batch sequences that end at about the same length",
                                       .trial = Trial::Options,
                                       .how = "--max-new-tokens N with prompts of like answers"},
                               Removal{.cause = Cause::Throttling,
                                       .lever = Lever::CoolDown,
                                       .what = "Let the machine cool down before the run",
                                       .trial = Trial::Options,
                                       .how = "cool_down_seconds in a study"},
                               Removal{.cause = Cause::LowPower,
                                       .lever = Lever::Charger,
                                       .what = "Use the charger, in automatic mode",
                                       .how = "Connect the charger and switch low-power mode off."},
                               Removal{.cause = Cause::OtherLoad,
                                       .lever = Lever::QuietMachine,
                                       .what = "Close other programs",
                                       .how = "Close other programs, then repeat the run."},
                               Removal{.cause = Cause::Recording,
                                       .lever = Lever::Depth,
                                       .what = "Record less",
                                       .setting = "none",
                                       .trial = Trial::Study,
                                       .how = "--depth none"},
                               Removal{.cause = Cause::AfterTheAnswer,
                                       .lever = Lever::MaxTokens,
                                       .what = "Stop where the answer ends",
                                       .trial = Trial::Options,
                                       .how = "a smaller --max-new-tokens, or a stop text"}};

// The work and time of a node after a change; its seconds are multiplied by `waiting` where it does
// no work.
struct Changed {
    Amount work;
    double waiting = 1.0;
};
using Effect = std::function<Changed(const WorkNode&)>;

// A node's time changes in proportion to its least time. Only other kernels (`otherKernels`) can
// close the gap between the two. `later`: prices after the change.
double savingOf(const Diagnosis& diagnosis, const Effect& change, const Prices& prices,
                const Prices& later, bool otherKernels)
{
    double saving = 0.0;
    for (const DividedNode& divided : diagnosis.nodes) {
        const WorkNode& node = divided.node;
        const Changed after = change(node);
        const double least = prices.least(node.amount);
        Amount left = after.work;
        left.seconds = node.amount.seconds * after.waiting;
        if (node.kind == WorkNode::Kind::Work && least > 0.0) {
            const double slowness = node.amount.seconds / least;
            left.seconds = later.least(after.work)
                * (otherKernels && readsWeights(node) ? std::min(slowness, 1.0) : slowness);
        }
        saving += prices.of(node.amount) - later.of(left);
    }
    return saving;
}

// Costs in another format; a format without energies of its own takes the present format's.
Prices pricesOf(const MachineCosts& format, Prices prices, const Prices& present)
{
    if (format.energies == CostOrigin::Unknown) {
        prices.joules_per_flop = present.joules_per_flop;
        prices.joules_per_byte = present.joules_per_byte;
        prices.watts = present.watts;
    }
    return prices;
}

class Adviser {
public:
    Adviser(const Diagnosis& diagnosis, const RunInfo& info)
        : m_diagnosis(diagnosis)
        , m_info(info)
    {
        const bool energies = diagnosis.of_time || diagnosis.costs.energies != CostOrigin::Unknown;
        m_predicts = energies && diagnosis.costs.ceilings != CostOrigin::Unknown;
    }

    std::vector<Remedy> all()
    {
        for (const Finding& finding : m_diagnosis.findings) {
            if (finding.judgement != Judgement::Absent)
                advise(finding);
        }
        return std::move(m_remedies);
    }

private:
    void advise(const Finding& finding)
    {
        m_finding = &finding;
        switch (finding.cause) {
        case Cause::MemoryBoundDecode:
            narrower("int8", 8.0);
            narrower("q4_0", bitsOf("q4_0"));
            largerBatch();
            break;
        case Cause::ComputeBoundPrefill:
            shorterContext();
            add({.lever = Lever::PromptCache,
                 .what = "Share the beginning of prompts between requests",
                 .trial = Trial::Options,
                 .how = "--prompt-cache, with prompts that begin alike"});
            break;
        case Cause::SlowRun:
            add({.lever = Lever::Threads,
                 .what = "Use another number of threads",
                 .trial = Trial::Options,
                 .how = "compare two with `pays threads=1 threads=2`"});
            break;
        case Cause::Gaps:
            largerBatch();
            break;
        case Cause::Fallback:
            add({.lever = Lever::Device,
                 .what = "Compute everything on the processor",
                 .setting = "cpu",
                 .trial = Trial::Study,
                 .how = "--device cpu"});
            break;
        case Cause::Context:
            shorterContext();
            break;
        case Cause::Head:
            narrower("int8", 8.0);
            break;
        case Cause::Experts:
            largerBatch();
            break;
        case Cause::WideFormat:
            if (const double bits = bitsOf(m_info.model.stored_dtype); bits > 0.0)
                narrower(m_info.model.stored_dtype, bits);
            break;
        default:
            removed();
        }
    }

    // Causes that a remedy removes altogether.
    void removed()
    {
        const auto found = std::ranges::find(kRemovals, m_finding->cause, &Removal::cause);
        if (found == kRemovals.end())
            return;
        explained({.lever = found->lever,
                   .what = found->what,
                   .setting = found->setting,
                   .trial = found->trial,
                   .how = found->how});
    }

    void add(Remedy remedy)
    {
        remedy.cause = m_finding->cause;
        if (m_info.profiling.command)
            leaveToTheCommand(remedy);
        const bool known = std::ranges::any_of(m_remedies, [&](const Remedy& other) {
            return other.lever == remedy.lever && other.setting == remedy.setting;
        });
        if (!known)
            m_remedies.push_back(std::move(remedy));
    }

    // Options and studies of this program cannot change what a recorded command computes.
    static void leaveToTheCommand(Remedy& remedy)
    {
        if (remedy.trial == Trial::Elsewhere)
            return;
        remedy.trial = Trial::Elsewhere;
        switch (remedy.lever) {
        case Lever::Depth:
            remedy.how = "Record the command again with --depth none.";
            break;
        case Lever::CoolDown:
            remedy.how = "Wait before you record the command again.";
            break;
        default:
            remedy.how = "Set it in the recorded program, then record it again.";
        }
    }

    // later: costs in the other number format; null: the machine's constants stay the same.
    void predicted(Remedy remedy, const Effect& change, const MachineCosts* later = nullptr)
    {
        if (m_predicts && m_finding->judgement == Judgement::Named) {
            const MachineCosts& costs = m_diagnosis.costs;
            Estimate saving = costs.propagate([&](const Prices& prices) {
                return savingOf(m_diagnosis, change, prices,
                                later ? pricesOf(*later, later->mean, prices) : prices,
                                later != nullptr);
            });
            saving.sd = std::hypot(saving.sd, kPartsOffModel * saving.value);
            if (later) {
                const Estimate then = later->propagate([&](const Prices& prices) {
                    return savingOf(m_diagnosis, change, costs.mean,
                                    pricesOf(*later, prices, costs.mean), true);
                });
                saving.sd = std::hypot(saving.sd, then.sd);
            }
            take(remedy, saving);
        }
        add(std::move(remedy));
    }

    // The remedy saves exactly what its cause explains.
    void explained(Remedy remedy)
    {
        if (m_finding->explained.value > 0.0)
            take(remedy, m_finding->explained);
        add(std::move(remedy));
    }

    void take(Remedy& remedy, const Estimate& saving) const
    {
        const double total = m_diagnosis.total();
        remedy.saving = saving;
        if (total > 0.0)
            remedy.share = Estimate{saving.value / total, saving.sd / total};
    }

    void narrower(const std::string& dtype, double bits)
    {
        constexpr double kWorthwhile = 1.0; // bits
        const double now = bitsOf(m_info.dtype);
        if (now < bits + kWorthwhile)
            return;
        const auto later = m_diagnosis.other_formats.find(dtype);
        predicted(
            {.lever = Lever::NumberFormat,
             .what = Message("Compute in %1", dtype),
             .setting = dtype,
             .trial = Trial::Study,
             .how = "--dtype " + dtype},
            [factor = bits / now](const WorkNode& node) {
                Amount work = node.amount;
                if (readsWeights(node))
                    work.bytes *= factor;
                return Changed{work};
            },
            later == m_diagnosis.other_formats.end() ? nullptr : &later->second);
    }

    void largerBatch()
    {
        constexpr int kTimes = 8;
        const int batch = std::max(1, static_cast<int>(m_info.batch.size()));
        predicted({.lever = Lever::Batch,
                   .what = Message("Run %1 sequences at a time", kTimes * batch),
                   .setting = std::to_string(kTimes * batch),
                   .trial = Trial::Study,
                   .how = "--batch-size " + std::to_string(kTimes * batch)},
                  // Per token: a step's weights and waiting are shared by all sequences.
                  [](const WorkNode& node) {
                      Amount work = node.amount;
                      if (readsWeights(node))
                          work.bytes /= kTimes;
                      return Changed{work, 1.0 / kTimes};
                  });
    }

    static double bytesOf(const std::string& prompt, const Conversation& conversation)
    {
        std::size_t bytes = conversation.empty() ? prompt.size() : 0;
        for (const ChatMessage& message : conversation.messages)
            bytes += message.text.size();
        return static_cast<double>(bytes);
    }

    // The share of the prompt's tokens that the user wrote, as opposed to the template's.
    double writtenShare() const
    {
        if (!m_info.chat_template || m_info.input_tokens <= 0)
            return 1.0;
        constexpr double kMostBytesOfToken = 6.0; // of plain text; others have more tokens
        double bytes = m_info.batch.empty() ? bytesOf(m_info.prompt, m_info.conversation) : 0.0;
        for (const BatchSequence& sequence : m_info.batch)
            bytes += bytesOf(sequence.prompt, sequence.conversation);
        return std::min(1.0, bytes / kMostBytesOfToken / m_info.input_tokens);
    }

    // Half of what the user wrote is left out; the template's tokens stay.
    void shorterContext()
    {
        const double left = 1.0 - writtenShare() / 2.0;
        const double input = m_info.input_tokens;
        const double positions = input + m_info.output_tokens / 2.0; // mean of the decode
        const double seen = positions > 0.0 ? 1.0 - (1.0 - left) * input / positions : 1.0;
        predicted({.lever = Lever::ShorterContext,
                   .what = "Halve the prompt",
                   .setting = "half",
                   .trial = Trial::Study,
                   .how = "a prompt of half the length"},
                  [left, seen](const WorkNode& node) {
                      Amount work = node.amount;
                      const bool context = trafficOf(node) == Traffic::Context;
                      if (node.phase == Phase::Prefill) {
                          // Fewer positions attend, and each attends to fewer.
                          work.flops *= context ? left * left : left;
                      } else if (context) {
                          work = work * seen;
                      }
                      return Changed{work};
                  });
    }

    const Diagnosis& m_diagnosis;
    const RunInfo& m_info;
    const Finding* m_finding = nullptr;
    bool m_predicts = false;
    std::vector<Remedy> m_remedies;
};

} // namespace

std::string_view name(Lever lever)
{
    return wordOf(kLeverWords, lever);
}

std::optional<Lever> leverFromName(std::string_view word)
{
    return enumOf<Lever>(kLeverWords, word);
}

std::vector<Remedy> remediesFor(const Diagnosis& diagnosis, const RunInfo& info)
{
    return Adviser(diagnosis, info).all();
}

Message lineOf(const Diagnosis& diagnosis, const Remedy& remedy, bool how)
{
    Message text{"%1: try it to see what it saves", remedy.what};
    // Omitted effects, such as the cost of other kernels, can only reduce the predicted saving; no
    // measurements say by how much (docs/diagnosis.md).
    if (remedy.saving && remedy.share)
        text = Message("%1: saves up to %2, %3 of the run, predicted", remedy.what,
                       formatAmount(diagnosis, remedy.saving->value),
                       formatPercent(remedy.share->value));
    const bool here = remedy.trial != Trial::Elsewhere;
    if (here && !how)
        return {"%1.", text};
    return {here ? "%1 (%2)." : "%1. %2", text, remedy.how};
}

} // namespace ep::energy
