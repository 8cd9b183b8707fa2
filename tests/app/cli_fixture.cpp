// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli_fixture.h"

#include "support/tiny_model.h"

#include "ep/core/uuid.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <fstream>
#include <sstream>

namespace ep::test {

namespace {

QStringList qtList(const std::vector<std::string>& texts)
{
    QStringList list;
    for (const std::string& text : texts)
        list << QString::fromStdString(text);
    return list;
}

} // namespace

std::size_t Outcome::errorLines() const
{
    return static_cast<std::size_t>(std::count(err.begin(), err.end(), '\n'));
}

void PrintTo(const Outcome& outcome, std::ostream* stream)
{
    *stream << "status " << outcome.status << ", error: " << outcome.err;
}

CliTest::CliTest()
    : m_folder(std::filesystem::temp_directory_path() / ("ep-cli-" + makeUuid()))
    , m_environment(QProcessEnvironment::systemEnvironment())
{
    std::filesystem::create_directories(m_folder);
    setEnvironment("EP_DB", database().string());
    setEnvironment("COLUMNS", "1000"); // sentences stay on one line
    setEnvironment("HF_HUB_CACHE", (m_folder / "no-cache").string());
}

CliTest::~CliTest()
{
    std::error_code ignored;
    std::filesystem::remove_all(m_folder, ignored);
}

void CliTest::setEnvironment(const std::string& name, const std::string& value)
{
    m_environment.insert(QString::fromStdString(name), QString::fromStdString(value));
}

testing::Matcher<const Outcome&> CliTest::failsWith(int status, const std::string& text)
{
    return testing::AllOf(testing::Field("status", &Outcome::status, status),
                          testing::Field("err", &Outcome::err, testing::HasSubstr(text)),
                          testing::Property("errorLines", &Outcome::errorLines, 1U));
}

void CliTest::start(QProcess& process, const std::vector<std::string>& arguments)
{
    process.setProcessEnvironment(m_environment);
    process.setWorkingDirectory(QString::fromStdString(m_folder.string()));
    process.start(QStringLiteral(EP_PROGRAM), qtList(arguments));
    ASSERT_TRUE(process.waitForStarted());
}

Outcome CliTest::run(const std::vector<std::string>& arguments, const std::string& input)
{
    QProcess process;
    start(process, arguments);
    process.write(input.data(), static_cast<qint64>(input.size()));
    process.closeWriteChannel();
    return finish(process);
}

Outcome CliTest::finish(QProcess& process, int longestMs)
{
    EXPECT_TRUE(process.waitForFinished(longestMs)) << "it hangs";
    Outcome outcome;
    if (process.state() != QProcess::NotRunning)
        process.kill();
    else if (process.exitStatus() == QProcess::NormalExit)
        outcome.status = process.exitCode();
    outcome.out = process.readAllStandardOutput().toStdString();
    outcome.err = process.readAllStandardError().toStdString();
    return outcome;
}

std::filesystem::path CliTest::model()
{
    const std::filesystem::path folder = m_folder / "tiny";
    if (!std::filesystem::exists(folder)) {
        TinyModel shape;
        shape.max_positions = 65536;
        writeTinyModel(folder, shape);
    }
    return folder;
}

Outcome CliTest::profile(const std::vector<std::string>& more)
{
    std::vector<std::string> arguments = {"run", "--model", model().string(), "--prompt",
                                          "Once upon"};
    if (std::find(more.begin(), more.end(), "--max-new-tokens") == more.end())
        arguments.insert(arguments.end(), {"--max-new-tokens", "8"});
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run(arguments);
}

std::vector<std::string> CliTest::storedIds()
{
    const Outcome outcome = run({"runs", "list", "--json"});
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    std::vector<std::string> ids;
    const auto list = nlohmann::json::parse(outcome.out);
    for (const auto& summary : list.at("runs"))
        ids.push_back(summary.at("info").at("id").get<std::string>());
    return ids;
}

std::vector<std::string> CliTest::filesWith(const std::string& text) const
{
    std::vector<std::string> found;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(m_folder)) {
        const std::string name = entry.path().lexically_relative(m_folder).string();
        if (!entry.is_regular_file() || name.starts_with("tiny/"))
            continue;
        std::ostringstream content;
        content << std::ifstream(entry.path(), std::ios::binary).rdbuf();
        if (content.str().find(text) != std::string::npos)
            found.push_back(name);
    }
    return found;
}

} // namespace ep::test
