# What ./tritonsmith builds, each when it is first asked for (tools/setup.sh), without tests and benchmarks:
#   program    `verify` and all that judges
#   generate   `generate` with an endpoint
#   engine     `generate --model` and `serve`: models on this machine
#   train      `train`
# and each with _gpu: what it needs besides on a machine that has one.
function(tritonsmith_bundle name)
  add_custom_target(${name})
  foreach(target ${ARGN})
    if(TARGET ${target})
      add_dependencies(${name} ${target})
    endif()
  endforeach()
endfunction()

set(native)
if(EXISTS ${CMAKE_SOURCE_DIR}/python/CMakeLists.txt)
  get_property(native DIRECTORY ${CMAKE_SOURCE_DIR}/python PROPERTY BUILDSYSTEM_TARGETS)
endif()
tritonsmith_bundle(program tritonsmith tritonsmith-worker ${native})
tritonsmith_bundle(generate program tritonsmith-generate)
tritonsmith_bundle(engine generate tritonsmith-engine)
tritonsmith_bundle(train program tritonsmith-train)
tritonsmith_bundle(program_gpu tritonsmith-gpu-worker tritonsmith-gpu-probe)
tritonsmith_bundle(generate_gpu program_gpu)
tritonsmith_bundle(engine_gpu generate_gpu tritonsmith-gpu-engine tritonsmith-kernels)
tritonsmith_bundle(train_gpu program_gpu tritonsmith-gpu-train tritonsmith-kernels)
