/* clients/network_device.html in the driver's constant data. */
#include "base/branch_note.S"
.section .rodata
  .balign 8
  .global tac_network_page_size
  .hidden tac_network_page_size
tac_network_page_size:
  .quad 1f - tac_network_page
  .global tac_network_page
  .hidden tac_network_page
tac_network_page:
  .incbin "network_device.html"
1:

.section .note.GNU-stack,"",%progbits
