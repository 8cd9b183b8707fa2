# SPDX-License-Identifier: GPL-3.0-or-later
# ep_torch: LibTorch, either found by find_package() or from the Python package.

# scripts/setup.sh --torch installs the Python package here; every build folder of this tree uses it.
set(ep_torch_package "${PROJECT_SOURCE_DIR}/build/torch/torch")
if(NOT EXISTS "${ep_torch_package}/version.py")
  set(ep_torch_package "")
endif()
set(EP_TORCH "${ep_torch_package}" CACHE PATH "Folder of the Python package torch; empty: the installed LibTorch")

# ep_find_torch(<version variable>) defines the target. Its include folders count as system
# headers, so that our warnings are limited to our code.
function(ep_find_torch version)
  add_library(ep_torch INTERFACE)
  if(EP_TORCH)
    # The package's own TorchConfig.cmake requires a CUDA toolkit if it was built with CUDA,
    # although only libtorch_cpu and libc10 are linked. The engine opens libtorch_cuda at run time.
    file(STRINGS "${EP_TORCH}/version.py" line REGEX "^__version__ *= *'")
    string(REGEX REPLACE "^__version__ *= *'([^'+]*).*" "\\1" found "${line}")
    find_library(EP_TORCH_CPU torch_cpu PATHS "${EP_TORCH}/lib" NO_DEFAULT_PATH REQUIRED)
    find_library(EP_TORCH_C10 c10 PATHS "${EP_TORCH}/lib" NO_DEFAULT_PATH REQUIRED)
    target_include_directories(ep_torch SYSTEM INTERFACE
      "${EP_TORCH}/include" "${EP_TORCH}/include/torch/csrc/api/include")
    target_link_libraries(ep_torch INTERFACE "${EP_TORCH_CPU}" "${EP_TORCH_C10}")
    message(STATUS "LibTorch ${found} of ${EP_TORCH}")
  else()
    set(CMAKE_FIND_PACKAGE_TARGETS_GLOBAL ON) # tests link it as well
    find_package(Torch REQUIRED)
    set(found "${Torch_VERSION}")
    target_include_directories(ep_torch SYSTEM INTERFACE ${TORCH_INCLUDE_DIRS})
    target_link_libraries(ep_torch INTERFACE ${TORCH_LIBRARIES})
  endif()
  set(${version} "${found}" PARENT_SCOPE)
endfunction()
