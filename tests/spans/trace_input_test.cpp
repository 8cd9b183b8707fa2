// SPDX-License-Identifier: GPL-3.0-or-later
// Traces that are damaged, endless or impossible.
#include "ep/spans/trace_file.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <functional>
#include <string>
#include <unistd.h>
#include <utility>
#include <vector>
#include <zlib.h>

namespace ep::test {
namespace {

using spans::readTraceText;

std::string eventOf(const std::string& begin, const std::string& length)
{
    return R"({"ph":"X","cat":"cpu_op","name":"aten::mm","pid":1,"tid":1,"ts":)" + begin
        + R"(,"dur":)" + length + '}';
}

std::string listOf(int events)
{
    std::string text = "[";
    for (int i = 0; i < events; ++i)
        text += eventOf(std::to_string(10 * i), "2") + ',';
    text.back() = ']';
    return text;
}

TEST(TraceFile, ReadsTimesWholeOrNotAtAll)
{
    const std::pair<const char*, Nanoseconds> kCases[] = {
        // length, nanoseconds; -1: the event is left out
        {"1000", 1'000'000},
        {"5563422353456.123", 5'563'422'353'456'123},
        {"1.000000000e+03", 1'000'000},
        {"1.5E2", 150'000},
        {"25e-1", 2'500},
        {"\"12.5\"", 12'500},
        {"1e-30", 0},
        {"0e999999999999", 0},
        {"9000000000000000.5", -1},
        {"1e300", -1},
        {"-1e17", -1},
        {"1e400", -1},
        {"1e99999999999999999999", -1},
        {"NaN", -1},
        {"Infinity", -1},
        {"-Infinity", -1},
        {"\"1,000\"", -1},
        {"1e", -1},
        {"1.2.3", -1},
        {"\"0x10\"", -1},
        {"\"12 us\"", -1},
        {"-", -1},
        {"\"\"", -1},
        {"true", -1},
    };
    for (const auto& [length, expected] : kCases) {
        const auto trace =
            readTraceText("[" + eventOf("1", length) + "," + eventOf("0", "1") + "]", "t.json");
        ASSERT_TRUE(trace) << length;
        EXPECT_EQ(trace->operators, expected < 0 ? 1 : 2) << length;
        EXPECT_EQ(trace->operator_ns, 1000 + std::max<Nanoseconds>(0, expected)) << length;
    }
}

TEST(TraceFile, LeavesOutEventsOfImpossibleTimes)
{
    const std::pair<const char*, const char*> kTimes[] = {
        {"NaN", "1"}, {"1e400", "1"}, {"1e300", "1"}, {"5", "Infinity"},
        {"5", "-50"}, {"5", "1e17"},  {"\"x\"", "1"}, {"null", "1"}};
    for (const auto& [begin, length] : kTimes) {
        const auto trace = readTraceText("[" + eventOf("1e1", "2") + "," + eventOf(begin, length)
                                             + "," + eventOf("30", "4") + "]",
                                         "t.json");
        ASSERT_TRUE(trace) << begin;
        EXPECT_EQ(trace->operators, 2) << begin << ' ' << length;
        EXPECT_EQ(trace->operator_ns, 6'000);
        EXPECT_THAT(trace->notes, testing::Contains(testing::HasSubstr("An event was left out")));
        EXPECT_THAT(trace->notes, testing::Not(testing::Contains(testing::HasSubstr("ends in"))));
    }
    const auto ended = readTraceText(
        R"([{"ph":"B","cat":"cpu_op","name":"aten::mm","ts":50,"pid":1,"tid":1},
            {"ph":"E","ts":30,"pid":1,"tid":1}])",
        "t.json");
    ASSERT_TRUE(ended);
    EXPECT_THAT(ended->notes, testing::Contains(testing::HasSubstr("An event was left out")));
}

TEST(TraceFile, SaysWhereItIsNoJson)
{
    const std::string good = "[" + eventOf("10", "2");
    const std::pair<std::string, const char*> kFiles[] = {
        {good + " nonsense]", "What begins at byte 77 of the trace is no JSON"},
        {good + ",]", "is no JSON"},
        {good + "}", "is no JSON"},
        {good + ",", "ends in the middle"},
        {good + ", {\"na", "ends in the middle"},
    };
    for (const auto& [text, note] : kFiles) {
        const auto trace = readTraceText(text, "t.json");
        ASSERT_TRUE(trace) << text;
        EXPECT_EQ(trace->operators, 1);
        EXPECT_THAT(trace->notes, testing::Contains(testing::HasSubstr(note))) << text;
    }
}

TEST(TraceFile, KeepsNoMoreBytesThanItMay)
{
    const struct {
        const char* name;
        std::function<std::string(int)> event;
        int count;
    } kFloods[] = {
        {"events that begin",
         [](int) { return std::string(R"({"ph":"B","name":"aten::mm","tid":1,"ts":1},)"); },
         700'000},
        {"names",
         [](int i) {
             return R"({"ph":"X","name":"aten::)" + std::string(3000, 'x') + std::to_string(i)
                 + R"(","tid":1,"ts":1,"dur":1},)";
         },
         8'000},
        {"threads",
         [](int i) {
             return R"({"ph":"B","name":"x","tid":")" + std::string(90, 'x') + std::to_string(i)
                 + R"(","ts":1},)";
         },
         120'000},
    };
    for (const auto& flood : kFloods) {
        SCOPED_TRACE(flood.name);
        std::string text = "[" + eventOf("10", "2") + ",";
        for (int i = 0; i < flood.count; ++i)
            text += flood.event(i);
        text += eventOf("20", "2") + "]";
        const auto trace = readTraceText(text, "t.json");
        ASSERT_TRUE(trace);
        EXPECT_THAT(trace->notes, testing::Contains(testing::HasSubstr("exceed 32 MB")));
        EXPECT_GE(trace->operators, 1);
    }
    // A name and a list without end are skipped as they are read.
    const auto trace = readTraceText("[" + eventOf("10", "2") + R"(,{"name":"aten::)"
                                         + std::string(10'000'000, 'x') + "\"}]",
                                     "t.json");
    ASSERT_TRUE(trace);
    EXPECT_EQ(trace->operators, 1);
}

TEST(TraceFile, MapsModulesOfAnyDepth)
{
    constexpr int kDeep = 200'000;
    std::string text = "[";
    for (int i = 0; i < kDeep; ++i)
        text += R"({"ph":"X","name":"nn.Module: Model_0","tid":1,"ts":)" + std::to_string(i)
            + ",\"dur\":" + std::to_string(2 * (kDeep - i)) + "},";
    text.back() = ']';
    EXPECT_TRUE(readTraceText(text, "t.json"));
}

class TraceFiles : public testing::Test {
protected:
    TraceFiles() { std::filesystem::create_directory(m_folder); }
    ~TraceFiles() override { std::filesystem::remove_all(m_folder); }
    std::filesystem::path path(const char* name) const { return m_folder / name; }
    // Writes a member of a gzip file for each text.
    std::filesystem::path zipped(const std::vector<std::string>& members) const
    {
        for (std::size_t i = 0; i < members.size(); ++i) {
            gzFile sink = ::gzopen(path("t.json.gz").c_str(), i == 0 ? "wb9" : "ab9");
            ::gzwrite(sink, members[i].data(), static_cast<unsigned>(members[i].size()));
            ::gzclose(sink);
        }
        return path("t.json.gz");
    }

private:
    const std::filesystem::path m_folder =
        std::filesystem::temp_directory_path() / ("ep-trace-files-" + std::to_string(::getpid()));
};

TEST_F(TraceFiles, ReadsGzipInSeveralMembers)
{
    const std::string text = listOf(100);
    const auto trace = spans::readTrace(zipped({text.substr(0, 1000), text.substr(1000)}));
    ASSERT_TRUE(trace) << trace.error().message;
    EXPECT_EQ(trace->operators, 100);
}

TEST_F(TraceFiles, RefusesWhatExpandsWithoutEnd)
{
    const std::string start = "[" + eventOf("10", "2") + R"(,{"name":")";
    const auto trace = spans::readTrace(zipped({start + std::string(80'000'000, 'a') + "\"}]"}));
    ASSERT_FALSE(trace);
    EXPECT_THAT(trace.error().message.english(), testing::HasSubstr("expands to more than 200"));
}

TEST_F(TraceFiles, SaysThatCompressedDataAreDamaged)
{
    const std::filesystem::path file = zipped({listOf(100'000)});
    std::fstream stream(file, std::ios::in | std::ios::out | std::ios::binary);
    stream.seekp(static_cast<std::streamoff>(std::filesystem::file_size(file) / 2));
    stream << "damaged";
    stream.close();
    const auto trace = spans::readTrace(file);
    if (!trace)
        return; // all of it was in the damaged portion
    EXPECT_THAT(trace->notes,
                testing::Contains(testing::AnyOf(testing::HasSubstr("of the file is damaged"),
                                                 testing::HasSubstr("is no JSON"))));
    EXPECT_THAT(trace->notes, testing::Not(testing::Contains(testing::HasSubstr("ends in"))));
}

} // namespace
} // namespace ep::test
