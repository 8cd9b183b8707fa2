// SPDX-License-Identifier: GPL-3.0-or-later
// The page at /live in a real Chromium, driven through its DevTools. Skipped where there is none;
// EP_CHROMIUM names one.
#include "api/api_fixture.h"

#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QStandardPaths>

#include <gmock/gmock.h>

#include <cstdlib>

namespace ep::test {

namespace {

using nlohmann::json;
using testing::HasSubstr;

QString findChromium()
{
    if (const char* named = std::getenv("EP_CHROMIUM"))
        return QString::fromLocal8Bit(named);
    for (const char* name : {"chromium", "chromium-browser", "google-chrome"}) {
        const QString found = QStandardPaths::findExecutable(QString::fromLatin1(name));
        if (!found.isEmpty())
            return found;
    }
    return {};
}

// A headless browser and one page in it.
class Browser {
public:
    explicit Browser(const std::filesystem::path& profile)
    {
        m_process.start(
            findChromium(),
            {QStringLiteral("--headless"), QStringLiteral("--no-sandbox"),
             QStringLiteral("--disable-gpu"), QStringLiteral("--disable-dev-shm-usage"),
             QStringLiteral("--no-first-run"), QStringLiteral("--remote-debugging-port=0"),
             QStringLiteral("--user-data-dir=") + QString::fromStdString(profile.string())});
        QByteArray said;
        const QByteArray mark = "DevTools listening on ";
        spinUntil([&] {
            said += m_process.readAllStandardError();
            const auto begin = said.indexOf(mark);
            return m_process.state() == QProcess::NotRunning
                || (begin >= 0 && said.indexOf('\n', begin) > 0);
        });
        const auto begin = said.indexOf(mark) + mark.size();
        m_socket.open(
            QUrl(QString::fromUtf8(said.mid(begin, said.indexOf('\n', begin) - begin).trimmed())));
        EXPECT_TRUE(spinUntil([&] { return m_socket.isValid(); })) << said.toStdString();
        QObject::connect(&m_socket, &QWebSocket::textMessageReceived, &m_socket,
                         [this](const QString& text) {
                             const json message = json::parse(text.toStdString());
                             if (message.contains("id"))
                                 m_answers[message.at("id")] = message;
                         });
    }
    ~Browser()
    {
        m_process.kill();
        m_process.waitForFinished();
    }

    void open(const std::string& url)
    {
        const json target = call("Target.createTarget", {{"url", url}});
        m_session =
            call("Target.attachToTarget", {{"targetId", target.at("targetId")}, {"flatten", true}})
                .at("sessionId");
    }

    json evaluate(const std::string& script)
    {
        const json answer =
            call("Runtime.evaluate", {{"expression", script}, {"returnByValue", true}});
        return answer.contains("result") ? answer.at("result").value("value", json()) : json();
    }

private:
    json call(const std::string& method, const json& parameters)
    {
        const int id = ++m_calls;
        json request{{"id", id}, {"method", method}, {"params", parameters}};
        if (!m_session.empty())
            request["sessionId"] = m_session;
        m_socket.sendTextMessage(QString::fromStdString(request.dump()));
        EXPECT_TRUE(spinUntil([&] { return m_answers.contains(id); })) << method;
        return m_answers[id].value("result", json::object());
    }

    QProcess m_process;
    QWebSocket m_socket;
    std::map<int, json> m_answers;
    std::string m_session;
    int m_calls = 0;
};

class BrowserTest : public ApiTest {
protected:
    void SetUp() override
    {
        if (findChromium().isEmpty())
            GTEST_SKIP() << "there is no Chromium here";
        serve();
    }
    std::string page() const { return "http://" + host() + "/live"; }
};

std::size_t operationsOf(const json& run)
{
    std::size_t operations = 0;
    for (const json& token : run.at("tokens")) {
        for (const json& layer : token.at("layers")) {
            for (const json& component : layer.at("components"))
                operations += component.value("operations", json::array()).size();
        }
    }
    return operations;
}

constexpr const char* kState = "document.getElementById('state').textContent";

TEST_F(BrowserTest, ShowsARunWhileItGoesOn)
{
    Browser browser(folder() / "browser");
    browser.open(page() + "#token=" + token());
    ASSERT_TRUE(spinUntil([&] { return browser.evaluate(kState) == "open"; }));
    EXPECT_EQ(browser.evaluate("location.href"), page())
        << "the token does not stay in the address";
    const std::string id = generate({{"max_new_tokens", 12}, {"profiling_depth", "deep"}});
    ASSERT_TRUE(spinUntil([&] {
        return browser.evaluate("document.getElementById('section').textContent") == "complete";
    }));
    EXPECT_EQ(browser.evaluate("document.getElementById('run').textContent"), id);
    EXPECT_EQ(browser.evaluate("document.getElementById('tokens').textContent"), "12");
    const json run = ask("GET", "/api/profiling/run/" + id).json().at("run");
    EXPECT_EQ(browser.evaluate("document.getElementById('text').textContent"),
              run.at("info").at("response"));
    EXPECT_EQ(browser.evaluate("document.getElementById('operations').textContent"),
              std::to_string(operationsOf(run)));
}

TEST_F(BrowserTest, OpensWithTheTokenAndFromThereOnly)
{
    const auto outcomeIn = [this](Browser& browser, const std::string& word) {
        browser.evaluate("window.outcome = 'waiting';"
                         "window.socket = new WebSocket('ws://"
                         + host() + "/ws/profiling', ['energy-profiler', 'token." + word + R"(']);
                         window.socket.onopen = () => { window.outcome = "open"; };
                         window.socket.onclose = () => { window.outcome = "closed"; };)");
        EXPECT_TRUE(spinUntil([&] { return browser.evaluate("window.outcome") != "waiting"; }));
        return browser.evaluate("window.outcome");
    };
    const auto shows = [](Browser& browser, const std::string& words) {
        return spinUntil([&] {
            const json text = browser.evaluate("document.readyState + document.body.textContent");
            return text.is_string() && text.get<std::string>().starts_with("complete")
                && text.get<std::string>().find(words) != std::string::npos;
        });
    };
    Browser here(folder() / "here");
    here.open(page());
    ASSERT_TRUE(shows(here, "Operations"));
    EXPECT_EQ(outcomeIn(here, token()), "open");
    EXPECT_EQ(outcomeIn(here, "wrong"), "closed");
    Browser elsewhere(folder() / "elsewhere");
    elsewhere.open("data:text/html,elsewhere");
    ASSERT_TRUE(shows(elsewhere, "elsewhere"));
    EXPECT_EQ(outcomeIn(elsewhere, token()), "closed");
}

} // namespace

} // namespace ep::test
