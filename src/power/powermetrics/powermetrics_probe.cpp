// SPDX-License-Identifier: GPL-3.0-or-later
#include "powermetrics/powermetrics_probe.h"

#include "ep/core/start_thread.h"

#include <QEventLoop>
#include <QFileInfo>

#include <algorithm>
#include <thread>

namespace ep::power {

namespace {
PowermetricsProbe runToFirstReading(const PowermetricsOptions& options, int intervalMs)
{
    PowermetricsProbe probe;
    PowermetricsSource source(options);
    QEventLoop loop;
    QObject::connect(&source, &Source::sampleReady, &loop, [&](const PowerSample& sample) {
        probe.works = true;
        for (std::size_t i = 0; i < kRailCount; ++i) {
            const auto rail = static_cast<Rail>(i);
            if (sample.power_mw[rail] && std::ranges::count(probe.rails, rail) == 0)
                probe.rails.push_back(rail);
        }
        source.stop();
    });
    QObject::connect(&source, &Source::ended, &loop, [&](const Message& problem) {
        probe.problem = problem;
        loop.quit();
    });
    source.start(intervalMs);
    loop.exec();
    probe.samplers = source.samplers();
    return probe;
}
} // namespace

PowermetricsProbe probePowermetrics(const PowermetricsCommand& command, int intervalMs)
{
    PowermetricsProbe probe;
    const auto path = QString::fromStdString(command.powermetrics);
    if (!QFileInfo(path).isExecutable()) {
        probe.problem =
            Message("There is no program %1; powermetrics is part of macOS.", command.powermetrics);
        return probe;
    }
    PowermetricsOptions options;
    options.command = command;
    options.first_reading_ms = 2'500;
    options.terminate_ms = 300;
    options.give_up_ms = 100;
    // Runs on a separate thread, so that the caller's event loop is not entered.
    std::thread reading;
    const Status started =
        startThread(reading, [&] { probe = runToFirstReading(options, intervalMs); });
    if (started)
        reading.join();
    else
        probe.problem = started.error().message;
    probe.installed = true;
    return probe;
}

} // namespace ep::power
