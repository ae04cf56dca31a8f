# The libraries of Dependencies.cmake from the folder that tools/vendor makes, under the names that their own CMake
# packages give them: headers in include/, GoogleTest as sources in googletest/ (it is built here).
foreach(header nlohmann/json.hpp CLI/CLI.hpp fmt/format.h toml++/toml.h sqlite3.h pcre2.h utf8proc.h httplib.h)
  if(NOT EXISTS ${TRITONSMITH_VENDOR_DIR}/include/${header})
    message(FATAL_ERROR "${TRITONSMITH_VENDOR_DIR} lacks include/${header}: make it again with tools/vendor")
  endif()
endforeach()

foreach(library nlohmann_json::nlohmann_json CLI11::CLI11 fmt::fmt)
  add_library(${library} INTERFACE IMPORTED)
  target_include_directories(${library} SYSTEM INTERFACE ${TRITONSMITH_VENDOR_DIR}/include)
endforeach()
target_compile_definitions(fmt::fmt INTERFACE FMT_HEADER_ONLY=1)

add_library(sqlite3 INTERFACE IMPORTED)
target_include_directories(sqlite3 SYSTEM INTERFACE ${TRITONSMITH_VENDOR_DIR}/include)
target_link_libraries(sqlite3 INTERFACE ${TRITONSMITH_VENDOR_DIR}/lib/libsqlite3.a m ${CMAKE_DL_LIBS} Threads::Threads)

add_library(pcre2 INTERFACE IMPORTED)
target_include_directories(pcre2 SYSTEM INTERFACE ${TRITONSMITH_VENDOR_DIR}/include)
target_link_libraries(pcre2 INTERFACE ${TRITONSMITH_VENDOR_DIR}/lib/libpcre2-8.a)

add_library(utf8proc INTERFACE IMPORTED)
target_include_directories(utf8proc SYSTEM INTERFACE ${TRITONSMITH_VENDOR_DIR}/include)
target_compile_definitions(utf8proc INTERFACE UTF8PROC_STATIC)
target_link_libraries(utf8proc INTERFACE ${TRITONSMITH_VENDOR_DIR}/lib/libutf8proc.a)

# cpp-httplib is a shared library with its dependencies beside it, found there by the programs' rpath.
file(STRINGS ${TRITONSMITH_VENDOR_DIR}/lib/httplib.flags HTTPLIB_FLAGS)
separate_arguments(HTTPLIB_FLAGS)
add_library(httplib INTERFACE IMPORTED)
target_include_directories(httplib SYSTEM INTERFACE ${TRITONSMITH_VENDOR_DIR}/include)
target_compile_options(httplib INTERFACE ${HTTPLIB_FLAGS})
file(GLOB HTTPLIB_LIBRARIES ${TRITONSMITH_VENDOR_DIR}/lib/*.so.*)
target_link_libraries(httplib INTERFACE ${HTTPLIB_LIBRARIES} Threads::Threads)

set(googletest ${TRITONSMITH_VENDOR_DIR}/googletest)
add_library(gmock STATIC EXCLUDE_FROM_ALL ${googletest}/googletest/src/gtest-all.cc ${googletest}/googlemock/src/gmock-all.cc)
target_include_directories(gmock SYSTEM PUBLIC ${googletest}/googletest/include ${googletest}/googlemock/include
  PRIVATE ${googletest}/googletest ${googletest}/googlemock)
target_compile_options(gmock PRIVATE -w)
target_link_libraries(gmock PUBLIC Threads::Threads)
add_library(gtest_main STATIC EXCLUDE_FROM_ALL ${googletest}/googletest/src/gtest_main.cc)
target_link_libraries(gtest_main PUBLIC gmock)
add_library(GTest::gtest ALIAS gmock)
add_library(GTest::gmock ALIAS gmock)
add_library(GTest::gtest_main ALIAS gtest_main)
