// SPDX-License-Identifier: GPL-3.0-or-later
// A run database with damaged bytes: every four bytes of the input write the last of them at the
// position given by the first three.
#include "support/sample_run.h"

#include "ep/store/store.h"

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <unistd.h>

namespace {

namespace fs = std::filesystem;
using ep::store::Store;

// A folder that is removed at the end of the process.
struct Scratch {
    Scratch() { fs::create_directories(folder); }
    ~Scratch()
    {
        std::error_code ignored;
        fs::remove_all(folder, ignored);
    }
    const fs::path folder =
        fs::temp_directory_path() / ("ep-store-fuzz-" + std::to_string(::getpid()));
    const fs::path file = folder / "runs.db";
};

const fs::path& file()
{
    static const Scratch scratch;
    return scratch.file;
}

// An intact database of two runs.
const std::string& soundFile()
{
    static const std::string content = [] {
        {
            auto store = Store::open(file());
            if (!store)
                std::abort();
            for (const char* id : {"a", "b"}) {
                if (!(*store)->saveRun(ep::test::makeSampleRun({.id = id, .tokens = 2})))
                    std::abort();
            }
        }
        std::ifstream stream(file(), std::ios::binary);
        return std::string((std::istreambuf_iterator<char>(stream)), {});
    }();
    return content;
}

void use(Store& store)
{
    static_cast<void>(store.list());
    static_cast<void>(store.list({.text = "cat", .tags = {"sample"}}));
    static_cast<void>(store.load("a"));
    static_cast<void>(store.overview("b"));
    static_cast<void>(store.steps("a", {1, 2}));
    static_cast<void>(store.size());
    static_cast<void>(store.edit("a", {.title = "x", .add_tags = {"y"}}));
    static_cast<void>(store.moveToTrash({"b"}));
    static_cast<void>(store.remove("a"));
    static_cast<void>(store.saveRun(ep::test::makeSampleRun({.id = "c", .tokens = 1})));
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    std::string content = soundFile();
    for (std::size_t i = 0; i + 4 <= size && i < 4 * 64; i += 4) {
        const std::size_t place =
            (std::size_t{data[i]} << 16 | std::size_t{data[i + 1]} << 8 | data[i + 2])
            % content.size();
        content[place] = static_cast<char>(data[i + 3]);
    }
    if (size % 4 == 1) // truncates the file
        content.resize(content.size() * data[size - 1] / 256);
    for (const char* suffix : {"", "-wal", "-shm"})
        fs::remove(file().string() + suffix);
    std::ofstream(file(), std::ios::binary) << content;
    if (auto store = Store::open(file(), Store::Mode::ReadOnly))
        static_cast<void>((*store)->load("a"));
    if (auto store = Store::open(file()))
        use(**store);
    return 0;
}
