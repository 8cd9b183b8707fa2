// SPDX-License-Identifier: GPL-3.0-or-later
// GPTQ and AWQ: 32-bit words whose rows are inputs, while rows are outputs in this program.
#include "packed/unpacking.h"

#include <array>
#include <utility>

namespace ep::model {
namespace {

// The parts of a matrix that both methods have.
struct Grouped {
    Part words; // I32
    Part zeros; // I32, packed along the outputs [groups, outputs per word]
    Part scales; // [groups, outputs]
    Part order; // GPTQ: group of each input; may be absent
    Affine shape;
    bool oneLess = false; // zeros are stored minus one

    float scale(std::int64_t row, std::int64_t group) const
    {
        return floatAt(*scales, group * shape.rows + row);
    }
    std::int64_t group(std::int64_t input) const
    {
        return order ? wholeAt(*order, input) : input / shape.group;
    }
};

// Takes zeros and scales, whose shapes follow from the words and the size of a group.
Status takeGrouped(const PackedSettings& settings, PackedFields& fields, Grouped& grouped)
{
    const std::int64_t columns = fields.size("columns");
    const std::int64_t group = settings.group <= 0 ? columns : settings.group;
    grouped.shape = {
        .rows = fields.size("rows"), .columns = columns, .bits = settings.bits, .group = group};
    return fields.set("groups", (columns + group - 1) / group)
        .take(".qzeros", grouped.zeros)
        .take(".scales", grouped.scales)
        .status();
}

Status putLazily(PackedFields& fields, const Grouped& grouped, bool fits,
                 std::function<Result<Entry>()> unpack)
{
    Entry entry = *grouped.words;
    entry.tensor.dtype = fits ? "MLX" + std::to_string(grouped.shape.bits) : "F32";
    entry.tensor.shape = {grouped.shape.rows, grouped.shape.columns};
    entry.unpack = std::move(unpack);
    return fields.put(std::move(entry));
}

// --- GPTQ ----------------------------------------------------------------------------------------

float gptqZero(const Grouped& g, std::int64_t row, std::int64_t group)
{
    const int bits = g.shape.bits;
    const std::int64_t inWord = kPackedWordBits / bits;
    std::uint32_t word = wordAt(*g.zeros, group * (g.shape.rows / inWord) + row / inWord);
    if (g.oneLess) // within the word's bits, since it was subtracted there
        word += bits == 2 ? 0x55555555U : bits == 4 ? 0x11111111U : 0x01010101U;
    const auto shift = static_cast<unsigned>(row % inWord * bits);
    return static_cast<float>(word >> shift & ((1U << bits) - 1U));
}

// A word holds the numbers of adjacent inputs, as in MLX, so whole words are moved.
Entry gptqInOrder(const Grouped& g)
{
    Entry entry;
    entry.file = g.words->file;
    const std::int64_t words = g.shape.columns * g.shape.bits / kPackedWordBits; // words per output
    const auto memory =
        memoryFor(entry, static_cast<std::size_t>(g.shape.rows * words) * sizeof(std::uint32_t));
    auto* const out = reinterpret_cast<std::uint32_t*>(memory->data());
    constexpr std::int64_t kTile = 16; // words of one output that fill a cache line
    for (std::int64_t first = 0; first < words; first += kTile) {
        for (std::int64_t row = 0; row < g.shape.rows; ++row) {
            for (std::int64_t word = first; word < std::min(words, first + kTile); ++word)
                out[row * words + word] = wordAt(*g.words, word * g.shape.rows + row);
        }
    }
    addGroups(
        g.shape, [&](std::int64_t row, std::int64_t group) { return g.scale(row, group); },
        [&](std::int64_t row, std::int64_t group) { return gptqZero(g, row, group); }, entry);
    return entry;
}

Entry gptqInAnyOrder(const Grouped& g)
{
    const int bits = g.shape.bits;
    const std::int64_t inWord = kPackedWordBits / bits;
    return plainEntry(
        *g.words, g.shape.rows, g.shape.columns, [&](std::int64_t row, float* values) {
            for (std::int64_t i = 0; i < g.shape.columns; ++i) {
                const std::uint32_t word = wordAt(*g.words, i / inWord * g.shape.rows + row);
                const std::uint32_t q = word >> (i % inWord * bits) & ((1U << bits) - 1U);
                const std::int64_t group = g.group(i);
                values[i] = g.scale(row, group) * (static_cast<float>(q) - gptqZero(g, row, group));
            }
        });
}

// --- AWQ -----------------------------------------------------------------------------------------

// A word has eight adjacent outputs, in this order from the lowest bits.
constexpr std::array<int, 8> kAwqOrder{0, 2, 4, 6, 1, 3, 5, 7};

constexpr std::array<int, 8> awqShifts()
{
    std::array<int, 8> shifts{};
    for (std::size_t place = 0; place < kAwqOrder.size(); ++place)
        shifts[static_cast<std::size_t>(kAwqOrder[place])] = static_cast<int>(4 * place);
    return shifts;
}

std::uint32_t awqNumber(const Entry& words, std::int64_t outputs, std::int64_t line,
                        std::int64_t output)
{
    static constexpr std::array<int, 8> kShifts = awqShifts();
    const std::uint32_t word = wordAt(words, line * (outputs / 8) + output / 8);
    return word >> kShifts[static_cast<std::size_t>(output % 8)] & 15U;
}

Entry awqEntry(const Grouped& g)
{
    const std::int64_t outputs = g.shape.rows;
    const auto zero = [&](std::int64_t row, std::int64_t group) {
        return static_cast<float>(awqNumber(*g.zeros, outputs, group, row));
    };
    const auto scale = [&](std::int64_t row, std::int64_t group) { return g.scale(row, group); };
    if (!g.shape.fits()) {
        return plainEntry(*g.words, outputs, g.shape.columns, [&](std::int64_t row, float* values) {
            for (std::int64_t i = 0; i < g.shape.columns; ++i) {
                const std::int64_t group = i / g.shape.group;
                values[i] = scale(row, group)
                    * (static_cast<float>(awqNumber(*g.words, outputs, i, row)) - zero(row, group));
            }
        });
    }
    Entry entry;
    entry.file = g.words->file;
    const auto memory = memoryFor(entry, static_cast<std::size_t>(outputs * g.shape.columns / 2));
    auto* const out = reinterpret_cast<std::uint8_t*>(memory->data());
    const std::int64_t rowBytes = g.shape.columns / 2;
    for (std::int64_t first = 0; first < outputs; first += 8) { // outputs of one word
        for (std::int64_t i = 0; i < g.shape.columns; ++i) {
            const std::uint32_t word = wordAt(*g.words, (i * outputs + first) / 8);
            for (int place = 0; place < 8; ++place) {
                const std::int64_t row = first + kAwqOrder[static_cast<std::size_t>(place)];
                std::uint8_t& byte = out[row * rowBytes + i / 2];
                byte = static_cast<std::uint8_t>(byte | (word >> 4 * place & 15U) << 4 * (i % 2));
            }
        }
    }
    addGroups(g.shape, scale, zero, entry);
    return entry;
}

} // namespace

Status joinGptq(const PackedSettings& settings, PackedFields& fields)
{
    Grouped g;
    g.oneLess = settings.zeros_are_one_less;
    if (!fields.take(".qweight", g.words).status())
        return fields.status();
    const std::int64_t inWord = kPackedWordBits / settings.bits;
    const std::int64_t rows = fields.size("rows");
    if (rows % inWord != 0) {
        return fields.wrong(
            ".qweight", *g.words,
            Message("has %1 columns, which do not fill words of %2 zeros", rows, inWord));
    }
    fields.set("columns", fields.size("words") * inWord).set("zeroWords", rows / inWord);
    if (const Status taken = takeGrouped(settings, fields, g); !taken)
        return taken;
    if (!fields.take(".g_idx", g.order).status())
        return fields.status();
    bool inOrder = true; // groups consist of adjacent inputs
    for (std::int64_t i = 0; i < g.shape.columns; ++i)
        inOrder &= g.group(i) == i / g.shape.group;
    const bool fits = inOrder && g.shape.fits();
    return putLazily(fields, g, fits, [g, fits]() -> Result<Entry> {
        return fits ? gptqInOrder(g) : gptqInAnyOrder(g);
    });
}

Status joinAwq(const PackedSettings& settings, PackedFields& fields)
{
    Grouped g;
    if (!fields.take(".qweight", g.words).status())
        return fields.status();
    fields.set("rows", fields.size("words") * kPackedWordBits / settings.bits);
    if (const Status taken = takeGrouped(settings, fields, g); !taken)
        return taken;
    return putLazily(fields, g, g.shape.fits(), [g]() -> Result<Entry> { return awqEntry(g); });
}

} // namespace ep::model
