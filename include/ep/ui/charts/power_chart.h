// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/run.h"
#include "ep/ui/theme.h"

#include <QString>
#include <QWidget>

#include <memory>
#include <vector>

namespace ep::ui {

// Power over time as a strip: one line for each rail that the source has, their total, bands for
// the phases. Feeding is cheap; the screen follows at most 10 times a second. GUI thread only.
class PowerChart : public QWidget {
    Q_OBJECT

public:
    enum class Span { LastMinute, All };

    explicit PowerChart(QWidget* parent = nullptr);
    ~PowerChart() override;

    void clear(); // no samples, no phases, zero unset, span kept

    // Start of the run: time 0 of the axis. Until it is set, the first sample's begin is.
    void setZero(Nanoseconds zero);
    void addSample(const PowerSample& sample); // in order of time

    void addToken(Nanoseconds end); // a tick at its end; in order of time
    void setBaseline(std::optional<Milliwatts> idle); // a line of its own

    void beginPhase(Phase phase, Nanoseconds begin); // ends the phase before; Idle ends it only
    void setPhases(const std::vector<PhaseSpan>& phases);

    // A finished run: samples, phases and zero from its trace, span All. Null clears.
    void setRun(RunPtr run);

    // Shown while there are no samples: why, and what to do about it.
    void setEmptyText(const QString& text);

    void setSpan(Span span); // and follows again
    Span span() const;

    // Newest samples in view. The wheel (pan; with Ctrl: zoom) and drags stop that, so that what
    // is looked at stays; the key F and the button Follow bring it back.
    void setFollowing(bool following);
    bool isFollowing() const;
    TimeRange visible() const;

    // Shows now what is otherwise shown with the next tick.
    void refresh();

    // What is shown counts; once the run's begin is known, only its own part of that.
    struct Statistics {
        std::size_t samples = 0;
        std::optional<Milliwatts> mean; // of the total, over the covered time that counts
        std::optional<Milliwatts> peak; // of the total, highest sample that counts
        bool modelled = false; // any sample came from a model
    };
    Statistics statistics() const;

    // Points that each channel's line holds now; at most kMaxPoints.
    static constexpr int kMaxPoints = 600;
    int pointCount(Channel channel) const;

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

Q_SIGNALS:
    void spanChanged(ep::ui::PowerChart::Span span);

protected:
    void keyPressEvent(QKeyEvent* event) override; // A all, M last minute, F follow

private:
    void updateDescription();

    class Private;
    std::unique_ptr<Private> d;
};

} // namespace ep::ui
