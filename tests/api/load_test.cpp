// SPDX-License-Identifier: GPL-3.0-or-later
// Many clients during a run. Their cost is measured by api_bench (tests/bench).
#include "api/api_fixture.h"

#include <gmock/gmock.h>

namespace ep::test {

namespace {

using nlohmann::json;

TEST_F(ApiTest, PollersAndLiveClientsTogetherMissNothing)
{
    using namespace std::chrono_literals;
    constexpr int kPollers = 50;
    constexpr int kLive = 10;
    constexpr int kTokens = 40;
    serve({.context_length = 10'000, .layer_time = 1ms});
    std::vector<std::unique_ptr<QWebSocket>> live;
    std::vector<std::vector<int>> tokens(kLive);
    int complete = 0;
    for (std::size_t i = 0; i < kLive; ++i) {
        live.push_back(openLive());
        QObject::connect(live.back().get(), &QWebSocket::textMessageReceived,
                         [&, i](const QString& text) {
                             const json message = json::parse(text.toStdString());
                             if (message.at("type") == "token_complete")
                                 tokens[i].push_back(message.at("token").get<int>());
                             complete += message.at("type") == "inference_complete" ? 1 : 0;
                             EXPECT_FALSE(message.contains("messages_left_out"));
                         });
    }
    const json body{{"model_name", "tiny"}, {"prompt", "Once"}, {"max_new_tokens", kTokens}};
    QTcpSocket* run = begin(request("POST", "/api/profiling/generate", body.dump()));
    int polled = 0;
    while (!answerOf(run)) {
        std::vector<QTcpSocket*> pollers;
        for (int i = 0; i < kPollers; ++i)
            pollers.push_back(
                begin(request("GET", i % 2 == 0 ? "/api/profiling/runs" : "/metrics")));
        for (QTcpSocket* poller : pollers) {
            EXPECT_EQ(waitFor(poller).status, 200);
            poller->abort();
            ++polled;
        }
    }
    ASSERT_TRUE(spinUntil([&] { return complete == kLive; }));
    EXPECT_GE(polled, kPollers);
    std::vector<int> all(kTokens);
    for (int i = 0; i < kTokens; ++i)
        all[static_cast<std::size_t>(i)] = i;
    for (const std::vector<int>& heard : tokens)
        EXPECT_EQ(heard, all);
}

} // namespace

} // namespace ep::test
