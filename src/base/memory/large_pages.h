/* Large arrays in large pages. A processor remembers where some thousand pages are: with pages of 4 KiB, whoever reads here and
 * there in more than some megabytes waits for the table of pages before it waits for memory. */
#pragma once

#include <stddef.h>

/* Load phase: asks the system for pages of 2 MiB where `memory`, which nobody has touched yet, holds several. What is refused
 * or not known to the system stays as it is. */
void tac_large_pages(void *memory, size_t size);
