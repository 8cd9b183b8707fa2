// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/core/lfs_pointer.h"

namespace ep {

std::optional<Error> lfsPointer(const std::filesystem::path& file, std::string_view beginning)
{
    constexpr std::string_view kFirstLine = "version https://git-lfs.github.com/spec/";
    if (!beginning.starts_with(kFirstLine))
        return std::nullopt;
    return Error{
        ErrorCode::InvalidInput,
        {"%1 is a pointer of Git LFS in place of the file: run \"git lfs pull\" in its folder.",
         file.string()}};
}

} // namespace ep
