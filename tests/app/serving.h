// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "attach/raw_client.h"

#include <QProcess>

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace ep::test {

struct ServedAnswer {
    int status = 0; // 0: none
    std::string body;
};

// The server in a separate process, and a client with its token. All calls block.
class Serving {
public:
    // The command that serves the models of the folder, with a token file in another folder.
    static std::vector<std::string> command(const std::filesystem::path& models,
                                            const std::filesystem::path& folder);
    // Waits until the process serves; port() is 0 if it never does. The destructor ends it.
    Serving(QProcess& process, const std::filesystem::path& folder);
    ~Serving();
    Serving(const Serving&) = delete;
    Serving& operator=(const Serving&) = delete;

    std::uint16_t port() const { return m_port; }
    ServedAnswer get(const std::string& target) const { return ask("GET", target, {}); }
    // Generates with the model of this name and waits for the end of the run.
    ServedAnswer generate(const std::string& model, int newTokens) const;
    int end(); // asks it to end; its exit status (-1: none)

private:
    ServedAnswer ask(const std::string& method, const std::string& target,
                     const std::string& body) const;

    QProcess& m_process;
    std::uint16_t m_port = 0;
    std::string m_token;
};

} // namespace ep::test
