/* The data of one <DataArray> of a VTK XML file: text, base64 or raw bytes, whole or in zlib's blocks. */
#pragma once

#include "mesh/text/scanner.h"

typedef enum tacVtuFormat { TAC_VTU_ASCII, TAC_VTU_BASE64, TAC_VTU_RAW } tacVtuFormat;

typedef struct tacVtuEncoding {
  bool big_endian, wide_header, compressed; /* headers of UInt64 instead of UInt32; blocks of zlib */
  uint64_t most_expanded;                   /* bytes that the blocks of an array may become */
} tacVtuEncoding;

/* Numbers of an array, read with `scanner`; `bytes` is what had to be decoded. */
typedef struct tacVtuArray {
  tacScanner scanner;
  unsigned char *bytes;
  size_t size;
  size_t stored_size; /* bytes of the file that it took, without base64 */
} tacVtuArray;

/* `data` begin where the array's text, or its bytes in the appended data, begin, and end where they end at the latest.
 * `place` is where errors point, `part` names the array; both must outlive the array, which is closed
 * also after a failure. */
tacStatus tac_vtu_array_open(tacVtuArray *array, const tacScanner *place, const char *part,
                             const tacVtuEncoding *encoding, tacVtuFormat format, const unsigned char *data,
                             const unsigned char *end);
void tac_vtu_array_close(tacVtuArray *array); /* a zeroed one is allowed */
