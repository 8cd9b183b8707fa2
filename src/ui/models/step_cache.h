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

// Layers, components and operations of single steps of a run that was opened without them. Asked
// for one at a time, what was wanted last first; kept until the next run. GUI thread only.
class StepCache : public QObject {
    Q_OBJECT

public:
    using QObject::QObject;

    static constexpr int kMostWaiting = 64; // what was wanted long ago is forgotten

    void reset(const QString& runId); // empty: nothing will be asked
    void want(const QList<int>& tokens); // those that are there are not asked again
    const RunTrace* step(int token) const; // null: not there
    bool waiting() const { return m_asked || !m_waiting.isEmpty(); }

    // The answer to asked(); of another run or nobody's question: dropped.
    void answer(const QString& runId, int token, const std::shared_ptr<const RunTrace>& step);
    void giveUp(); // no answer will come to what was asked

Q_SIGNALS:
    void asked(const QString& runId, int token);
    void arrived(int token);

private:
    void askNext();

    QString m_runId;
    std::map<int, std::shared_ptr<const RunTrace>> m_steps;
    QList<int> m_waiting; // next last
    std::optional<int> m_asked;
};

} // namespace ep::ui
