// SPDX-License-Identifier: GPL-3.0-or-later
// A valid model of one of the packed layouts is made, and its fields are changed one by one: type,
// shape, values, place; fields are left out, doubled or added. What is still accepted must unpack
// to the announced type and shape and be multiplied without reading a byte outside of it.
//
// The first byte chooses the layout, the second its variant; every four bytes that follow are a
// change. At the end, the number of changed models of each layout is printed.
#include "checkpoint.h"
#include "kernel_tables.h"
#include "kernels.h"
#include "mlx/mlx_entries.h"
#include "packed/packed_entries.h"
#include "packed/unpacking.h"
#include "packed_changes.h"
#include "packed_folders.h"
#include "scratch_folder.h"

#include "ep/core/utf8.h"
#include "ep/model/config.h"
#include "ep/model/describe.h"
#include "ep/model/dtype.h"
#include "ep/model/model_files.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace {

using ep::fuzz::PackedFolder;
using ep::model::Checkpoint;

void require(bool holds)
{
    if (!holds)
        std::abort();
}

void requireSentence(const ep::Error& error)
{
    require(!error.message.empty() && ep::isValidUtf8(error.message.english()));
}

std::int64_t columnsOf(const Checkpoint::Entry& entry)
{
    return entry.tensor.shape.empty() ? 1 : entry.tensor.shape.back();
}

// Dequantizes every row, and multiplies it as the engine would.
void multiply(const Checkpoint::Entry& entry, ep::model::DType dtype)
{
    using namespace ep::model;
    const std::int64_t columns = columnsOf(entry);
    const std::int64_t rows = entry.tensor.elements() / columns;
    // Copies the bytes, as the engine does if they are not aligned.
    const std::vector<std::byte> bytes(entry.tensor.bytes.begin(), entry.tensor.bytes.end());
    WeightRows weights{.values = bytes.data(), .columns = columns};
    if (entry.groups) {
        const auto& scales = entry.groups->scales.tensor;
        weights.groups = {.scales = scales.bytes.data(),
                          .biases = entry.groups->biases ? entry.groups->biases->tensor.bytes.data()
                                                         : nullptr,
                          .columns = entry.groups->columns,
                          .type = scales.dtype == "E8M0" ? GroupScales::Type::E8M0
                              : scales.dtype == "E4M3"   ? GroupScales::Type::E4M3
                              : scales.dtype == "F16"    ? GroupScales::Type::F16
                              : scales.dtype == "BF16"   ? GroupScales::Type::BF16
                                                         : GroupScales::Type::F32,
                          .rows = entry.groups->rows};
    }
    if (entry.factor) {
        const std::int64_t count = entry.factor->tensor.elements();
        require(count == 1 || count == rows || entry.tensor.shape.size() > 2);
    }
    const MatmulKernels& products = matmulsFor(kernels(), dtype);
    std::vector<float> values(static_cast<std::size_t>(columns));
    for (std::int64_t row = 0; row < rows; ++row)
        products.dequantizeRow(weights, row, values.data());
    if (!inBlocks(dtype) || !products.blockRow)
        return;
    const std::vector<std::int16_t> x(static_cast<std::size_t>(columns + 256), 1);
    const std::vector<float> factors(x.size() / 16, 1.0F);
    const std::vector<std::int8_t> both(2 * x.size(), 1);
    std::vector<float> out(static_cast<std::size_t>(rows));
    products.blockRow(weights,
                      {.values = x.data(),
                       .scales = factors.data(),
                       .sums = factors.data(),
                       .half_sums = factors.data(),
                       .bytes = both.data()},
                      out.data(), 0, rows);
}

void checkEntry(const Checkpoint::Entry& entry)
{
    using namespace ep::model;
    const auto dtype = dtypeFromStored(entry.tensor.dtype);
    const std::int64_t count = entry.tensor.elements();
    if (!dtype || count == 0)
        return; // the loader refuses it
    require(static_cast<std::int64_t>(entry.tensor.bytes.size())
            == ep::model::bytesOf(*dtype, count));
    if (entry.groups) {
        const auto& groups = *entry.groups;
        const std::int64_t columns = columnsOf(entry);
        const std::int64_t rows = count / columns;
        require(groups.columns > 0 && groups.rows > 0);
        const std::int64_t expected = (rows + groups.rows - 1) / groups.rows
            * ((columns + groups.columns - 1) / groups.columns);
        require(groups.scales.tensor.elements() == expected);
        require(!groups.biases || groups.biases->tensor.elements() == expected);
        require(!groups.biases || groups.biases->tensor.dtype == groups.scales.tensor.dtype);
    }
    if (!inBlocks(*dtype) || columnsOf(entry) % rowOf(*dtype).block == 0)
        multiply(entry, *dtype);
}

// Unpacks the packed entries, and multiplies all entries.
void checkEntries(const std::map<std::string, Checkpoint::Entry>& entries)
{
    for (const auto& [name, entry] : entries) {
        if (!entry.unpack) {
            checkEntry(entry);
            if (entry.tensor.shape.size() == 3 && entry.tensor.elements() > 0)
                checkEntry(entry.slice(entry.tensor.shape.front() - 1));
            continue;
        }
        if (entry.tensor.elements() > 1 << 20)
            continue;
        const auto unpacked = entry.unpack();
        if (!unpacked) {
            requireSentence(unpacked.error());
            continue;
        }
        require(unpacked->tensor.shape == entry.tensor.shape);
        require(unpacked->tensor.dtype == entry.tensor.dtype);
        checkEntry(*unpacked);
    }
}

// Whether a folder can be opened; `accepted`: it must be.
bool opens(const std::filesystem::path& path, bool accepted)
{
    const auto files = ep::model::openModel(path);
    if (!files) {
        requireSentence(files.error());
        if (accepted)
            std::fprintf(stderr, "%s\n", files.error().message.english().c_str());
        require(!accepted);
        return false;
    }
    require(ep::model::describe(**files).facts.weight_bytes >= 0);
    if (std::filesystem::is_regular_file(path))
        checkEntries((*files)->weights->entries());
    return true;
}

// Checks a folder with each tensor in memory of its own, where a read beyond its bytes is found:
// the mapped file has no borders between tensors.
void checkFolder(const std::filesystem::path& folder)
{
    const auto config = ep::model::readModelConfig(folder);
    const auto plain = Checkpoint::open(folder);
    require(config && plain);
    std::map<std::string, Checkpoint::Entry> entries = plain->entries();
    for (auto& [name, entry] : entries) {
        const auto bytes = entry.tensor.bytes;
        const auto memory = ep::model::memoryFor(entry, bytes.size());
        std::copy(bytes.begin(), bytes.end(), memory->begin());
    }
    require(ep::model::arrangeMlxTensors(*config, folder.string(), entries).has_value());
    require(ep::model::joinPackedTensors(config->packed, folder.string(), entries).has_value());
    checkEntries(entries);
}

struct Counts {
    std::array<std::int64_t, std::size(ep::fuzz::kPackedKinds)> changed{};
    std::array<double, std::size(ep::fuzz::kPackedKinds)> seconds{};
    ~Counts()
    {
        for (std::size_t i = 0; i < changed.size(); ++i) {
            std::fprintf(stderr, "%s: %lld changed models, %.1f s\n",
                         ep::fuzz::kPackedKinds[i].name, static_cast<long long>(changed[i]),
                         seconds[i]);
        }
    }
};

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    static const ep::fuzz::ScratchFolder folder;
    static Counts counts;
    if (size < 2)
        return 0;
    const std::size_t kind = data[0] % std::size(ep::fuzz::kPackedKinds);
    PackedFolder model = ep::fuzz::kPackedKinds[kind].make(data[1]);
    std::size_t steps = 0;
    for (std::size_t i = 2; i + 4 <= size && steps < 8; i += 4, ++steps)
        ep::fuzz::change(model, data + i);
    const auto start = std::chrono::steady_clock::now();
    if (model.gguf) {
        folder.write("m.gguf", ep::fuzz::ggufOf(model));
        opens(folder.path() / "m.gguf", steps == 0);
    } else {
        folder.write("config.json", ep::fuzz::configOf(model));
        folder.write("model.safetensors", ep::fuzz::safetensorsOf(model));
        if (opens(folder.path(), steps == 0))
            checkFolder(folder.path());
    }
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
    counts.changed[kind] += steps > 0 ? 1 : 0;
    counts.seconds[kind] += taken.count();
    return 0;
}
