// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/core/user_file.h"

#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

namespace ep::test {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

class UserFileTest : public testing::Test {
protected:
    UserFileTest() { fs::create_directory(m_folder); }
    ~UserFileTest() override { fs::remove_all(m_folder); }
    fs::path path(const char* name) const { return m_folder / name; }

private:
    const fs::path m_folder =
        fs::temp_directory_path() / ("ep-user-file-" + std::to_string(::getpid()));
};

TEST_F(UserFileTest, OpensOrdinaryFilesOnly)
{
    std::ofstream(path("text")) << "words";
    fs::create_symlink("text", path("link"));
    fs::create_symlink("link2", path("link2"));
    fs::create_directory(path("folder"));
    ASSERT_EQ(::mkfifo(path("pipe").c_str(), 0600), 0);
    fs::create_symlink("pipe", path("to a pipe"));
    const int listening = ::socket(AF_UNIX, SOCK_STREAM, 0);
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    path("socket").string().copy(address.sun_path, sizeof address.sun_path - 1);
    ASSERT_EQ(::bind(listening, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
    const std::pair<fs::path, const char*> kCases[] = {
        {path("text"), ""},
        {path("link"), ""},
        {path("link2"), "cannot be read"},
        {path("absent"), "No such file"},
        {path("text/x"), "cannot be read"},
        {path("folder"), "is a folder"},
        {path("pipe"), "is a pipe or a device"},
        {path("to a pipe"), "is a pipe or a device"},
        {path("socket"), "is a pipe or a device"},
        {"/dev/zero", "is a pipe or a device"},
        {"/dev/null", "is a pipe or a device"},
    };
    for (const auto& [file, problem] : kCases) {
        const auto opened = UserFile::open(file);
        EXPECT_EQ(opened.has_value(), *problem == '\0') << file;
        if (!opened) {
            EXPECT_THAT(opened.error().message.english(), HasSubstr(problem));
            EXPECT_FALSE(readTextFile(file)) << file;
        }
    }
    ::close(listening);
}

TEST_F(UserFileTest, ReadsAsAStream)
{
    const std::string text = std::string(200'000, 'a') + "end";
    std::ofstream(path("text")) << text;
    UserFileStream stream(*UserFile::open(path("text")));
    std::string all{std::istreambuf_iterator<char>(stream), {}};
    EXPECT_EQ(all, text);
    EXPECT_EQ(*readTextFile(path("text")), text);
}

// <(command) of a shell.
TEST_F(UserFileTest, ReadsAPipeThatIsOpenAlready)
{
    int ends[2];
    ASSERT_EQ(::pipe(ends), 0);
    ASSERT_EQ(::write(ends[1], "words", 5), 5);
    ::close(ends[1]);
    const auto text = readTextFile("/dev/fd/" + std::to_string(ends[0]));
    ::close(ends[0]);
    ASSERT_TRUE(text) << text.error().message;
    EXPECT_EQ(*text, "words");
}

} // namespace
} // namespace ep::test
