/* Tags of an XML file, one after the other: as much of XML as VTK's files have. */
#pragma once

#include "mesh/text/scanner.h"

typedef struct tacXmlTag {
  tacWord name;        /* empty at the end of the file */
  tacWord attributes;  /* the text behind the name */
  bool closing, empty; /* </name>, <name/> */
} tacXmlTag;

/* Goes behind the next tag; comments, declarations and text before it are passed over. The scanner's token is its '<'. */
tacStatus tac_xml_tag_next(tacScanner *scanner, tacXmlTag *tag);
/* The value of an attribute as it is written, empty where there is none. */
tacWord tac_xml_tag_attribute(const tacXmlTag *tag, const char *name);
