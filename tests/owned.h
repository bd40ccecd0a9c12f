/* How objects of the library are destroyed that a test owns (TAC_OWN). Declares what it needs of them itself, so that suites of
 * every room include it. */
#pragma once
#include <tactus/green.h>
#include <tactus/reduced.h>
#include "asset/deformed_field.h"
#include "asset/deformed_pose.h"
#include "asset/load_field.h"
#include "asset/load_slice.h"
#include "contact/contact_problem.h"
#include "elastic/reference/reference_problem.h"
#include "kinds/green/capacitance.h"
#include "kinds/vademecum/vademecum.h"
#include "mesh/contents/mesh_builder.h"
#include "mesh/query/embedding.h"
#include "world/pair_look.h"

#define OWNED(type, destroy) \
  typedef struct type type;  \
  void destroy(type *);      \
  TAC_OWNED_TYPE(type, destroy)

OWNED(tacBoxTree, tac_box_tree_destroy)
OWNED(tacCapacitance, tac_capacitance_destroy)
OWNED(tacChunkFile, tac_chunk_file_close)
OWNED(tacContactProblem, tac_contact_problem_destroy)
OWNED(tacCrew, tac_crew_destroy)
OWNED(tacDeformedField, tac_deformed_field_destroy)
OWNED(tacDeformedPose, tac_deformed_pose_destroy)
OWNED(tacDistanceField, tac_distance_field_destroy)
OWNED(tacEmbedding, tac_embedding_destroy)
OWNED(tacGreen, tac_green_destroy)
OWNED(tacGuard, tac_guard_destroy)
OWNED(tacLoadField, tac_load_field_destroy)
OWNED(tacLoadSlice, tac_load_slice_destroy)
OWNED(tacPacket, tac_packet_release)
OWNED(tacPairLook, tac_pair_look_destroy)
OWNED(tacPointshell, tac_pointshell_destroy)
OWNED(tacRecording, tac_recording_close)
OWNED(tacReduced, tac_reduced_destroy)
OWNED(tacReferenceProblem, tac_reference_problem_destroy)
OWNED(tacRing, tac_ring_destroy)
OWNED(tacSampledSolid, tac_sampled_solid_destroy)
OWNED(tacScene, tac_scene_destroy)
OWNED(tacServo, tac_servo_destroy)
OWNED(tacSpaceMouse, tac_spacemouse_close)
OWNED(tacTrajectory, tac_trajectory_destroy)
OWNED(tacTriMesh, tac_trimesh_destroy)
OWNED(tacTriangleTree, tac_triangle_tree_destroy)
OWNED(tacTripleBuffer, tac_triple_buffer_destroy)
OWNED(tacVademecum, tac_vademecum_destroy)
OWNED(tacVademecumSolver, tac_vademecum_solver_destroy)
OWNED(tacVolMesh, tac_volmesh_destroy)
OWNED(tacWorld, tac_world_destroy)

#undef OWNED

/* Values of which a block often owns several: TAC_DENSE a = product(&b, &c), d; and arrays of malloc: TAC_DOUBLES *x = NULL, *y = NULL; */
#define TAC_DOUBLES __attribute__((cleanup(tac_owned_free), unused)) double
#define TAC_DENSE __attribute__((cleanup(tac_dense_destroy), unused)) tacDense
#define TAC_SPARSE __attribute__((cleanup(tac_sparse_destroy), unused)) tacSparse
#define TAC_MESH_CONTENTS __attribute__((cleanup(tac_mesh_contents_destroy), unused)) tacMeshContents
