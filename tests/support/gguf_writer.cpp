// SPDX-License-Identifier: GPL-3.0-or-later
#include "support/gguf_writer.h"

#include <cstring>
#include <fstream>
#include <stdexcept>

namespace ep::test {
namespace {

constexpr std::size_t kAlignment = 32;
constexpr std::uint32_t kInt32 = 5;
constexpr std::uint32_t kFloat32 = 6;
constexpr std::uint32_t kString = 8;
constexpr std::uint32_t kList = 9;

template <typename T>
void append(std::string& out, T value)
{
    out.append(reinterpret_cast<const char*>(&value), sizeof value);
}

void appendText(std::string& out, std::string_view text)
{
    append(out, static_cast<std::uint64_t>(text.size()));
    out += text;
}

void align(std::string& out)
{
    out.resize((out.size() + kAlignment - 1) / kAlignment * kAlignment, '\0');
}

} // namespace

void GgufWriter::key(std::string_view name, std::uint32_t type)
{
    ++m_keys;
    appendText(m_pairs, name);
    append(m_pairs, type);
}

void GgufWriter::number(std::string_view name, std::uint32_t value)
{
    key(name, 4);
    append(m_pairs, value);
}

void GgufWriter::real(std::string_view name, float value)
{
    key(name, kFloat32);
    append(m_pairs, value);
}

void GgufWriter::flag(std::string_view name, bool value)
{
    key(name, 7);
    append(m_pairs, static_cast<std::uint8_t>(value));
}

void GgufWriter::text(std::string_view name, std::string_view value)
{
    key(name, kString);
    appendText(m_pairs, value);
}

void GgufWriter::texts(std::string_view name, const std::vector<std::string>& values)
{
    key(name, kList);
    append(m_pairs, kString);
    append(m_pairs, static_cast<std::uint64_t>(values.size()));
    for (const std::string& value : values)
        appendText(m_pairs, value);
}

void GgufWriter::reals(std::string_view name, const std::vector<float>& values)
{
    key(name, kList);
    append(m_pairs, kFloat32);
    append(m_pairs, static_cast<std::uint64_t>(values.size()));
    for (const float value : values)
        append(m_pairs, value);
}

void GgufWriter::numbers(std::string_view name, const std::vector<std::int32_t>& values)
{
    key(name, kList);
    append(m_pairs, kInt32);
    append(m_pairs, static_cast<std::uint64_t>(values.size()));
    for (const std::int32_t value : values)
        append(m_pairs, value);
}

void GgufWriter::tensor(std::string_view name, std::uint32_t type,
                        const std::vector<std::int64_t>& extents, std::vector<std::byte> bytes)
{
    ++m_tensors;
    align(m_data);
    appendText(m_places, name);
    append(m_places, static_cast<std::uint32_t>(extents.size()));
    for (const std::int64_t extent : extents)
        append(m_places, static_cast<std::uint64_t>(extent));
    append(m_places, type);
    append(m_places, static_cast<std::uint64_t>(m_data.size()));
    m_data.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
}

void GgufWriter::tensor(std::string_view name, const std::vector<std::int64_t>& extents,
                        const std::vector<float>& values)
{
    std::vector<std::byte> bytes(values.size() * sizeof(float));
    std::memcpy(bytes.data(), values.data(), bytes.size());
    tensor(name, 0, extents, std::move(bytes));
}

std::string GgufWriter::bytes() const
{
    std::string file = "GGUF";
    append(file, std::uint32_t{3});
    append(file, m_tensors);
    append(file, m_keys);
    file += m_pairs;
    file += m_places;
    align(file);
    return file + m_data;
}

void GgufWriter::write(const std::filesystem::path& file) const
{
    std::ofstream out(file, std::ios::binary);
    const std::string all = bytes();
    out.write(all.data(), static_cast<std::streamsize>(all.size()));
    if (!out.flush())
        throw std::runtime_error("cannot write " + file.string());
}

GgufWriter smallGguf(const std::string& architecture, std::uint32_t blocks)
{
    GgufWriter writer;
    const std::string prefix = architecture + ".";
    writer.text("general.architecture", architecture);
    writer.number(prefix + "embedding_length", 32);
    writer.number(prefix + "block_count", blocks);
    writer.number(prefix + "attention.head_count", 4);
    writer.number(prefix + "feed_forward_length", 64);
    writer.number(prefix + "context_length", 128);
    writer.tensor("token_embd.weight", {32, 10}, std::vector<float>(320));
    return writer;
}

} // namespace ep::test
