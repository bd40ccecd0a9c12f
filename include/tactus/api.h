/* What every public header needs: linkage and visibility. */
#ifndef TACTUS_API_H
#define TACTUS_API_H

#ifdef __cplusplus
#define TAC_BEGIN_DECLS extern "C" {
#define TAC_END_DECLS }
#else
#define TAC_BEGIN_DECLS
#define TAC_END_DECLS
#endif

#define TAC_API __attribute__((visibility("default")))

#endif
