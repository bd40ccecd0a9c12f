/* The functions of Force Dimension's library that the driver uses. STAND_IN_LACKS: an old one. */
#include "stand_in.h"

static StandIn device = STAND_IN_REST;

static StandIn now(void) {
  return stand_in_look(&device);
}

STAND_IN_EXPORT(StandIn *stand_in(void)) {
  return &device;
}

STAND_IN_EXPORT(int dhdGetDeviceCount(void)) {
  return now().fault == STAND_IN_ABSENT ? 0 : 2;
}

STAND_IN_EXPORT(int dhdOpenID(char index)) {
  pthread_mutex_lock(&device.lock);
  int id = device.fault == STAND_IN_ABSENT ? -1 : 3;
  device.asked_index = index;
  device.opens += id >= 0;
  pthread_mutex_unlock(&device.lock);
  return id;
}

STAND_IN_EXPORT(int dhdOpen(void)) {
  return dhdOpenID(0);
}

STAND_IN_EXPORT(int dhdClose(char id)) {
  (void)id;
  STAND_IN_LOCKED(&device, ++device.closes);
  return 0;
}

STAND_IN_EXPORT(const char *dhdErrorGetLastStr(void)) {
  return now().fault == STAND_IN_ABSENT ? "no device found" : "communication failure";
}

STAND_IN_EXPORT(const char *dhdGetSystemName(char id)) {
  return id == 3 ? (now().turns ? "sigma.7" : "omega.3") : NULL;
}

STAND_IN_EXPORT(bool dhdHasWrist(char id)) {
  return id == 3 && now().turns;
}

STAND_IN_EXPORT(bool dhdHasActiveWrist(char id)) {
  return id == 3 && now().turns;
}

STAND_IN_EXPORT(bool dhdHasGripper(char id)) {
  return id == 3 && now().grips;
}

STAND_IN_EXPORT(int dhdGetPositionAndOrientationFrame(double *x, double *y, double *z, double frame[3][3], char id)) {
  StandIn s = now();
  if (s.fault == STAND_IN_GONE || s.fault == STAND_IN_MUTE || id != 3) return -1;
  *x = s.position[0];
  *y = s.position[1];
  *z = s.position[2];
  memcpy(frame, s.frame, sizeof s.frame);
  return s.fault == STAND_IN_STILL ? 1 : 0;
}

STAND_IN_EXPORT(int dhdGetGripperAngleRad(double *radians, char id)) {
  (void)id;
  *radians = now().gripper;
  return 0;
}

STAND_IN_EXPORT(unsigned dhdGetButtonMask(char id)) {
  (void)id;
  return now().buttons;
}

STAND_IN_EXPORT(int dhdEnableForce(unsigned char on, char id)) {
  (void)id;
  STAND_IN_LOCKED(&device, device.enabled = on != 0);
  return 0;
}

#ifndef STAND_IN_LACKS
STAND_IN_EXPORT(int dhdSetForceAndTorqueAndGripperForce(double fx, double fy, double fz, double tx, double ty,
                                                        double tz, double gripper, char id)) {
  (void)gripper;
  (void)id;
  const double force[3] = {fx, fy, fz}, torque[3] = {tx, ty, tz};
  pthread_mutex_lock(&device.lock);
  memcpy(device.force, force, sizeof force);
  memcpy(device.torque, torque, sizeof torque);
  ++device.sets;
  int result = device.fault == STAND_IN_GONE ? -1 : 0;
  pthread_mutex_unlock(&device.lock);
  return result;
}
#endif
