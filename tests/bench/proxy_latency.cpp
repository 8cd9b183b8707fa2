// SPDX-License-Identifier: GPL-3.0-or-later
// What the proxy adds to the time to the first byte of an answer: requests to a server directly and
// through the proxy, alternately.
//   ep-proxy-latency [REQUESTS]
#include "attach/raw_client.h"
#include "support/fake_llm_server.h"

#include "ep/api/proxy.h"
#include "ep/core/clock.h"
#include "ep/core/quantile.h"

#include <QCoreApplication>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <thread>
#include <vector>

namespace {

using namespace ep;

constexpr const char* kQuestion = R"({"model":"m","prompt":"Why is the sky blue?"})";

double askMs(test::RawClient& client, std::uint16_t port, const char* path)
{
    const Nanoseconds begin = monotonicNow();
    client.send(test::postOf(port, path, kQuestion));
    client.receive();
    return toMilliseconds(monotonicNow() - begin);
}

double quantile(std::vector<double> values, double share)
{
    std::ranges::sort(values);
    return quantileOf(values, share);
}

} // namespace

int main(int argc, char** argv)
{
    const QCoreApplication application(argc, argv);
    const int requests = argc > 1 ? std::atoi(argv[1]) : 2000;
    const test::FakeLlmServer server([](const test::FakeRequest&) {
        return test::FakeAnswer{.type = "application/x-ndjson",
                                .parts = {{.bytes = "{\"response\":\"a\",\"done\":true,"
                                                    "\"eval_count\":1}\n"}}};
    });
    std::printf(
        "path           direct p50   p99      proxy p50    p99      added p50    p99  (ms)\n");
    // A request that is only passed on, and one that becomes a run.
    for (const char* path : {"/api/show", "/api/generate"}) {
        api::ProxyOptions options;
        options.server.endpoint = {"127.0.0.1", server.port()};
        options.server.engine = "Ollama 0";
        options.recorder.run.power.kind = "none";
        options.recorder.server_port = server.port();
        api::Proxy proxy(options, session::realBackend());
        if (const Status listening = proxy.listen(); !listening) {
            std::fprintf(stderr, "%s\n", listening.error().message.english().c_str());
            return 1;
        }
        std::vector<double> direct;
        std::vector<double> passed;
        std::vector<double> added;
        std::thread client([&] {
            test::RawClient straight(server.port());
            test::RawClient through(proxy.port());
            constexpr int kWarm = 50;
            for (int i = 0; i < requests + kWarm; ++i) {
                const double without = askMs(straight, server.port(), path);
                const double with = askMs(through, proxy.port(), path);
                if (i < kWarm)
                    continue;
                direct.push_back(without);
                passed.push_back(with);
                added.push_back(with - without);
            }
            QMetaObject::invokeMethod(qApp, &QCoreApplication::quit, Qt::QueuedConnection);
        });
        QCoreApplication::exec();
        client.join();
        std::printf("%-14s %10.3f %7.3f %10.3f %7.3f %10.3f %7.3f\n", path, quantile(direct, 0.5),
                    quantile(direct, 0.99), quantile(passed, 0.5), quantile(passed, 0.99),
                    quantile(added, 0.5), quantile(added, 0.99));
    }
    return 0;
}
