// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/run.h"
#include "ep/ui/theme.h"

#include <QString>
#include <QWidget>

#include <memory>

namespace ep::ui {

// Power over time: a line for each rail of the source and for their total, and bands for the
// phases. Adding data is fast; the screen is updated at most 10 times a second. GUI thread only.
class PowerChart : public QWidget {
    Q_OBJECT

public:
    enum class Span { LastMinute, All };

    explicit PowerChart(QWidget* parent = nullptr);
    ~PowerChart() override;

    void clear(); // removes samples, phases and zero, but keeps the span

    // Start of the run, which is time 0 of the axis. Until it is set, the start of the first
    // sample is used.
    void setZero(Nanoseconds zero);
    void addSample(const PowerSample& sample); // in order of time

    void addToken(Nanoseconds end); // draws a tick at the token's end; in order of time
    void setBaseline(std::optional<Milliwatts> idle); // shown as a separate line

    void setPowerSource(std::string_view source); // for powerOriginLabel()

    void beginPhase(Phase phase, Nanoseconds begin); // ends the previous phase; Idle only ends it

    // A finished run: samples, phases and zero are taken from its trace, span All. Null clears.
    void setRun(RunPtr run);

    // Shown while there are no samples: the reason, and what to do about it.
    void setEmptyText(const QString& text);

    void setSpan(Span span); // also resumes following
    Span span() const;

    // Follows the newest samples. The wheel (pan; with Ctrl: zoom), pinches and Shift + drag
    // (zoom) stop this, so that the view stays; the key F and the button Follow resume it.
    void setFollowing(bool following);
    bool isFollowing() const;
    TimeRange visible() const;

    // The range selected by dragging, or with Shift and the arrow keys. All figures refer to it
    // alone; a double click or Escape clears it.
    std::optional<TimeRange> brush() const;

    // Updates the screen now instead of at the next tick.
    void refresh();

    // Statistics over the brush or, without one, the visible samples; once the start of the run is
    // known, only over the run's part of them.
    struct Statistics {
        std::size_t samples = 0;
        std::optional<Milliwatts> mean; // mean total power, over the covered time
        std::optional<Milliwatts> peak; // highest total power of a sample
        bool modelled = false; // whether any sample came from a model
    };
    Statistics statistics() const;

    // Number of points in each channel's line; at most kMaxPoints.
    static constexpr int kMaxPoints = 600;
    int pointCount(Channel channel) const;

    QSize sizeHint() const override { return {640, 220}; }
    QSize minimumSizeHint() const override { return {240, 140}; }

protected:
    void keyPressEvent(QKeyEvent* event) override; // A all, M last minute, F follow

private:
    void refreshSoon();
    void updateDescription();

    class Private;
    std::unique_ptr<Private> d;
};

} // namespace ep::ui
