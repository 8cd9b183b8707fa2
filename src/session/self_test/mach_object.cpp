// SPDX-License-Identifier: GPL-3.0-or-later
#include "self_test/mach_object.h"

#include <cstdint>
#include <cstring>
#include <fstream>
#include <iterator>

namespace ep::session {

namespace {

// mach-o/loader.h and mach-o/fat.h
constexpr std::uint32_t kMachMagic = 0xFEEDFACF; // in the processor's byte order
constexpr std::uint32_t kFatMagic = 0xCAFEBABE; // the opposite byte order
constexpr std::uint32_t kLoadLibrary = 0x0C;
constexpr std::uint32_t kLoadWeakLibrary = 0x80000018;
constexpr std::uint32_t kReexportLibrary = 0x8000001F;
constexpr std::uint32_t kLoadUpwardLibrary = 0x80000023;
constexpr std::uint32_t kRpath = 0x8000001C;
constexpr std::uint32_t kVersionMinimum = 0x24;
constexpr std::uint32_t kBuildVersion = 0x32;

// Reads beyond the end return 0 and are remembered.
class MachBytes {
public:
    explicit MachBytes(std::string bytes)
        : m_bytes(std::move(bytes))
    {
    }
    std::uint32_t word(std::size_t offset)
    {
        std::uint32_t value = 0;
        if (offset + sizeof(value) > m_bytes.size())
            m_cut = true;
        else
            std::memcpy(&value, m_bytes.data() + offset, sizeof(value));
        return value;
    }
    std::uint32_t turnedWord(std::size_t offset) { return __builtin_bswap32(word(offset)); }
    // Up to a NUL, at most until `end`.
    std::string text(std::size_t offset, std::size_t end)
    {
        if (end > m_bytes.size() || offset > end) {
            m_cut = true;
            return {};
        }
        const std::string whole = m_bytes.substr(offset, end - offset);
        return whole.substr(0, whole.find('\0'));
    }
    bool cut() const { return m_cut; }

private:
    std::string m_bytes;
    bool m_cut = false;
};

std::string versionText(std::uint32_t version)
{
    const std::string text =
        std::to_string(version >> 16) + '.' + std::to_string((version >> 8) & 0xFFU);
    const std::uint32_t patch = version & 0xFFU;
    return patch == 0 ? text : text + '.' + std::to_string(patch);
}

} // namespace

std::optional<MachObject> readMachObject(const std::filesystem::path& file)
{
    std::ifstream stream(file, std::ios::binary);
    MachBytes bytes(std::string(std::istreambuf_iterator<char>(stream), {}));
    std::size_t begin = 0;
    if (bytes.turnedWord(0) == kFatMagic) {
        constexpr std::size_t kFirstOffset = 16; // offset of the first one; they refer to the same
        begin = bytes.turnedWord(kFirstOffset);
    }
    if (bytes.word(begin) != kMachMagic)
        return std::nullopt;
    MachObject object;
    constexpr std::size_t kHeader = 32;
    const std::uint32_t commands = bytes.word(begin + 16);
    std::size_t place = begin + kHeader;
    for (std::uint32_t i = 0; i < commands && !bytes.cut(); ++i) {
        const std::uint32_t command = bytes.word(place);
        const std::size_t end = place + bytes.word(place + 4);
        const auto text = [&] { return bytes.text(place + bytes.word(place + 8), end); };
        switch (command) {
        case kLoadLibrary:
        case kReexportLibrary:
        case kLoadUpwardLibrary:
            object.libraries.push_back({text(), false});
            break;
        case kLoadWeakLibrary:
            object.libraries.push_back({text(), true});
            break;
        case kRpath:
            object.rpaths.push_back(text());
            break;
        case kVersionMinimum:
            object.minimum = versionText(bytes.word(place + 8));
            break;
        case kBuildVersion:
            object.minimum = versionText(bytes.word(place + 12));
            break;
        default:
            break;
        }
        if (end <= place)
            return std::nullopt;
        place = end;
    }
    return bytes.cut() ? std::nullopt : std::optional(object);
}

} // namespace ep::session
