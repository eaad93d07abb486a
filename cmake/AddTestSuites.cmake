# Run after a test program is linked: writes a file for ctest with one test for each suite of its Google Tests, called
# <name>/<suite>.
#   name         the program's
#   program      the executable
#   file         the file to write
#   results      the folder for the XML that Google Test writes, <test>.xml with '/' as '_'
#   label        the tests' label
#   environment  more of the tests' environment: NAME=VALUE
cmake_minimum_required(VERSION 3.25)

execute_process(COMMAND "${program}" --gtest_list_tests OUTPUT_VARIABLE list COMMAND_ERROR_IS_FATAL ANY)
string(REGEX MATCHALL "(^|\n)[A-Za-z0-9_/]+\\.( |\n)" suites "${list}")
set(tests "")
foreach(suite IN LISTS suites)
  string(REGEX REPLACE "[.\n ]" "" suite "${suite}")
  string(REPLACE "/" "_" result "${name}/${suite}")
  string(APPEND tests
    "add_test([=[${name}/${suite}]=] [=[${program}]=] [=[--gtest_filter=${suite}.*]=])\n"
    "set_tests_properties([=[${name}/${suite}]=] PROPERTIES TIMEOUT 600 LABELS ${label} ENVIRONMENT "
    "[=[GTEST_OUTPUT=xml:${results}/${result}.xml;${environment}]=])\n")
endforeach()
file(WRITE "${file}" "${tests}")
