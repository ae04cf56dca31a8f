# A module is a folder of src/: a static library of its *.cpp, and one test program of its *_test.cpp.
#
#   tritonsmith_module(plan FOLDERS analysis DEPS tritonsmith::base nlohmann_json::nlohmann_json)
#
# makes tritonsmith::plan from src/plan and src/plan/analysis and, where tests exist, plan_test (GoogleTest, ctest label "fast";
# files *_slow_test.cpp go into plan_slow_test with label "slow", files *_gpu_test.cpp into plan_gpu_test with "gpu").
include(GoogleTest)

function(tritonsmith_module name)
  cmake_parse_arguments(MODULE "" "" "FOLDERS;DEPS;TEST_DEPS" ${ARGN})
  set(patterns *.cpp *.c)
  foreach(folder ${MODULE_FOLDERS})
    list(APPEND patterns ${folder}/*.cpp ${folder}/*.c)
  endforeach()
  file(GLOB sources CONFIGURE_DEPENDS ${patterns})
  set(tests ${sources})
  list(FILTER sources EXCLUDE REGEX "(_test|_main)\\.cpp$")
  list(FILTER tests INCLUDE REGEX "_test\\.cpp$")
  set(slow ${tests})
  list(FILTER slow INCLUDE REGEX "_slow_test\\.cpp$")
  set(gpu ${tests})
  list(FILTER gpu INCLUDE REGEX "_gpu_test\\.cpp$")
  list(FILTER tests EXCLUDE REGEX "_(slow|gpu)_test\\.cpp$")
  set(in_c ${sources})
  list(FILTER in_c INCLUDE REGEX "\\.c$")
  # Each has its own macros for the system's headers.
  set_source_files_properties(${in_c} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
  if(sources)
    add_library(tritonsmith_${name} STATIC ${sources})
    target_link_libraries(tritonsmith_${name} PUBLIC ${MODULE_DEPS})
  else()
    add_library(tritonsmith_${name} INTERFACE)
    target_link_libraries(tritonsmith_${name} INTERFACE ${MODULE_DEPS})
  endif()
  add_library(tritonsmith::${name} ALIAS tritonsmith_${name})
  tritonsmith_test(${name}_test LABEL fast SOURCES ${tests} DEPS tritonsmith_${name} ${MODULE_TEST_DEPS})
  tritonsmith_test(${name}_slow_test LABEL slow SOURCES ${slow} DEPS tritonsmith_${name} ${MODULE_TEST_DEPS})
  tritonsmith_test(${name}_gpu_test LABEL gpu SOURCES ${gpu} DEPS tritonsmith_${name} ${MODULE_TEST_DEPS})
endfunction()

function(tritonsmith_test name)
  cmake_parse_arguments(TEST "" "LABEL" "SOURCES;DEPS" ${ARGN})
  if(NOT TEST_SOURCES)
    return()
  endif()
  add_executable(${name} ${TEST_SOURCES})
  target_link_libraries(${name} PRIVATE ${TEST_DEPS} GTest::gmock GTest::gtest_main)
  target_compile_options(${name} PRIVATE ${TRITONSMITH_TEST_OPTIONS})
  target_compile_definitions(${name} PRIVATE
    TRITONSMITH_SOURCE_DIR="${CMAKE_SOURCE_DIR}" TRITONSMITH_BINARY_DIR="${CMAKE_BINARY_DIR}"
    TRITONSMITH_PYTHON="${TRITONSMITH_PYTHON}")
  # Listing the tests of a program that has torch reads its libraries from a cold disk: CMake gives it 5 seconds.
  gtest_discover_tests(${name} DISCOVERY_MODE PRE_TEST DISCOVERY_TIMEOUT 300 PROPERTIES LABELS ${TEST_LABEL} TIMEOUT 600)
endfunction()
