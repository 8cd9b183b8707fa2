// SPDX-License-Identifier: GPL-3.0-or-later
// Senders of spans that behave well, and others that do not.
#include "recorded/child_process.h"
#include "recorded/recorded_spans.h"
#include "recorded/span_listener.h"
#include "spans/packed_records.h"
#include "support/peak_memory.h"

#include "ep/core/clock.h"
#include "ep/core/command_record.h"

#include <gmock/gmock.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <functional>
#include <memory>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <thread>
#include <unistd.h>
#include <vector>

namespace ep::test {
namespace {

using session::PoliteStop;
using session::SpanListener;
using spans::RecordKind;

// A program that sends what the test tells it to.
class FakeSender {
public:
    explicit FakeSender(const std::string& address)
    {
        sockaddr_un place{};
        place.sun_family = AF_UNIX;
        const std::string path = address.substr(std::strlen("unix:"));
        std::memcpy(place.sun_path, path.c_str(), path.size() + 1);
        m_socket = ::socket(AF_UNIX, SOCK_STREAM, 0);
        EXPECT_EQ(::connect(m_socket, reinterpret_cast<const sockaddr*>(&place), sizeof place), 0);
    }
    ~FakeSender() { close(); }
    FakeSender(const FakeSender&) = delete;
    FakeSender& operator=(const FakeSender&) = delete;

    void send(std::string_view bytes)
    {
        while (!bytes.empty()) {
            const ssize_t sent = ::send(m_socket, bytes.data(), bytes.size(), MSG_NOSIGNAL);
            ASSERT_GT(sent, 0);
            bytes.remove_prefix(static_cast<std::size_t>(sent));
        }
    }
    void close()
    {
        if (m_socket >= 0)
            ::close(m_socket);
        m_socket = -1;
    }

private:
    int m_socket = -1;
};

std::string tokenLine(int token, Nanoseconds begin, Nanoseconds duration)
{
    return R"({"kind":"token","token":)" + std::to_string(token) + R"(,"start_ns":)"
        + std::to_string(begin) + R"(,"duration_ns":)" + std::to_string(duration) + "}\n";
}

class RecordedSpans : public testing::Test {
protected:
    void SetUp() override
    {
        ASSERT_TRUE(m_listener.listen());
        m_begin = monotonicNow();
        ASSERT_TRUE(m_listener.begin(m_begin));
    }
    spans::Assembled end()
    {
        m_listener.end();
        return m_listener.assembler().finish(monotonicNow());
    }

    SpanListener m_listener;
    Nanoseconds m_begin = 0;
};

TEST_F(RecordedSpans, KeepsTheSocketToTheUser)
{
    struct stat facts = {};
    ASSERT_EQ(::stat(m_listener.folder().c_str(), &facts), 0);
    EXPECT_EQ(facts.st_mode & 0777U, 0700U);
    const std::filesystem::path folder = m_listener.folder();
    {
        SpanListener other;
        ASSERT_TRUE(other.listen());
        EXPECT_NE(other.folder(), folder);
    }
    EXPECT_TRUE(std::filesystem::exists(folder));
}

// The folders of recorders that were killed, and nothing else.
TEST(RecordedSpansFolder, RemovesWhatOthersLeft)
{
    const std::filesystem::path parent =
        std::filesystem::temp_directory_path() / ("ep-left-" + std::to_string(::getpid()));
    std::filesystem::create_directory(parent);
    const char* before = std::getenv("TMPDIR");
    const std::string earlier = before != nullptr ? before : "";
    ::setenv("TMPDIR", parent.c_str(), 1);
    const auto made = [&](const char* name, mode_t mode, bool lock) {
        ::mkdir((parent / name).c_str(), mode);
        if (lock)
            std::ofstream(parent / name / "lock") << "";
    };
    made("ep-killed", 0700, true);
    made("ep-others", 0755, true);
    made("ep-making", 0700, false);
    made("ep-longer-name", 0700, true);
    {
        SpanListener running;
        ASSERT_TRUE(running.listen());
        SpanListener next;
        ASSERT_TRUE(next.listen());
        EXPECT_TRUE(std::filesystem::exists(running.folder()));
        EXPECT_FALSE(std::filesystem::exists(parent / "ep-killed"));
    }
    std::vector<std::string> left;
    for (const auto& one : std::filesystem::directory_iterator(parent))
        left.push_back(one.path().filename().string());
    EXPECT_THAT(left, testing::UnorderedElementsAre("ep-others", "ep-making", "ep-longer-name"));
    std::filesystem::remove_all(parent);
    if (before != nullptr)
        ::setenv("TMPDIR", earlier.c_str(), 1);
    else
        ::unsetenv("TMPDIR");
}

// Whatever is sent, except for the parts of forward passes, memory grows by less than 64 MB.
TEST_F(RecordedSpans, KeepsLittleOfAnyFlood)
{
    constexpr std::size_t kFlood = 72'000'000;
    const std::string many(65'000, 'x');
    const auto text = [&](int i) {
        return R"({"kind":"token","token":1,"text":")" + many + R"(","duration_ns":1,"start_ns":)"
            + std::to_string(m_begin + 2 * i) + "}\n";
    };
    const auto part = [&](int i) {
        return R"({"kind":"component","name":"m)" + std::to_string(i) + many
            + R"(","duration_ns":1,"start_ns":)" + std::to_string(m_begin) + "}\n";
    };
    const auto tokens = [&](int i, int token) {
        std::string records = packedName("forward");
        for (int n = 0; n < 1000; ++n)
            records += packedSpan(RecordKind::Token, 0, m_begin + i + n, 1, -1, token);
        return records;
    };
    const struct {
        const char* name;
        std::function<std::string(int)> bytes;
    } kFloods[] = {
        {"names", [&](int) { return packedName(many); }},
        {"texts", text},
        {"parts of many names", part},
        {"facts",
         [&](int) { return R"({"kind":"facts","engine":")" + many + R"(","model":"y"})" + '\n'; }},
        {"a line without end", [&](int) { return many; }},
        {"tokens", [&](int i) { return tokens(i, 1); }},
        {"sections",
         [&](int i) {
             std::string records = packedName("forward") + packedName("lm_head");
             for (int n = 0; n < 500; ++n)
                 records += packedSpan(RecordKind::Section, 1, m_begin + i + 2 * n, 1)
                     + packedSpan(RecordKind::Token, 0, m_begin + i + 2 * n + 1, 1);
             return records;
         }},
        {"generations", [&](int i) { return tokens(i, 0); }},
        {"no records", [&](int) { return std::string(65'000, '\n') + "[]\n\xEB\x09"; }},
    };
    for (const auto& flood : kFloods) {
        SCOPED_TRACE(flood.name);
        SpanListener listener;
        ASSERT_TRUE(listener.listen());
        ASSERT_TRUE(listener.begin(m_begin));
        const PeakMemory memory;
        std::vector<std::unique_ptr<FakeSender>> senders;
        for (int i = 0; i < 4; ++i) {
            senders.push_back(std::make_unique<FakeSender>(listener.address()));
            for (std::size_t sent = 0; sent < kFlood / 4;) {
                const std::string bytes = flood.bytes(static_cast<int>(sent) + i);
                senders.back()->send(bytes);
                sent += bytes.size();
            }
        }
        listener.end();
        static_cast<void>(listener.assembler().finish(monotonicNow()));
        EXPECT_LT(memory.growthInMegabytes(), 128.0);
    }
}

TEST_F(RecordedSpans, TakesWhatWasSentBeforeTheEnd)
{
    FakeSender sender(m_listener.address());
    sender.send(tokenLine(0, m_begin + 10, 100));
    sender.send(tokenLine(1, m_begin + 200, 100));
    const spans::Assembled result = end();
    EXPECT_TRUE(m_listener.heard());
    EXPECT_EQ(result.steps.size(), 2U);
    EXPECT_EQ(result.counts.senders, 1);
}

TEST_F(RecordedSpans, SurvivesASenderThatBreaksOff)
{
    {
        FakeSender sender(m_listener.address());
        sender.send(tokenLine(0, m_begin + 10, 100));
        sender.send(R"({"kind":"tok)");
    }
    FakeSender other(m_listener.address());
    other.send("nonsense\n");
    other.send(tokenLine(0, m_begin + 200, 100));
    other.send(tokenLine(1, m_begin + 400, 100));
    const spans::Assembled result = end();
    EXPECT_EQ(result.steps.size(), 2U); // of the longer generation
    EXPECT_EQ(result.counts.malformed, 2);
    EXPECT_EQ(result.counts.senders, 2);
}

TEST_F(RecordedSpans, MovesTheTimesOfAnotherClock)
{
    FakeSender sender(m_listener.address());
    sender.send(R"({"kind":"facts","engine":"e 1","clock_ns":5000000000})"
                "\n");
    sender.send(tokenLine(0, 5'000'000'000, 1));
    std::this_thread::sleep_for(std::chrono::milliseconds(20)); // the run ends after the token
    const spans::Assembled result = end();
    ASSERT_EQ(result.steps.size(), 1U);
    EXPECT_GE(result.steps[0].token.time.begin_ns, m_begin);
    EXPECT_NE(result.counts.clock_shift_ns, 0);
    EXPECT_EQ(m_listener.assembler().engine(), "e 1");
}

// Spans arrive faster than in any measurement: memory is bounded, and the run says what it lacks.
TEST_F(RecordedSpans, SurvivesMillionsOfSpans)
{
    constexpr int kSpans = 6'000'000;
    constexpr int kBatch = 1000;
    const PeakMemory memory;
    FakeSender sender(m_listener.address());
    sender.send(packedName("model.layers.0.mlp.up_proj"));
    std::string batch;
    for (int i = 0; i < kBatch; ++i)
        batch += packedSpan(RecordKind::Component, 0, m_begin + 1, 1);
    for (int i = 0; i < kSpans / kBatch; ++i)
        sender.send(batch);
    const spans::Assembled result = end();
    EXPECT_EQ(result.counts.received, kSpans);
    EXPECT_EQ(result.counts.too_many, kSpans - 200'000);
    EXPECT_EQ(result.counts.overlapping, 200'000) << "no token is around them";
    EXPECT_LT(memory.growthInMegabytes(), 64.0);
}

TEST(RecordedSpansFile, IsReadWhenTheCommandHasEnded)
{
    const std::filesystem::path file =
        std::filesystem::temp_directory_path() / "ep-recorded-test-spans";
    std::ofstream(file) << tokenLine(0, 500, 100);
    SpanListener listener;
    ASSERT_TRUE(listener.useFile(file));
    ASSERT_TRUE(listener.begin(100));
    EXPECT_EQ(listener.address(), "file:" + file.string());
    listener.end();
    std::filesystem::remove(file);
    EXPECT_EQ(listener.trouble().english(), "");
    EXPECT_EQ(listener.assembler().finish(1000).steps.size(), 1U);
}

TEST(RecordedSpansFile, IsMissed)
{
    SpanListener listener;
    ASSERT_TRUE(listener.useFile("/nowhere/spans")) << "the command may make it";
    ASSERT_TRUE(listener.begin(100));
    listener.end();
    EXPECT_FALSE(listener.heard());
    EXPECT_THAT(listener.trouble().english(), testing::HasSubstr("/nowhere/spans"));
}

TEST(RecordedSpansFile, HasToBeAnOrdinaryFile)
{
    SpanListener listener;
    EXPECT_FALSE(listener.useFile("/dev/zero"));
    EXPECT_FALSE(listener.useFile(std::filesystem::temp_directory_path()));
}

TEST(PoliteStop, AsksBeforeItInsists)
{
    PoliteStop stop;
    EXPECT_FALSE(stop.asked());
    EXPECT_EQ(stop.due(0), SIGINT);
    EXPECT_EQ(stop.due(PoliteStop::kPatience - 1), std::nullopt);
    EXPECT_EQ(stop.due(PoliteStop::kPatience), SIGTERM);
    EXPECT_EQ(stop.due(2 * PoliteStop::kPatience), SIGKILL);
    EXPECT_EQ(stop.due(9 * PoliteStop::kPatience), std::nullopt);
    EXPECT_TRUE(stop.asked());
}

TEST(CommandWords, AreThoseOfAShellWithoutItsExpansions)
{
    using testing::ElementsAre;
    EXPECT_THAT(*commandWords("  python3 app.py --n 3 "),
                ElementsAre("python3", "app.py", "--n", "3"));
    EXPECT_THAT(*commandWords(R"(a 'b c' "d 'e" f\ g '' $HOME *)"),
                ElementsAre("a", "b c", "d 'e", "f g", "", "$HOME", "*"));
    EXPECT_THAT(*commandWords(""), ElementsAre());
    EXPECT_FALSE(commandWords("echo 'open"));
    for (const std::vector<std::string>& words :
         {std::vector<std::string>{"a", "it's", "", "x y", "$(ls)", "\\"}, {"b"}})
        EXPECT_EQ(*commandWords(commandText(words)), words);
}

} // namespace
} // namespace ep::test
