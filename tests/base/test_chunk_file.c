#include "base/files/chunk_file.h"

#include <string.h>
#include <zstd.h>
#include "base/file_alone.h"
#include "base/files/checksum.h"
#include "base/files/little_endian.h"
#include "base/platform.h"
#include "base/threads/parallel.h"

TAC_TEST_AROUND(set_up_path, clean_up)

/* A file of one kind with chunks of text, each a name and what it holds. */
static void write_texts(uint32_t version, int count, const char *const (*texts)[2]) {
  tacChunkWriter *writer = NULL;
  tac_test_ok(tac_chunk_writer_open(path, "field", version, &writer, &error), error);
  for (int i = 0; i < count; ++i)
    tac_test_ok(tac_chunk_writer_add(writer, texts[i][0], TAC_CHUNK_U8, strlen(texts[i][1]), texts[i][1], &error),
                error);
  tac_test_ok(tac_chunk_writer_commit(writer, &error), error);
}

static tacChunkFile *open_file(void) {
  tacChunkFile *file = NULL;
  tac_test_ok(tac_chunk_file_open(path, &file, &error), error);
  return file;
}

static const uint8_t bytes_u8[] = {0, 1, 127, 128, 255};
static const int32_t items_i32[] = {0, -1, INT32_MIN, INT32_MAX, 0x01020304};
static const int64_t items_i64[] = {0, -1, INT64_MIN, INT64_MAX, 0x0102030405060708};
static const float items_f32[] = {0.0f, -1.5f, 3.4e38f, 1e-45f, 0.1f};
static const double items_f64[] = {0.0, -1.5, 1.7e308, 5e-324, 0.1};

static const struct {
  const char *name;
  tacChunkType type;
  uint64_t count;
  const void *items;
  size_t bytes;
} cases[] = {{"u8", TAC_CHUNK_U8, 5, bytes_u8, sizeof bytes_u8},
             {"i32", TAC_CHUNK_I32, 5, items_i32, sizeof items_i32},
             {"empty", TAC_CHUNK_F64, 0, NULL, 0},
             {"i64", TAC_CHUNK_I64, 5, items_i64, sizeof items_i64},
             {"f32", TAC_CHUNK_F32, 5, items_f32, sizeof items_f32},
             {"f64", TAC_CHUNK_F64, 5, items_f64, sizeof items_f64}};
enum { CASES = sizeof cases / sizeof *cases };

static void write_cases(void) {
  tacChunkWriter *writer = NULL;
  tac_test_ok(tac_chunk_writer_open(path, "distance field", 3, &writer, &error), error);
  for (int i = 0; i < CASES; ++i)
    tac_test_ok(tac_chunk_writer_add(writer, cases[i].name, cases[i].type, cases[i].count, cases[i].items, &error),
                error);
  tac_test_ok(tac_chunk_writer_commit(writer, &error), error);
}

/* Whether everything reads and is what was written; false with the error otherwise. */
static bool reads_back(void) {
  TAC_OWN(tacChunkFile, file) = NULL;
  bool good = tac_chunk_file_open(path, &file, &error) == TAC_OK &&
              tac_chunk_file_expect(file, "distance field", 3, &error) == TAC_OK;
  for (int i = 0; good && i < CASES; ++i) {
    uint64_t count = 0;
    TAC_MEMORY(void, items) = NULL;
    good = tac_chunk_file_read(file, cases[i].name, cases[i].type, UINT64_MAX, &count, &items, &error) == TAC_OK;
    if (good) {
      ck_assert_uint_eq(count, cases[i].count);
      ck_assert_ptr_nonnull(items);
      ck_assert_int_eq(memcmp(items, cases[i].bytes > 0 ? cases[i].items : "", cases[i].bytes), 0);
    }
  }
  return good;
}

TAC_TEST(every_type_survives_a_round_trip) {
  write_cases();
  ck_assert_msg(reads_back(), "%s", error.text);
  ck_assert(tac_chunk_file_recognise(path));
  TAC_OWN(tacChunkFile, file) = open_file();
  ck_assert_str_eq(tac_chunk_file_kind(file), "distance field");
  ck_assert_uint_eq(tac_chunk_file_version(file), 3);
  ck_assert_int_eq(tac_chunk_file_count(file), CASES);
  for (int i = 0; i < CASES; ++i) {
    const tacChunkInfo *info = tac_chunk_file_info(file, i);
    ck_assert_str_eq(info->name, cases[i].name);
    ck_assert_int_eq(info->type, cases[i].type);
    ck_assert_uint_eq(info->count, cases[i].count);
    ck_assert_uint_eq(info->count * info->item_bytes, cases[i].bytes);
  }
}

/* Writes what is longer than four frames, on `threads` threads, and reads it again. */
static tacInputFile write_frames(int threads) {
  enum { COUNT = 1200000 };
  tacChunkWriter *writer = NULL;
  uint64_t count = 0;
  TAC_MEMORY(void, items) = NULL;
  TAC_MEMORY(double, numbers) = calloc(COUNT, sizeof *numbers);
  ck_assert_ptr_nonnull(numbers);
  for (int i = 0; i < COUNT; ++i) numbers[i] = i % 1000 == 0 ? 1.0 / (i + 1) : i / 7;
  tac_parallel_set_threads(threads);
  tac_test_ok(tac_chunk_writer_open(path, "numbers", 1, &writer, &error), error);
  tac_test_ok(tac_chunk_writer_add(writer, "long", TAC_CHUNK_F64, COUNT, numbers, &error), error);
  tac_test_ok(tac_chunk_writer_commit(writer, &error), error);
  tac_parallel_set_threads(0);
  TAC_OWN(tacChunkFile, file) = open_file();
  tac_test_ok(tac_chunk_file_read(file, "long", TAC_CHUNK_F64, COUNT, &count, &items, &error), error);
  ck_assert_uint_eq(count, COUNT);
  ck_assert_int_eq(memcmp(items, numbers, COUNT * sizeof *numbers), 0);
  return read_bytes();
}

TAC_TEST(long_chunks_are_the_same_bytes_on_any_number_of_threads) {
  TAC_FREED(tac_input_file_free, tacInputFile, one) = write_frames(1);
  TAC_FREED(tac_input_file_free, tacInputFile, three) = write_frames(3);
  ck_assert_uint_eq(one.size, three.size);
  ck_assert_int_eq(memcmp(one.bytes, three.bytes, one.size), 0);
}

/* A file of the first container version differs in its number alone, where all is in one frame. */
TAC_TEST(files_of_the_first_version_are_read) {
  write_cases();
  TAC_FREED(tac_input_file_free, tacInputFile, file) = read_bytes();
  ck_assert_uint_eq(tac_little_endian_u32(file.bytes + 8), 2);
  tac_little_endian_put_u32(1, file.bytes + 8);
  tac_little_endian_put_u64(tac_checksum(file.bytes, 48), file.bytes + 48);
  write_bytes(file.bytes, file.size);
  ck_assert_msg(reads_back(), "%s", error.text);
}

TAC_TEST(the_bytes_of_a_file_are_little_endian) {
  tacChunkWriter *writer = NULL;
  const int32_t item = 0x01020304;
  tac_test_ok(tac_chunk_writer_open(path, "field", 0x0A0B0C0D, &writer, &error), error);
  tac_test_ok(tac_chunk_writer_add(writer, "item", TAC_CHUNK_I32, 1, &item, &error), error);
  tac_test_ok(tac_chunk_writer_commit(writer, &error), error);
  TAC_FREED(tac_input_file_free, tacInputFile, file) = read_bytes();
  ck_assert_mem_eq(file.bytes,
                   "\x89TACTUS\n\2\0\0\0\x0D\x0C\x0B\x0A"
                   "field\0",
                   22);
  unsigned char expanded[4];
  size_t stored_size = file.bytes[56 + 48];
  ck_assert_uint_eq(ZSTD_decompress(expanded, 4, file.bytes + 56 + 72, stored_size), 4);
  ck_assert_mem_eq(expanded, "\4\3\2\1", 4);
}

TAC_TEST(large_arrays_compress_and_survive) {
  size_t count = tac_test_light() ? 300000 : 3000000;
  float *arrays[2] = {tac_test_alloc(count * sizeof(float)), tac_test_alloc(count * sizeof(float))};
  static const char *const names[2] = {"zeros", "ramp"};
  for (size_t i = 0; i < count; ++i) arrays[1][i] = (float)i * 0.37f;
  tacChunkWriter *writer = NULL;
  tac_test_ok(tac_chunk_writer_open(path, "field", 1, &writer, &error), error);
  for (int i = 0; i < 2; ++i)
    tac_test_ok(tac_chunk_writer_add(writer, names[i], TAC_CHUNK_F32, count, arrays[i], &error), error);
  tac_test_ok(tac_chunk_writer_commit(writer, &error), error);
  TAC_OWN(tacChunkFile, file) = open_file();
  ck_assert_uint_lt(tac_chunk_file_info(file, 0)->stored_bytes, count / 100);
  for (int i = 0; i < 2; ++i) {
    uint64_t read = 0;
    TAC_MEMORY(void, items) = NULL;
    tac_test_ok(tac_chunk_file_read(file, names[i], TAC_CHUNK_F32, count, &read, &items, &error), error);
    ck_assert_uint_eq(read, count);
    ck_assert_int_eq(memcmp(items, arrays[i], count * sizeof(float)), 0);
  }
}

TAC_TEST(any_altered_byte_is_an_error) {
  write_cases();
  TAC_FREED(tac_input_file_free, tacInputFile, file) = read_bytes();
  for (size_t i = 0; i < file.size; ++i) {
    static const unsigned char flips[] = {0x01, 0x80, 0xFF};
    for (size_t j = 0; j < (tac_test_light() ? 1 : sizeof flips); ++j) {
      file.bytes[i] ^= flips[j];
      write_bytes(file.bytes, file.size);
      ck_assert_msg(!reads_back(), "byte %zu", i);
      ck_assert_msg(strncmp(error.text, path, strlen(path)) == 0, "%s", error.text);
      file.bytes[i] ^= flips[j];
    }
  }
}

TAC_TEST(any_truncation_and_any_tail_is_an_error) {
  write_cases();
  TAC_FREED(tac_input_file_free, tacInputFile, file) = read_bytes();
  for (size_t size = 0; size < file.size; ++size) {
    write_bytes(file.bytes, size);
    ck_assert_msg(!reads_back(), "first %zu bytes", size);
    ck_assert_msg(strncmp(error.text, path, strlen(path)) == 0, "%s", error.text);
  }
  write_bytes(file.bytes, file.size + 1);
  ck_assert_reported(reads_back(), false, path, ": the file has 1 bytes after its end");
}

TAC_TEST(damage_is_reported_with_the_chunk_name) {
  write_cases();
  TAC_FREED(tac_input_file_free, tacInputFile, file) = read_bytes();
  size_t payload = 56 + 72; /* of the first chunk, "u8" */
  file.bytes[payload + 3] ^= 1;
  write_bytes(file.bytes, file.size);
  ck_assert_reported(reads_back(), false, path, ": chunk \"u8\" is damaged (checksum)");
  write_bytes(file.bytes, payload + 3);
  ck_assert_reported(reads_back(), false, path, ": the file ends inside chunk \"u8\"");
  write_bytes(file.bytes, payload + file.bytes[56 + 48] + 5);
  ck_assert_reported(reads_back(), false, path, ": the file should end after chunk \"u8\", but more data follows");
}

TAC_TEST(foreign_and_other_versions_are_refused_with_both_names) {
  tacChunkFile *file = NULL;
  write_bytes("solid cube\n", 11);
  ck_assert(!tac_chunk_file_recognise(path));
  ck_assert_reported(tac_chunk_file_open(path, &file, &error), TAC_ERR_FORMAT, path,
                     ": the file is not a Tactus file (its first bytes differ)");
  ck_assert_ptr_null(file);
  ck_assert(!tac_chunk_file_recognise(folder));
  ck_assert_int_eq(tac_chunk_file_open(folder, &file, &error), TAC_ERR_FILE);

  write_cases();
  TAC_OWN(tacChunkFile, good) = open_file();
  ck_assert_reported(tac_chunk_file_expect(good, "pointshell", 3, &error), TAC_ERR_FORMAT, path,
                     ": the file contains a distance field, not a pointshell");
  ck_assert_reported(
      tac_chunk_file_expect(good, "distance field", 2, &error), TAC_ERR_VERSION, path,
      ": the file is a distance field of version 3, but this Tactus reads version 2; create the file again");

  TAC_FREED(tac_input_file_free, tacInputFile, bytes) = read_bytes();
  bytes.bytes[8] = 9;
  write_bytes(bytes.bytes, bytes.size);
  ck_assert_reported(tac_chunk_file_open(path, &file, &error), TAC_ERR_VERSION, path,
                     ": the file has container version 9; this Tactus reads versions 1 to 2");
}

TAC_TEST(reading_an_absent_chunk_is_an_error) {
  static const struct {
    const char *name;
    tacChunkType type;
    uint64_t most;
    const char *says;
  } asked[] = {{"values", TAC_CHUNK_F32, 9, ": the file has no chunk \"values\""},
               {"f32", TAC_CHUNK_I32, 9, ": chunk \"f32\" contains f32, but i32 is expected"},
               {"f32", TAC_CHUNK_F32, 4, ": chunk \"f32\" has 5 items; at most 4 are allowed"}};
  write_cases();
  TAC_OWN(tacChunkFile, file) = open_file();
  for (int i = 0; i < 3; ++i) {
    uint64_t count = 0;
    void *items = NULL;
    ck_assert_reported(tac_chunk_file_read(file, asked[i].name, asked[i].type, asked[i].most, &count, &items, &error),
                       TAC_ERR_FORMAT, path, asked[i].says);
    ck_assert_ptr_null(items);
  }
}

/* Puts right the checksums of the first chunk, of `stored` bytes, after a change. */
static void sign_first_chunk(unsigned char *bytes, size_t stored) {
  unsigned char *head = bytes + 56;
  tac_little_endian_put_u64(stored, head + 48);
  tac_little_endian_put_u64(tac_checksum(head + 72, stored), head + 56);
  tac_little_endian_put_u64(tac_checksum(head, 64), head + 64);
}

TAC_TEST(a_wrong_count_with_valid_checksum_is_an_error) {
  write_cases();
  TAC_FREED(tac_input_file_free, tacInputFile, file) = read_bytes();
  size_t stored = file.bytes[56 + 48];
  static const uint64_t counts[] = {0, 4, 6, 400000, UINT64_C(1) << 40, UINT64_MAX};
  for (size_t i = 0; i < sizeof counts / sizeof *counts; ++i) {
    tac_little_endian_put_u64(counts[i], file.bytes + 56 + 40);
    sign_first_chunk(file.bytes, stored);
    write_bytes(file.bytes, file.size);
    ck_assert(!reads_back());
    ck_assert_int_eq(error.status, TAC_ERR_FORMAT);
    ck_assert_ptr_nonnull(strstr(error.text, "chunk \"u8\""));
  }
}

/* A chunk that is a hole of a terabyte: as long as the file, which takes no room, and more than memory. */
TAC_TEST(a_chunk_larger_than_memory_is_not_read) {
  enum { HEAD = 56 };
  const uint64_t size = 1000000000000;
  if (tac_input_file_most() >= size) return;
  void *items = NULL;
  uint64_t count = 0;
  write_texts(1, 1, (const char *const[][2]){{"x", "x"}});
  TAC_FREED(tac_input_file_free, tacInputFile, file) = read_bytes();
  unsigned char *end = file.bytes + file.size - 72;
  tac_little_endian_put_u64(size, file.bytes + HEAD + 48);
  tac_little_endian_put_u64(tac_checksum(file.bytes + HEAD, 64), file.bytes + HEAD + 64);
  FILE *stream = fopen(path, "wb");
  ck_assert_ptr_nonnull(stream);
  fwrite(file.bytes, 1, HEAD + 72, stream);
  ck_assert_int_eq(fseeko(stream, (off_t)(HEAD + 72 + size), SEEK_SET), 0);
  fwrite(end, 1, 72, stream);
  ck_assert_int_eq(fclose(stream), 0);
  TAC_OWN(tacChunkFile, read) = open_file();
  tac_test_refused(tac_chunk_file_read(read, "x", TAC_CHUNK_U8, 1, &count, &items, &error), TAC_ERR_FORMAT, error,
                   ": chunk \"x\" has 1.0 TB, 1 bytes expanded; it may have ");
}

TAC_TEST(invalid_head_with_valid_checksum_is_an_error) {
  write_cases();
  TAC_FREED(tac_input_file_free, tacInputFile, file) = read_bytes();
  size_t stored = file.bytes[56 + 48];
  static const struct {
    size_t at;
    unsigned char value;
    const char *text;
  } changes[] = {{0, 7, ": the head of chunk 1 is not valid"},
                 {31, 'x', ": the head of chunk 1 is not valid"},
                 {36, 1, ": the head of chunk 1 is not valid"},
                 {32, 77, ": chunk \"u8\" has the unknown type 77"}};
  for (size_t i = 0; i < sizeof changes / sizeof *changes; ++i) {
    unsigned char *changed = &file.bytes[56 + changes[i].at], before = *changed;
    *changed = changes[i].value;
    sign_first_chunk(file.bytes, stored);
    write_bytes(file.bytes, file.size);
    ck_assert_reported(reads_back(), false, path, changes[i].text);
    *changed = before;
  }
}

/* A small frame that expands to 16 MiB under a head that names 1000 items: it stops at the count. */
TAC_TEST(a_compression_bomb_expands_to_at_most_the_stated_size) {
  size_t size = (size_t)16 << 20, room = ZSTD_compressBound(size);
  unsigned char *zeros = tac_test_alloc(size), *bytes = tac_test_alloc(56 + 72 + room + 72);
  write_cases();
  TAC_FREED(tac_input_file_free, tacInputFile, file) = read_bytes();
  memcpy(bytes, file.bytes, 56 + 72);
  size_t stored = ZSTD_compress(bytes + 56 + 72, room, zeros, size, 3);
  tac_little_endian_put_u64(1000, bytes + 56 + 40);
  sign_first_chunk(bytes, stored);
  unsigned char *last = bytes + 56 + 72 + stored;
  memset(last, 0, 72);
  tac_little_endian_put_u64(1, last + 40);
  tac_little_endian_put_u64(tac_checksum(last, 64), last + 64);
  write_bytes(bytes, 56 + 72 + stored + 72);
  TAC_OWN(tacChunkFile, opened) = open_file();
  uint64_t count = 0;
  void *items = NULL;
  tac_test_refused(tac_chunk_file_read(opened, "u8", TAC_CHUNK_U8, UINT64_MAX, &count, &items, &error), TAC_ERR_FORMAT,
                   error, "chunk \"u8\" is damaged");
  ck_assert_ptr_null(items);
}

TAC_TEST(bad_names_and_types_are_refused_and_the_old_file_stays) {
  write_cases();
  tacChunkWriter *writer = NULL;
  ck_assert_int_eq(tac_chunk_writer_open(path, "", 1, &writer, &error), TAC_ERR_ARGUMENT);
  ck_assert_ptr_null(writer);
  tac_test_ok(tac_chunk_writer_open(path, "field", 1, &writer, &error), error);
  tac_test_ok(tac_chunk_writer_add(writer, "a", TAC_CHUNK_U8, 1, "x", &error), error);
  ck_assert_reported(tac_chunk_writer_add(writer, "a", TAC_CHUNK_U8, 1, "x", &error), TAC_ERR_ARGUMENT, path,
                     ": chunk \"a\" is added twice");
  static const char *const bad[] = {"", "a\n", "12345678901234567890123456789012"};
  for (int i = 0; i < 3; ++i)
    ck_assert_int_eq(tac_chunk_writer_add(writer, bad[i], TAC_CHUNK_U8, 1, "x", &error), TAC_ERR_ARGUMENT);
  ck_assert_int_eq(tac_chunk_writer_add(writer, "b", (tacChunkType)6, 1, "x", &error), TAC_ERR_ARGUMENT);
  ck_assert_int_eq(tac_chunk_writer_add(writer, "c", TAC_CHUNK_F64, UINT64_MAX / 4, "x", &error), TAC_ERR_MEMORY);
  tac_chunk_writer_discard(writer);
  ck_assert_msg(reads_back(), "%s", error.text);
}

TAC_TEST(a_full_disk_is_found_at_commit) {
  if (access("/dev/full", W_OK) != 0) return;
  tacChunkWriter *writer = NULL;
  tac_test_ok(tac_chunk_writer_open("/dev/full", "field", 1, &writer, &error), error);
  tac_test_ok(tac_chunk_writer_add(writer, "a", TAC_CHUNK_U8, 1, "x", &error), error);
  ck_assert_int_eq(tac_chunk_writer_commit(writer, &error), TAC_ERR_FILE);
  ck_assert_str_eq(error.text, "/dev/full: cannot write: No space left on device");
}

static uint64_t checksum_of(uint32_t version, const char *first, const char *text, const char *bake) {
  write_texts(version, 3, (const char *const[][2]){{first, text}, {"second", "xyz"}, {"bake", bake}});
  TAC_OWN(tacChunkFile, file) = open_file();
  return tac_chunk_file_checksum(file);
}

/* How long a bake took and where are no part of what it made. */
TAC_TEST(the_checksum_covers_the_contents) {
  uint64_t checksum = checksum_of(1, "first", "abc", "3 s");
  ck_assert_uint_eq(checksum_of(1, "first", "abc", "3 s"), checksum);
  ck_assert_uint_eq(checksum_of(1, "first", "abc", "4 s"), checksum);
  ck_assert_uint_ne(checksum_of(1, "first", "abd", "3 s"), checksum);
  ck_assert_uint_ne(checksum_of(1, "other", "abc", "3 s"), checksum);
  ck_assert_uint_ne(checksum_of(2, "first", "abc", "3 s"), checksum);
  tac_platform_set_blas("a BLAS of slide rules");
  ck_assert_uint_eq(checksum_of(1, "first", "abc", "3 s"), checksum);
}

TAC_TEST(a_file_records_its_platform) {
  tac_platform_set_blas("a BLAS of slide rules");
  write_cases();
  TAC_OWN(tacChunkFile, file) = open_file();
  ck_assert_str_eq(tac_chunk_file_platform(file), tac_platform_of_bakes());
  ck_assert_ptr_nonnull(strstr(tac_chunk_file_platform(file), ", a BLAS of slide rules"));
}

/* Of the thread that has set it, and not part of what the file holds. */
TAC_TEST(a_file_records_its_cache_key) {
  uint64_t keys[2] = {0x8123456789abcdef, 7}, found = 0, checksum = 0;
  bool has = true;
  for (int i = 0; i < 3; ++i) {
    ck_assert_ptr_null(tac_chunk_writer_set_key(i < 2 ? &keys[i] : NULL));
    write_texts(1, 1, (const char *const[][2]){{"x", "x"}});
    ck_assert_ptr_eq(tac_chunk_writer_set_key(NULL), i < 2 ? &keys[i] : NULL);
    TAC_OWN(tacChunkFile, file) = open_file();
    tac_test_ok(tac_chunk_file_key(file, &has, &found, &error), error);
    ck_assert_int_eq(has, i < 2);
    if (has) ck_assert_uint_eq(found, keys[i]);
    if (i > 0) ck_assert_uint_eq(tac_chunk_file_checksum(file), checksum);
    checksum = tac_chunk_file_checksum(file);
  }
}

TAC_TEST(no_more_chunks_than_the_limit) {
  tacChunkWriter *writer = NULL;
  tac_test_ok(tac_chunk_writer_open(path, "field", 1, &writer, &error), error);
  for (int i = 0; i < TAC_CHUNK_MOST_CHUNKS; ++i) {
    char name[16];
    snprintf(name, sizeof name, "%d", i);
    tac_test_ok(tac_chunk_writer_add(writer, name, TAC_CHUNK_U8, 1, "x", &error), error);
  }
  ck_assert_int_eq(tac_chunk_writer_add(writer, "more", TAC_CHUNK_U8, 1, "x", &error), TAC_ERR_ARGUMENT);
  tac_test_ok(tac_chunk_writer_commit(writer, &error), error);
  TAC_OWN(tacChunkFile, file) = open_file();
  ck_assert_int_eq(tac_chunk_file_count(file), TAC_CHUNK_MOST_CHUNKS);
}
