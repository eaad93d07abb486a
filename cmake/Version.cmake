# The target tracker_version: generated/tracker/version.hpp, with the commit that is built. Asked of git at every build,
# and written only when it has changed. Included for the target, and run as a script to write the file.
if(CMAKE_SCRIPT_MODE_FILE)
  set(commit unknown)
  execute_process(COMMAND git -C "${SOURCE}" rev-parse --short=8 HEAD OUTPUT_VARIABLE head
                  OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET RESULT_VARIABLE failed)
  if(NOT failed)
    set(commit "${head}")
    execute_process(COMMAND git -C "${SOURCE}" diff-index --quiet HEAD -- RESULT_VARIABLE changed ERROR_QUIET)
    if(changed)
      string(APPEND commit "+")
    endif()
  endif()
  file(CONFIGURE OUTPUT "${OUTPUT}" CONTENT [[#pragma once
// Written by cmake/Version.cmake. A + behind the commit: with changes that are not committed.
namespace tracker {
inline constexpr const char* kVersion = "@VERSION@";
inline constexpr const char* kCommit = "@commit@";
inline constexpr const char* kBuildType = "@BUILD_TYPE@";
inline constexpr const char* kCompiler = "@COMPILER@";
inline constexpr const char* kLibraries = "@LIBRARIES@";
}  // namespace tracker
]] @ONLY)
  return()
endif()

add_custom_target(tracker_version
  COMMAND "${CMAKE_COMMAND}" "-DSOURCE=${PROJECT_SOURCE_DIR}"
          "-DOUTPUT=${PROJECT_BINARY_DIR}/generated/tracker/version.hpp" "-DVERSION=${PROJECT_VERSION}"
          "-DBUILD_TYPE=${CMAKE_BUILD_TYPE}" "-DCOMPILER=${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION}"
          "-DLIBRARIES=$<IF:$<BOOL:${TRACKER_SYSROOT}>,static,shared> libraries" -P "${CMAKE_CURRENT_LIST_FILE}"
  BYPRODUCTS "${PROJECT_BINARY_DIR}/generated/tracker/version.hpp"
  COMMENT "" VERBATIM)
