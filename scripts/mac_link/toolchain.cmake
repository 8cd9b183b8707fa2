# SPDX-License-Identifier: GPL-3.0-or-later
# A Mac with Apple Silicon for CMake, with Clang, LLD and libc++ of LLVM 19. CMake reads this again for each of its
# own checks, so both settings come from the environment: EP_MAC_CACHE, which prepare.py filled, and EP_MACOS, the
# oldest macOS to build for.
set(cache "$ENV{EP_MAC_CACHE}")
set(macos "$ENV{EP_MACOS}")
if(NOT cache OR NOT macos)
  message(FATAL_ERROR "EP_MAC_CACHE and EP_MACOS are not set: call scripts/check_mac_link.sh")
endif()
set(llvm /usr/lib/llvm-19/bin)

set(CMAKE_SYSTEM_NAME Darwin)
set(CMAKE_SYSTEM_PROCESSOR arm64)
set(CMAKE_SYSTEM_VERSION 23.0)
set(CMAKE_OSX_SYSROOT "${cache}/sdk")
set(CMAKE_OSX_ARCHITECTURES arm64)
set(CMAKE_OSX_DEPLOYMENT_TARGET "${macos}")

set(CMAKE_C_COMPILER "${llvm}/clang")
set(CMAKE_CXX_COMPILER "${llvm}/clang++")
foreach(language C CXX)
  set(CMAKE_${language}_COMPILER_TARGET "arm64-apple-macos${macos}")
endforeach()
foreach(tool AR RANLIB NM STRIP OTOOL LIPO)
  string(TOLOWER "${tool}" name)
  set(CMAKE_${tool} "${llvm}/llvm-${name}" CACHE FILEPATH "")
endforeach()
set(CMAKE_INSTALL_NAME_TOOL "${llvm}/llvm-install-name-tool" CACHE FILEPATH "")

# apple/ comes first: its __config_site enables the marks "introduced in macOS ...".
set(CMAKE_CXX_FLAGS_INIT "-nostdinc++ -isystem ${cache}/libcxx/apple -isystem ${cache}/libcxx/v1")
# Functions that a Mac's libc++ has since macOS 13.3, and the stubs of an older SDK do not: to_chars(double) with a precision.
set(newer "-Wl,-U,__ZNSt3__18to_charsEPcS0_dNS_12chars_formatEi")
foreach(kind EXE SHARED MODULE)
  set(CMAKE_${kind}_LINKER_FLAGS_INIT "-fuse-ld=lld ${newer}")
endforeach()

set(CMAKE_FIND_ROOT_PATH "${cache}/sdk" "${cache}/prefix" "${cache}/torch")
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
foreach(kind LIBRARY INCLUDE PACKAGE)
  set(CMAKE_FIND_ROOT_PATH_MODE_${kind} ONLY)
endforeach()

# CMake asks sw_vers whether a Mac supports rpaths; there is no sw_vers here.
set(CMAKE_PROJECT_INCLUDE "${CMAKE_CURRENT_LIST_DIR}/rpath.cmake")
set(CMAKE_AUTORCC_OPTIONS --no-zstd) # the wheels' Qt cannot read zstd
