#include "world/islands/displacement.h"

#include <math.h>
#include <string.h>
#include "world/compliance_memory.h"

static void follow(tacWorld *world, int b) {
  tacWorldBody *body = &world->bodies[b];
  tacQuat back = tac_quat_conjugate(body->frame.orientation);
  tacSite *sites = body->presses->sites;
  tacVec3 *forces = body->presses->forces;
  int count = 0, vertices = body->surface->mesh->vertex_count;
  for (int i = 0; i < world->contacts.count; ++i) {
    const tacSetContact *c = &world->contacts.list[i];
    for (int side = 0; side < 2 && count < TAC_WORLD_MOST_PRESSES; ++side) {
      if (c->body[side] != b || c->state == TAC_CONTACT_NONE) continue;
      sites[count] = c->site[side];
      forces[count++] = tac_quat_rotate(back, side == 0 ? c->force : tac_vec3_scale(-1.0, c->force));
    }
  }
  for (int t = 0; t < world->tool_count; ++t) {
    const tacWorldTool *tool = &world->tools[t];
    if (tool->body != b || tool->point.state == TAC_CONTACT_NONE) continue;
    sites[count] = tac_site_on_surface(tool->point.at);
    forces[count++] = tool->point.force;
  }
  body->presses->count = count;
  if (count == 0 && body->displaced_most == 0.0) return;
  body->body.table->displace(body->body.self, count, sites, forces, body->displaced);
  double most2 = 0.0;
  for (int v = 0; v < vertices; ++v) most2 = fmax(most2, tac_vec3_norm2(body->displaced[v]));
  body->displaced_most = sqrt(most2);
}

void tac_displacement_follow(tacWorld *world) {
  for (int b = 0; b < world->body_count; ++b)
    if (world->bodies[b].displaced != NULL) follow(world, b);
}

tacVec3 tac_displacement_at(const tacWorldBody *body, const tacSite *site) {
  if (body == NULL || body->displaced == NULL || body->displaced_most == 0.0 || site->kind != TAC_SITE_SURFACE)
    return tac_vec3(0.0, 0.0, 0.0);
  const int *v = body->surface->mesh->triangles[site->index].v;
  const tacVec3 *u = body->displaced;
  return tac_vec3_mad(tac_vec3_mad(tac_vec3_scale(site->at.x, u[v[0]]), site->at.y, u[v[1]]), site->at.z, u[v[2]]);
}

tacVec3 tac_displacement_by_compliance(const tacWorld *world, int b, const tacSite *site) {
  const tacWorldBody *body = b >= 0 ? &world->bodies[b] : NULL;
  tacVec3 sum = {0.0, 0.0, 0.0};
  if (body == NULL || body->displaced == NULL || site->kind != TAC_SITE_SURFACE) return sum;
  for (int i = 0; i < body->presses->count; ++i) {
    tacMat3 c;
    if (tac_compliance_memory_find(world->compliances, &body->body, b, site, &body->presses->sites[i], &c))
      sum = tac_vec3_add(sum, tac_mat3_mul_vec(c, body->presses->forces[i]));
  }
  return sum;
}
