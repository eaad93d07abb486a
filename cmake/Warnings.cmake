# tracker_options carries the warnings, for g++, clang and nvcc's host compiler; tracker_sanitizers what the sanitizers
# look into: the libraries and programs, not their tests, which take much longer to compile that way.
add_library(tracker_options INTERFACE)
add_library(tracker_sanitizers INTERFACE)

# Designated initialisers may leave members to their defaults.
set(warnings -Wall -Wextra -Wno-missing-field-initializers -Wshadow -Wconversion -Wnon-virtual-dtor -Wold-style-cast)
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
  list(APPEND warnings -Wno-restrict)  # false in g++ 12: "x" + std::string (GCC bug 105651)
endif()
if(TRACKER_WARNINGS_AS_ERRORS)
  list(APPEND warnings -Werror)
endif()
target_compile_options(tracker_options INTERFACE
  "$<$<COMPILE_LANGUAGE:CXX>:${warnings};-Wpedantic>")

if(TRACKER_HAS_CUDA)
  # What nvcc's generated host code cannot satisfy (-Wpedantic, -Wold-style-cast, -Wconversion) stays out.
  set(host_warnings -Wall,-Wextra)
  if(TRACKER_WARNINGS_AS_ERRORS)
    string(APPEND host_warnings ",-Werror")
    target_compile_options(tracker_options INTERFACE
      "$<$<COMPILE_LANGUAGE:CUDA>:SHELL:-Werror all-warnings>")
  endif()
  target_compile_options(tracker_options INTERFACE
    "$<$<COMPILE_LANGUAGE:CUDA>:-Xcompiler=${host_warnings}>")
endif()

if(TRACKER_SANITIZE)
  if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
    target_compile_options(tracker_options INTERFACE  # false in <regex> and <functional> (GCC bug 105562)
      "$<$<COMPILE_LANGUAGE:CXX>:-Wno-maybe-uninitialized>")
  endif()
  set(sanitizers -fsanitize=address,undefined -fno-omit-frame-pointer -fno-sanitize-recover=all)
  target_compile_options(tracker_sanitizers INTERFACE "$<$<COMPILE_LANGUAGE:CXX>:${sanitizers}>")
  target_link_options(tracker_options INTERFACE ${sanitizers})
endif()

if(TRACKER_FUZZ)
  target_compile_options(tracker_options INTERFACE -fsanitize=fuzzer-no-link)
endif()
