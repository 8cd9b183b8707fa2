// SPDX-License-Identifier: GPL-3.0-or-later
// The cost of the window during a run: ep-live-cost [SECONDS]
// Feeds the Live view with 10 samples and 50 tokens a second of a model with 32 layers, at
// 1280 x 800, and prints the share of one core that the process used.
#include "pages/live_view.h"

#include "ep/core/clock.h"
#include "ep/ui/charts/power_chart.h"

#include <QApplication>
#include <QElapsedTimer>
#include <QTimer>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>

namespace {

using namespace ep;

constexpr int kLayers = 32;
constexpr int kTokensPerSecond = 50;
constexpr int kSamplesPerSecond = 10;
constexpr int kFrameMs = 33; // frame interval of the Live page

session::TokenComplete tokenAt(int index, Nanoseconds begin)
{
    session::TokenComplete token;
    token.token.index = index;
    token.token.text = index % 9 == 8 ? "\n" : " word";
    token.token.time = {begin, begin + 18'000'000};
    token.token.energy.total_mj = Millijoules{150.0 + 40.0 * std::sin(index * 0.3)};
    token.token.energy.provenance = Provenance::Attributed;
    Nanoseconds now = begin;
    for (std::int32_t layer = 0; layer < kLayers; ++layer) {
        for (int c = 0; c < 12; ++c) {
            token.components.push_back(
                Span::ofComponent(index, layer, static_cast<Component>(c), {now, now + 40'000},
                                  Millijoules{0.3 + 0.1 * std::sin(layer + c + index * 0.1)}));
            now += 40'000;
        }
    }
    return token;
}

PowerSample sampleAt(int index, Nanoseconds end)
{
    PowerSample sample;
    sample.window = {end - 1'000'000'000 / kSamplesPerSecond, end};
    for (const Rail rail : kPartRails)
        sample.power_mw[rail] =
            Milliwatts{1000.0 * (1.0 + static_cast<double>(rail)) + 300.0 * std::sin(index * 0.7)};
    sample.total_mw = totalOf(sample.power_mw);
    return sample;
}

double cpuSeconds()
{
    return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

} // namespace

int main(int argc, char** argv)
{
    qputenv("QT_QPA_PLATFORM", "offscreen");
    QApplication application(argc, argv);
    const double seconds = argc > 1 ? std::atof(argv[1]) : 20.0;
    ui::LiveView view;
    view.resize(940, 760);
    view.show();
    session::RunStarted started;
    started.time.begin_ns = monotonicNow();
    started.info.power.source = "modelled";
    view.begin(started);
    view.enterPhase(Phase::Decode, started.time.begin_ns);

    ui::LiveCounters counters;
    counters.start(started);
    int tokens = 0;
    int samples = 0;
    QElapsedTimer wall;
    QTimer frame;
    // As on the Live page: everything since the last frame is drawn together.
    QObject::connect(&frame, &QTimer::timeout, &view, [&] {
        const double now = static_cast<double>(wall.nsecsElapsed()) * 1e-9;
        std::vector<session::TokenComplete> arrived;
        for (; tokens < now * kTokensPerSecond; ++tokens) {
            arrived.push_back(tokenAt(
                tokens, started.time.begin_ns + tokens * (1'000'000'000LL / kTokensPerSecond)));
            counters.add(arrived.back().token);
        }
        for (; samples < now * kSamplesPerSecond; ++samples)
            view.power()->addSample(sampleAt(
                samples, started.time.begin_ns + samples * (1'000'000'000LL / kSamplesPerSecond)));
        view.addTokens(arrived);
        view.showCounters(counters, monotonicNow());
        if (now >= seconds)
            QApplication::quit();
    });
    frame.start(kFrameMs);
    wall.start();
    QApplication::processEvents();
    const double before = cpuSeconds();
    wall.restart();
    QApplication::exec();
    const double used = cpuSeconds() - before;
    std::printf("%d tokens, %d samples in %.1f s: %.1f %% of one core\n", tokens, samples,
                static_cast<double>(wall.elapsed()) * 1e-3, 100.0 * used / seconds);
    return 0;
}
