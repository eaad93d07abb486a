# Every third-party package, from the distribution. script/setup installs them.
find_package(Threads REQUIRED)
find_package(PkgConfig REQUIRED)
find_package(benchmark REQUIRED)
find_package(nlohmann_json 3.11 REQUIRED)
find_package(simdjson 3.0 REQUIRED)
find_package(CLI11 2.1 REQUIRED)
find_package(tomlplusplus 3.3 REQUIRED)
find_package(Boost 1.74 REQUIRED COMPONENTS iostreams filesystem) # what gnuplot-iostream links
find_package(CURL 7.85 REQUIRED)
find_package(GTest REQUIRED)
pkg_check_modules(libgit2 REQUIRED IMPORTED_TARGET libgit2>=1.5)
include(GoogleTest)
