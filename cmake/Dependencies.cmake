# Every third-party package, from the distribution. script/setup installs them.
include(AtLeast)

# A release: its program needs glibc 2.31 and nothing else. It is linked with the C library in this folder, which
# script/sysroot makes, and all other libraries are static ones.
set(TRACKER_SYSROOT "" CACHE PATH "Link tracker for every distribution: the folder that script/sysroot made")
if(TRACKER_SYSROOT)
  set(CMAKE_FIND_LIBRARY_SUFFIXES .a)
  set(ZLIB_USE_STATIC_LIBS ON)
  set(Boost_USE_STATIC_LIBS ON)
endif()

# A release takes the static library that script/sysroot built, lib<target>.a, where the distribution has a shared one.
function(tracker_static_in_release target)
  if(TRACKER_SYSROOT)
    string(REGEX REPLACE ".*:" "" name "${target}")
    set_target_properties(${target} PROPERTIES IMPORTED_LOCATION_RELEASE "${TRACKER_SYSROOT}/lib/lib${name}.a")
  endif()
endfunction()

find_package(Threads REQUIRED)
find_package(PkgConfig REQUIRED)
find_package(benchmark REQUIRED)
tracker_at_least(nlohmann_json 3.11)
tracker_at_least(simdjson 3.0)
tracker_static_in_release(simdjson::simdjson)
tracker_at_least(CLI11 2.1)
tracker_at_least(tomlplusplus 3.3)
tracker_static_in_release(tomlplusplus::tomlplusplus)
tracker_at_least(Boost 1.74 CONFIG COMPONENTS iostreams filesystem) # what gnuplot-iostream links
tracker_at_least(SQLite3 3.37)
find_package(ZLIB REQUIRED)
find_package(GTest REQUIRED)
pkg_check_modules(libgit2 REQUIRED IMPORTED_TARGET libgit2>=1.5)
target_link_libraries(PkgConfig::libgit2 INTERFACE "$<TARGET_OBJECTS:no_network>")
if(TRACKER_SYSROOT)
  foreach(library mbedcrypto http_parser pcre2-8)  # what is left without the network
    find_library(${library}_LIBRARY ${library} REQUIRED)
    mark_as_advanced(${library}_LIBRARY)
    target_link_libraries(PkgConfig::libgit2 INTERFACE "${${library}_LIBRARY}")
  endforeach()
  target_link_libraries(PkgConfig::libgit2 INTERFACE ZLIB::ZLIB)
endif()

# Loaded when they are first used, by the names of all distributions: tracker_loads() in tracker/CMakeLists.txt.
pkg_check_modules(libcurl REQUIRED libcurl>=7.85)
set(libcurl_FILE libcurl.so.4)
# Of the static library where there is one: our benchmark binaries link it as well, and run on machines without it.
find_library(UTF8PROC_LIBRARY NAMES libutf8proc.a utf8proc REQUIRED)
add_library(utf8proc::utf8proc UNKNOWN IMPORTED)
set_target_properties(utf8proc::utf8proc PROPERTIES IMPORTED_LOCATION "${UTF8PROC_LIBRARY}")
# To look into device code that nvcc has compressed; static for the same reason.
find_library(LZ4_LIBRARY NAMES liblz4.a lz4 REQUIRED)
find_path(LZ4_INCLUDE_DIR lz4.h REQUIRED)
mark_as_advanced(LZ4_LIBRARY LZ4_INCLUDE_DIR)
add_library(lz4::lz4 UNKNOWN IMPORTED)
set_target_properties(lz4::lz4 PROPERTIES IMPORTED_LOCATION "${LZ4_LIBRARY}" INTERFACE_INCLUDE_DIRECTORIES "${LZ4_INCLUDE_DIR}")
# Likewise, where it is there (TRACKER_HAS_ZSTD).
set(TRACKER_HAS_ZSTD OFF)
find_library(ZSTD_LIBRARY NAMES libzstd.a zstd)
find_path(ZSTD_INCLUDE_DIR zstd.h)
mark_as_advanced(ZSTD_LIBRARY ZSTD_INCLUDE_DIR)
if(ZSTD_LIBRARY AND ZSTD_INCLUDE_DIR)
  set(TRACKER_HAS_ZSTD ON)
  add_library(zstd::zstd UNKNOWN IMPORTED)
  set_target_properties(zstd::zstd PROPERTIES IMPORTED_LOCATION "${ZSTD_LIBRARY}" INTERFACE_INCLUDE_DIRECTORIES "${ZSTD_INCLUDE_DIR}")
endif()
include(GoogleTest)

# Faster memory for the program `tracker`, where it is there. The sanitizers bring their own.
set(TRACKER_HAS_MIMALLOC OFF)
if(NOT TRACKER_SANITIZE)
  find_package(mimalloc 2.0 QUIET)
  if(mimalloc_FOUND)
    tracker_static_in_release(mimalloc)
    set(TRACKER_HAS_MIMALLOC ON)
  else()
    message(STATUS "mimalloc 2 was not found: tracker is built without it, and takes the system's memory")
  endif()
endif()

# A store in PostgreSQL, where its client library is there (TRACKER_HAS_POSTGRES).
set(TRACKER_POSTGRES AUTO CACHE STRING "Build the store in PostgreSQL: AUTO, ON or OFF")
set_property(CACHE TRACKER_POSTGRES PROPERTY STRINGS AUTO ON OFF)
set(TRACKER_HAS_POSTGRES OFF)
if(NOT TRACKER_POSTGRES STREQUAL "OFF")
  pkg_check_modules(libpq libpq>=14)
  pkg_check_modules(libzstd IMPORTED_TARGET libzstd>=1.4)
  if(libpq_FOUND AND libzstd_FOUND)
    set(TRACKER_HAS_POSTGRES ON)
    set(libpq_FILE libpq.so.5)
  elseif(TRACKER_POSTGRES STREQUAL "ON")
    message(FATAL_ERROR "TRACKER_POSTGRES needs libpq 14 or newer and libzstd: apt-get install libpq-dev libzstd-dev")
  else()
    message(STATUS "libpq 14 or newer and libzstd were not found: tracker is built without PostgreSQL. To get them: \
apt-get install libpq-dev libzstd-dev")
  endif()
endif()
