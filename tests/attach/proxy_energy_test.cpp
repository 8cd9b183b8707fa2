// SPDX-License-Identifier: GPL-3.0-or-later
// The energy of a request in the request's own answer.
#include "attach/proxy_house.h"
#include "attach/raw_client.h"
#include "attach/raw_server.h"
#include "energy_insert.h"

#include <nlohmann/json.hpp>

namespace ep::test {
namespace {

using api::EnergyInsert;
using nlohmann::json;

const attach::Dialect& dialect(const char* id)
{
    return *attach::dialectFromId(id);
}

attach::AnswerHead headOf(const std::string& fields)
{
    return **attach::readAnswerHead("HTTP/1.1 200 OK\r\n" + fields + "\r\n");
}

// However bytes are cut: without an energy they stay the same, with one the result does.
void expectAtEveryCut(EnergyInsert::Form form, const char* id, const std::string& whole,
                      const std::string& wanted)
{
    for (std::size_t first = 0; first <= whole.size(); ++first) {
        for (const std::size_t second : {first, (first + whole.size()) / 2, whole.size()}) {
            for (const bool known : {false, true}) {
                EnergyInsert insert(form, dialect(id));
                std::string got = insert.pass(std::string_view(whole).substr(0, first));
                got += insert.pass(std::string_view(whole).substr(first, second - first));
                got += insert.pass(std::string_view(whole).substr(second));
                got += insert.end(known ? R"({"joules":1.5})" : "");
                ASSERT_EQ(got, known ? wanted : whole) << first << ' ' << second;
            }
        }
    }
}

TEST(EnergyInsert, PutsAMemberIntoAnObject)
{
    using enum EnergyInsert::Form;
    expectAtEveryCut(Object, "openai-chat", R"({"a":{"b":"}"}} )",
                     R"({"a":{"b":"}"},"energy_profiler":{"joules":1.5}} )");
    expectAtEveryCut(Object, "openai-chat", " {\n} \r\n",
                     " {\n\"energy_profiler\":{\"joules\":1.5}} \r\n");
    for (const char* other : {"[1,{}]", "", " ", "7", R"("}")", "[{}"})
        expectAtEveryCut(Object, "openai-chat", other, other);
    const std::string afterNul = std::string(1, '\0') + "{}";
    expectAtEveryCut(Object, "openai-chat", afterNul, afterNul);
}

TEST(EnergyInsert, PutsAMemberIntoTheLastLine)
{
    using enum EnergyInsert::Form;
    const std::string first = R"({"response":"\"done\":true","done":false})"
                              "\n";
    expectAtEveryCut(Lines, "ollama", first + R"({"done":true,"eval_count":3})" + "\n",
                     first + R"({"done":true,"eval_count":3,"energy_profiler":{"joules":1.5}})"
                         + "\n");
    expectAtEveryCut(Lines, "ollama", first + R"({"done": true})",
                     first + R"({"done": true,"energy_profiler":{"joules":1.5}})");
    expectAtEveryCut(Lines, "ollama", first, first); // it was cut off
}

TEST(EnergyInsert, PutsAnEventBeforeTheLastOne)
{
    using enum EnergyInsert::Form;
    const std::string chunk =
        "data: {\"id\":\"energy-profiler\",\"object\":\"chat.completion.chunk\","
        "\"created\":0,\"model\":\"\",\"choices\":[],"
        "\"energy_profiler\":{\"joules\":1.5}}\n\n";
    const std::string named = "event: energy_profiler\ndata: {\"type\":\"energy_profiler\","
                              "\"energy_profiler\":{\"joules\":1.5}}\n\n";
    const std::string first = "data: {\"x\":1}\n\n";
    expectAtEveryCut(Events, "openai-chat", first + "data: [DONE]\n\n",
                     first + chunk + "data: [DONE]\n\n");
    expectAtEveryCut(Events, "openai-chat", "data: {\"x\":1}\r\n\r\ndata: [DONE]\r\n\r\n",
                     "data: {\"x\":1}\r\n\r\n" + chunk + "data: [DONE]\r\n\r\n");
    const std::string stop = "event: message_stop\ndata: {\"type\":\"message_stop\"}\n\n";
    expectAtEveryCut(Events, "anthropic", first + stop, first + named + stop);
    expectAtEveryCut(Events, "responses", first, first + named); // no final event in this dialect
    expectAtEveryCut(Events, "openai-chat", first, first); // the final event is missing
    expectAtEveryCut(Events, "openai-chat", "data: {\"x\":1}\n", "data: {\"x\":1}\n"); // cut off
}

// The end is known as soon as its last byte arrives, and later bytes are not searched for it.
TEST(EnergyInsert, KnowsWhenNothingMoreIsGenerated)
{
    using enum EnergyInsert::Form;
    struct Row {
        EnergyInsert::Form form;
        std::string before; // after which the end is not reached
        std::string last;
    };
    for (const Row& row :
         {Row{Events, "data: {}\n\ndata: [DONE]", "\n"},
          Row{Events, "event: message_stop\ndata: {}\n", "\n"},
          Row{Lines, "{\"done\":false}\n{\"done\":true}", "\n"},
          Row{Lines, "{\"message\":{\"arguments\":{\"done\":true}},\"done\":false}\n", ""},
          Row{Lines, "{\"done\":true\n", ""}, // not JSON
          Row{Object, "{}", ""}}) {
        EnergyInsert insert(row.form, dialect("anthropic"));
        insert.pass(row.before);
        EXPECT_FALSE(insert.reached()) << row.before;
        insert.pass(row.last);
        EXPECT_EQ(insert.reached(), !row.last.empty()) << row.before;
        insert.end("{}");
        EXPECT_EQ(insert.pass("data: [DONE]\n\n{\"done\":true}\n"),
                  "data: [DONE]\n\n{\"done\":true}\n");
    }
}

TEST(EnergyInsert, HoldsOnlySoMuchBack)
{
    using enum EnergyInsert::Form;
    for (const auto& [form, begin, more] :
         {std::tuple{Object, "{}", " "}, std::tuple{Object, "", "\n"}, std::tuple{Events, "", "\r"},
          std::tuple{Events, "event: message_stop\n", "data: x\n"},
          std::tuple{Events, "event: message_stop\n", "x"}, std::tuple{Lines, "", "{\"done\": "}}) {
        EnergyInsert insert(form, dialect("anthropic"));
        std::size_t sent = insert.pass(begin).size();
        std::size_t given = std::string_view(begin).size();
        while (given < 1'000'000 && !insert.reached()) {
            sent += insert.pass(more).size();
            given += std::string_view(more).size();
            ASSERT_LT(given - sent, 300'000U) << begin << more;
        }
    }
}

TEST(EnergyInsert, LeavesAloneWhatItMustNotChange)
{
    const auto form = [](const std::string& fields) {
        return EnergyInsert::formOf(headOf(fields));
    };
    const std::string type = "Content-Type: application/json\r\n";
    EXPECT_EQ(form(type), EnergyInsert::Form::Object);
    EXPECT_EQ(form("content-type: text/event-stream; charset=utf-8\r\n"),
              EnergyInsert::Form::Events);
    EXPECT_EQ(form("Content-Type: application/x-ndjson\r\n"), EnergyInsert::Form::Lines);
    EXPECT_FALSE(form("Content-Type: text/plain\r\n"));
    EXPECT_FALSE(form(""));
    EXPECT_FALSE(form(type + "Content-Encoding: gzip\r\n"));
    EXPECT_TRUE(form(type + "Content-Encoding: identity\r\n"));
    EXPECT_FALSE(form(type + "Cache-Control: no-cache, no-transform\r\n"));
    EXPECT_FALSE(form(type + "Content-Digest: sha-256=:AAAA:\r\n"));
    EXPECT_FALSE(form(type + "ETag: \"a\"\r\n"));
}

const std::string kWhole = R"({"choices":[{"message":{"role":"assistant","content":"Blue sky"},)"
                           R"("finish_reason":"stop"}],"usage":{"prompt_tokens":7,)"
                           R"("completion_tokens":2}})";
const std::string kAsked = R"({"messages":[{"role":"user","content":"Why?"}]})";

FakeAnswer inOneObject()
{
    return {.parts = {{.pause = 20ms, .bytes = kWhole}}, .sized = true};
}

FakeAnswer inEvents()
{
    FakeAnswer answer{.type = "text/event-stream"};
    for (const char* word : {"Blue", " sky"})
        answer.parts.push_back({.pause = 10ms,
                                .bytes = R"(data: {"choices":[{"delta":{"content":")"
                                    + std::string(word) + "\"}}]}\n\n"});
    answer.parts.push_back({.bytes =
                                "data: {\"choices\":[{\"delta\":{},\"finish_reason\":\"stop\"}],"
                                "\"usage\":{\"prompt_tokens\":7,\"completion_tokens\":2}}"
                                "\n\ndata: [DONE]\n\n"});
    return answer;
}

template <typename Server>
ProxyHouse houseWithEnergies(const Server& server)
{
    return ProxyHouse(server.port(), "llama.cpp",
                      [](api::ProxyOptions& options) { options.energy_in_answers = true; });
}

void expectEnergyOf(const json& energy, const Run& run)
{
    EXPECT_DOUBLE_EQ(energy.at("joules"), run.metrics.energy.total_mj->value / 1e3);
    EXPECT_EQ(energy.at("provenance"), name(run.metrics.energy.provenance));
    EXPECT_EQ(energy.at("power_source"), run.info.power.source);
    EXPECT_EQ(energy.at("run"), run.info.id);
    const auto orNull = [](const auto& value) { return value ? json(*value) : json(); };
    EXPECT_EQ(energy.at("joules_per_token"), orNull(run.metrics.joules_per_token));
    EXPECT_EQ(energy.at("joules_per_output_token"), orNull(run.metrics.joules_per_output_token));
    EXPECT_DOUBLE_EQ(energy.at("joules_per_total_token").get<double>() * 9,
                     energy.at("joules").get<double>());
}

TEST(ProxyEnergy, EndsAnAnswerWithTheEnergyOfItsRun)
{
    FakeLlmServer server([](const FakeRequest&) { return inOneObject(); });
    ProxyHouse house = houseWithEnergies(server);
    RawAnswer answers[2];
    house.during([&] {
        RawClient client(house.port()); // both on one connection
        for (RawAnswer& answer : answers) {
            client.send(postOf(house.port(), "/v1/chat/completions", kAsked));
            answer = client.receive();
        }
    });
    ASSERT_TRUE(house.waitForRuns(2));
    for (std::size_t i = 0; i < 2; ++i) {
        ASSERT_TRUE(answers[i].whole);
        EXPECT_NE(answers[i].head.find("Transfer-Encoding: chunked"), std::string::npos);
        EXPECT_EQ(answers[i].head.find("Content-Length"), std::string::npos) << "RFC 9112, 6.2";
        json body = json::parse(answers[i].body);
        expectEnergyOf(body.at("energy_profiler"), *house.made[i].run);
        body.erase("energy_profiler");
        EXPECT_EQ(body, json::parse(kWhole));
    }
}

TEST(ProxyEnergy, ClosesTheConnectionOfAnOldClient)
{
    FakeLlmServer server([](const FakeRequest&) { return inOneObject(); });
    ProxyHouse house = houseWithEnergies(server);
    std::string answer;
    house.during([&] {
        RawClient client(house.port());
        std::string request = postOf(house.port(), "/v1/chat/completions", kAsked);
        request.replace(request.find("HTTP/1.1"), 8, "HTTP/1.0");
        client.send(request);
        answer = client.receiveAll();
    });
    ASSERT_TRUE(house.waitForRuns(1));
    EXPECT_EQ(answer.find("chunked"), std::string::npos);
    EXPECT_EQ(answer.find("Content-Length"), std::string::npos);
    const json body = json::parse(answer.substr(answer.find("\r\n\r\n") + 4));
    expectEnergyOf(body.at("energy_profiler"), *house.made[0].run);
}

TEST(ProxyEnergy, IsAnEventOfAStream)
{
    FakeLlmServer server([](const FakeRequest&) { return inEvents(); });
    ProxyHouse house = houseWithEnergies(server);
    RawAnswer answer = house.ask(postOf(house.port(), "/v1/chat/completions", kAsked));
    ASSERT_TRUE(house.waitForRuns(1));
    ASSERT_TRUE(answer.whole);
    const std::size_t at = answer.body.find("data: {\"id\":\"energy-profiler\"");
    ASSERT_NE(at, std::string::npos) << answer.body;
    const std::size_t end = answer.body.find("\n\n", at) + 2;
    EXPECT_EQ(answer.body.substr(end), "data: [DONE]\n\n");
    expectEnergyOf(json::parse(answer.body.substr(at + 6, end - at - 8)).at("energy_profiler"),
                   *house.made[0].run);
    std::string rest;
    for (const FakePart& part : inEvents().parts)
        rest += part.bytes;
    EXPECT_EQ(answer.body.erase(at, end - at), rest);
}

// The server may keep its answer open, or send what nobody asked for.
TEST(ProxyEnergy, TheEndOfAStreamDoesNotWaitForThatOfTheConnection)
{
    std::string events;
    for (const FakePart& part : inEvents().parts)
        events += part.bytes;
    const std::string line =
        "{\"message\":{\"content\":\"Blue\"},\"done\":true,\"eval_count\":2}\n";
    struct Row {
        const char* type;
        const char* path;
        std::string sent;
        std::string last; // how the client knows that the answer is over
    };
    for (const Row& row : {Row{"text/event-stream", "/v1/chat/completions", events, "[DONE]\n\n"},
                           Row{"application/x-ndjson", "/api/chat", line, "\"done\":true"}}) {
        std::atomic<bool> read = false;
        RawServer server([&](const RawServer::Send& send, int) {
            send("HTTP/1.1 200 OK\r\nContent-Type: " + std::string(row.type) + "\r\n\r\n");
            std::this_thread::sleep_for(100ms); // several samples, also on a busy machine
            send(row.sent);
            while (!read)
                std::this_thread::sleep_for(1ms);
            send("more");
        });
        ProxyHouse house = houseWithEnergies(server);
        std::string got;
        house.during([&] {
            RawClient client(house.port());
            client.send(lastPostOf(house.port(), row.path));
            got = client.receiveUntil(row.last);
            read = true;
            got += client.receiveAll();
        });
        ASSERT_TRUE(house.waitForRuns(1));
        EXPECT_EQ(house.made[0].run->info.status, RunStatus::Complete);
        EXPECT_NE(got.find("energy_profiler"), std::string::npos) << got;
        EXPECT_NE(got.find("more"), std::string::npos) << got;
    }
}

TEST(ProxyEnergy, IsNotThereForFailedRequests)
{
    const std::string chunk = "data: {\"choices\":[{\"delta\":{\"content\":\"x\"}}]}\n\n";
    struct Row {
        const char* what;
        const char* type;
        std::string body;
    };
    for (const Row& row :
         {Row{"an empty stream", "text/event-stream", ""},
          Row{"an empty object", "application/json", "{}"},
          Row{"a text without an end", "application/json", "{\"a\":\"x}"},
          Row{"no last event", "text/event-stream", chunk},
          Row{"nothing but the last event", "text/event-stream", "data: [DONE]\n\n"},
          Row{"no final message", "text/event-stream", chunk + "data: [DONE]\n\n"},
          Row{"an error", "text/event-stream",
              "data: {\"error\":{\"message\":\"no\"}}\n\ndata: [DONE]\n\n"}}) {
        RawServer server("HTTP/1.1 200 OK\r\nContent-Type: " + std::string(row.type)
                         + "\r\nContent-Length: " + std::to_string(row.body.size()) + "\r\n\r\n"
                         + row.body);
        ProxyHouse house = houseWithEnergies(server);
        const RawAnswer answer = house.ask(lastPostOf(house.port(), "/v1/chat/completions"));
        ASSERT_TRUE(house.waitForRuns(1)) << row.what;
        EXPECT_EQ(house.made[0].run->info.status, RunStatus::Failed) << row.what;
        EXPECT_EQ(answer.body, row.body) << row.what;
    }
}

TEST(ProxyEnergy, IsNotThereWhereItIsNotKnown)
{
    FakeLlmServer server([](const FakeRequest& request) {
        FakeAnswer answer = inOneObject();
        if (request.body.find("slow") != std::string::npos)
            answer.parts.front().pause = 200ms;
        return answer;
    });
    ProxyHouse house = houseWithEnergies(server);
    const std::string slow = R"({"messages":[{"role":"user","content":"slow"}]})";
    RawAnswer answers[2];
    house.during([&] {
        RawClient a(house.port());
        RawClient b(house.port());
        a.send(postOf(house.port(), "/v1/chat/completions", slow));
        b.send(postOf(house.port(), "/v1/chat/completions", kAsked));
        answers[0] =
            b.receive(); // while the other request continues: their shares are not known yet
        answers[1] = a.receive();
    });
    ASSERT_TRUE(house.waitForRuns(2));
    for (const RawAnswer& answer : answers)
        EXPECT_EQ(answer.body, kWhole);
}

TEST(ProxyEnergy, IsNotThereUnlessAskedForOrOfOtherAnswers)
{
    FakeLlmServer server([](const FakeRequest& request) {
        return request.path == "/v1/models" || request.body.find("fail") == std::string::npos
            ? inOneObject()
            : FakeAnswer{.status = 500, .parts = {{.bytes = "{}"}}, .sized = true};
    });
    {
        ProxyHouse plain(server, "llama.cpp");
        RawAnswer answer;
        plain.during([&] {
            RawClient client(plain.port());
            client.send(postOf(plain.port(), "/v1/chat/completions", kAsked));
            answer = client.receive();
        });
        EXPECT_EQ(answer.body, kWhole);
        EXPECT_NE(answer.head.find("Content-Length: " + std::to_string(kWhole.size())),
                  std::string::npos);
    }
    ProxyHouse house = houseWithEnergies(server);
    RawAnswer models;
    RawAnswer failed;
    house.during([&] {
        RawClient client(house.port());
        client.send("GET /v1/models HTTP/1.1\r\nHost: localhost:" + std::to_string(house.port())
                    + "\r\n\r\n");
        models = client.receive();
        client.send(postOf(house.port(), "/v1/chat/completions", R"({"prompt":"fail"})"));
        failed = client.receive();
    });
    EXPECT_EQ(models.body, kWhole);
    EXPECT_EQ(failed.body, "{}");
}

} // namespace
} // namespace ep::test
