// SPDX-License-Identifier: GPL-3.0-or-later
#include "doctor_ways.h"
#include "exit_status.h"
#include "interrupt.h"
#include "terminal.h"

#include "ep/core/format.h"
#include "ep/json/document.h"
#include "ep/power/sampler.h"

#include <QCoreApplication>
#include <QTimer>

#include <cstdio>

namespace ep::app {

namespace {

template <typename T>
json::OrderedJson railsAsJson(const PerRail<T>& rails)
{
    json::OrderedJson json;
    for (const Rail rail : kRails)
        json[std::string(name(rail))] = rails[rail];
    return json;
}

// Names and units as in a run's JSON; times are relative to the first window.
std::string asJsonLine(const PowerSample& sample, Nanoseconds zero)
{
    json::OrderedJson json;
    json["start_ns"] = sample.window.begin_ns - zero;
    json["duration_ns"] = sample.window.duration_ns();
    json["arrival_ns"] = sample.arrival_ns - zero;
    json["total_mw"] = sample.total_mw;
    json["power_mw"] = railsAsJson(sample.power_mw);
    json["energy_mj"] = railsAsJson(sample.energy_mj);
    json["modelled"] = sample.modelled;
    return json::textOf(json) + '\n';
}

std::string asLine(const PowerSample& sample, Nanoseconds zero)
{
    std::string line = formatSignificant(toSeconds(sample.window.begin_ns - zero), 4) + " s + "
        + formatDuration(sample.window.duration_ns()) + "  total " + formatPower(sample.total_mw);
    for (const Rail rail : kRails) {
        if (sample.power_mw[rail])
            line += "  " + std::string(name(rail)) + ' ' + formatPower(sample.power_mw[rail]);
    }
    return line + (sample.modelled ? "  modelled\n" : "\n");
}

} // namespace

int watchPower(const DoctorOptions& options, Invocation& invocation)
{
    const QCoreApplication application(invocation.argc, invocation.argv);
    const Interrupt interrupt;
    QObject here; // receives samples from another thread and prints them on this one
    power::Sampler sampler;
    int status = kExitDone;
    int count = 0;
    Nanoseconds zero = 0;

    const auto show = [&](const PowerSample& sample) {
        if (options.samples > 0 && count >= options.samples)
            return;
        if (count++ == 0)
            zero = sample.window.begin_ns;
        options.json ? printJson(asJsonLine(sample, zero)) : print(asLine(sample, zero));
        std::fflush(stdout);
        if (count == options.samples)
            QCoreApplication::quit();
    };
    const auto giveUp = [&](const Message& problem) {
        printError(problem);
        status = kExitFailed;
        QCoreApplication::quit();
    };
    const auto later = [&here](const auto& call) {
        return [&here, call](const auto& value) {
            QMetaObject::invokeMethod(
                &here, [call, value] { call(value); }, Qt::QueuedConnection);
        };
    };
    if (const Status started =
            sampler.start(options.run.power, options.run.interval_ms, {later(show), later(giveUp)});
        !started)
        return fail(started.error());
    if (sampler.kind() == "none") {
        printError(options.run.power.kind == "none"
                       ? "The source none has no samples: choose another power source; see "
                         "energy-profiler doctor."
                       : std::string(sampler.reason()));
        return kExitUsage;
    }
    if (!options.json)
        print(sampler.kind() + ": " + sampler.detail().english() + '\n');

    // A capture may end, which is not a failure and has no signal of its own.
    constexpr int kCheckIntervalMs = 20;
    QTimer check;
    QObject::connect(&check, &QTimer::timeout, [&] {
        if (interrupt.token().cancelled())
            status = kExitCancelled;
        if (interrupt.token().cancelled() || !sampler.running())
            QCoreApplication::quit();
    });
    check.start(kCheckIntervalMs);
    QCoreApplication::exec();
    sampler.stop();
    for (const Message& fault : sampler.facts().faults)
        printError(fault);
    return status;
}

} // namespace ep::app
