// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/run.h"

#include <QObject>
#include <QStringList>

#include <optional>

namespace ep::ui {

class HistoryPage;
class LivePage;

// Answers "Did my change help?" for a change that cannot be undone and redone in turns: repeats of
// a run are recorded before it, and repeats of the same run after it, hours or weeks later. The
// name of the experiment identifies the earlier runs. GUI thread.
class ChangeDesk : public QObject {
    Q_OBJECT

public:
    ChangeDesk(LivePage& live, HistoryPage& history, QObject* parent);

    // A run of the newest series that was recorded before a change and has no counterpart yet.
    std::optional<RunInfo> pending() const;
    void measureBefore(); // with the settings in Live
    void measureAfter(); // with the settings of pending()

Q_SIGNALS:
    void pendingChanged(const QString& when); // when the pending state was recorded; empty: none
    void liveRequested();
    void told(const QString& sentence);
    void compareRequested(const QStringList& ids); // runs of both series

private:
    void start(const QString& experiment);
    void startWhenReady();
    void seriesEnded();
    void runsChanged();

    LivePage& m_live;
    HistoryPage& m_history;
    QString m_starting; // experiment that waits for Live to be ready
    QString m_model; // model folder that the experiment waits for
    QString m_measuring; // experiment being measured
    QString m_comparing; // the series after a change, as long as its runs are not listed
};

} // namespace ep::ui
