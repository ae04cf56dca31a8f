# The interpreter as a library for Python processes (python/tritonsmith/sanitize/interpreter.py).
if(NOT TARGET tritonsmith::sanitize)
  return()
endif()
package_library(python_sanitize libsanitize.so native/sanitize.cpp)
set_target_properties(python_sanitize PROPERTIES CXX_VISIBILITY_PRESET hidden)
target_link_libraries(python_sanitize PRIVATE tritonsmith::sanitize)
# What a Python process holds besides must not take the place of what is linked in here.
target_link_options(python_sanitize PRIVATE -Wl,--exclude-libs,ALL -Wl,-Bsymbolic)
