# SPDX-License-Identifier: GPL-3.0-or-later
# One static library per area, one test executable per area.

# Most compile time goes into headers. So the sources of a library are compiled in batches, each as
# one unit: names in anonymous namespaces have to be unique within the library. Tools that look at
# single files (clang-tidy, clangd) need it off.
option(EP_UNITY "Compile the sources of a library in batches" ON)

# ep_batch_sources(<target> <count>): the count is a compromise between a build from scratch, which
# prefers few large batches, and a build after a change, which recompiles one batch.
function(ep_batch_sources target count)
  set_target_properties(${target} PROPERTIES
    UNITY_BUILD ${EP_UNITY} UNITY_BUILD_BATCH_SIZE ${count})
endfunction()

# ep_optimise(<target> <level>): for code that mostly waits for the user, a file or a sensor. -O1
# compiles in two thirds of the time that -O3 takes, -Og in half.
function(ep_optimise target level)
  target_compile_options(${target} PRIVATE $<$<CONFIG:Release,RelWithDebInfo>:${level}>)
endfunction()

# ep_add_area(<area> SOURCES ... [HEADERS ...] [PUBLIC libs] [PRIVATE libs] [PRECOMPILE headers]
#             [LIGHT] [HOT sources])
# Makes ep_<area>. HEADERS are listed so that AUTOMOC sees those that hold Q_OBJECT. PRECOMPILE pays
# where many files include the same heavy headers (Qt Widgets, ATen).
# LIGHT: optimised less, except for the sources listed as HOT.
function(ep_add_area area)
  cmake_parse_arguments(PARSE_ARGV 1 arg "LIGHT" ""
    "SOURCES;HEADERS;PUBLIC;PRIVATE;PRECOMPILE;HOT")
  add_library(ep_${area} STATIC ${arg_SOURCES} ${arg_HEADERS})
  set(libraries ep_${area})
  if(arg_HOT)
    add_library(ep_${area}_hot OBJECT ${arg_HOT})
    target_sources(ep_${area} PRIVATE $<TARGET_OBJECTS:ep_${area}_hot>)
    list(APPEND libraries ep_${area}_hot)
  endif()
  foreach(library IN LISTS libraries)
    set_target_properties(${library} PROPERTIES POSITION_INDEPENDENT_CODE ON)
    target_include_directories(${library}
      PUBLIC "${PROJECT_SOURCE_DIR}/include"
      PRIVATE "${CMAKE_CURRENT_SOURCE_DIR}")
    target_link_libraries(${library} PUBLIC ${arg_PUBLIC} PRIVATE ep_options ${arg_PRIVATE})
    ep_batch_sources(${library} 24)
  endforeach()
  if(arg_LIGHT)
    ep_optimise(ep_${area} -O1)
  endif()
  if(arg_PRECOMPILE)
    target_precompile_headers(ep_${area} PRIVATE ${arg_PRECOMPILE})
  endif()
endfunction()

# ep_share_support(<variable> <sources> <target> <libs>): sets the variable to the sources, with those
# directly in tests/support/ replaced by objects that are compiled once for all tests, with the
# folders and libraries of the first target that uses them.
function(ep_share_support variable sources target libs)
  set(shared)
  foreach(source IN LISTS sources)
    get_filename_component(path "${source}" ABSOLUTE)
    get_filename_component(folder "${path}" DIRECTORY)
    get_filename_component(name "${path}" NAME_WE)
    if(folder STREQUAL "${PROJECT_SOURCE_DIR}/tests/support" AND path MATCHES "\\.cpp$")
      if(NOT TARGET ep_support_${name})
        add_library(ep_support_${name} OBJECT "${path}")
        ep_optimise(ep_support_${name} -Og)
        target_include_directories(ep_support_${name} PRIVATE
          "${PROJECT_SOURCE_DIR}/tests" $<TARGET_PROPERTY:${target},INCLUDE_DIRECTORIES>)
        target_link_libraries(ep_support_${name} PRIVATE ep_options ${libs})
      endif()
      set(source $<TARGET_OBJECTS:ep_support_${name}>)
    endif()
    list(APPEND shared "${source}")
  endforeach()
  set(${variable} "${shared}" PARENT_SCOPE)
endfunction()

# Seconds, for tests that hang: the longest takes three minutes on two quiet processors, and over ten
# beside four busy threads. AddressSanitizer slows the tests of memory down thirty times.
set(EP_TEST_TIMEOUT 1800)
if(EP_SANITIZE)
  set(EP_TEST_TIMEOUT 3000)
endif()

# Tests write thousands of small files and databases. In memory they wait for no disk, which other
# tests keep busy.
set(EP_TEST_TMPDIR "")
execute_process(COMMAND df -Pk /dev/shm OUTPUT_VARIABLE ep_shm ERROR_QUIET)
if(ep_shm MATCHES "([0-9]+) +[0-9]+% +/dev/shm" AND CMAKE_MATCH_1 GREATER 4000000)
  set(EP_TEST_TMPDIR "TMPDIR=/dev/shm")
endif()

# ep_add_test(<name> SOURCES ... [LIBS ...] [LABELS ...] [ENVIRONMENT ...] [NO_MAIN])
# One ctest entry per binary: starting a process per case would dominate the time. The code of the
# tests need not be fast.
function(ep_add_test name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "NO_MAIN" "" "SOURCES;LIBS;LABELS;ENVIRONMENT")
  ep_share_support(sources "${arg_SOURCES}" ${name} "${arg_LIBS};GTest::gmock")
  add_executable(${name} ${sources})
  ep_batch_sources(${name} 12)
  ep_optimise(${name} -Og)
  target_include_directories(${name} PRIVATE "${PROJECT_SOURCE_DIR}/tests")
  target_link_libraries(${name} PRIVATE ep_options ${arg_LIBS} ep_test_folders GTest::gmock
                        $<IF:$<BOOL:${arg_NO_MAIN}>,GTest::gtest,GTest::gtest_main>)
  # LibTorch defines a macro of the standard library, which the precompiled headers lack.
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND NOT "ep_engine" IN_LIST arg_LIBS)
    target_precompile_headers(${name} REUSE_FROM ep_test_folders)
  endif()
  add_test(NAME ${name} COMMAND ${name})
  set_tests_properties(${name} PROPERTIES TIMEOUT ${EP_TEST_TIMEOUT} LABELS "${arg_LABELS}"
    ENVIRONMENT "QT_QPA_PLATFORM=offscreen;LC_ALL=C.UTF-8;${EP_TEST_TMPDIR};${arg_ENVIRONMENT}")
endfunction()

# Reference models and tokenizers made with HuggingFace's implementation. They are stored outside
# the checkout; tests that need them are only registered if the folder exists.
set(EP_REFERENCE_DIR "" CACHE PATH "Folder with reference models, tokenizers and captures")
if(NOT EP_REFERENCE_DIR AND EXISTS "${PROJECT_SOURCE_DIR}/../shared/reference")
  get_filename_component(ep_reference "${PROJECT_SOURCE_DIR}/../shared/reference" ABSOLUTE)
  set(EP_REFERENCE_DIR "${ep_reference}" CACHE PATH "" FORCE)
endif()

# ep_test_folders: where the tests find their files. With GCC, also the headers that nearly all tests
# include, compiled once: that saves 0.9 of some 3 seconds per unit. GCC wants equal flags, therefore
# -fPIC, which Qt asks for.
if(EP_TESTS)
  add_library(ep_test_folders STATIC tests/support/folders.cpp)
  target_include_directories(ep_test_folders PUBLIC "${PROJECT_SOURCE_DIR}/tests")
  set_source_files_properties(tests/support/folders.cpp PROPERTIES COMPILE_DEFINITIONS
    "EP_SOURCE_DIR=\"${PROJECT_SOURCE_DIR}\";EP_REFERENCE_DIR=\"${EP_REFERENCE_DIR}\"")
  target_link_libraries(ep_test_folders PRIVATE ep_options GTest::gmock)
  ep_optimise(ep_test_folders -Og)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    target_compile_options(ep_test_folders PUBLIC -fPIC)
    target_precompile_headers(ep_test_folders PRIVATE <gmock/gmock.h> <chrono> <filesystem>
      <fstream> <functional> <map> <memory> <optional> <string> <vector>)
  endif()
endif()

# See the comment in that header.
list(APPEND CMAKE_AUTOMOC_MOC_OPTIONS
  --include "${CMAKE_CURRENT_LIST_DIR}/moc_prelude.h")
