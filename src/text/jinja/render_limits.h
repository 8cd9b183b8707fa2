// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>

namespace ep::text::jinja {

// Limits of one rendering, so that no template can hang the program, exhaust the memory or overflow
// the stack (half a megabyte on some threads).
struct Limits {
    std::size_t steps = 5'000'000; // evaluation steps; long texts count as several
    std::size_t outputBytes = 16U << 20U;
    int depth = 200; // nesting depth of blocks, expressions and macro calls
};

constexpr std::size_t kMaxTemplateBytes = 1U << 20U;
constexpr int kMaxNesting = 100; // nesting of a template during parsing
constexpr int kMaxValueDepth = 64; // nesting of lists
constexpr std::size_t kMaxRange = 100'000; // as in Jinja's sandbox
constexpr std::size_t kMaxTextBytes = 16U << 20U; // per value

// Aborts parsing or rendering; caught in template.cpp and converted to an Error there.
class Failure : public std::runtime_error {
public:
    explicit Failure(const std::string& message, int line = 0)
        : std::runtime_error(message)
        , m_line(line)
    {
    }
    int line() const { return m_line; } // 0: the current line of the evaluation

private:
    int m_line;
};

// Fails if a text of this size is too long.
inline void requireTextSize(std::size_t bytes)
{
    if (bytes > kMaxTextBytes)
        throw Failure("a text grows too long");
}

// The template called raise_exception().
class Refusal : public Failure {
public:
    using Failure::Failure;
};

} // namespace ep::text::jinja
