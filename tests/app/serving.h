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

// The server as a process of its own, and a client that has its token. Blocks.
class Serving {
public:
    // What starts it with the models in a folder, and its token file in another one.
    static std::vector<std::string> command(const std::filesystem::path& models,
                                            const std::filesystem::path& folder);
    // Waits until the process serves; port() is 0 if it never does. Ends it at last.
    Serving(QProcess& process, const std::filesystem::path& folder);
    ~Serving();
    Serving(const Serving&) = delete;
    Serving& operator=(const Serving&) = delete;

    std::uint16_t port() const { return m_port; }
    ServedAnswer get(const std::string& target) const { return ask("GET", target, {}); }
    // A run of the model with this name; waits for its end.
    ServedAnswer generate(const std::string& model, int newTokens) const;
    int end(); // tells it to end; its exit status, -1: none

private:
    ServedAnswer ask(const std::string& method, const std::string& target,
                     const std::string& body) const;

    QProcess& m_process;
    std::uint16_t m_port = 0;
    std::string m_token;
};

} // namespace ep::test
