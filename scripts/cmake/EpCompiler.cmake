# SPDX-License-Identifier: GPL-3.0-or-later
# All compiler settings in one interface target: ep_options.

find_program(EP_CCACHE ccache)
if(EP_CCACHE)
  # The sloppiness lets ccache cache files that use a precompiled header; the other two let clones
  # in different folders share results.
  set(CMAKE_CXX_COMPILER_LAUNCHER "${CMAKE_COMMAND}" -E env
      CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime
      CCACHE_NOHASHDIR=true "CCACHE_BASEDIR=${PROJECT_SOURCE_DIR}"
      "${EP_CCACHE}")
  set(CMAKE_C_COMPILER_LAUNCHER "${EP_CCACHE}")
endif()

# GCC 12 at -O2 falsely reports overlapping copies inside std::string (GCC bug 105651) and unset
# values inside std::optional (GCC bug 80635). Every GCC mistakes a source compiled in a batch
# (EP_UNITY) for a header.
set(ep_false_alarms "")
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  set(ep_false_alarms -Wno-subobject-linkage)
  if(CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
    list(APPEND ep_false_alarms -Wno-restrict -Wno-maybe-uninitialized)
  elseif(EP_WERROR)
    list(APPEND ep_false_alarms -Wno-error=restrict -Wno-error=maybe-uninitialized)
  endif()
endif()

add_library(ep_options INTERFACE)
target_compile_options(ep_options INTERFACE
  -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wnon-virtual-dtor -Wold-style-cast
  $<$<BOOL:${EP_WERROR}>:-Werror>
  ${ep_false_alarms}
  # GoogleTest's macros name their file: relative, so that clones share the objects of tests too.
  "-fmacro-prefix-map=${PROJECT_SOURCE_DIR}/="
  # The first lets ccache see into precompiled headers. With the second, GCC collects its garbage
  # less often: a large unit compiles in a tenth less time, and takes a fifth more memory (1.1 GB).
  $<$<CXX_COMPILER_ID:GNU>:-fpch-preprocess;--param=ggc-min-heapsize=524288>)
# LibTorch's headers use the words signals, slots and emit; Qt must not define them as macros.
target_compile_definitions(ep_options INTERFACE
  QT_NO_KEYWORDS QT_NO_CAST_FROM_ASCII QT_NO_CAST_TO_ASCII QT_STRICT_ITERATORS)

if(EP_SANITIZE STREQUAL "address+undefined")
  set(ep_sanitize -fsanitize=address,undefined -fno-sanitize-recover=undefined
                  -fno-omit-frame-pointer)
elseif(EP_SANITIZE STREQUAL "thread")
  set(ep_sanitize -fsanitize=thread -fno-omit-frame-pointer)
elseif(EP_SANITIZE)
  message(FATAL_ERROR "EP_SANITIZE is '${EP_SANITIZE}': use address+undefined or thread")
endif()
if(EP_FUZZ)
  list(APPEND ep_sanitize -fsanitize=fuzzer-no-link)
endif()
if(EP_COVERAGE)
  list(APPEND ep_sanitize --coverage)
endif()
target_compile_options(ep_options INTERFACE ${ep_sanitize})
target_link_options(ep_options INTERFACE ${ep_sanitize})
if(EP_SANITIZE STREQUAL "thread" AND CMAKE_SYSTEM_NAME STREQUAL "Linux")
  # An object rather than an archive: the sanitizer's own clone would come first and replace it.
  add_library(ep_tsan_clone OBJECT tests/support/tsan_clone.cpp)
  set_target_properties(ep_tsan_clone PROPERTIES POSITION_INDEPENDENT_CODE ON)
  target_sources(ep_options INTERFACE $<TARGET_OBJECTS:ep_tsan_clone>)
  target_link_libraries(ep_options INTERFACE ${CMAKE_DL_LIBS})
endif()
