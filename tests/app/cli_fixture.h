// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QProcess>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <ostream>
#include <string>
#include <vector>

namespace ep::test {

// What a finished command returned: exit status (-1: killed by a signal) and both streams.
struct Outcome {
    int status = -1;
    std::string out;
    std::string err;

    std::size_t errorLines() const;
};
void PrintTo(const Outcome& outcome, std::ostream* stream);

// Starts the real program in its own folder with its own database.
class CliTest : public testing::Test {
protected:
    CliTest();
    ~CliTest() override;

    Outcome run(const std::vector<std::string>& arguments, const std::string& input = {});
    // Starts the program like run(), for tests that observe it while it is running.
    void start(QProcess& process, const std::vector<std::string>& arguments);
    static Outcome finish(QProcess& process, int longestMs = 300'000);
    void setEnvironment(const std::string& name, const std::string& value);
    // This exit status and one line on stderr, which contains the text.
    static testing::Matcher<const Outcome&> failsWith(int status, const std::string& text = {});

    std::filesystem::path folder() const { return m_folder; }
    std::filesystem::path database() const { return m_folder / "data" / "runs.db"; }
    // A tiny model, written on the first call.
    std::filesystem::path model();
    // run --model (tiny) --prompt "Once upon" and further arguments; eight tokens by default.
    Outcome profile(const std::vector<std::string>& more);
    // Files in the folder that contain this text, apart from those of the model.
    std::vector<std::string> filesWith(const std::string& text) const;
    // Ids of the stored runs, newest first.
    std::vector<std::string> storedIds();

private:
    std::filesystem::path m_folder;
    QProcessEnvironment m_environment;
};

} // namespace ep::test
