// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "attach/raw_client.h"
#include "support/fake_llm_server.h"
#include "support/fake_power_feed.h"
#include "support/temp_folder.h"

#include "ep/api/proxy.h"

#include <QEventLoop>
#include <QTimer>

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <vector>

namespace ep::test {

using namespace std::chrono_literals;

// A proxy in front of a server, and everything that it records.
class ProxyHouse {
public:
    explicit ProxyHouse(const FakeLlmServer& server, const std::string& engine = "Ollama 0.12.3")
        : ProxyHouse(server.port(), engine)
    {
    }
    explicit ProxyHouse(std::uint16_t serverPort, const std::string& engine = "Ollama 0.12.3",
                        const std::function<void(api::ProxyOptions&)>& change = {})
    {
        api::ProxyOptions options;
        options.server.endpoint = {"127.0.0.1", serverPort};
        options.server.engine = engine;
        options.server.models = {"qwen3:0.6b"};
        options.recorder.run.power.kind = "scripted";
        options.recorder.run.interval_ms = 2;
        options.recorder.run.database = m_folder / "runs.db";
        options.recorder.engine = engine;
        options.recorder.server_port = serverPort;
        if (change)
            change(options);
        m_proxy = std::make_unique<api::Proxy>(std::move(options), scriptedBackend());
        QObject::connect(
            m_proxy.get(), &api::Proxy::runMade, m_proxy.get(),
            [this](const session::RunFinished& finished) { made.push_back(finished); });
        QObject::connect(m_proxy.get(), &api::Proxy::passedUnmeasured, m_proxy.get(),
                         [this](const QString& path) { unmeasured.push_back(path.toStdString()); });
        EXPECT_TRUE(m_proxy->listen());
    }

    std::uint16_t port() const { return m_proxy->port(); }
    std::filesystem::path database() const { return m_folder / "runs.db"; }

    // Runs the client on another thread, and the proxy on this one until the client is done.
    void during(const std::function<void()>& client)
    {
        std::atomic<bool> done = false;
        std::thread thread([&] {
            client();
            done = true;
        });
        until([&] { return done.load(); });
        thread.join();
    }
    // The answer to a request on a connection of its own.
    RawAnswer ask(const std::string& request)
    {
        RawAnswer answer;
        during([&] {
            RawClient client(port());
            client.send(request);
            answer = client.receive();
        });
        return answer;
    }
    void until(const std::function<bool()>& reached, std::chrono::seconds patience = 60s)
    {
        QEventLoop loop;
        QTimer look;
        const auto end = std::chrono::steady_clock::now() + patience;
        QObject::connect(&look, &QTimer::timeout, &loop, [&] {
            if (reached() || std::chrono::steady_clock::now() > end)
                loop.quit();
        });
        look.start(1);
        loop.exec();
        EXPECT_TRUE(reached());
    }
    bool waitForRuns(std::size_t count)
    {
        until([&] { return made.size() >= count; });
        return made.size() == count;
    }

    std::vector<session::RunFinished> made;
    std::vector<std::string> unmeasured;

private:
    TempFolder m_folder;
    std::unique_ptr<api::Proxy> m_proxy;
};

} // namespace ep::test
