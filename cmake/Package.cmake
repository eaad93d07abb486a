# `cmake --install`, and `cpack -G DEB` below the build folder: the package `tracker` with the command, its manual page and
# completions, and `libtracker-dev` with the libraries, their headers and a package config:
#   find_package(tracker REQUIRED)
#   target_link_libraries(mine PRIVATE tracker::judge tracker::formats)
# Installing builds nothing: the target `installed` is what has to be there. script/package does all of it.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

install(TARGETS tracker RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}" COMPONENT tracker)
install(TARGETS tracker_injection LIBRARY DESTINATION lib/tracker COMPONENT tracker)  # beside it: app/injected_code
install(DIRECTORY "${PROJECT_BINARY_DIR}/manuals/share/" DESTINATION "${CMAKE_INSTALL_DATADIR}" COMPONENT tracker)
install(FILES "${PROJECT_SOURCE_DIR}/CHANGELOG.md" "${PROJECT_SOURCE_DIR}/LICENSE" "${PROJECT_SOURCE_DIR}/NOTICE"
        DESTINATION "${CMAKE_INSTALL_DOCDIR}" COMPONENT tracker)

set(config_folder "${CMAKE_INSTALL_LIBDIR}/cmake/tracker")
get_property(modules GLOBAL PROPERTY tracker_modules)
add_custom_target(installed DEPENDS tracker manuals)
list(REMOVE_ITEM modules commands)  # what only the command needs
foreach(module IN LISTS modules)
  set_target_properties(tracker_${module} PROPERTIES EXPORT_NAME ${module})
  add_dependencies(installed tracker_${module})
  install(TARGETS tracker_${module} EXPORT tracker-targets
          ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}/tracker" COMPONENT libtracker-dev)
endforeach()
install(DIRECTORY "${PROJECT_SOURCE_DIR}/tracker" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}" COMPONENT libtracker-dev
        FILES_MATCHING PATTERN "*.hpp" PATTERN commands EXCLUDE)
# The measuring kit is installed as sources: it is compiled with the CUDA and for the GPUs of the project that uses it.
install(DIRECTORY "${PROJECT_SOURCE_DIR}/bench/kit" DESTINATION "${CMAKE_INSTALL_DATADIR}/tracker/bench" COMPONENT libtracker-dev
        PATTERN tracker EXCLUDE)
install(FILES "${PROJECT_SOURCE_DIR}/bench/kit/tracker/bench.hpp" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/tracker"
        COMPONENT libtracker-dev)
set(kit_folder "${CMAKE_INSTALL_DATADIR}/tracker/bench/kit")
install(EXPORT tracker-targets NAMESPACE tracker:: DESTINATION "${config_folder}" COMPONENT libtracker-dev)
configure_package_config_file("${CMAKE_CURRENT_LIST_DIR}/tracker-config.cmake.in"
  "${PROJECT_BINARY_DIR}/tracker-config.cmake" INSTALL_DESTINATION "${config_folder}" PATH_VARS kit_folder)
write_basic_package_version_file("${PROJECT_BINARY_DIR}/tracker-config-version.cmake" COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/tracker-config.cmake" "${PROJECT_BINARY_DIR}/tracker-config-version.cmake"
        DESTINATION "${config_folder}" COMPONENT libtracker-dev)

set(CPACK_PACKAGE_NAME tracker)
set(CPACK_PACKAGE_VENDOR "The tracker authors")
set(CPACK_PACKAGE_CONTACT "The tracker authors <tracker@example.com>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
set(CPACK_PACKAGE_DESCRIPTION "tracker records Google Benchmark results for each git commit and device, tells noise
from change, and fails the build when a benchmark got slower.")
set(CPACK_STRIP_FILES ON)
set(CPACK_GENERATOR DEB)
set(CPACK_COMPONENTS_ALL tracker libtracker-dev)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_RELEASE 1)
set(CPACK_DEBIAN_TRACKER_PACKAGE_NAME tracker)
set(CPACK_DEBIAN_TRACKER_PACKAGE_SECTION devel)
if(TRACKER_SYSROOT)
  cmake_path(GET TRACKER_SYSROOT FILENAME CPACK_DEBIAN_PACKAGE_ARCHITECTURE)
else()
  set(CPACK_DEBIAN_TRACKER_PACKAGE_SHLIBDEPS ON)  # libgit2 and others by their names in this distribution
endif()
# What is loaded when it is first used, shlibdeps does not see: what GitHub and PostgreSQL need.
set(depends git)
set(recommends)
if(TRACKER_SYSROOT)
  list(APPEND depends "libc6 (>= 2.31)")
endif()
list(APPEND recommends "libcurl4 | libcurl4t64")
if(TRACKER_HAS_POSTGRES)
  list(APPEND recommends libpq5)
endif()
list(APPEND depends ${recommends})
list(JOIN depends ", " CPACK_DEBIAN_TRACKER_PACKAGE_DEPENDS)
list(JOIN recommends ", " CPACK_DEBIAN_LIBTRACKER-DEV_PACKAGE_RECOMMENDS)
string(APPEND CPACK_DEBIAN_LIBTRACKER-DEV_PACKAGE_RECOMMENDS ", libbenchmark-dev")  # the measuring kit
set(CPACK_DEBIAN_TRACKER_PACKAGE_RECOMMENDS "gnuplot-nox, fonts-liberation")
set(CPACK_DEBIAN_LIBTRACKER-DEV_PACKAGE_NAME libtracker-dev)
set(CPACK_DEBIAN_LIBTRACKER-DEV_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_LIBTRACKER-DEV_PACKAGE_DEPENDS
    "libgit2-dev, libutf8proc-dev, liblz4-dev, libzstd-dev, nlohmann-json3-dev, libsimdjson-dev, libsqlite3-dev, zlib1g-dev, libtomlplusplus-dev, libboost-dev, libboost-iostreams-dev")
set(CPACK_DEBIAN_LIBTRACKER-DEV_DESCRIPTION "Library behind tracker: reads, judges and reports benchmark results")
include(CPack)
