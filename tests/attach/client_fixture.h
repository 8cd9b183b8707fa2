// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "attach/known_server.h"
#include "support/fake_power_feed.h"
#include "support/temp_folder.h"

#include "ep/session/profiler.h"

#include <QEventLoop>

#include <chrono>
#include <filesystem>
#include <memory>
#include <string>

// Measures requests to servers, with a scripted power source.
namespace ep::test {

using namespace std::chrono_literals;
using session::Profiler;

// The result of one run.
struct Outcome {
    RunPtr run;
    bool saved = false;
    std::string failure;
    std::string shown; // text of the parts in order of arrival
};

class Client {
public:
    explicit Client(PowerScript power = {})
        : m_profiler(scriptedBackend(power))
    {
    }

    session::RunRequest request(const FakeLlmServer& server, const char* dialect = "") const
    {
        session::RunRequest request;
        request.server = session::ServerTarget{
            .address = server.origin(), .model = {}, .dialect = dialect, .token = {}};
        request.prompt = "Hello";
        request.max_new_tokens = 64;
        request.power.kind = "scripted";
        request.database = m_folder / "runs.db";
        return request;
    }

    Outcome run(const session::RunRequest& request, bool cancelAtToken = false)
    {
        Outcome outcome;
        QEventLoop loop;
        QObject scope;
        QObject::connect(&m_profiler, &Profiler::tokenComplete, &scope,
                         [&, cancelAtToken](const auto& token) {
                             outcome.shown += token.token.text;
                             if (cancelAtToken)
                                 m_profiler.cancel();
                         });
        QObject::connect(&m_profiler, &Profiler::finished, &scope, [&](const auto& finished) {
            outcome.run = finished.run;
            outcome.saved = finished.saved;
            loop.quit();
        });
        QObject::connect(&m_profiler, &Profiler::failed, &scope, [&](const Error& error) {
            outcome.failure = error.message;
            loop.quit();
        });
        m_profiler.start(request);
        loop.exec();
        return outcome;
    }

    std::filesystem::path database() const { return m_folder / "runs.db"; }

private:
    TempFolder m_folder;
    Profiler m_profiler;
};

} // namespace ep::test
