// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/trace.h"

#include <QList>
#include <QObject>
#include <QString>

#include <map>
#include <memory>
#include <optional>

namespace ep::ui {

// Layers, components and operations of single steps of a run that was opened without them.
// Requested one at a time, the most recent request first; kept until the next run. GUI thread only.
class StepCache : public QObject {
    Q_OBJECT

public:
    using QObject::QObject;

    static constexpr int kMaxWaiting = 64; // older requests are dropped

    void reset(const QString& runId); // empty: nothing will be requested
    void want(const QList<int>& tokens); // available ones are not requested again
    const RunTrace* step(int token) const; // null: not available
    bool waiting() const { return m_asked || !m_waiting.isEmpty(); }

    // The reply to asked(); dropped if it belongs to another run or was not requested.
    void answer(const QString& runId, int token, const std::shared_ptr<const RunTrace>& step);
    void giveUp(); // the pending request will not be answered

Q_SIGNALS:
    void asked(const QString& runId, int token);
    void arrived(int token);

private:
    void askNext();

    QString m_runId;
    std::map<int, std::shared_ptr<const RunTrace>> m_steps;
    QList<int> m_waiting; // next one last
    std::optional<int> m_asked;
};

} // namespace ep::ui
