// SPDX-License-Identifier: GPL-3.0-or-later
#include "platform/pipe_process.h"

#include <QProcessEnvironment>

#include <array>
#include <cerrno>
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

namespace ep::power {

namespace {
constexpr qsizetype kMaxErrorText = 4096;
constexpr int kReadsPerTurn = 16; // so that a stop request is handled during a flood of output

bool makePipe(std::array<int, 2>& ends)
{
    if (::pipe(ends.data()) != 0)
        return false;
    for (const int end : ends)
        ::fcntl(end, F_SETFD, FD_CLOEXEC);
    ::fcntl(ends[0], F_SETFL, O_NONBLOCK);
    return true;
}
} // namespace

PipeProcess::PipeProcess(QObject* parent)
    : QObject(parent)
    , m_child(this)
{
    auto environment = QProcessEnvironment::systemEnvironment();
    environment.insert(QStringLiteral("LC_ALL"), QStringLiteral("C"));
    m_child.setProcessEnvironment(environment);
    m_child.setStandardInputFile(QProcess::nullDevice());
    m_child.setStandardOutputFile(QProcess::nullDevice()); // replaced by our pipe after the fork
    connect(&m_child, &QProcess::readyReadStandardError, this, &PipeProcess::readErrors);
    connect(&m_child, &QProcess::errorOccurred, this, [this](QProcess::ProcessError error) {
        if (error == QProcess::FailedToStart)
            finish({});
    });
    connect(&m_child, &QProcess::finished, this, [this](int status, QProcess::ExitStatus how) {
        finish({true, how == QProcess::CrashExit, status});
    });
}

PipeProcess::~PipeProcess()
{
    m_child.disconnect(this);
    closeOutput();
    if (running())
        m_child.abandon();
}

void PipeProcess::start(const QString& program, const QStringList& arguments)
{
    std::array<int, 2> ends{};
    if (!makePipe(ends)) {
        QMetaObject::invokeMethod(
            this, [this] { finish({}); }, Qt::QueuedConnection);
        return;
    }
    m_readEnd = ends[0];
    const int writeEnd = ends[1];
    m_notifier = std::make_unique<QSocketNotifier>(m_readEnd, QSocketNotifier::Read);
    connect(m_notifier.get(), &QSocketNotifier::activated, this, &PipeProcess::readOutput);
    m_child.setChildProcessModifier([writeEnd] { ::dup2(writeEnd, STDOUT_FILENO); });
    m_child.start(program, arguments, QIODevice::ReadOnly);
    ::close(writeEnd);
}

bool PipeProcess::running() const
{
    return m_child.state() != QProcess::NotRunning;
}

bool PipeProcess::terminate()
{
    const auto pid = m_child.processId();
    return pid > 0 && ::kill(static_cast<pid_t>(pid), SIGTERM) == 0;
}

void PipeProcess::closeOutput()
{
    // Deleted later, because this may be called from the notifier's own signal.
    if (m_notifier) {
        m_notifier->setEnabled(false);
        m_notifier.release()->deleteLater();
    }
    if (m_readEnd >= 0)
        ::close(m_readEnd);
    m_readEnd = -1;
}

void PipeProcess::readOutput()
{
    std::array<char, 65536> buffer;
    for (int i = 0; i < kReadsPerTurn && m_readEnd >= 0; ++i) {
        const auto count = ::read(m_readEnd, buffer.data(), buffer.size());
        if (count > 0)
            Q_EMIT output(QByteArray(buffer.data(), static_cast<qsizetype>(count)));
        else if (count == 0)
            closeOutput();
        else if (errno != EINTR)
            return; // no data available now
    }
}

void PipeProcess::readErrors()
{
    m_errorText += m_child.readAllStandardError();
    if (m_errorText.size() > kMaxErrorText)
        m_errorText.remove(0, m_errorText.size() - kMaxErrorText);
}

void PipeProcess::finish(const Exit& exit)
{
    if (m_finished)
        return;
    m_finished = true;
    readErrors();
    // The rest is limited to the pipe's capacity, since a grandchild could write forever.
    readOutput();
    closeOutput();
    Q_EMIT finished(exit);
}

} // namespace ep::power
