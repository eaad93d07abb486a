# tracker_at_least(<package> <version> [<argument of find_package>...]): the package, of this version or any newer one.
# find_package() with a version leaves it to the package what is compatible, and some accept their own minor version alone:
# simdjson 3.12 refuses whoever asks for 3.0.
macro(tracker_at_least package version)
  find_package(${package} REQUIRED ${ARGN})
  if(${package}_VERSION VERSION_LESS "${version}")
    message(FATAL_ERROR "${package} ${${package}_VERSION} is too old: ${version} or newer is needed")
  endif()
endmacro()
