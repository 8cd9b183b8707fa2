// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/powerlog/clock_offset.h"
#include "ep/powerlog/requests.h"

#include <gtest/gtest.h>

#include <random>

namespace ep::powerlog {
namespace {

constexpr Nanoseconds kZero = 1'795'592'141'000'000'000;

TEST(Requests, OfEverySpelling)
{
    // Always the same request: first token after 0.4 s, complete after 3.5 s.
    struct Case {
        const char* text;
        const char* format;
    };
    const Case cases[] = {
        {"start,first_token,end,tokens_in,cached,out\n1795592141,1795592141.4,1795592144.5,120,20,"
         "88\n",
         "csv"},
        {"tokens out;tokens in;cached;ttft_ms;latency_s;start_time\n"
         "88;120;20;400;3,5;2026-11-25T07:35:41Z\n",
         "csv"},
        {R"({"created":1795592141,"latency":3.5,"ttft":0.4,"usage":{"prompt_tokens":120,)"
         R"("completion_tokens":88,"prompt_tokens_details":{"cached_tokens":20}}})"
         "\n",
         "usage"},
        {R"({"start":1795592141.0,"timings":{"prompt_n":100,"cache_n":20,"prompt_ms":400,)"
         R"("predicted_n":88,"predicted_ms":3100}})"
         "\n",
         "usage"},
        {R"({"input_lens":[120],"cached_prompt_tokens":[20],"output_lens":[88],"ttfts":[0.4],)"
         R"("itls":[[1.0,2.1]],"request_timestamps":[1795592141.0]})",
         "vllm-benchmark"},
    };
    for (const Case& one : cases) {
        SCOPED_TRACE(one.text);
        const auto log = readRequests(one.text, "requests", {});
        ASSERT_TRUE(log) << log.error().message;
        EXPECT_EQ(log->format, one.format);
        ASSERT_EQ(log->requests.size(), 1U);
        const Request& request = log->requests.front();
        EXPECT_EQ(request.begin_ns, kZero);
        EXPECT_NEAR(static_cast<double>(*request.first_token_ns - kZero), 0.4e9, 1e3);
        EXPECT_NEAR(static_cast<double>(request.end_ns - kZero), 3.5e9, 1e3);
        EXPECT_EQ(request.prompt_tokens, 120);
        EXPECT_EQ(request.cached_tokens, 20);
        EXPECT_EQ(request.uncachedTokens(), 100);
        EXPECT_EQ(request.output_tokens, 88);
    }
}

TEST(Requests, ATimeOutsideOfAllCalendarsIsRefused)
{
    const auto log =
        readRequests(R"({"input_lens":[1],"output_lens":[1],"ttfts":[0.4],"itls":[[]],)"
                     R"("request_timestamps":[7159592141.5]})",
                     "requests", {});
    EXPECT_FALSE(log);
}

TEST(Requests, OfLlamaServer)
{
    const auto log =
        readRequests("0.12.000.000 I slot launch_slot_: id  0 | task 7 | processing task\n"
                     "0.12.001.000 I slot update_slots: id  0 | task 7 | kv cache rm [3968, end), "
                     "n_past = 3968\n"
                     "0.13.500.000 I slot print_timing: id  0 | task 7 | \n"
                     "prompt eval time =     500.00 ms /   250 tokens (    2.00 ms per token)\n"
                     "       eval time =    1000.00 ms /    44 tokens (   22.73 ms per token)\n"
                     "      total time =    1500.00 ms /   294 tokens\n",
                     "server.log", {});
    ASSERT_TRUE(log) << log.error().message;
    EXPECT_EQ(log->format, "llama-server");
    const Request& request = log->requests.front();
    EXPECT_EQ(request.end_ns, 13'500'000'000);
    EXPECT_EQ(*request.first_token_ns, 12'500'000'000);
    EXPECT_EQ(request.begin_ns, 12'000'000'000);
    EXPECT_EQ(request.uncachedTokens(), 250);
    EXPECT_EQ(request.output_tokens, 44);
}

TEST(Requests, OfLlamaBenchFollowTheWarmUp)
{
    const auto log = readRequests(R"([{"test_time":"2026-11-25T07:35:41Z","n_prompt":512,"n_gen":0,
        "model_filename":"m.gguf","samples_ns":[1000000000,1100000000]},
        {"test_time":"2026-11-25T07:35:51Z","n_prompt":0,"n_gen":128,"samples_ns":[2000000000]}])",
                                  "bench.json", {});
    ASSERT_TRUE(log) << log.error().message;
    EXPECT_EQ(log->model, "m.gguf");
    ASSERT_EQ(log->requests.size(), 3U);
    EXPECT_EQ(log->requests[0].begin_ns, kZero + 1'000'000'000);
    EXPECT_EQ(log->requests[1].end_ns, kZero + 3'100'000'000);
    EXPECT_EQ(log->requests[2].first_token_ns, kZero + 10'000'000'000);
    EXPECT_EQ(log->findings.front().weight, Weight::Doubtful);
}

TEST(Requests, ThatCannotBeReadSayWhy)
{
    struct Case {
        const char* text;
        const char* says;
    };
    const Case cases[] = {
        {"", "empty"},
        {"a,b\n1,2\n", "row 2: the request states no time at which it began"},
        {"start,end\n1795592141,1795592140\n", "not in order"},
        {R"({"input_lens":[1],"ttfts":[0.1]})", "no times of its requests"},
        {"prompt eval time = 1 ms / 2 tokens\n eval time = 1 ms / 2 tokens\n", "--log-timestamps"},
        {"{\"start\":1,", "no request"},
    };
    for (const Case& one : cases) {
        const auto log = readRequests(one.text, "requests", {});
        ASSERT_FALSE(log) << one.text;
        EXPECT_NE(log.error().message.english().find(one.says), std::string::npos)
            << log.error().message;
    }
}

Nanoseconds ns(double seconds)
{
    return static_cast<Nanoseconds>(seconds * 1e9);
}

// 60 W, and 300 W under load, with noise, sampled every `step` seconds on a clock that is `shift`
// behind that of the load.
std::vector<Window> powerOf(const std::vector<TimeRange>& load, double shift, double step,
                            std::mt19937& random)
{
    std::normal_distribution<double> noise(0.0, 8.0);
    std::vector<Window> power;
    const auto busy = [&](double t) {
        for (const TimeRange& range : load) {
            if (range.contains(ns(t)))
                return true;
        }
        return false;
    };
    double before = 60.0;
    const double end = toSeconds(load.back().end_ns) + 20.0;
    for (double t = -15.0; t < end; t += step) {
        const double now = (busy(t + step) ? 300.0 : 60.0) + noise(random);
        power.push_back({ns(t - shift), ns(t + step - shift), (before + now) / 2.0 * step,
                         static_cast<float>(before), static_cast<float>(now)});
        before = now;
    }
    return power;
}

TEST(ClockOffset, IsFoundFor100RandomShifts)
{
    std::mt19937 random(20261125);
    std::uniform_real_distribution<double> shifts(-3600.0, 3600.0);
    std::uniform_real_distribution<double> lengths(0.4, 6.0);
    std::uniform_real_distribution<double> pauses(0.3, 5.0);
    std::uniform_real_distribution<double> steps(0.05, 0.25);
    int covered = 0;
    for (int i = 0; i < 100; ++i) {
        std::vector<TimeRange> load;
        double at = 0.0;
        for (int request = 0; request < 30; ++request) {
            at += pauses(random);
            const double length = lengths(random);
            load.push_back({ns(at), ns(at + length)});
            at += length;
        }
        const double shift = shifts(random);
        const auto offset = findClockOffset(powerOf(load, shift, steps(random), random), load);
        ASSERT_TRUE(offset) << offset.error().message;
        EXPECT_NEAR(offset->seconds, shift, 0.1);
        EXPECT_LE(offset->low_s, offset->seconds);
        EXPECT_GE(offset->high_s, offset->seconds);
        covered += offset->low_s <= shift && shift <= offset->high_s ? 1 : 0;
    }
    EXPECT_GE(covered, 80);
}

TEST(ClockOffset, IsRefusedWhereTwoFit)
{
    std::mt19937 random(1);
    // Equal requests at equal distances: shifted by one request, nearly all of them still fit.
    std::vector<TimeRange> load;
    for (int i = 0; i < 60; ++i)
        load.push_back({ns(4.0 * i), ns(4.0 * i + 2.0)});
    const auto offset = findClockOffset(powerOf(load, 100.0, 0.2, random), load);
    ASSERT_FALSE(offset);
    EXPECT_NE(offset.error().message.english().find("two offsets fit"), std::string::npos)
        << offset.error().message;
}

TEST(ClockOffset, IsRefusedWithoutALoadInThePower)
{
    std::mt19937 random(2);
    std::normal_distribution<double> noise(100.0, 5.0);
    std::vector<Window> power;
    for (int i = 0; i < 600; ++i)
        power.push_back({ns(0.1 * i), ns(0.1 * i + 0.1), 0.1 * noise(random), 100.0F, 100.0F});
    const auto offset =
        findClockOffset(power, {{ns(1000.0), ns(1010.0)}, {ns(1020.0), ns(1022.0)}});
    ASSERT_FALSE(offset);
    EXPECT_NE(offset.error().message.english().find("does not follow"), std::string::npos)
        << offset.error().message;
}

} // namespace
} // namespace ep::powerlog
