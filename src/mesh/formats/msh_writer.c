#include "mesh/formats/msh_writer.h"

#include <inttypes.h>
#include "base/memory/owned.h"
#include "mesh/contents/group_tags.h"

tacStatus tac_msh_writer_begin(tacMshWriter *writer, const tacMeshContents *contents, tacError *error) {
  TAC_TRY(tac_joined_mesh_make(contents, &writer->mesh, error));
  const tacTriMesh *surface = writer->mesh.surface;
  const tacVolMesh *volume = writer->mesh.volume;
  TAC_TRY(tac_group_tags(volume->vertex_set_count, volume->vertex_sets, &writer->set_tags, error));
  TAC_TRY(tac_group_first_tags(surface->group_count, surface->groups, surface->triangle_count, &writer->triangle_tags,
                               error));
  return tac_group_first_tags(volume->group_count, volume->groups, tac_joined_mesh_element_count(&writer->mesh),
                              &writer->element_tags, error);
}

void tac_msh_writer_free(tacMshWriter *writer) {
  tac_joined_mesh_free(&writer->mesh);
  free(writer->set_tags);
  free(writer->triangle_tags);
  free(writer->element_tags);
}

int tac_msh_type(int corner_count) {
  return corner_count == 3 ? 2 : corner_count == 4 ? 4 : 5;
}

void tac_msh_for_elements(tacMshWriter *writer, tacMshElementFn function) {
  const tacVolMesh *volume = writer->mesh.volume;
  int triangles = writer->mesh.surface->triangle_count;
  tacMshElement element = {.tag = 1, .type = 15, .node_count = 1, .count = tac_msh_point_count(writer)};
  for (int s = 0; s < volume->vertex_set_count; ++s) {
    element.physical = writer->set_tags[s];
    for (int i = 0; i < volume->vertex_sets[s].count; ++i, ++element.tag, ++element.item) {
      element.nodes[0] = volume->vertex_sets[s].indices[i] + 1;
      function(writer, &element);
    }
  }
  for (int64_t cell = 0; cell < tac_joined_mesh_cell_count(&writer->mesh); ++cell, ++element.tag, ++element.item) {
    int before = element.node_count;
    element.node_count = tac_joined_mesh_cell(&writer->mesh, cell, element.nodes);
    if (element.node_count != before) element.item = 0;
    element.type = tac_msh_type(element.node_count);
    element.count = element.type == 2 ? triangles : element.type == 4 ? volume->tet_count : volume->brick_count;
    element.physical = cell < triangles ? writer->triangle_tags[cell] : writer->element_tags[cell - triangles];
    for (int c = 0; c < element.node_count; ++c) ++element.nodes[c];
    function(writer, &element);
  }
}

int64_t tac_msh_point_count(const tacMshWriter *writer) {
  int64_t count = 0;
  for (int s = 0; s < writer->mesh.volume->vertex_set_count; ++s) count += writer->mesh.volume->vertex_sets[s].count;
  return count;
}

int64_t tac_msh_element_count(const tacMshWriter *writer) {
  return tac_msh_point_count(writer) + tac_joined_mesh_cell_count(&writer->mesh);
}

static tacStatus write_names_of(tacMshWriter *writer, int dimension, int count, const tacIndexSet *groups,
                                tacError *error) {
  TAC_MEMORY(int, tags) = NULL;
  TAC_TRY(tac_group_tags(count, groups, &tags, error));
  for (int g = 0; g < count; ++g) {
    fprintf(writer->out.stream, "%d %d \"", dimension, tags[g]);
    for (const char *c = groups[g].name; *c != 0; ++c) fputc(*c == '"' ? '\'' : *c, writer->out.stream);
    fputs("\"\n", writer->out.stream);
  }
  return TAC_OK;
}

tacStatus tac_msh_write_head(tacMshWriter *writer, const char *version, tacError *error) {
  const tacTriMesh *surface = writer->mesh.surface;
  const tacVolMesh *volume = writer->mesh.volume;
  FILE *stream = writer->out.stream;
  fprintf(stream, "$MeshFormat\n%s %d 8\n", version, writer->out.binary);
  if (writer->out.binary) {
    tac_number_write_integer(&writer->out, 4, 1);
    fputc('\n', stream);
  }
  fputs("$EndMeshFormat\n", stream);
  int64_t count = (int64_t)volume->vertex_set_count + surface->group_count + volume->group_count;
  if (count == 0) return TAC_OK;
  fprintf(stream, "$PhysicalNames\n%" PRId64 "\n", count);
  TAC_TRY(write_names_of(writer, 0, volume->vertex_set_count, volume->vertex_sets, error));
  TAC_TRY(write_names_of(writer, 2, surface->group_count, surface->groups, error));
  TAC_TRY(write_names_of(writer, 3, volume->group_count, volume->groups, error));
  fputs("$EndPhysicalNames\n", stream);
  return TAC_OK;
}
