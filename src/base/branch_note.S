/* For files in assembler: marks the object as built for branch protection (IBT and SHSTK, or BTI and PAC) where the
 * compiler is told to protect branches. The linker drops the mark of the whole program if one object lacks it. */
#if defined(__CET__)
#include <cet.h>
#elif defined(__ARM_FEATURE_BTI_DEFAULT)
.pushsection .note.gnu.property, "a"
.balign 8
.long 4, 16, 5 /* sizes of the name and of the rest, NT_GNU_PROPERTY_TYPE_0 */
.asciz "GNU"
.long 0xc0000000, 4, 3, 0 /* GNU_PROPERTY_AARCH64_FEATURE_1_AND of 4 bytes: BTI and PAC; padding */
.popsection
#endif
