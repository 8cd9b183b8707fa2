// SPDX-License-Identifier: GPL-3.0-or-later
#include "power/power_test_support.h"

#include "ep/core/clock.h"

#include <QElapsedTimer>
#include <QEventLoop>
#include <QFile>
#include <QTemporaryFile>
#include <QTimer>

namespace ep::test {

namespace {
constexpr int kPatienceMs = 20'000;
}

ScopedEnv::ScopedEnv(const char* name, const std::string& value)
    : m_name(name)
{
    if (qEnvironmentVariableIsSet(name))
        m_before = qgetenv(name);
    value.empty() ? qunsetenv(name) : qputenv(name, QByteArray::fromStdString(value));
}

ScopedEnv::~ScopedEnv()
{
    m_before ? qputenv(m_name, *m_before) : qunsetenv(m_name);
}

Recording record(power::Source& source, int intervalMs, int stopAfter)
{
    Recording recording;
    QEventLoop loop;
    QElapsedTimer clock;
    QObject::connect(&source, &power::Source::sampleReady, &loop, [&](const PowerSample& sample) {
        recording.samples.push_back(sample);
        if (static_cast<int>(recording.samples.size()) == stopAfter)
            source.stop();
    });
    QObject::connect(&source, &power::Source::ended, &loop, [&](const Message& problem) {
        ++recording.ended;
        recording.problem = problem;
        recording.seconds = static_cast<double>(clock.nsecsElapsed()) * 1e-9;
        // Gives anything that still arrives after the end a chance to show.
        QTimer::singleShot(50, &loop, &QEventLoop::quit);
    });
    QTimer::singleShot(kPatienceMs, &loop, [&] {
        recording.timedOut = true;
        loop.quit();
    });
    clock.start();
    source.start(intervalMs);
    if (stopAfter == 0)
        source.stop();
    loop.exec();
    return recording;
}

bool waitFor(const std::function<bool()>& condition)
{
    QElapsedTimer clock;
    clock.start();
    while (!condition()) {
        if (clock.elapsed() > kPatienceMs)
            return false;
        QEventLoop loop;
        QTimer::singleShot(5, &loop, &QEventLoop::quit);
        loop.exec();
    }
    return true;
}

power::PowermetricsOptions fakeOptions(bool elevate)
{
    power::PowermetricsOptions options;
    options.command = {EP_FAKE_POWERMETRICS_PROGRAM, EP_FAKE_SUDO_PROGRAM, elevate};
    options.first_reading_ms = 3000;
    options.stall_ms = 300;
    options.terminate_ms = 200;
    options.give_up_ms = 200;
    return options;
}

std::string readFile(const std::string& path)
{
    QFile file(QString::fromStdString(path));
    if (!file.open(QIODevice::ReadOnly))
        return {};
    return file.readAll().toStdString();
}

TemporaryFile::TemporaryFile(const std::string& content)
{
    QTemporaryFile file;
    file.setAutoRemove(false);
    if (file.open())
        file.write(QByteArray::fromStdString(content));
    m_path = file.fileName().toStdString();
}

TemporaryFile::~TemporaryFile()
{
    QFile::remove(QString::fromStdString(m_path));
}

} // namespace ep::test
