#include "mesh/formats/msh_writer.h"

#include <inttypes.h>
#include <stdlib.h>
#include "mesh/contents/group_tags.h"

tacStatus tac_msh_find_tags(tacMshWriter *writer, tacError *error) {
  const tacTriMesh *surface = writer->mesh.surface;
  const tacVolMesh *volume = writer->mesh.volume;
  tacStatus status = tac_group_tags(volume->vertex_set_count, volume->vertex_sets, &writer->set_tags, error);
  if (status == TAC_OK)
    status = tac_group_first_tags(surface->group_count, surface->groups, surface->triangle_count,
                                  &writer->triangle_tags, error);
  if (status == TAC_OK)
    status = tac_group_first_tags(volume->group_count, volume->groups, tac_joined_mesh_element_count(&writer->mesh),
                                  &writer->element_tags, error);
  return status;
}

void tac_msh_free_tags(tacMshWriter *writer) {
  free(writer->set_tags);
  free(writer->triangle_tags);
  free(writer->element_tags);
  writer->set_tags = writer->triangle_tags = writer->element_tags = NULL;
}

int tac_msh_element_physical(const tacMshWriter *writer, const tacMshElement *element) {
  switch (element->type) {
    case 15: return writer->set_tags[element->set];
    case 2: return writer->triangle_tags[element->item];
    case 4: return writer->element_tags[element->item];
    default: return writer->element_tags[writer->mesh.volume->tet_count + element->item];
  }
}

void tac_msh_for_elements(tacMshWriter *writer, tacMshElementFn function) {
  const tacTriMesh *surface = writer->mesh.surface;
  const tacVolMesh *volume = writer->mesh.volume;
  tacMshElement element = {.tag = 1, .type = 15, .node_count = 1};
  for (element.set = 0; element.set < volume->vertex_set_count; ++element.set) {
    const tacIndexSet *set = &volume->vertex_sets[element.set];
    for (int i = 0; i < set->count; ++i, ++element.tag, ++element.item) {
      element.nodes[0] = set->indices[i] + 1;
      function(writer, &element);
    }
  }
  element.type = 2;
  element.node_count = 3;
  for (element.item = 0; element.item < surface->triangle_count; ++element.item, ++element.tag) {
    for (int c = 0; c < 3; ++c)
      element.nodes[c] = writer->mesh.surface_vertex[surface->triangles[element.item].v[c]] + 1;
    function(writer, &element);
  }
  element.type = 4;
  element.node_count = 4;
  for (element.item = 0; element.item < volume->tet_count; ++element.item, ++element.tag) {
    for (int c = 0; c < 4; ++c) element.nodes[c] = volume->tets[element.item].v[c] + 1;
    function(writer, &element);
  }
  element.type = 5;
  element.node_count = 8;
  for (element.item = 0; element.item < volume->brick_count; ++element.item, ++element.tag) {
    for (int c = 0; c < 8; ++c) element.nodes[c] = volume->bricks[element.item].v[c] + 1;
    function(writer, &element);
  }
}

int64_t tac_msh_point_count(const tacMshWriter *writer) {
  int64_t count = 0;
  for (int s = 0; s < writer->mesh.volume->vertex_set_count; ++s) count += writer->mesh.volume->vertex_sets[s].count;
  return count;
}

int64_t tac_msh_element_count(const tacMshWriter *writer) {
  return tac_msh_point_count(writer) + writer->mesh.surface->triangle_count +
         tac_joined_mesh_element_count(&writer->mesh);
}

static tacStatus write_names_of(tacMshWriter *writer, int dimension, int count, const tacIndexSet *groups,
                                tacError *error) {
  int *tags;
  tacStatus status = tac_group_tags(count, groups, &tags, error);
  if (status != TAC_OK) return status;
  for (int g = 0; g < count; ++g) {
    fprintf(writer->out.stream, "%d %d \"", dimension, tags[g]);
    for (const char *c = groups[g].name; *c != 0; ++c) fputc(*c == '"' ? '\'' : *c, writer->out.stream);
    fputs("\"\n", writer->out.stream);
  }
  free(tags);
  return TAC_OK;
}

tacStatus tac_msh_write_names(tacMshWriter *writer, tacError *error) {
  const tacTriMesh *surface = writer->mesh.surface;
  const tacVolMesh *volume = writer->mesh.volume;
  int64_t count = (int64_t)volume->vertex_set_count + surface->group_count + volume->group_count;
  if (count == 0) return TAC_OK;
  fprintf(writer->out.stream, "$PhysicalNames\n%" PRId64 "\n", count);
  tacStatus status = write_names_of(writer, 0, volume->vertex_set_count, volume->vertex_sets, error);
  if (status == TAC_OK) status = write_names_of(writer, 2, surface->group_count, surface->groups, error);
  if (status == TAC_OK) status = write_names_of(writer, 3, volume->group_count, volume->groups, error);
  fputs("$EndPhysicalNames\n", writer->out.stream);
  return status;
}
