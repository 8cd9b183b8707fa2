// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/serving.h"

#include <nlohmann/json.hpp>

#include <cstdlib>
#include <fstream>

namespace ep::test {

namespace {

constexpr int kServingMs = 120'000;

std::filesystem::path tokenFileIn(const std::filesystem::path& folder)
{
    return folder / "api-token";
}

} // namespace

std::vector<std::string> Serving::command(const std::filesystem::path& models,
                                          const std::filesystem::path& folder)
{
    return {"serve",        "--port",       "0",
            "--json",       "--token-file", tokenFileIn(folder).string(),
            "--models-dir", models.string()};
}

Serving::Serving(QProcess& process, const std::filesystem::path& folder)
    : m_process(process)
{
    while (!m_process.canReadLine() && m_process.waitForReadyRead(kServingMs)) { }
    const auto line = nlohmann::json::parse(m_process.readLine().toStdString(), nullptr, false);
    if (line.is_object())
        m_port = line.at("port").get<std::uint16_t>();
    std::ifstream(tokenFileIn(folder)) >> m_token;
}

Serving::~Serving()
{
    if (m_process.state() == QProcess::NotRunning)
        return;
    m_process.kill();
    m_process.waitForFinished();
}

ServedAnswer Serving::ask(const std::string& method, const std::string& target,
                          const std::string& body) const
{
    RawClient client(m_port);
    client.send(method + ' ' + target + " HTTP/1.1\r\nHost: 127.0.0.1:" + std::to_string(m_port)
                + "\r\nAuthorization: Bearer " + m_token
                + "\r\nContent-Type: application/json\r\nContent-Length: "
                + std::to_string(body.size()) + "\r\n\r\n" + body);
    const RawAnswer answer = client.receive();
    constexpr std::size_t kStatus = 9; // "HTTP/1.1 200"
    if (answer.head.size() < kStatus)
        return {};
    return {std::atoi(answer.head.c_str() + kStatus), answer.body};
}

ServedAnswer Serving::generate(const std::string& model, int newTokens) const
{
    return ask("POST", "/api/profiling/generate",
               nlohmann::json{{"model_name", model},
                              {"prompt", "Once upon"},
                              {"max_new_tokens", newTokens},
                              {"power_source", "none"},
                              {"profiling_depth", "none"}}
                   .dump());
}

int Serving::end()
{
    m_process.terminate();
    if (!m_process.waitForFinished(kServingMs) || m_process.exitStatus() != QProcess::NormalExit)
        return -1;
    return m_process.exitCode();
}

} // namespace ep::test
