// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "stress/ledger.h"

#include <QByteArray>
#include <QNetworkAccessManager>
#include <QObject>
#include <QProcess>
#include <QString>
#include <QTimer>

#include <filesystem>
#include <functional>
#include <map>
#include <random>
#include <string>
#include <vector>

class QNetworkReply;

namespace ep::test {

// Where all programs of one round work, and their results.
struct Arena {
    std::filesystem::path folder;
    std::filesystem::path database;
    std::filesystem::path models; // contains the folder "tiny"
    QProcessEnvironment environment;
    Ledger ledger;
    std::map<std::string, int> counts; // programs that succeeded, by what they did
    int killed = 0;
    std::map<std::string, std::size_t> studies; // those that ended well, with their step counts
    std::vector<std::string> problems;
};

// How a program ended.
struct Ended {
    bool killed = false; // by this test
    int status = -1;
    QByteArray out;
    QByteArray err;
};

// A place that runs one program after another. Some of them are killed (SIGKILL).
class Worker : public QObject {
public:
    Worker(Arena& arena, unsigned seed);

    virtual void next() = 0; // starts the next program
    // Starts nothing more; kills programs that would not end by themselves.
    virtual void stop();
    // Gives its programs a library (LD_PRELOAD) that drops locks on request.
    void preload(const QString& library);
    bool idle() const { return m_process.state() == QProcess::NotRunning; }

protected:
    enum class Asks { WhatIsThere, WhatMayBeGone };
    // killAfterMs 0: never killed. A program that ends by itself must succeed, unless it asked for
    // a run that may just have been deleted, and says so.
    void launch(const std::vector<std::string>& arguments, int killAfterMs,
                std::function<void(const Ended&)> ended, Asks asks = Asks::WhatIsThere);
    bool stopping() const { return m_stopping; }
    int below(int limit); // a random number
    // For one program in eight the moment when it dies, else 0.
    int death(int latestMs);
    std::string newId();
    void killProgram();

    Arena& m_arena;
    QProcess m_process;

private:
    void finished();

    std::function<void(const Ended&)> m_ended;
    QTimer m_death;
    std::mt19937 m_random;
    std::string m_name;
    Asks m_asks = Asks::WhatIsThere;
    bool m_killed = false;
    bool m_stopping = false;
};

// Imports, tags, renames and deletes its own runs.
class Writer : public Worker {
public:
    using Worker::Worker;
    void next() override;

private:
    void importOne();
    void changeOne(const std::string& id, int what);
    std::vector<std::string> m_own;
    int m_number = 0;
};

// Lists, shows, exports and sums up the stored runs, and compares them with the ledger.
class Reader : public Worker {
public:
    using Worker::Worker;
    void next() override;
};

// Profiles a model repeatedly.
class Runner : public Worker {
public:
    using Worker::Worker;
    void next() override;
};

// Runs one study after another; each one is restarted until it succeeds.
class Student : public Worker {
public:
    Student(Arena& arena, unsigned seed, std::string name);
    void next() override;
    void stop() override;

private:
    const std::string m_name;
    int m_number = 0;
};

// The window, offscreen.
class Window : public Worker {
public:
    using Worker::Worker;
    void next() override;
    void stop() override;
};

// The server with one client, which requests and deletes runs.
class Server : public Worker {
public:
    Server(Arena& arena, unsigned seed);
    void next() override;
    void stop() override;

private:
    void ask();
    void answered(QNetworkReply* reply, const std::string& deleted);

    QNetworkAccessManager m_network;
    QString m_address;
    std::vector<std::string> m_own;
};

} // namespace ep::test
