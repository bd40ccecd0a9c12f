#include "world/islands/displacement.h"

#include <math.h>
#include "world/compliance_memory.h"

void tac_presses_add_tools(tacPresses *to, int body, tacQuat back, int tool_count, const tacToolOutput *outputs) {
  for (int t = 0; t < tool_count; ++t) {
    const tacContact *c = &outputs[t].contact;
    if (c->state == TAC_CONTACT_NONE || c->body != (uint32_t)body || c->triangle < 0) continue;
    to->sites[to->count] = (tacSite){TAC_SITE_SURFACE, c->triangle, {c->weight[0], c->weight[1], c->weight[2]}};
    to->forces[to->count++] = tac_quat_rotate(back, c->force);
  }
}

void tac_presses_add_contacts(tacPresses *to, const tacWorld *world, int body, int most) {
  tacQuat back = tac_quat_conjugate(world->bodies[body].frame.orientation);
  for (int i = 0; i < world->contacts.count && to->count < most; ++i) {
    const tacSetContact *c = &world->contacts.list[i];
    int side = c->body[0] == body ? 0 : 1;
    if (c->body[side] != body || c->state == TAC_CONTACT_NONE) continue;
    to->sites[to->count] = c->site[side];
    to->forces[to->count++] = tac_quat_rotate(back, tac_vec3_scale(side == 0 ? 1.0 : -1.0, c->force));
  }
  for (int i = 0; i < world->told_count && to->count < most; ++i) {
    if (world->told[i].body != body) continue;
    to->sites[to->count] = world->told[i].site;
    to->forces[to->count++] = tac_quat_rotate(back, world->told[i].force);
  }
}

static void follow(tacWorld *world, int b) {
  tacWorldBody *body = &world->bodies[b];
  tacPresses *presses = body->displaced.presses;
  presses->count = 0;
  tac_presses_add_contacts(presses, world, b, TAC_WORLD_MOST_PRESSES);
  for (int t = 0; t < world->tool_count; ++t) {
    const tacWorldTool *tool = &world->tools[t];
    if (tool->body != b || tool->point.state == TAC_CONTACT_NONE || tac_world_carries(world, b)) continue;
    presses->sites[presses->count] = tac_site_on_surface(tool->point.at);
    presses->forces[presses->count++] = tool->point.force;
  }
  if (presses->count == 0 && body->displaced.most == 0.0) return;
  body->body.table->displace(body->body.self, presses->count, presses->sites, presses->forces, body->displaced.by, NULL,
                             NULL);
  double most2 = 0.0;
  for (int v = 0; v < body->surface->mesh->vertex_count; ++v)
    most2 = fmax(most2, tac_vec3_norm2(body->displaced.by[v]));
  body->displaced.most = sqrt(most2);
}

void tac_displacement_follow(tacWorld *world) {
  for (int b = 0; b < world->body_count; ++b)
    if (world->bodies[b].displaced.by != NULL) follow(world, b);
}

tacVec3 tac_displacement_at(const tacWorldBody *body, const tacSite *site) {
  if (body == NULL || body->displaced.by == NULL || body->displaced.most == 0.0 || site->kind != TAC_SITE_SURFACE)
    return tac_vec3(0.0, 0.0, 0.0);
  const int *v = body->surface->mesh->triangles[site->index].v;
  const tacVec3 *u = body->displaced.by;
  return tac_vec3_mad(tac_vec3_mad(tac_vec3_scale(site->at.x, u[v[0]]), site->at.y, u[v[1]]), site->at.z, u[v[2]]);
}

tacVec3 tac_displacement_by_compliance(const tacWorld *world, int b, const tacSite *site) {
  const tacWorldBody *body = b >= 0 ? &world->bodies[b] : NULL;
  tacVec3 sum = {0.0, 0.0, 0.0};
  if (body == NULL || body->displaced.by == NULL || site->kind != TAC_SITE_SURFACE) return sum;
  for (int i = 0; i < body->displaced.presses->count; ++i) {
    tacMat3 c;
    if (tac_compliance_memory_find(world->compliances, &body->body, b, site, &body->displaced.presses->sites[i], &c))
      sum = tac_vec3_add(sum, tac_mat3_mul_vec(c, body->displaced.presses->forces[i]));
  }
  return sum;
}
