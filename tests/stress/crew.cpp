// SPDX-License-Identifier: GPL-3.0-or-later
#include "stress/crew.h"

#include "support/sample_run.h"

#include "ep/core/uuid.h"
#include "ep/store/run_json.h"

#include <QNetworkReply>
#include <QNetworkRequest>

#include <nlohmann/json.hpp>

#include <fstream>
#include <sstream>

namespace ep::test {

using nlohmann::json;

namespace {

// Messages that no program may ever print when the database is intact.
constexpr const char* kForbidden[] = {"disk I/O error", "malformed", "not a database",
                                      "please report", "unexpected error"};

std::vector<SeenRun> seenIn(const QByteArray& list)
{
    std::vector<SeenRun> seen;
    const json root = json::parse(list.toStdString());
    for (const json& run : root.at("runs")) {
        const json& info = run.at("info");
        seen.push_back({.id = info.at("id"),
                        .title = info.value("title", std::string()),
                        .tags = info.at("tags").get<std::set<std::string>>()});
    }
    return seen;
}

} // namespace

Worker::Worker(Arena& arena, unsigned seed)
    : m_arena(arena)
    , m_random(seed)
{
    m_process.setProcessEnvironment(arena.environment);
    m_process.setWorkingDirectory(QString::fromStdString(arena.folder.string()));
    m_death.setSingleShot(true);
    connect(&m_death, &QTimer::timeout, this, &Worker::killProgram);
    connect(&m_process, &QProcess::finished, this, &Worker::finished);
}

void Worker::preload(const QString& library)
{
    QProcessEnvironment environment = m_arena.environment;
    environment.insert(QStringLiteral("LD_PRELOAD"), library);
    environment.insert(QStringLiteral("EP_DROP_LOCKS"), QStringLiteral("1"));
    m_process.setProcessEnvironment(environment);
}

void Worker::stop()
{
    m_stopping = true;
}

int Worker::below(int limit)
{
    return std::uniform_int_distribution<int>(0, limit - 1)(m_random);
}

int Worker::death(int latestMs)
{
    constexpr int kOneIn = 8;
    return below(kOneIn) == 0 ? 1 + below(latestMs) : 0;
}

std::string Worker::newId()
{
    return makeUuid();
}

void Worker::killProgram()
{
    if (idle())
        return;
    m_killed = true;
    m_process.kill();
}

void Worker::launch(const std::vector<std::string>& arguments, int killAfterMs,
                    std::function<void(const Ended&)> ended, Asks asks)
{
    m_ended = std::move(ended);
    m_asks = asks;
    m_killed = false;
    m_name = arguments[0] == "runs" ? arguments[1] : arguments[0];
    QStringList list;
    for (const std::string& argument : arguments)
        list << QString::fromStdString(argument);
    m_process.start(QStringLiteral(EP_PROGRAM), list);
    if (killAfterMs > 0)
        m_death.start(killAfterMs);
}

void Worker::finished()
{
    m_death.stop();
    Ended ended{.killed = m_killed && m_process.exitStatus() == QProcess::CrashExit,
                .status = m_process.exitCode(),
                .out = m_process.readAllStandardOutput(),
                .err = m_process.readAllStandardError()};
    for (const char* words : kForbidden) {
        if (ended.out.contains(words) || ended.err.contains(words))
            m_arena.problems.push_back(m_name + " said: " + (ended.out + ended.err).toStdString());
    }
    const bool gone = m_asks == Asks::WhatMayBeGone && ended.err.contains("There is no run ")
        && !ended.err.contains("There is no run database");
    if (ended.killed) {
        ++m_arena.killed;
    } else if (gone) {
        ++m_arena.counts["gone"];
    } else if (m_process.exitStatus() == QProcess::CrashExit || ended.status != 0) {
        m_arena.problems.push_back(m_name + " ended with status " + std::to_string(ended.status)
                                   + ": " + ended.err.toStdString());
    } else {
        ++m_arena.counts[m_name];
    }
    m_ended(ended);
    if (!m_stopping) // via the event loop, since QProcess is not yet done with the previous one
        QTimer::singleShot(0, this, [this] {
            if (!m_stopping && idle())
                next();
        });
}

void Writer::next()
{
    constexpr std::size_t kMax = 12;
    if (m_own.empty() || (m_own.size() < kMax && below(3) == 0))
        return importOne();
    const std::string id = m_own[static_cast<std::size_t>(below(static_cast<int>(m_own.size())))];
    changeOne(id, below(8));
}

void Writer::importOne()
{
    const std::string id = newId();
    const std::filesystem::path file = m_arena.folder / (id + ".json");
    const ep::Run run = makeSampleRun({.id = id, .tokens = 1 + below(12)});
    std::ofstream(file) << store::runToJson(run);
    Ledger::Run& entry = m_arena.ledger.change(id);
    entry = {.there = true,
             .title = run.info.title,
             .tags = {run.info.tags.begin(), run.info.tags.end()},
             .changes = entry.changes};
    launch({"runs", "import", file.string()}, death(300), [this, id, file](const Ended& ended) {
        std::filesystem::remove(file);
        if (ended.killed || ended.status != 0)
            return;
        m_arena.ledger.settle(id);
        m_own.push_back(id);
    });
}

void Writer::changeOne(const std::string& id, int what)
{
    const std::string word = "w" + std::to_string(++m_number);
    Ledger::Run& entry = m_arena.ledger.change(id);
    std::vector<std::string> arguments{"runs", "edit", id, "+" + word};
    if (what == 0) {
        entry.there = false;
        arguments = {"runs", "delete", id};
    } else if (what < 4) {
        entry.title = word;
        arguments = {"runs", "edit", id, "--title", word};
    } else {
        entry.tags.insert(word);
    }
    launch(arguments, death(300), [this, id, what](const Ended& ended) {
        const bool done = !ended.killed && ended.status == 0;
        if (done)
            m_arena.ledger.settle(id);
        if (!done || what == 0)
            std::erase(m_own, id);
    });
}

void Reader::next()
{
    const std::vector<std::string> ids = m_arena.ledger.settledIds();
    const int what = below(5);
    if (what == 0 || ids.empty()) {
        launch({"runs", "list", "--limit", "0", "--json"}, death(300),
               [this, before = m_arena.ledger](const Ended& ended) {
                   if (ended.killed || ended.status != 0)
                       return;
                   for (const std::string& difference :
                        m_arena.ledger.differences(before, seenIn(ended.out)))
                       m_arena.problems.push_back("runs list: " + difference);
               });
        return;
    }
    const std::string id = ids[static_cast<std::size_t>(below(static_cast<int>(ids.size())))];
    const std::vector<std::string> commands[] = {{"db", "--json"},
                                                 {"runs", "list", "--limit", "3"},
                                                 {"runs", "show", id, "--parts"},
                                                 {"runs", "export", id, "--out", "-"}};
    launch(
        commands[what - 1], death(300), [](const Ended&) {}, Asks::WhatMayBeGone);
}

void Runner::next()
{
    launch({"run", "--model", (m_arena.models / "tiny").string(), "--prompt", "Once",
            "--max-new-tokens", "24", "--power", "modelled", "--interval-ms", "20", "--json",
            "--full"},
           death(3000), [this](const Ended& ended) {
               if (ended.killed || ended.status != 0)
                   return;
               const std::string id =
                   json::parse(ended.out.toStdString()).at("run").at("info").at("id");
               m_arena.ledger.change(id).there = true;
               m_arena.ledger.settle(id);
           });
}

Student::Student(Arena& arena, unsigned seed, std::string name)
    : Worker(arena, seed)
    , m_name(std::move(name))
{
}

void Student::next()
{
    const std::string name = m_name + std::to_string(m_number);
    const std::filesystem::path file = m_arena.folder / (name + ".json");
    constexpr std::size_t kSteps = 6;
    if (!std::filesystem::exists(file)) {
        const std::filesystem::path draft = file.string() + ".part";
        std::ofstream(draft) << json{
            {"name", name},
            {"models", {(m_arena.models / "tiny").string()}},
            {"prompts", {"Once", "Upon", "A"}},
            {"output_tokens", 8},
            {"repeats", 2},
            {"warmup_tokens", 0},
            {"power", "modelled"},
            {"interval_ms", 20}}.dump();
        std::filesystem::rename(draft, file);
    }
    launch({"study", file.string(), "--html", (m_arena.folder / (name + ".html")).string()},
           below(2) == 0 ? 1 + below(6000) : 0, [this, name](const Ended& ended) {
               if (ended.killed || ended.status != 0)
                   return;
               m_arena.studies[name] = kSteps;
               ++m_number;
           });
}

void Student::stop()
{
    Worker::stop();
    killProgram();
}

void Window::next()
{
    launch({"gui", "--separate"}, 1000 + below(6000), [](const Ended&) {});
}

void Window::stop()
{
    Worker::stop();
    killProgram();
}

Server::Server(Arena& arena, unsigned seed)
    : Worker(arena, seed)
{
    connect(&m_process, &QProcess::readyReadStandardOutput, this, [this] {
        if (!m_address.isEmpty() || !m_process.canReadLine())
            return;
        m_address = QString::fromStdString(
            json::parse(m_process.readLine().toStdString()).at("address").get<std::string>());
        ask();
    });
}

void Server::next()
{
    m_address.clear();
    launch({"serve", "--port", "0", "--json", "--token-file", (m_arena.folder / "token").string(),
            "--models-dir", m_arena.models.string()},
           4000 + below(8000), [](const Ended&) {});
}

void Server::stop()
{
    Worker::stop();
    killProgram();
}

void Server::ask()
{
    std::ifstream file(m_arena.folder / "token");
    std::string token;
    file >> token;
    const bool deletes = !m_own.empty() && below(3) == 0;
    QNetworkRequest request(QUrl(
        m_address
        + (deletes ? QStringLiteral("/api/profiling/run/") + QString::fromStdString(m_own.back())
                   : QStringLiteral("/api/profiling/generate"))));
    request.setRawHeader("Authorization", "Bearer " + QByteArray::fromStdString(token));
    request.setRawHeader("Content-Type", "application/json");
    QNetworkReply* reply = nullptr;
    std::string deleted;
    if (deletes) {
        deleted = m_own.back();
        m_own.pop_back();
        m_arena.ledger.change(deleted).there = false;
        reply = m_network.deleteResource(request);
    } else {
        const json body{{"model", "tiny"},
                        {"prompt", "Once"},
                        {"max_new_tokens", 8},
                        {"power_source", "modelled"}};
        reply = m_network.post(request, QByteArray::fromStdString(body.dump()));
    }
    connect(reply, &QNetworkReply::finished, this,
            [this, reply, deleted] { answered(reply, deleted); });
}

void Server::answered(QNetworkReply* reply, const std::string& deleted)
{
    reply->deleteLater();
    const int status = reply->attribute(QNetworkRequest::HttpStatusCodeAttribute).toInt();
    const QByteArray body = reply->readAll();
    const bool answer = status >= 300 || reply->error() == QNetworkReply::NoError;
    if (!answer || status == 0)
        return; // the server was killed
    if (status >= 300) {
        m_arena.problems.push_back("serve answered " + std::to_string(status) + ": "
                                   + body.toStdString());
    } else if (!deleted.empty()) {
        m_arena.ledger.settle(deleted);
        ++m_arena.counts["DELETE"];
    } else {
        const std::string id = json::parse(body.toStdString()).at("run_id");
        m_arena.ledger.change(id).there = true;
        m_arena.ledger.settle(id);
        m_own.push_back(id);
        ++m_arena.counts["POST"];
    }
    if (!stopping() && !idle())
        ask();
}

} // namespace ep::test
