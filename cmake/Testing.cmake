# Tests that are not GoogleTest programs of this build.

# Python: one ctest test per file python/tests/test_*.py (unittest; *_slow.py has the label slow, *_gpu.py gpu).
file(GLOB python_tests CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/python/tests/test_*.py)
foreach(file ${python_tests})
  get_filename_component(name ${file} NAME_WE)
  set(label fast)
  if(name MATCHES "_(slow|gpu)$")
    set(label ${CMAKE_MATCH_1})
  endif()
  add_test(NAME python.${name} COMMAND ${TRITONSMITH_PYTHON} -m unittest -v ${name}
           WORKING_DIRECTORY ${CMAKE_SOURCE_DIR}/python/tests)
  set_tests_properties(python.${name} PROPERTIES LABELS ${label} TIMEOUT 600
    SKIP_REGULAR_EXPRESSION "OK \\(skipped=[0-9]+\\)[ \n]*$"
    ENVIRONMENT "PYTHONPATH=${CMAKE_BINARY_DIR}/package;PYTHONDONTWRITEBYTECODE=1;TRITONSMITH_SOURCE_DIR=${CMAKE_SOURCE_DIR}")
endforeach()

# Sanitizers: the test programs of the asan preset's modules, run from here so that ./test ends in one summary. They are
# there only while TRITONSMITH_SANITIZERS is set, because the other build must be up to date then (./test sees to it).
set(script ${CMAKE_BINARY_DIR}/sanitizer_tests.cmake)
file(WRITE ${script} "if(DEFINED ENV{TRITONSMITH_SANITIZERS})\n")
foreach(module base aten task lint plan ttir text reward kernels model train engine grpo endpoint serve)
  set(program ${CMAKE_SOURCE_DIR}/build/asan/bin/${module}_test)
  file(APPEND ${script}
    "  if(EXISTS \"${program}\")\n"
    "    add_test(asan.${module} \"${program}\" --gtest_brief=1)\n"
    "    set_tests_properties(asan.${module} PROPERTIES LABELS asan TIMEOUT 900)\n"
    "  endif()\n")
endforeach()
file(APPEND ${script} "endif()\n")
set_property(DIRECTORY APPEND PROPERTY TEST_INCLUDE_FILES ${script})
