// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/run.h"

#include <QObject>
#include <QStringList>

#include <optional>

namespace ep::ui {

class HistoryPage;
class LivePage;

// "Did my change help?" where the change cannot be undone and redone in turns: repeats of a run
// are recorded before it, and of the same run after it, hours or weeks later. What was recorded
// before is found by the name of its experiment. GUI thread.
class ChangeDesk : public QObject {
    Q_OBJECT

public:
    ChangeDesk(LivePage& live, HistoryPage& history, QObject* parent);

    // A run of the newest series that was recorded before a change and has none after it yet.
    std::optional<RunInfo> pending() const;
    void measureBefore(); // with the choices of Live
    void measureAfter(); // with those of pending()

Q_SIGNALS:
    void pendingChanged(const QString& when); // it was recorded; empty: there is none
    void liveRequested();
    void told(const QString& sentence);
    void compareRequested(const QStringList& ids); // of both series

private:
    void start(const QString& experiment);
    void startWhenReady();
    void seriesEnded();
    void runsChanged();

    LivePage& m_live;
    HistoryPage& m_history;
    QString m_starting; // experiment that waits until Live is ready
    QString m_model; // folder that it waits for
    QString m_measuring; // experiment
    QString m_comparing; // the series after a change, until its runs are listed
};

} // namespace ep::ui
