// SPDX-License-Identifier: GPL-3.0-or-later
// Random forward passes, written as any sender may write them: what is read back is what was made.
// The same bytes with random damage: parts still lie within their parents.
#include "spans/packed_records.h"

#include "ep/spans/assembler.h"
#include "ep/spans/reader.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <map>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace ep::test {
namespace {

using spans::Assembled;
using spans::Assembler;
using spans::Reader;
using spans::Record;
using spans::RecordKind;

constexpr Nanoseconds kEnd = 1'000'000'000;

// A sender's name of a part, and ours.
constexpr std::pair<const char*, const char*> kParts[] = {
    {"input_layernorm", "input_layernorm"}, {"self_attn.q_proj", "q_proj"},
    {"self_attn.o_proj", "o_proj"},         {"mlp.up_proj", "up_proj"},
    {"mlp.down_proj", "down_proj"},
};

struct MadePass {
    TimeRange time;
    std::vector<TimeRange> layers{};
    std::map<std::string, Nanoseconds> parts{}; // duration by component
};

// Writes records in a form that differs each time.
class Sender {
public:
    explicit Sender(std::mt19937& random)
        : m_random(random)
    {
    }

    const std::string& bytes() const { return m_bytes; }

    void send(RecordKind kind, const char* word, const std::string& name, const TimeRange& time,
              int layer, int token)
    {
        if (below(2) == 0)
            sendPacked(kind, name, time, layer, token);
        else
            sendJson(word, name, time, layer, token);
    }

private:
    int below(int limit) { return static_cast<int>(m_random() % static_cast<unsigned>(limit)); }
    std::string blanks() { return std::string(static_cast<std::size_t>(below(3)), ' '); }

    void sendPacked(RecordKind kind, const std::string& name, const TimeRange& time, int layer,
                    int token)
    {
        const auto [known, isNew] = m_names.try_emplace(name, static_cast<int>(m_names.size()));
        if (isNew)
            m_bytes += packedName(name);
        m_bytes += packedSpan(kind, known->second, time.begin_ns, time.duration_ns(), layer, token);
    }

    void sendJson(const char* word, const std::string& name, const TimeRange& time, int layer,
                  int token)
    {
        std::vector<std::string> members = {
            quoted("kind") + ':' + quoted(word), quoted("name") + ':' + quoted(name),
            quoted("token") + ':' + blanks() + std::to_string(token),
            quoted("start_ns") + ':' + std::to_string(time.begin_ns),
            quoted("duration_ns") + ':' + std::to_string(time.duration_ns())};
        if (layer >= 0)
            members.push_back(quoted("layer") + ':' + std::to_string(layer));
        if (below(3) == 0)
            members.push_back(quoted("of a later version") + R"(:[{"}":"]"},null,-1e3])");
        std::ranges::shuffle(members, m_random);
        m_bytes += '{';
        for (std::size_t i = 0; i < members.size(); ++i)
            m_bytes += (i > 0 ? "," : "") + blanks() + members[i] + blanks();
        m_bytes += "}\n";
    }

    // The text as a JSON string, with some characters as escapes.
    std::string quoted(const std::string& text)
    {
        std::string out = "\"";
        for (const char c : text) {
            char escape[7];
            std::snprintf(escape, sizeof escape, "\\u%04x", static_cast<unsigned>(c));
            out += below(20) == 0 ? escape : std::string(1, c);
        }
        return out + '"';
    }

    std::mt19937& m_random;
    std::map<std::string, int> m_names;
    std::string m_bytes;
};

// Sends passes with parts of random lengths and pauses, in the order in which hooks send them.
std::vector<MadePass> makePasses(std::mt19937& random, Sender& sender)
{
    const auto between = [&](unsigned low, unsigned high) {
        return static_cast<Nanoseconds>(low + random() % (high - low + 1));
    };
    std::vector<MadePass> passes;
    const auto layers = static_cast<int>(between(1, 5));
    const auto tokens = static_cast<int>(between(1, 6));
    Nanoseconds now = 1000;
    for (int token = 0; token < tokens; ++token) {
        MadePass& pass = passes.emplace_back();
        pass.time.begin_ns = now;
        for (int layer = 0; layer < layers; ++layer) {
            const std::string path = "model.layers." + std::to_string(layer);
            TimeRange whole{now += between(0, 50), 0};
            for (const auto& [name, component] : kParts) {
                if (between(0, 9) == 0)
                    continue; // this model has no such part
                const Nanoseconds begin = now + between(0, 30);
                now = begin + between(1, 5000);
                sender.send(RecordKind::Component, "component", path + '.' + name, {begin, now}, -1,
                            token);
                pass.parts[component] += now - begin;
            }
            whole.end_ns = now += between(1, 30);
            sender.send(RecordKind::Layer, "layer", path, whole, layer, token);
            pass.layers.push_back(whole);
        }
        pass.time.end_ns = now += between(1, 50);
        sender.send(RecordKind::Token, "token", "forward", pass.time, -1, token);
        now += between(0, 100);
    }
    return passes;
}

Assembled assembled(const std::string& bytes, std::mt19937& random, std::int64_t& malformed)
{
    Assembler assembler(0);
    Reader reader([&](const Record& record) { assembler.add(record); }, assembler.budget());
    for (std::size_t at = 0; at < bytes.size();) {
        const std::size_t piece = 1 + random() % 200;
        reader.feed(std::string_view(bytes).substr(at, piece));
        at += piece;
    }
    reader.finish();
    malformed = reader.malformed();
    return assembler.finish(kEnd);
}

TEST(GeneratedSpans, AreReadAsTheyWereMade)
{
    for (unsigned seed = 0; seed < 200; ++seed) {
        SCOPED_TRACE(seed);
        std::mt19937 random(seed);
        Sender sender(random);
        const std::vector<MadePass> made = makePasses(random, sender);
        std::int64_t malformed = 0;
        const Assembled result = assembled(sender.bytes(), random, malformed);
        EXPECT_EQ(malformed, 0);
        EXPECT_EQ(result.counts.kept, result.counts.received);
        EXPECT_EQ(result.tokens, static_cast<std::int64_t>(made.size()));
        ASSERT_EQ(result.steps.size(), made.size());
        for (std::size_t i = 0; i < made.size(); ++i) {
            const spans::Step& step = result.steps[i];
            EXPECT_EQ(step.token.time, made[i].time);
            std::vector<TimeRange> layers;
            Nanoseconds inLayers = 0;
            for (const Span& layer : step.layers) {
                layers.push_back(layer.time);
                inLayers += layer.time.duration_ns();
            }
            EXPECT_EQ(layers, made[i].layers);
            std::map<std::string, Nanoseconds> parts;
            Nanoseconds inParts = 0;
            for (const Span& part : step.components) {
                inParts += part.time.duration_ns();
                const std::string component(name(part.component));
                if (made[i].parts.contains(component))
                    parts[component] += part.time.duration_ns();
            }
            EXPECT_EQ(parts, made[i].parts);
            EXPECT_EQ(inParts, inLayers) << "the layers are accounted for whole";
        }
    }
}

template <typename Spans>
void expectInOrderWithin(const TimeRange& parent, const Spans& spans)
{
    Nanoseconds at = parent.begin_ns;
    for (const auto& span : spans) {
        EXPECT_TRUE(parent.contains(span.time));
        EXPECT_GE(span.time.begin_ns, at);
        at = span.time.end_ns;
    }
}

TEST(GeneratedSpans, LieWithinTheirParentsWhateverIsDamaged)
{
    std::int64_t damaged = 0;
    for (unsigned seed = 0; seed < 300 && !testing::Test::HasFailure(); ++seed) {
        SCOPED_TRACE(seed);
        std::mt19937 random(seed);
        Sender sender(random);
        makePasses(random, sender);
        std::string bytes = sender.bytes();
        for (auto changes = 1 + random() % 8; changes > 0; --changes) {
            const std::size_t at = random() % bytes.size();
            switch (random() % 3) {
            case 0:
                bytes[at] = static_cast<char>(random());
                break;
            case 1:
                bytes.erase(at, random() % 100);
                break;
            default:
                bytes.insert(at, bytes.substr(random() % bytes.size(), random() % 100));
            }
            if (bytes.empty())
                break;
        }
        std::int64_t malformed = 0;
        const Assembled result = assembled(bytes, random, malformed);
        std::int64_t malformedAgain = 0;
        const Assembled again = assembled(bytes, random, malformedAgain); // in other pieces
        EXPECT_EQ(malformed, malformedAgain);
        EXPECT_TRUE(result.counts == again.counts);
        damaged += malformed > 0 ? 1 : 0;
        Nanoseconds at = 0;
        for (const spans::Step& step : result.steps) {
            EXPECT_GE(step.token.time.begin_ns, at);
            EXPECT_LE(step.token.time.end_ns, kEnd);
            at = step.token.time.end_ns;
            expectInOrderWithin(step.token.time, step.layers);
            expectInOrderWithin(step.token.time, step.components);
        }
    }
    EXPECT_GT(damaged, 100); // otherwise nothing is tested here
}

} // namespace
} // namespace ep::test
