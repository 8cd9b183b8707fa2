// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace ep::model {

enum class X86Feature { AvxVnni, Avx512Bf16, AmxBf16, AmxTile };

// Whether the processor has what __builtin_cpu_supports() of the oldest compilers cannot be asked
// for. A system that saves the registers of AVX2 and AVX-512 saves those of these, but for the
// tiles of AMX. (Not inline: it must not be compiled for any of them.)
bool x86Feature(X86Feature feature);

} // namespace ep::model
