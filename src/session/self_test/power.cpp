// SPDX-License-Identifier: GPL-3.0-or-later
#include "self_test/groups.h"

#include "ep/core/format.h"
#include "ep/energy/server_rules.h"

#include <algorithm>

namespace ep::session {

namespace {

constexpr double kReaction = 1.03; // power under load / idle power

bool seesTheProcessor(const power::SourceReport& report)
{
    return std::ranges::any_of(report.rails,
                               [](Rail rail) { return rail == Rail::Cpu || rail == Rail::System; });
}

} // namespace

void judgeSensor(const SelfTestContext& context, const SensorCheck& check,
                 std::optional<double> otherShare)
{
    const power::SourceReport& report = check.report;
    const std::string& kind = report.kind;
    if (kind == "none" || kind == "replay")
        return;
    if (!report.available) {
        return context.notHere("power", kind, sequence({report.explanation, report.remedy}));
    }
    if (!check.problem.empty() || !check.quality)
        return context.fail("power", kind,
                            check.problem.empty() ? "it delivered no sample"
                                                  : check.problem.english(),
                            "choose another power source; `doctor --load` says more");
    if (!check.quality->stuck.empty())
        return context.fail("power", kind, check.faults.back(),
                            "choose another source; its energies would be too low");
    std::string detail = "a sample every " + formatSignificant(check.quality->median_interval_ms)
        + " ms, " + formatDuration(check.offset.ns) + " behind the load";
    for (const Message& fault : check.faults)
        detail += "; " + fault.english();
    // A battery gauge needs tens of seconds, and a GPU's sensor does not see a processor's load.
    if (kind == "battery" || !seesTheProcessor(report) || !check.idle_mw || !check.load_mw)
        return context.ok("power", kind, detail + ", not tested with a load");
    detail += ", idle " + formatPower(*check.idle_mw) + ", load " + formatPower(*check.load_mw);
    if (check.load_mw->value > kReaction * check.idle_mw->value)
        context.ok("power", kind, detail);
    else if (otherShare.value_or(0.0) > energy::kMaxOtherLoad) // not idle in pauses
        context.notHere("power", kind,
                        detail + ": cannot be told, as other programs used "
                            + formatPercent(*otherShare)
                            + " of the processor; close them and try again");
    else
        context.fail("power", kind, Message("%1: it does not react to a load", detail),
                     "try again; if it stays so, choose another source");
}

void checkPower(SelfTestContext& context)
{
    const SensorExam exam =
        examineSensors({.seconds = context.request.load_seconds}, context.backend, context.cancel);
    if (context.cancel.cancelled())
        return;
    for (const SensorCheck& check : exam.sources)
        judgeSensor(context, check, exam.other_cpu_share);
}

} // namespace ep::session
