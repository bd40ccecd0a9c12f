# The suites that sanitizer builds have (folder/file, regular expressions). With TACTUS_TEST_WHOLE the address sanitizer has all, the
# thread sanitizer also bakes and the two rates.

# Address and undefined behaviour: readers and formats, memory, kernels that process several numbers at once, the public API, what
# talks to devices and pages, and a short scene of each kind.
set(asan_suites
  "base/.*" "record/.*" "device/.*" "drivers/.*" "servo/(energy_account|faulty_device|force_limits|guard|servo|servo_simulation|servo_thread)" "viewer/.*" "faults/.*" "realtime/.*" "app/(axis|envelope|fclib_file|html_text|law_trace|spectrum|xy_path)"
  "math/(blas|dense|dense_inverse|dense_lu|dense_product|factor|float_gram|float_rows|minres|secants|sparse|supernodal_cholesky|supernodes|vector)"
  "mesh/(.*_file|box_tree|embedding|repair|simplify|surface|trimesh|volmesh|triangle_tree)"
  "elastic/(assembly|hyper_lane|hyper_solid|live_factor|sampled_solid|statics)"
  "asset/.*"
  "bake/(field_check|pointshell_bake|voxelise)"
  "shape/implicit"
  "body/(frame|kinds)"
  "kinds/(body_kind|scene_kinds|capacitance|green|green_columns|reduced|reduced_bake|reduced_polynomial|reduced_stress|vademecum|separation|load_file|scene_corotational|scene_hyperelastic|scene_rigid|scene_vademecum|template_kind)"
  "spec/(body_copy|quantity|schema|yaml_tree)"
  "collide/(broad_phase|contact_clusters|shell_traversal)"
  "contact/(contact_problem|delassus|penalty|point_group|problem_file)"
  "couple/(coupling|local_problem)"
  "world/(held_tool|pad_tools|store|world|world_control|world_use)"
  "scene/(layout|scene_check|scene_instrument|scene_rate)"
  "physics/matrix")

# Threads: what has some, or is called from several.
set(tsan_suites
  "base/(triple_buffer|parallel|crew|log|thread|progress|ring)" "math/(blas|dense_lu|math_threads)" "mesh/scan_winding"
  "elastic/(boundary_elements|live_factor|hyper_solid)"
  "kinds/(load_field_bake|separation|green_columns)" "device/pointer" "record/recorder"
  "servo/(servo|servo_simulation)" "viewer/(protocol|server|session)" "physics/hyperelastic_events"
  "drivers/(force_dimension|haply|network|openhaptics)")

if(TACTUS_TEST_WHOLE)
  list(APPEND tsan_suites "bake/(field_bake|isosurface)" "kinds/vademecum_bake" "physics/rates")
endif()

# Takes from a list of sources those that this build does not have.
function(tac_only_sanitized variable)
  if(TACTUS_SANITIZE_THREAD)
    set(patterns ${tsan_suites})
  elseif(TACTUS_SANITIZE_ADDRESS AND NOT TACTUS_TEST_WHOLE)
    set(patterns ${asan_suites})
  else()
    return()
  endif()
  set(kept)
  foreach(source ${${variable}})
    file(RELATIVE_PATH name ${CMAKE_CURRENT_SOURCE_DIR} ${source})
    string(REGEX REPLACE "^([a-z]+)/([a-z]+/)*test_" "\\1/" name ${name}) # room/file, whatever the corridor
    foreach(pattern ${patterns})
      if(name MATCHES "^${pattern}\\.c$")
        list(APPEND kept ${source})
        break()
      endif()
    endforeach()
  endforeach()
  set(${variable} ${kept} PARENT_SCOPE)
endfunction()
