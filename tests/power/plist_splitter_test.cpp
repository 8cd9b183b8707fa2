// SPDX-License-Identifier: GPL-3.0-or-later
#include "support/fake_powermetrics_document.h"

#include "ep/power/plist_splitter.h"

#include <gmock/gmock.h>

#include <string>
#include <vector>

namespace ep::power {
namespace {

using ep::test::fakeDocument;
using ep::test::fakeStream;
using ep::test::FakeSystem;
using std::string_literals::operator""s;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

std::vector<std::string> drain(PlistSplitter& splitter)
{
    std::vector<std::string> documents;
    while (const auto document = splitter.next())
        documents.emplace_back(*document);
    return documents;
}

std::vector<std::string> split(const std::string& stream)
{
    PlistSplitter splitter;
    splitter.append(stream);
    splitter.finish();
    return drain(splitter);
}

const std::string kSmall = "<?xml version=\"1.0\"?>\n<plist><dict/></plist>\n";

TEST(PlistSplitter, DeliversADocumentBeforeTheNulOfTheNextOne)
{
    PlistSplitter splitter;
    splitter.append(kSmall);
    EXPECT_THAT(drain(splitter), ElementsAre(kSmall));
    splitter.append("\0"s);
    EXPECT_THAT(drain(splitter), IsEmpty());
    splitter.append(kSmall);
    EXPECT_THAT(drain(splitter), ElementsAre(kSmall));
}

TEST(PlistSplitter, IsIndifferentToWhereTheBytesAreCut)
{
    const auto stream = fakeStream({{.cpu_mj = 1}, {.cpu_mj = 2}, {.cpu_mj = 3}},
                                   FakeSystem::Unsupported); // the smallest system
    const std::vector<std::string> expected = split(stream);
    ASSERT_EQ(expected.size(), 3u);
    EXPECT_EQ(expected[1], fakeDocument({.cpu_mj = 2}, FakeSystem::Unsupported));
    for (std::size_t cut = 0; cut <= stream.size(); ++cut) {
        PlistSplitter splitter;
        splitter.append(stream.substr(0, cut));
        auto documents = drain(splitter);
        splitter.append(stream.substr(cut));
        for (auto& document : drain(splitter))
            documents.push_back(std::move(document));
        ASSERT_EQ(documents, expected) << "cut at " << cut;
        ASSERT_EQ(splitter.message(), "") << "cut at " << cut;
    }
}

TEST(PlistSplitter, TakesSingleBytes)
{
    const auto stream = fakeStream({{.cpu_mj = 1}, {.cpu_mj = 2}});
    PlistSplitter splitter;
    std::vector<std::string> documents;
    for (const char byte : stream) {
        splitter.append({&byte, 1});
        for (auto& document : drain(splitter))
            documents.push_back(std::move(document));
    }
    EXPECT_EQ(documents, split(stream));
}

TEST(PlistSplitter, DiscardsAnUnfinishedTailWhereverItEnds)
{
    const auto first = fakeDocument({.cpu_mj = 1}, FakeSystem::Unsupported);
    const auto second = "\0"s + first;
    // The line that ends a document needs no newline if nothing follows.
    const auto complete = second.size() - 1;
    for (std::size_t length = 0; length < complete; ++length) {
        PlistSplitter splitter;
        splitter.append(first + second.substr(0, length));
        splitter.finish();
        ASSERT_THAT(drain(splitter), ElementsAre(first)) << length;
    }
    EXPECT_EQ(split(first + second.substr(0, complete)).size(), 2u);
}

TEST(PlistSplitter, CountsTheTailItDiscards)
{
    PlistSplitter splitter;
    splitter.append(kSmall + kSmall.substr(0, 30));
    EXPECT_EQ(drain(splitter).size(), 1u);
    EXPECT_EQ(splitter.discarded(), 0);
    splitter.finish();
    EXPECT_EQ(drain(splitter).size(), 0u);
    EXPECT_EQ(splitter.discarded(), 1);
}

struct Separator {
    const char* name;
    std::string text;
};

class PlistSplitterSeparators : public ::testing::TestWithParam<Separator> { };

TEST_P(PlistSplitterSeparators, AreDropped)
{
    const auto stream = GetParam().text + kSmall + GetParam().text + kSmall + GetParam().text;
    const auto documents = split(stream);
    ASSERT_EQ(documents.size(), 2u);
    EXPECT_EQ(documents[0].substr(0, 5), "<?xml");
    EXPECT_EQ(documents[1].substr(0, 5), "<?xml");
}

INSTANTIATE_TEST_SUITE_P(All, PlistSplitterSeparators,
                         ::testing::Values(Separator{"nothing", ""}, Separator{"nul", "\0"s},
                                           Separator{"nuls", "\0\0\0"s},
                                           Separator{"nulAndNewline", "\0\n"s},
                                           Separator{"blanks", " \t\r\n\n"s}),
                         [](const auto& test) { return test.param.name; });

TEST(PlistSplitter, AcceptsFilesThatOthersTouched)
{
    const std::string bare = kSmall.substr(0, kSmall.size() - 1);
    EXPECT_EQ(split(bare + kSmall).size(), 2u) << "newline between two documents lost";
    EXPECT_EQ(split(bare + "\r\n" + bare + "\r\n").size(), 2u) << "line ends of Windows";
    EXPECT_EQ(split(bare + "\0"s + bare).size(), 2u) << "only the NUL left";
    EXPECT_EQ(split("<plist><dict/></plist>\n<plist><dict/></plist>").size(), 2u) << "bare";
    EXPECT_EQ(split(bare + "<?xm").size(), 0u) << "half a declaration behind it";
}

TEST(PlistSplitter, TakesAnEndTagInsideOfTextForText)
{
    const std::string odd = "<?xml version=\"1.0\"?>\n<plist><string></plist></string></plist>\n";
    EXPECT_THAT(split(odd + kSmall), ElementsAre(odd, kSmall));
}

TEST(PlistSplitter, DropsADocumentThatTheNextOneInterrupts)
{
    PlistSplitter splitter;
    splitter.append(kSmall.substr(0, 35) + "\0"s + kSmall);
    EXPECT_THAT(drain(splitter), ElementsAre(kSmall));
    EXPECT_EQ(splitter.discarded(), 1);
}

TEST(PlistSplitter, KeepsTextOutsideOfDocuments)
{
    PlistSplitter splitter;
    splitter.append("powermetrics must be inv");
    EXPECT_THAT(drain(splitter), IsEmpty());
    splitter.append("oked as the superuser\n");
    EXPECT_THAT(drain(splitter), IsEmpty());
    EXPECT_EQ(splitter.message(), "powermetrics must be invoked as the superuser\n");
    splitter.append(kSmall + "Second <odd> line\n" + kSmall);
    EXPECT_THAT(drain(splitter), ElementsAre(kSmall, kSmall));
    EXPECT_EQ(splitter.message(),
              "powermetrics must be invoked as the superuser\nSecond <odd> line\n");
}

TEST(PlistSplitter, HoldsBoundedMemory)
{
    PlistSplitter splitter;
    const std::string junk(1 << 20, 'x');
    for (int i = 0; i < 20; ++i) {
        splitter.append(junk);
        EXPECT_THAT(drain(splitter), IsEmpty());
    }
    EXPECT_LE(splitter.message().size(), PlistSplitter::kMaxMessageBytes);
    splitter.append("<?xml ");
    for (int i = 0; i < 20; ++i) {
        splitter.append(junk);
        EXPECT_THAT(drain(splitter), IsEmpty());
    }
    EXPECT_GE(splitter.discarded(), 1);
    splitter.append(kSmall);
    EXPECT_THAT(drain(splitter), ElementsAre(kSmall));
}

} // namespace
} // namespace ep::power
