# The measuring kit, as targets of the project that includes this: tracker's own build, and every project that says
# find_package(tracker). It is compiled there, with that project's compilers, CUDA and architectures:
#   tracker::bench                                 the kit; for a GPU where the project has the language CUDA
#   tracker_add_benchmark(<name> SOURCES <file>... [LINKS <target>...])
include_guard(GLOBAL)
set(tracker_kit_cuda_version_min 12.4)

# How this is built, for the environment of every result. Absolute paths say nothing about the code.
function(tracker_bench_flags variable)
  string(JOIN " " flags ${ARGN})
  string(REGEX REPLACE "(^| )[^ ]*/[^ ]*" "" flags "${flags}")
  string(REGEX REPLACE " +" " " flags "${flags}")
  string(STRIP "${flags}" flags)
  set(${variable} "${flags}" PARENT_SCOPE)
endfunction()

function(tracker_write_build_info file with_cuda)
  string(TOUPPER "${CMAKE_BUILD_TYPE}" build_type)
  set(host_compiler "${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION}")
  tracker_bench_flags(host_flags "${CMAKE_CXX_FLAGS} ${CMAKE_CXX_FLAGS_${build_type}} ${CMAKE_CXX20_STANDARD_COMPILE_OPTION}")
  set(cuda_compiler "")
  set(cuda_flags "")
  if(with_cuda)
    set(name nvcc)
    if(CMAKE_CUDA_COMPILER_ID STREQUAL "Clang")
      set(name clang)
    endif()
    set(cuda_compiler "${name} ${CMAKE_CUDA_COMPILER_VERSION}")
    tracker_bench_flags(cuda_flags "${name} ${CMAKE_CUDA_FLAGS} ${CMAKE_CUDA_FLAGS_${build_type}} -std=c++20")
    string(JOIN "," architectures ${CMAKE_CUDA_ARCHITECTURES})
    string(APPEND cuda_flags " architectures ${architectures}")
  endif()
  file(CONFIGURE OUTPUT "${file}" @ONLY CONTENT [[
// Written by CMake: how this was built.
#pragma once

#include <string_view>

namespace tracker::kit::build_info {

inline constexpr std::string_view kHostCompiler = R"text(@host_compiler@)text";
inline constexpr std::string_view kHostFlags = R"text(@host_flags@)text";
inline constexpr std::string_view kCudaCompiler = R"text(@cuda_compiler@)text";
inline constexpr std::string_view kCudaFlags = R"text(@cuda_flags@)text";
inline constexpr std::string_view kBuildType = R"text(@CMAKE_BUILD_TYPE@)text";

}  // namespace tracker::kit::build_info
]])
endfunction()

# tracker_add_kit(<with_cuda>): tracker_bench_core, which needs no CUDA, and tracker_bench.
function(tracker_add_kit with_cuda)
  set(folder "${CMAKE_CURRENT_FUNCTION_LIST_DIR}")
  cmake_path(GET folder PARENT_PATH root)
  cmake_path(GET root PARENT_PATH root)
  set(generated "${CMAKE_CURRENT_BINARY_DIR}/tracker_bench")
  tracker_write_build_info("${generated}/bench/build_info.hpp" ${with_cuda})

  set(core command_line.cpp context.cpp contexts.cpp counters.cpp pacing.cpp)
  list(TRANSFORM core PREPEND "${folder}/")
  add_library(tracker_bench_core STATIC EXCLUDE_FROM_ALL ${core})
  target_include_directories(tracker_bench_core PUBLIC "${root}" "${folder}" PRIVATE "${generated}")
  target_compile_features(tracker_bench_core PUBLIC cxx_std_20)
  target_link_libraries(tracker_bench_core PUBLIC benchmark::benchmark tracker::devices tracker::protocol)

  set(sources cpu_only.cpp)
  if(with_cuda)
    set(sources device_kernels.cu gpu_main.cpp gpu_process.cpp launch_timer.cpp launch_trace.cpp)
  endif()
  list(TRANSFORM sources PREPEND "${folder}/")
  add_library(tracker_bench STATIC EXCLUDE_FROM_ALL ${sources})
  add_library(tracker::bench ALIAS tracker_bench)
  target_link_libraries(tracker_bench PUBLIC tracker_bench_core)
  target_compile_definitions(tracker_bench INTERFACE TRACKER_BENCH_AT_START)
  if(with_cuda)
    set(runtime CUDA::cudart_static)
    if(CMAKE_CUDA_RUNTIME_LIBRARY STREQUAL "Shared")
      set(runtime CUDA::cudart)
    endif()
    target_link_libraries(tracker_bench PUBLIC ${runtime} tracker::machine_code)
    set_target_properties(tracker_bench PROPERTIES CUDA_STANDARD 20 CUDA_STANDARD_REQUIRED ON)
  else()
    target_compile_definitions(tracker_bench PUBLIC TRACKER_BENCH_CPU_ONLY)
  endif()
endfunction()

function(tracker_add_benchmark name)
  cmake_parse_arguments(arg "" "" "SOURCES;LINKS" ${ARGN})
  if(NOT arg_SOURCES)
    message(FATAL_ERROR "tracker_add_benchmark(${name}): no SOURCES")
  endif()
  if(NOT TARGET tracker::bench)
    message(FATAL_ERROR "tracker_add_benchmark(${name}): Google Benchmark was not found when tracker was: install it, or set benchmark_DIR")
  endif()
  add_executable(${name} ${arg_SOURCES})
  target_link_libraries(${name} PRIVATE ${arg_LINKS} tracker::bench)
  set_target_properties(${name} PROPERTIES CUDA_STANDARD 20 CUDA_STANDARD_REQUIRED ON)
endfunction()

# tracker_kit_for_project(): what find_package(tracker) does. A macro, as packages belong to the folder that asks.
macro(tracker_kit_for_project)
  find_package(benchmark QUIET)
  get_property(tracker_languages GLOBAL PROPERTY ENABLED_LANGUAGES)
  set(tracker_kit_with_cuda OFF)
  if("CUDA" IN_LIST tracker_languages)
    find_package(CUDAToolkit QUIET)
    if(CUDAToolkit_FOUND AND CUDAToolkit_VERSION VERSION_GREATER_EQUAL tracker_kit_cuda_version_min)
      set(tracker_kit_with_cuda ON)
    else()
      message(WARNING "tracker::bench needs CUDA ${tracker_kit_cuda_version_min} or newer, and found '${CUDAToolkit_VERSION}': it is built without a GPU")
    endif()
    # nvcc has it since 12.0; CMake 3.25.1, Debian 12's, does not know so.
    if(CMAKE_CUDA_COMPILER_ID STREQUAL "NVIDIA" AND NOT DEFINED CMAKE_CUDA20_STANDARD_COMPILE_OPTION)
      set(CMAKE_CUDA20_STANDARD_COMPILE_OPTION "-std=c++20")
      set(CMAKE_CUDA20_EXTENSION_COMPILE_OPTION "-std=c++20")
    endif()
  endif()
  if(benchmark_FOUND AND NOT TARGET tracker::bench)
    tracker_add_kit(${tracker_kit_with_cuda})
    foreach(tracker_kit_target tracker_bench_core tracker_bench)  # that project's warnings are for its own code
      target_compile_options(${tracker_kit_target} PRIVATE -w)
    endforeach()
  endif()
endmacro()
