// SPDX-License-Identifier: GPL-3.0-or-later
// Frame times of the power timeline: ep-frames [ROWS [PIXELS]]
// Turns the wheel over a chart of ROWS samples of five channels, moves the pointer and a brush over
// it, and prints how long each frame took from the event to the painted widget, and the largest
// processor time of one, which excludes waiting for other programs.
#include "ep/ui/charts/power_history.h"
#include "ep/ui/charts/power_timeline.h"
#include "ep/ui/charts/selection_controller.h"

#include <QApplication>
#include <QElapsedTimer>
#include <QMouseEvent>
#include <QWheelEvent>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <utility>
#include <vector>

namespace {

using namespace ep;

constexpr Nanoseconds kWindow = 100'000'000;
constexpr int kHeight = 300;
constexpr int kFrames = 300; // per kind
constexpr int kNotch = 120;

std::shared_ptr<ui::PowerHistory> historyOf(std::int64_t rows)
{
    auto history = std::make_shared<ui::PowerHistory>();
    std::uint32_t state = 1;
    for (std::int64_t row = 0; row < rows; ++row) {
        for (viz::TimeSeries& series : history->series) {
            state = state * 1664525U + 1013904223U;
            series.append({row * kWindow, (row + 1) * kWindow}, 4000.0 + (state >> 16U) * 0.1);
        }
    }
    history->findGaps();
    return history;
}

RunPtr runOf(TimeRange time)
{
    auto run = std::make_shared<Run>();
    run->trace.time = time;
    const Nanoseconds prefill = time.begin_ns + time.duration_ns() / 10;
    for (const auto& [phase, part] : {std::pair{Phase::Prefill, TimeRange{time.begin_ns, prefill}},
                                      std::pair{Phase::Decode, TimeRange{prefill, time.end_ns}}}) {
        PhaseSpan& span = run->trace.phases.emplace_back();
        span.phase = phase;
        span.time = part;
    }
    return run;
}

class Frames {
public:
    explicit Frames(ui::PowerTimeline& chart)
        : m_chart(chart)
    {
    }

    // Times one frame: the event and everything that it paints.
    void add(QEvent& event)
    {
        QElapsedTimer timer;
        timer.start();
        const std::clock_t before = std::clock();
        QApplication::sendEvent(&m_chart, &event);
        m_chart.repaint();
        m_busy_ms =
            std::max(m_busy_ms, static_cast<double>(std::clock() - before) * 1e3 / CLOCKS_PER_SEC);
        m_ms.push_back(static_cast<double>(timer.nsecsElapsed()) * 1e-6);
    }

    void wheel(double x, int turned, Qt::KeyboardModifiers keys)
    {
        const QPointF at(x, m_chart.height() / 2.0);
        QWheelEvent event(at, m_chart.mapToGlobal(at), {}, {0, turned}, Qt::NoButton, keys,
                          Qt::NoScrollPhase, false);
        add(event);
    }

    void mouse(QEvent::Type type, double x, Qt::MouseButtons buttons)
    {
        const QPointF at(x, m_chart.height() / 2.0);
        QMouseEvent event(type, at, m_chart.mapToGlobal(at),
                          type == QEvent::MouseMove ? Qt::NoButton : Qt::LeftButton, buttons,
                          Qt::NoModifier);
        add(event);
    }

    void print(const char* what, double goal_ms)
    {
        std::sort(m_ms.begin(), m_ms.end());
        const auto at = [this](double share) {
            return m_ms[static_cast<std::size_t>(share * static_cast<double>(m_ms.size() - 1))];
        };
        std::printf("%-34s %5zu %8.2f %8.2f %8.2f %9.2f %8.1f\n", what, m_ms.size(), at(0.5),
                    at(0.95), m_ms.back(), m_busy_ms, goal_ms);
        m_ms.clear();
        m_busy_ms = 0.0;
    }

private:
    ui::PowerTimeline& m_chart;
    std::vector<double> m_ms;
    double m_busy_ms = 0.0;
};

} // namespace

int main(int argc, char** argv)
{
    qputenv("QT_QPA_PLATFORM", "offscreen");
    QApplication application(argc, argv);
    const std::int64_t rows = argc > 1 ? std::atoll(argv[1]) : 9'600'000;
    const int pixels = argc > 2 ? std::atoi(argv[2]) : 3200;
    if (rows < 1000 || pixels < 300) {
        std::fputs("usage: ep-frames [ROWS [PIXELS]]\n", stderr);
        return 2;
    }
    const auto history = historyOf(rows);
    ui::SelectionController controller;
    ui::PowerTimeline chart;
    chart.resize(pixels, kHeight);
    chart.setController(&controller);
    chart.show();
    controller.setRun(runOf(history->time()));
    chart.setHistory(history);
    QApplication::processEvents();

    std::printf("%lld samples, %d x %d pixels; milliseconds a frame\n",
                static_cast<long long>(rows) * static_cast<long long>(ui::kChannelCount), pixels,
                kHeight);
    std::printf("%-34s %5s %8s %8s %8s %9s %8s\n", "", "n", "median", "p95", "worst", "processor",
                "goal");
    constexpr double kFrameMs = 16.7;
    constexpr double kHoverMs = 4.0;
    Frames frames(chart);
    // Zooms in to a few samples and out to all of them, at several places: every zoom is a frame.
    for (int frame = 0; frame < kFrames; ++frame)
        frames.wheel(pixels * (0.3 + 0.1 * (frame / 100)), frame / 50 % 2 == 0 ? kNotch : -kNotch,
                     Qt::ControlModifier);
    frames.print("zoom between all and few", kFrameMs);
    for (const int share : {1, 2, 10, 1000, 100'000}) {
        const TimeRange full = controller.full();
        controller.show({full.begin_ns, full.begin_ns + full.duration_ns() / share});
        for (int frame = 0; frame < kFrames; ++frame) // one notch scrolls a tenth of the view
            frames.wheel(pixels / 2.0, frame < kFrames / 2 ? -kNotch / 7 : kNotch / 7,
                         Qt::NoModifier);
        char what[64];
        std::snprintf(what, sizeof what, "pan with 1/%d in view", share);
        frames.print(what, kFrameMs);
    }
    controller.zoomToFit();
    QApplication::processEvents();
    for (int frame = 0; frame < kFrames; ++frame)
        frames.mouse(QEvent::MouseMove, pixels * (0.1 + 0.8 * frame / kFrames), Qt::NoButton);
    frames.print("pointer over all", kHoverMs);
    frames.mouse(QEvent::MouseButtonPress, pixels * 0.2, Qt::LeftButton);
    for (int frame = 0; frame < kFrames; ++frame)
        frames.mouse(QEvent::MouseMove, pixels * (0.2 + 0.6 * frame / kFrames), Qt::LeftButton);
    frames.mouse(QEvent::MouseButtonRelease, pixels * 0.8, Qt::NoButton);
    frames.print("brush over all", kHoverMs);
    return 0;
}
