/* How objects of each type are destroyed that a test owns (TAC_OWN in test.h). Says what it needs of the types itself, so that suites of
 * every room include it. */
#pragma once
#include <tactus/green.h>
#include <tactus/reduced.h>
#include <tactus/vademecum.h>

#define TAC_OWNED_TYPE(type, destroy)            \
  typedef struct type type;                      \
  void destroy(type *);                          \
  static inline void end_##type(type **object) { \
    destroy(*object);                            \
  }

TAC_OWNED_TYPE(tacBoundaryElements, tac_boundary_elements_destroy)
TAC_OWNED_TYPE(tacBroadPhase, tac_broad_phase_destroy)
TAC_OWNED_TYPE(tacCapacitance, tac_capacitance_destroy)
TAC_OWNED_TYPE(tacChunkFile, tac_chunk_file_close)
TAC_OWNED_TYPE(tacContactProblem, tac_contact_problem_destroy)
TAC_OWNED_TYPE(tacDeformedField, tac_deformed_field_destroy)
TAC_OWNED_TYPE(tacDeformedPose, tac_deformed_pose_destroy)
TAC_OWNED_TYPE(tacDistanceField, tac_distance_field_destroy)
TAC_OWNED_TYPE(tacEmbedding, tac_embedding_destroy)
TAC_OWNED_TYPE(tacFactor, tac_factor_destroy)
TAC_OWNED_TYPE(tacFiniteStatics, tac_finite_statics_destroy)
TAC_OWNED_TYPE(tacFrameMaker, tac_frame_maker_destroy)
TAC_OWNED_TYPE(tacGreen, tac_green_destroy)
TAC_OWNED_TYPE(tacGreenBody, tac_green_body_destroy)
TAC_OWNED_TYPE(tacGreenColumns, tac_green_columns_destroy)
TAC_OWNED_TYPE(tacGuard, tac_guard_destroy)
TAC_OWNED_TYPE(tacHyperSolid, tac_hyper_solid_destroy)
TAC_OWNED_TYPE(tacHyperStatics, tac_hyper_statics_destroy)
TAC_OWNED_TYPE(tacLiveFactor, tac_live_factor_destroy)
TAC_OWNED_TYPE(tacLoadBases, tac_load_bases_destroy)
TAC_OWNED_TYPE(tacLoadField, tac_load_field_destroy)
TAC_OWNED_TYPE(tacLoadSlice, tac_load_slice_destroy)
TAC_OWNED_TYPE(tacNodalRotation, tac_nodal_rotation_destroy)
TAC_OWNED_TYPE(tacPacket, tac_packet_release)
TAC_OWNED_TYPE(tacPairLook, tac_pair_look_destroy)
TAC_OWNED_TYPE(tacPatchGrip, tac_patch_grip_destroy)
TAC_OWNED_TYPE(tacPointTree, tac_point_tree_destroy)
TAC_OWNED_TYPE(tacPointshell, tac_pointshell_destroy)
TAC_OWNED_TYPE(tacRecording, tac_recording_close)
TAC_OWNED_TYPE(tacReduced, tac_reduced_destroy)
TAC_OWNED_TYPE(tacReducedBody, tac_reduced_body_destroy)
TAC_OWNED_TYPE(tacReferenceProblem, tac_reference_problem_destroy)
TAC_OWNED_TYPE(tacSampledSolid, tac_sampled_solid_destroy)
TAC_OWNED_TYPE(tacScene, tac_scene_destroy)
TAC_OWNED_TYPE(tacServo, tac_servo_destroy)
TAC_OWNED_TYPE(tacShellTraversal, tac_shell_traversal_destroy)
TAC_OWNED_TYPE(tacSpaceMouse, tac_spacemouse_close)
TAC_OWNED_TYPE(tacStatics, tac_statics_destroy)
TAC_OWNED_TYPE(tacSurfaceBoxes, tac_surface_boxes_destroy)
TAC_OWNED_TYPE(tacTrajectory, tac_trajectory_destroy)
TAC_OWNED_TYPE(tacTriMesh, tac_trimesh_destroy)
TAC_OWNED_TYPE(tacTriangleTree, tac_triangle_tree_destroy)
TAC_OWNED_TYPE(tacVademecum, tac_vademecum_destroy)
TAC_OWNED_TYPE(tacVademecumSolver, tac_vademecum_solver_destroy)
TAC_OWNED_TYPE(tacVolMesh, tac_volmesh_destroy)
TAC_OWNED_TYPE(tacWorld, tac_world_destroy)
TAC_OWNED_TYPE(tacYamlTree, tac_yaml_tree_destroy)
