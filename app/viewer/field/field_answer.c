#include "app/viewer/field/field_answer.h"

#include "app/viewer/field/field_slice.h"
#include "app/viewer/field/field_surface.h"

tacStatus tac_field_answer_packet(const tacWorld *world, const double *q, const tacViewMessage *message, uint32_t load,
                                  tacPacket **packet, tacError *error) {
  int body = message->ask.body;
  uint32_t number = message->ask.number;
  double value = message->ask.value;
  tacFieldMoment moment;
  *packet = NULL;
  tacStatus status = tac_field_moment_create(world, body, q, &moment, error);
  if (status != TAC_OK) return status;
  if (message->ask.what == TAC_VIEW_ASK_ISOSURFACE)
    status = tac_field_surface_packet(&moment, value, body, number, load, packet, error);
  else
    status = tac_field_slice_packet(&moment, (int)message->ask.what, value, body, number, load, packet, error);
  tac_field_moment_destroy(&moment);
  return status;
}
