# The tracer's tests: one ctest for each file, and the suites' development halves where TRITONSMITH_DEV_DATA names their folder.
file(GLOB python_tests CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/tests/test_*.py)
list(APPEND python_tests ${CMAKE_CURRENT_SOURCE_DIR}/tests/dev_suites.py)
foreach(path ${python_tests})
  get_filename_component(name ${path} NAME_WE)
  add_test(NAME python.${name} COMMAND ${TRITONSMITH_PYTHON} -m unittest ${name}
    WORKING_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR}/tests)
  set_tests_properties(python.${name} PROPERTIES LABELS fast TIMEOUT 600
    ENVIRONMENT "TRITONSMITH_PACKAGE=${TRITONSMITH_PACKAGE_DIR};PYTHONDONTWRITEBYTECODE=1")
endforeach()
set_tests_properties(python.dev_suites PROPERTIES LABELS slow TIMEOUT 1800)
