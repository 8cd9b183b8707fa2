// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/session/pays_runner.h"

#include <QObject>
#include <QThread>

#include <memory>

namespace ep::session {

// A PaysRunner on its own thread, for a front end that must not wait for the database or the
// statistics. Its signals carry copies, so they may be connected to objects of any thread.
class PaysJob : public QObject {
    Q_OBJECT
public:
    PaysJob(PaysSpec spec, StudyOptions options, Backend backend, QObject* parent = nullptr);
    ~PaysJob() override; // cancels, and waits until the current run is stored

    Status start(); // call once; an error: no thread could be started, and no signal follows
    void cancel(); // returns at once; finished() follows

Q_SIGNALS:
    void stepStarting(int pair, const ep::Message& setting, bool a); // pair: counted from 1
    void progress(double fraction, const ep::Message& what); // progress of the run
    void tokenComplete(const ep::session::TokenComplete& token);
    void runFinished(const ep::session::RunFinished& finished);
    void pairFinished(const ep::session::PaysResult& result);
    void finished(const ep::session::PaysResult& result); // emitted exactly once

private:
    QThread m_thread;
    std::unique_ptr<PaysRunner> m_runner; // lives on that thread
};

} // namespace ep::session
