/* The world that a recording is of: whether another is like it, and its parameters. */
#include "record/recorded_world.h"
#include <inttypes.h>
#include "base/error.h"
#include "record/recording.h"

tacStatus tac_recording_check_world(const tacRecording *recording, const tacWorld *world, tacError *error) {
  const tacRecordingInfo *info = tac_recording_info(recording);
  if (info->tool_count != tac_world_tool_count(world))
    return tac_error_set(error, TAC_ERR_ARGUMENT,
                         "the recording has %d tools, but the world has %d; both must be "
                         "equal",
                         info->tool_count, tac_world_tool_count(world));
  if (info->state_size != tac_world_state_size(world))
    return tac_error_set(error, TAC_ERR_ARGUMENT,
                         "the recording has a state of %d values, but the world has %d; both must be equal",
                         info->state_size, tac_world_state_size(world));
  return TAC_OK;
}

/* The world's parameters as they were when the recording began. */
tacStatus tac_recording_begin(const tacRecording *recording, tacWorld *world, tacError *error) {
  TAC_REQUIRE(error, recording, world);
  const tacRecordingInfo *info = tac_recording_info(recording);
  TAC_TRY(tac_recording_check_world(recording, world, error));
  if (info->parameter_count > 0 && info->parameter_count != tac_world_parameter_count(world))
    return tac_error_set(error, TAC_ERR_ARGUMENT,
                         "the recording has %d parameters, but the world has %d; both must be equal",
                         info->parameter_count, tac_world_parameter_count(world));
  for (int i = 0; i < info->parameter_count; ++i)
    if (tac_world_parameter(world, i).value != info->parameters[i])
      TAC_TRY(tac_world_set_parameter(world, i, info->parameters[i], error));
  return TAC_OK;
}

tacStatus tac_recording_change(const tacTickRecord *record, tacWorld *world, tacError *error) {
  if (record->parameter == 0) return TAC_OK;
  /* Those that take time are set at the start only; another one is not from a servo of ours. */
  if (record->parameter < 0 || !tac_world_parameter(world, record->parameter - 1).in_tick)
    return tac_error_set(error, TAC_ERR_FORMAT, "tick %" PRId64 " sets a parameter (%d) that none can set in a tick",
                         record->tick, (int)record->parameter);
  return tac_world_set_parameter(world, record->parameter - 1, record->parameter_value, error);
}
