/* Which mesh format a file has, by content and by name, and what a format can hold. */
#pragma once

#include <tactus/mesh.h>

/* The format of that name; TAC_MESH_FORMAT_COUNT: no format has it. */
tacMeshFormat tac_mesh_format_find(const char *name);

/* What tac_mesh_read takes a file for: "OBJ", "Gmsh MSH", ...; NULL where it is unreadable or of no known format. */
const char *tac_mesh_recognise(const char *path);

/* What a path's ending means; TAC_MESH_FORMAT_BY_NAME where it means nothing. */
tacMeshFormat tac_mesh_format_of_path(const char *path);

/* Whether a format can hold the given kind of mesh. */
int tac_mesh_format_holds_surface(tacMeshFormat format);
int tac_mesh_format_holds_volume(tacMeshFormat format);
