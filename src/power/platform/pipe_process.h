// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QObject>
#include <QProcess>
#include <QSocketNotifier>
#include <QStringList>

#include <memory>

namespace ep::power {

// A child process whose standard output is a pipe of our own. QProcess keeps its pipe open until
// the child ends; this one can be closed first, so that a child that ignores SIGTERM (or may not be
// signalled, because sudo runs it as root) notices at its next write, which fails.
//
// The child is never killed: a SIGKILL to sudo would leave its root child running. A child that is
// still running when this object is destroyed is abandoned with its pipe closed. Used in one thread
// that runs an event loop.
class PipeProcess : public QObject {
    Q_OBJECT
public:
    explicit PipeProcess(QObject* parent = nullptr);
    ~PipeProcess() override;

    struct Exit {
        bool started = false; // false: the program could not be executed
        bool crashed = false;
        int status = 0;
    };

    // Runs the program (a path, no shell) in the C locale.
    void start(const QString& program, const QStringList& arguments);
    bool running() const;
    // Sends SIGTERM; false if that is not permitted.
    bool terminate();
    void closeOutput();
    // The last part of the child's standard error.
    QByteArray errorText() const { return m_errorText; }

Q_SIGNALS:
    void output(const QByteArray& bytes);
    void finished(const ep::power::PipeProcess::Exit& exit); // after its last output

private:
    // Lets a QProcess be destroyed without the kill() and wait of its destructor.
    class Child : public QProcess {
    public:
        using QProcess::QProcess;
        void abandon() { setProcessState(NotRunning); }
    };

    void readOutput();
    void readErrors();
    void finish(const Exit& exit);

    Child m_child;
    int m_readEnd = -1;
    std::unique_ptr<QSocketNotifier> m_notifier;
    QByteArray m_errorText;
    bool m_finished = false;
};

} // namespace ep::power
