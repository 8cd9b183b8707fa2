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

// Layers, components and operations of single steps, if a run was opened without them. Requested
// one by one, the most recent request first; kept until the next run. GUI thread only.
class StepCache : public QObject {
    Q_OBJECT

public:
    using QObject::QObject;

    static constexpr int kMaxWaiting = 64; // the oldest requests are dropped

    void reset(const QString& runId); // empty: nothing will be requested
    void want(const QList<int>& tokens); // requests only steps that are not available
    const RunTrace* step(int token) const; // null: not available
    bool waiting() const { return m_asked || !m_waiting.isEmpty(); }

    // The reply to asked(); dropped if it belongs to another run or was not requested.
    void answer(const QString& runId, int token, const std::shared_ptr<const RunTrace>& step);
    void giveUp(); // the pending request will get no reply

Q_SIGNALS:
    void asked(const QString& runId, int token);
    void arrived(int token);

private:
    void askNext();

    QString m_runId;
    std::map<int, std::shared_ptr<const RunTrace>> m_steps;
    QList<int> m_waiting; // the next request is the last element
    std::optional<int> m_asked;
};

} // namespace ep::ui
