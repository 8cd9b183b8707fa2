// SPDX-License-Identifier: GPL-3.0-or-later
// The user guide's scripts against the real server, with Python's standard library.
#include "app/cli_fixture.h"
#include "support/folders.h"
#include "support/json_schema.h"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include <csignal>
#include <sys/stat.h>

namespace {

using ep::test::CliTest;
using nlohmann::json;
using testing::HasSubstr;

class ServeTest : public CliTest {
protected:
    void serve()
    {
        model();
        std::filesystem::create_directories(folder() / "models");
        std::filesystem::rename(folder() / "tiny", folder() / "models" / "tiny");
        start(m_server,
              {"serve", "--port", "0", "--json", "--token-file", tokenFile(), "--models-dir",
               (folder() / "models").string()});
        constexpr int kPatienceMs = 120'000;
        while (!m_server.canReadLine() && m_server.waitForReadyRead(kPatienceMs)) { }
        const std::string line = m_server.readLine().toStdString();
        EXPECT_EQ(ep::test::schemaProblem(line, "serving.schema.json"), "") << line;
        m_address = json::parse(line).at("address").get<std::string>();
    }

    ~ServeTest() override
    {
        if (m_server.state() != QProcess::NotRunning) {
            m_server.kill();
            m_server.waitForFinished();
        }
    }

    std::string tokenFile() const { return (folder() / "token").string(); }

    // Runs tests/data/api/SCRIPT; returns its exit status.
    int script(const std::string& name)
    {
        QProcess python;
        python.setWorkingDirectory(QString::fromStdString(folder().string()));
        python.start(QStringLiteral("python3"),
                     {QStringLiteral("-B"), // leaves nothing in the source tree
                      QString::fromStdString(ep::test::dataPath("api/") + name),
                      QString::fromStdString(m_address), QString::fromStdString(tokenFile())});
        constexpr int kPatienceMs = 240'000;
        EXPECT_TRUE(python.waitForFinished(kPatienceMs));
        output = python.readAllStandardOutput().toStdString();
        errors = python.readAllStandardError().toStdString();
        return python.exitStatus() == QProcess::NormalExit ? python.exitCode() : -1;
    }

    QProcess m_server;
    std::string m_address;
    std::string output;
    std::string errors;
};

TEST_F(ServeTest, RunsTheScriptsOfTheGuide)
{
    serve();
    struct stat facts = {};
    ASSERT_EQ(::stat(tokenFile().c_str(), &facts), 0);
    EXPECT_EQ(facts.st_mode & 0777U, 0600U);
    EXPECT_EQ(script("batch_profiling.py"), 0) << errors;
    EXPECT_THAT(output, HasSubstr("Completed: tiny"));
    EXPECT_EQ(script("custom_analysis.py"), 0) << errors;
    EXPECT_THAT(output, HasSubstr("Most efficient model: tiny"));
    EXPECT_EQ(script("exporting.py"), 0) << errors;
    EXPECT_EQ(script("cleaning_up.py"), 0) << errors;
    EXPECT_THAT(output, HasSubstr("Deleted old run"));
}

TEST_F(ServeTest, EndsCleanlyWhenTold)
{
    serve();
    m_server.terminate();
    ASSERT_TRUE(m_server.waitForFinished(120'000));
    EXPECT_EQ(m_server.exitCode(), 0);
    EXPECT_EQ(m_server.readAllStandardError().toStdString(), "");
}

} // namespace
