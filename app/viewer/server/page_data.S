/* The page's files as the build left them (web/build.mjs), in the program's constant data. A size does not count the
 * zero that follows a file. */
#include "base/branch_note.S"
.macro page name, file
  .balign 8
  .global tac_page_data_\name\()_size
  .hidden tac_page_data_\name\()_size
tac_page_data_\name\()_size:
  .quad 1f - tac_page_data_\name
  .global tac_page_data_\name
  .hidden tac_page_data_\name
tac_page_data_\name:
  .incbin "\file"
1:
  .byte 0
.endm

.section .rodata
page index, index.html
page script, viewer.js
page style, viewer.css
page icon, icon.svg
page missing, missing

.section .note.GNU-stack,"",%progbits
