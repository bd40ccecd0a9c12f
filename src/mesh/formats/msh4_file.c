/* MSH version 4.1: nodes and elements in blocks by entity; physical groups belong to entities. */
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include "base/memory/array.h"
#include "base/memory/owned.h"
#include "math/geometry/vec3.h"
#include "mesh/contents/group_tags.h"
#include "mesh/formats/mesh_format.h"
#include "mesh/formats/msh_reader.h"
#include "mesh/formats/msh_writer.h"

/* The format's "size_t" and "int". */
static tacStatus read_size(tacScanner *s, const char *what, int64_t *value) {
  return tac_scanner_value_integer(s, TAC_NUMBER_U64, what, 0, INT64_MAX, value);
}

static tacStatus read_int(tacScanner *s, const char *what, int64_t *value) {
  return tac_scanner_value_integer(s, TAC_NUMBER_I32, what, INT_MIN, INT_MAX, value);
}

/* Lists are short in text and of known size in binary. */
static size_t least_bytes(const tacScanner *s, size_t binary, size_t text) {
  return s->binary ? binary : text;
}

static int compare_entities(const void *a, const void *b) {
  const tacMshEntity *x = a, *y = b;
  if (x->dimension != y->dimension) return x->dimension < y->dimension ? -1 : 1;
  return (x->tag > y->tag) - (x->tag < y->tag);
}

/* What an entity that is part of another has in front: the other's dimension and number, and its partitions. */
static tacStatus pass_partitions(tacScanner *s) {
  int64_t count, ignored;
  for (int i = 0; i < 2; ++i) TAC_TRY(read_int(s, "the parent of an entity", &ignored));
  TAC_TRY(read_size(s, "the number of partitions of the entity", &count));
  TAC_TRY(tac_scanner_check_count(s, count, least_bytes(s, 4, 2), "partitions"));
  for (int64_t i = 0; i < count; ++i) TAC_TRY(read_int(s, "a partition", &ignored));
  return TAC_OK;
}

static tacStatus read_entity(tacMshReader *reader, int dimension, bool is_part) {
  tacScanner *s = &reader->scanner;
  tacMshEntity entity = {.dimension = dimension, .first_physical = reader->physical_count};
  int64_t count, tag;
  TAC_TRY(read_int(s, "the number of an entity", &entity.tag));
  if (is_part) TAC_TRY(pass_partitions(s));
  for (int i = 0; i < (dimension == 0 ? 3 : 6); ++i)
    TAC_TRY(tac_scanner_pass_value(s, TAC_NUMBER_F64, "the box of an entity"));
  TAC_TRY(read_size(s, "the number of physical groups of the entity", &count));
  TAC_TRY(tac_scanner_check_count(s, count, least_bytes(s, 4, 2), "physical groups"));
  for (int64_t i = 0; i < count; ++i) {
    TAC_TRY(read_int(s, "a physical group", &tag));
    if (tag == 0) continue; /* no group */
    TAC_TRY(tac_array_reserve((void **)&reader->physicals, &reader->physical_room, reader->physical_count + 1,
                              sizeof tag, "physical groups", s->error));
    reader->physicals[reader->physical_count++] = tag;
  }
  entity.physical_count = reader->physical_count - entity.first_physical;
  if (dimension > 0) {
    TAC_TRY(read_size(s, "the number of bounding entities", &count));
    TAC_TRY(tac_scanner_check_count(s, count, least_bytes(s, 4, 2), "bounding entities"));
    for (int64_t i = 0; i < count; ++i) TAC_TRY(read_int(s, "a bounding entity", &tag));
  }
  TAC_TRY(tac_array_reserve((void **)&reader->entities, &reader->entity_room, reader->entity_count + 1, sizeof entity,
                            "entities", s->error));
  reader->entities[reader->entity_count++] = entity;
  return tac_msh_end_line(reader, "the entity");
}

static tacStatus read_entities(tacMshReader *reader, bool are_parts) {
  tacScanner *s = &reader->scanner;
  int64_t counts[4];
  for (int d = 0; d < 4; ++d) TAC_TRY(read_size(s, "a number of entities", &counts[d]));
  TAC_TRY(tac_msh_end_line(reader, "the numbers of entities"));
  for (int d = 0; d < 4; ++d) {
    TAC_TRY(tac_scanner_check_count(s, counts[d], least_bytes(s, 36, 10), "entities"));
    for (int64_t e = 0; e < counts[d]; ++e) {
      TAC_TRY(tac_msh_check_more(reader, "entities", counts[d], e));
      TAC_TRY(read_entity(reader, d, are_parts));
    }
  }
  if (reader->entity_count > 0)
    qsort(reader->entities, reader->entity_count, sizeof *reader->entities, compare_entities);
  tac_msh_end_data(reader);
  return TAC_OK;
}

tacStatus tac_msh4_read_entities(tacMshReader *reader) {
  TAC_TRY(tac_msh_begin_data(reader));
  return read_entities(reader, false);
}

/* Meshes that were cut into partitions: elements belong to parts of entities, which have the physical groups. */
tacStatus tac_msh4_read_partitioned_entities(tacMshReader *reader) {
  tacScanner *s = &reader->scanner;
  int64_t partitions, ghosts, ignored;
  TAC_TRY(tac_msh_begin_data(reader));
  TAC_TRY(read_size(s, "the number of partitions", &partitions));
  TAC_TRY(tac_msh_end_line(reader, "the number of partitions"));
  TAC_TRY(read_size(s, "the number of ghost entities", &ghosts));
  TAC_TRY(tac_msh_end_line(reader, "the number of ghost entities"));
  TAC_TRY(tac_scanner_check_count(s, ghosts, least_bytes(s, 8, 4), "ghost entities"));
  for (int64_t g = 0; g < ghosts; ++g) {
    for (int i = 0; i < 2; ++i) TAC_TRY(read_int(s, "a ghost entity or its partition", &ignored));
    TAC_TRY(tac_msh_end_line(reader, "the ghost entity"));
  }
  return read_entities(reader, true);
}

/* The header of $Nodes and $Elements: numbers of blocks and of things, and the range of their tags. */
typedef struct Header {
  int64_t block_count, count, lowest, highest;
} Header;

static tacStatus read_header(tacMshReader *reader, const char *things, size_t binary_bytes, size_t text_bytes,
                             Header *header) {
  tacScanner *s = &reader->scanner;
  TAC_TRY(read_size(s, "the number of blocks", &header->block_count));
  TAC_TRY(read_size(s, "the number of nodes or elements after that of blocks", &header->count));
  TAC_TRY(read_size(s, "the lowest tag", &header->lowest));
  TAC_TRY(read_size(s, "the highest tag", &header->highest));
  TAC_TRY(tac_scanner_check_count(s, header->count, least_bytes(s, binary_bytes, text_bytes), things));
  TAC_TRY(tac_scanner_check_count(s, header->block_count, least_bytes(s, 20, 8), "blocks"));
  return tac_msh_end_line(reader, "the header of the section");
}

static tacStatus read_node_block(tacMshReader *reader, const Header *header, int64_t *tags, int64_t *read) {
  tacScanner *s = &reader->scanner;
  int64_t dimension, entity, parametric, count;
  TAC_TRY(tac_msh_check_more(reader, "nodes", header->count, *read));
  TAC_TRY(tac_scanner_value_integer(s, TAC_NUMBER_I32, "the dimension of an entity", 0, 3, &dimension));
  TAC_TRY(read_int(s, "the number of the entity", &entity));
  TAC_TRY(tac_scanner_value_integer(s, TAC_NUMBER_I32, "0 or 1 (parametric)", 0, 1, &parametric));
  TAC_TRY(tac_scanner_value_integer(s, TAC_NUMBER_U64, "the number of nodes of the block", 0, header->count - *read,
                                    &count));
  TAC_TRY(tac_msh_end_line(reader, "the header of the block"));
  for (int64_t v = 0; v < count; ++v) {
    TAC_TRY(tac_msh_check_more(reader, "numbers of nodes", count, v));
    TAC_TRY(tac_scanner_value_integer(s, TAC_NUMBER_U64, "the number of a node", header->lowest, header->highest,
                                      &tags[v]));
    TAC_TRY(tac_msh_end_line(reader, "the number of the node"));
  }
  for (int64_t v = 0; v < count; ++v) {
    tacVec3 point;
    TAC_TRY(tac_msh_check_more(reader, "nodes", header->count, *read));
    TAC_TRY(tac_scanner_point(s, TAC_NUMBER_F64, &point));
    for (int64_t i = 0; parametric == 1 && i < dimension; ++i)
      TAC_TRY(tac_scanner_pass_value(s, TAC_NUMBER_F64, "a parametric coordinate"));
    TAC_TRY(tac_msh_end_line(reader, "the coordinates of the node"));
    TAC_TRY(tac_mesh_builder_add_vertex_id(reader->builder, tags[v], point));
    ++*read;
  }
  return TAC_OK;
}

/* Other programs size tables by the range in the header, so that a wrong one is an error of the file. */
static tacStatus check_range(const tacMshReader *reader, const tacScanner *header_place, const Header *header) {
  const tacMeshBuilder *builder = reader->builder;
  if (builder->vertex_count == 0) return TAC_OK;
  int64_t lowest = INT64_MAX, highest = 0;
  for (size_t v = 0; v < builder->vertex_count; ++v) {
    if (builder->ids[v] < lowest) lowest = builder->ids[v];
    if (builder->ids[v] > highest) highest = builder->ids[v];
  }
  if (lowest == header->lowest && highest == header->highest) return TAC_OK;
  return tac_scanner_fail(header_place, TAC_ERR_FORMAT,
                          "the header states node numbers from %" PRId64 " to %" PRId64 ", but they go from %" PRId64
                          " to %" PRId64,
                          header->lowest, header->highest, lowest, highest);
}

tacStatus tac_msh4_read_nodes(tacMshReader *reader) {
  tacScanner *s = &reader->scanner;
  Header header;
  int64_t read = 0;
  TAC_TRY(tac_msh_begin_nodes(reader));
  TAC_TRY(tac_msh_begin_data(reader));
  const tacScanner place = *s;
  TAC_TRY(read_header(reader, "nodes", 32, 8, &header));
  TAC_MEMORY(int64_t, tags) = NULL;
  TAC_TRY(TAC_ARRAY(tags, (size_t)header.count, "numbers of nodes", s->error));
  for (int64_t b = 0; b < header.block_count; ++b) TAC_TRY(read_node_block(reader, &header, tags, &read));
  if (read != header.count)
    return tac_scanner_fail(s, TAC_ERR_FORMAT, "expected %" PRId64 " nodes in %" PRId64 " blocks, found %" PRId64,
                            header.count, header.block_count, read);
  TAC_TRY(check_range(reader, &place, &header));
  tac_msh_end_data(reader);
  return tac_msh_index_nodes(reader);
}

static tacStatus read_element_block(tacMshReader *reader, const Header *header, int64_t *read) {
  tacScanner *s = &reader->scanner;
  int64_t dimension, entity_tag, type, count, tag, nodes[TAC_MSH_MOST_NODES];
  TAC_TRY(tac_msh_check_more(reader, "elements", header->count, *read));
  TAC_TRY(tac_scanner_value_integer(s, TAC_NUMBER_I32, "the dimension of an entity", 0, 3, &dimension));
  TAC_TRY(read_int(s, "the number of the entity", &entity_tag));
  TAC_TRY(tac_scanner_value_integer(s, TAC_NUMBER_I32, "the type of the elements", 1, INT_MAX, &type));
  TAC_TRY(tac_scanner_value_integer(s, TAC_NUMBER_U64, "the number of elements of the block", 0, header->count - *read,
                                    &count));
  TAC_TRY(tac_msh_end_line(reader, "the header of the block"));
  int node_count = tac_msh_node_count(type);
  if (node_count == 0 && s->binary)
    return tac_scanner_fail(s, TAC_ERR_UNSUPPORTED, "elements of the unknown type %" PRId64, type);
  tacMshEntity key = {.dimension = dimension, .tag = entity_tag}, *entity = NULL;
  if (reader->entity_count > 0)
    entity = bsearch(&key, reader->entities, reader->entity_count, sizeof key, compare_entities);
  size_t physical_count = entity != NULL ? entity->physical_count : 0;
  const int64_t *physicals = physical_count > 0 ? reader->physicals + entity->first_physical : NULL;
  for (int64_t e = 0; e < count; ++e, ++*read) {
    TAC_TRY(tac_msh_check_more(reader, "elements", header->count, *read));
    TAC_TRY(tac_scanner_value_integer(s, TAC_NUMBER_U64, "the number of an element", header->lowest, header->highest,
                                      &tag));
    for (int c = 0; c < node_count; ++c) TAC_TRY(read_size(s, "a node of the element", &nodes[c]));
    if (node_count > 0) {
      TAC_TRY(tac_msh_add_element(reader, tag, type, nodes, physical_count, physicals));
      TAC_TRY(tac_msh_end_line(reader, "the nodes of the element"));
    } else {
      tac_msh_skip_line(reader, type);
    }
  }
  return TAC_OK;
}

tacStatus tac_msh4_read_elements(tacMshReader *reader) {
  tacScanner *s = &reader->scanner;
  Header header;
  int64_t read = 0;
  TAC_TRY(tac_msh_check_nodes(reader));
  TAC_TRY(tac_msh_begin_data(reader));
  TAC_TRY(read_header(reader, "elements", 16, 4, &header));
  for (int64_t b = 0; b < header.block_count; ++b) TAC_TRY(read_element_block(reader, &header, &read));
  if (read != header.count)
    return tac_scanner_fail(s, TAC_ERR_FORMAT, "expected %" PRId64 " elements in %" PRId64 " blocks, found %" PRId64,
                            header.count, header.block_count, read);
  tac_msh_end_data(reader);
  return TAC_OK;
}

/* ---- writing ---- */

/* Elements with the same combination of groups form an entity: combination c of a dimension is entity c + 1. */
typedef struct Entities {
  tacGroupCombinations triangles, elements;
  int *triangle_tags, *element_tags; /* of the groups */
} Entities;

static tacStatus find_entities(const tacMshWriter *writer, Entities *entities, tacError *error) {
  const tacTriMesh *surface = writer->mesh.surface;
  const tacVolMesh *volume = writer->mesh.volume;
  TAC_TRY(tac_group_combinations(surface->group_count, surface->groups, surface->triangle_count, &entities->triangles,
                                 error));
  TAC_TRY(tac_group_combinations(volume->group_count, volume->groups, tac_joined_mesh_element_count(&writer->mesh),
                                 &entities->elements, error));
  TAC_TRY(tac_group_tags(surface->group_count, surface->groups, &entities->triangle_tags, error));
  return tac_group_tags(volume->group_count, volume->groups, &entities->element_tags, error);
}

static void free_entities(Entities *entities) {
  tac_group_combinations_free(&entities->triangles);
  tac_group_combinations_free(&entities->elements);
  free(entities->triangle_tags);
  free(entities->element_tags);
}

static void write_entities_of(tacMshWriter *writer, tacBox box, const tacGroupCombinations *combinations,
                              const int *tags) {
  for (int c = 0; c < combinations->count; ++c) {
    tac_number_write_integer(&writer->out, 4, c + 1);
    tac_number_write_point(&writer->out, box.lower);
    tac_number_write_point(&writer->out, box.upper);
    tac_number_write_integer(&writer->out, 8, combinations->start[c + 1] - combinations->start[c]);
    for (int i = combinations->start[c]; i < combinations->start[c + 1]; ++i)
      tac_number_write_integer(&writer->out, 4, tags[combinations->groups[i]]);
    tac_number_write_integer(&writer->out, 8, 0);
    tac_number_end_record(&writer->out);
  }
}

static void begin_section(tacMshWriter *writer, const char *name) {
  fprintf(writer->out.stream, "$%s\n", name);
}

static void end_section(tacMshWriter *writer, const char *name) {
  fprintf(writer->out.stream, "%s$End%s\n", writer->out.binary ? "\n" : "", name);
}

static void write_entities(tacMshWriter *writer, const Entities *entities) {
  const tacVolMesh *volume = writer->mesh.volume;
  tacBox box = tac_box_empty();
  for (int v = 0; v < writer->mesh.vertex_count; ++v) box = tac_box_add(box, tac_joined_mesh_vertex(&writer->mesh, v));
  if (writer->mesh.vertex_count == 0) box = (tacBox){{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
  begin_section(writer, "Entities");
  tac_number_write_record(
      &writer->out, 8, 4,
      (const int64_t[]){volume->vertex_set_count, 0, entities->triangles.count, entities->elements.count});
  for (int set = 0; set < volume->vertex_set_count; ++set) {
    const tacIndexSet *vertices = &volume->vertex_sets[set];
    tac_number_write_integer(&writer->out, 4, set + 1);
    tac_number_write_point(&writer->out, vertices->count > 0 ? volume->vertices[vertices->indices[0]] : box.lower);
    tac_number_write_integer(&writer->out, 8, 1);
    tac_number_write_integer(&writer->out, 4, writer->set_tags[set]);
    tac_number_end_record(&writer->out);
  }
  write_entities_of(writer, box, &entities->triangles, entities->triangle_tags);
  write_entities_of(writer, box, &entities->elements, entities->element_tags);
  end_section(writer, "Entities");
}

/* The header of a section of `count` things in blocks. */
static void write_header(tacMshWriter *writer, int64_t blocks, int64_t count) {
  tac_number_write_record(&writer->out, 8, 4, (const int64_t[]){blocks, count, 1, count});
}

/* The header of a block: three ints and a size_t. */
static void write_block(tacMshWriter *writer, int dimension, int entity, int type, int64_t count) {
  const int ints[3] = {dimension, entity, type};
  for (int i = 0; i < 3; ++i) tac_number_write_integer(&writer->out, 4, ints[i]);
  tac_number_write_record(&writer->out, 8, 1, &count);
}

static void write_nodes(tacMshWriter *writer) {
  int64_t count = writer->mesh.vertex_count;
  begin_section(writer, "Nodes");
  write_header(writer, 1, count);
  write_block(writer, tac_joined_mesh_element_count(&writer->mesh) > 0 ? 3 : 2, 1, 0, count);
  for (int64_t tag = 1; tag <= count; ++tag) tac_number_write_record(&writer->out, 8, 1, &tag);
  for (int v = 0; v < count; ++v) {
    tac_number_write_point(&writer->out, tac_joined_mesh_vertex(&writer->mesh, v));
    tac_number_end_record(&writer->out);
  }
  end_section(writer, "Nodes");
}

static int64_t write_point_blocks(tacMshWriter *writer, bool write) {
  const tacVolMesh *volume = writer->mesh.volume;
  int64_t blocks = 0, tag = 1;
  for (int set = 0; set < volume->vertex_set_count; ++set) {
    const tacIndexSet *vertices = &volume->vertex_sets[set];
    if (vertices->count == 0) continue;
    ++blocks;
    if (!write) continue;
    write_block(writer, 0, set + 1, 15, vertices->count);
    for (int i = 0; i < vertices->count; ++i, ++tag)
      tac_number_write_record(&writer->out, 8, 2, (const int64_t[]){tag, vertices->indices[i] + 1});
  }
  return blocks;
}

typedef struct Kind {
  int dimension, entity, corner_count, corners[8];
} Kind;

static Kind kind_of(const tacMshWriter *writer, const Entities *entities, int64_t cell) {
  int64_t element = cell - writer->mesh.surface->triangle_count;
  Kind kind = {
      element < 0 ? 2 : 3, 1 + (element < 0 ? entities->triangles.of[cell] : entities->elements.of[element]), 0, {0}};
  kind.corner_count = tac_joined_mesh_cell(&writer->mesh, cell, kind.corners);
  return kind;
}

/* A run of elements of one type in one entity is a block, so that elements keep their order. */
static int64_t write_blocks(tacMshWriter *writer, const Entities *entities, bool write) {
  int64_t blocks = write_point_blocks(writer, write), cells = tac_joined_mesh_cell_count(&writer->mesh);
  int64_t tag = 1 + tac_msh_point_count(writer);
  for (int64_t cell = 0, end; cell < cells; cell = end, ++blocks) {
    Kind first = kind_of(writer, entities, cell), kind = first;
    for (end = cell; end < cells; ++end) {
      kind = kind_of(writer, entities, end);
      if (kind.corner_count != first.corner_count || kind.entity != first.entity) break;
    }
    if (!write) continue;
    write_block(writer, first.dimension, first.entity, tac_msh_type(first.corner_count), end - cell);
    for (int64_t c = cell; c < end; ++c) {
      kind = kind_of(writer, entities, c);
      tac_number_write_integer(&writer->out, 8, tag + c);
      for (int i = 0; i < kind.corner_count; ++i) tac_number_write_integer(&writer->out, 8, kind.corners[i] + 1);
      tac_number_end_record(&writer->out);
    }
  }
  return blocks;
}

tacStatus tac_msh4_write(FILE *stream, bool binary, const tacMeshContents *contents, tacError *error) {
  TAC_FREED(tac_msh_writer_free, tacMshWriter, writer) = {.out = {.stream = stream, .binary = binary}};
  TAC_FREED(free_entities, Entities, entities) = {.triangle_tags = NULL};
  TAC_TRY(tac_msh_writer_begin(&writer, contents, error));
  TAC_TRY(find_entities(&writer, &entities, error));
  TAC_TRY(tac_msh_write_head(&writer, "4.1", error));
  write_entities(&writer, &entities);
  write_nodes(&writer);
  begin_section(&writer, "Elements");
  int64_t blocks = write_blocks(&writer, &entities, false);
  write_header(&writer, blocks, tac_msh_element_count(&writer));
  write_blocks(&writer, &entities, true);
  end_section(&writer, "Elements");
  return TAC_OK;
}
