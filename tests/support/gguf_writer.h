// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

// Writes GGUF files of version 3 for tests, from keys and values as the format names them.
namespace ep::test {

class GgufWriter {
public:
    void number(std::string_view key, std::uint32_t value);
    void real(std::string_view key, float value);
    void flag(std::string_view key, bool value);
    void text(std::string_view key, std::string_view value);
    void texts(std::string_view key, const std::vector<std::string>& values);
    void reals(std::string_view key, const std::vector<float>& values);
    void numbers(std::string_view key, const std::vector<std::int32_t>& values);

    // extents: innermost first; type: ggml's number, 0 is F32
    void tensor(std::string_view name, std::uint32_t type, const std::vector<std::int64_t>& extents,
                std::vector<std::byte> bytes);
    void tensor(std::string_view name, const std::vector<std::int64_t>& extents,
                const std::vector<float>& values);

    std::string bytes() const;
    void write(const std::filesystem::path& file) const;

private:
    void key(std::string_view name, std::uint32_t type);

    std::uint64_t m_keys = 0;
    std::uint64_t m_tensors = 0;
    std::string m_pairs;
    std::string m_places;
    std::string m_data;
};

// The keys of a small model, with only one of its tensors.
GgufWriter smallGguf(const std::string& architecture = "llama", std::uint32_t blocks = 2);

} // namespace ep::test
