#include "spec/text/scene_fields.h"

#include <stddef.h>
#include "test.h"

/* A small schema with every kind of field. */
typedef struct Wheel {
  const tacYamlNode *node;
  const char *name;
  double radius;
} Wheel;

typedef struct Engine {
  const tacYamlNode *node;
  int kind;
  double volume, battery;
} Engine;

typedef struct Car {
  const tacYamlNode *node;
  const char *name, *about;
  int seats, colour;
  bool sold, has_length;
  double length, roof, corner[3];
  uint32_t extras;
  Engine engine;
  tacSchemaList wheels;
} Car;

static const tacField wheel_fields[] = {
    TAC_FIELD(Wheel, name, TAC_NAME, TAC_REQUIRED),
    TAC_FIELD(Wheel, radius, .kind = TAC_FIELD_QUANTITY, .quantity = TAC_QUANTITY_LENGTH),
};
static void wheel_defaults(void *record) {
  ((Wheel *)record)->radius = 0.3;
}
static const tacRemovedKey wheel_removed[] = {{"spokes", "give radius"}, {NULL, NULL}};
static const tacRecord wheel_record = {TAC_TABLE("a wheel", Wheel, wheel_fields), .removed = wheel_removed,
                                       .defaults = wheel_defaults};

static const tacField engine_fields[] = {
    TAC_FIELD(Engine, kind, TAC_CHOICE("petrol|electric"), TAC_REQUIRED),
    TAC_FIELD(Engine, volume, TAC_QUANTITY(NUMBER, 0.5, 9.0), TAC_REQUIRED, .variants = 1u),
    TAC_FIELD(Engine, battery, .kind = TAC_FIELD_QUANTITY, .variants = 2u),
};
static tacStatus check_engine(const tacYamlTree *tree, void *record, tacError *why) {
  const Engine *engine = record;
  return engine->volume > 8.0 ? tac_yaml_error(tree, engine->node, TAC_ERR_FORMAT, why, "that is a truck") : TAC_OK;
}
static const tacRecord engine_record = {TAC_TABLE("an engine", Engine, engine_fields), .variant = &engine_fields[0],
                                        .check = check_engine};

static const tacField car_fields[] = {
    TAC_FIELD(Car, name, TAC_NAME, TAC_REQUIRED),
    TAC_FIELD(Car, about, TAC_TEXT),
    TAC_FIELD(Car, seats, TAC_COUNT(1, 9)),
    TAC_FIELD(Car, colour, TAC_CHOICE("red|green|blue")),
    TAC_FIELD(Car, sold, TAC_FLAG),
    TAC_FIELD(Car, length, TAC_QUANTITY(LENGTH, 1.0, 20.0), TAC_GIVEN(Car, has_length)),
    TAC_FIELD(Car, roof, .kind = TAC_FIELD_QUANTITY, .quantity = TAC_QUANTITY_LENGTH, .words = "none"),
    TAC_FIELD(Car, corner, .kind = TAC_FIELD_QUANTITIES, .quantity = TAC_QUANTITY_LENGTH, .count = 3),
    TAC_FIELD(Car, extras, .kind = TAC_FIELD_CHOICES, .words = "radio|hook"),
    TAC_FIELD(Car, engine, TAC_RECORD(engine_record)),
    TAC_FIELD(Car, wheels, TAC_LIST(wheel_record)),
};
static const tacRecord car_record = {TAC_TABLE("a car", Car, car_fields)};

TAC_TEST(fills_structs_in_any_order) {
  const char *text = "wheels: [{name: left, radius: 31 cm}, {name: right}]\n"
                     "engine: {battery: 0.7, kind: electric}\n"
                     "extras: [hook]\n"
                     "corner: [1 m, 0, -20 mm]\n"
                     "roof: none\n"
                     "length: 412 cm\n"
                     "sold: true\n"
                     "colour: blue\n"
                     "seats: 5\n"
                     "about: \"two words\"\n"
                     "name: mini-2\n";
  error = (tacError){0};
  Car car = {.roof = 7.0};
  TAC_CREATE(tacYamlTree, tree, tac_yaml_tree_parse(text, strlen(text), "car", &tree, &error));
  tac_test_ok(tac_schema_read(tree, tac_yaml_tree_root(tree), &car_record, &car, &error), error);
  ck_assert_str_eq(car.name, "mini-2");
  ck_assert_str_eq(car.about, "two words");
  ck_assert_int_eq(car.seats, 5);
  ck_assert_int_eq(car.colour, 2);
  ck_assert(car.sold && car.has_length);
  ck_assert_double_eq_tol(car.length, 4.12, 1e-15);
  ck_assert_double_eq(car.roof, 0.0);
  ck_assert_double_eq(car.corner[0], 1.0);
  ck_assert_double_eq(car.corner[2], -0.02);
  ck_assert_uint_eq(car.extras, 2u);
  ck_assert_int_eq(car.engine.kind, 1);
  ck_assert_double_eq(car.engine.battery, 0.7);
  ck_assert_int_eq(car.wheels.count, 2);
  const Wheel *wheels = car.wheels.items;
  ck_assert_double_eq_tol(wheels[0].radius, 0.31, 1e-15);
  ck_assert_double_eq(wheels[1].radius, 0.3);
}

TAC_TEST(every_error_names_its_line_and_remedy) {
  static const struct {
    const char *text, *message;
  } cases[] = {
      {"name: a\nseat: 4\n", "car:2: seat: unknown key; did you mean seats?"},
      {"seats: 4\n", "car:1: a car needs name; write it like name: some-text"},
      {"name: a\nseats: 4.5\n", "car:2: seats: 4.5 is not a whole number from 1 to 9"},
      {"name: a\nseats: ten\n", "car:2: seats: ten is not a whole number from 1 to 9"},
      {"name: a\nseats: 10\n", "car:2: seats: 10 is not a whole number from 1 to 9"},
      {"name: a\nseats: [4]\n", "car:2: seats: this is a list, but a single value is "
                                "needed; write it like seats: 1"},
      {"name: a b\n", "car:1: name: 'a b' is not a valid name; use up to 64 letters, digits, '-', '_' and '.', and "
                      "do not start with '.'"},
      {"name: ../a\n", "car:1: name: '../a' is not a valid name; use up to 64 letters, digits, '-', '_' and '.', and "
                       "do not start with '.'"},
      {"name: a\nabout: ''\n", "car:2: about: the text is empty; write a text or leave the key out"},
      {"name: a\ncolour: pink\n", "car:2: colour: pink is not one of the allowed values: red, green, blue"},
      {"name: a\nsold: yes\n", "car:2: sold: yes is not one of the allowed values: true, false"},
      {"name: a\nlength: 4\n", "car:2: length: 4 has no unit; write a length like 5 mm"},
      {"name: a\nlength: 4 kg\n", "car:2: length: 4 kg is not a length; write it like 5 mm"},
      {"name: a\nlength: 400 m\n", "car:2: length: 400 m is out of range; the allowed range is 1 to 20 m"},
      {"name: a\nlength: {x: 1}\n", "car:2: length: this is a map, but a single value is needed; write it like "
                                    "length: 5 mm"},
      {"name: a\nlength:\n", "car:2: length: nothing is not a length; write it like 5 mm"},
      {"name: a\nroof: some\n", "car:2: roof: some is not a length; write it like 5 mm, or none"},
      {"name: a\ncorner: [1 m, 2 m]\n", "car:2: corner: the list has 2 values, but 3 are needed"},
      {"name: a\ncorner: [1 m, 2 m,\n 3 s]\n", "car:3: corner[2]: 3 s is not a length; write it like 5 mm"},
      {"name: a\ncorner: [1 m, 2 m, [3 m]]\n", "car:2: corner[2]: a single value is needed, but this is a list; "
                                               "write a length like 5 mm"},
      {"name: a\ncorner: 1 m\n", "car:2: corner: this is a single value, but a list is needed; write it like "
                                 "corner: [5 mm, 5 mm, 5 mm]"},
      {"name: a\nextras: [radio,\n roof]\n", "car:3: extras[1]: roof is not one of the allowed values: radio, hook"},
      {"name: a\nextras: [[radio]]\n", "car:2: extras[0]: a list is not one of the allowed values: radio, hook"},
      {"name: a\nextras: radio\n", "car:2: extras: this is a single value, but a list is needed; write it like "
                                   "extras: [radio]"},
      {"name: a\nengine:\n", "car:2: engine: this is nothing, but a map is needed; "
                             "write it like engine: {kind: ...}"},
      {"name: a\nengine: {volume: 2}\n", "car:2: engine: an engine needs kind; write it like kind: petrol"},
      {"name: a\nengine:\n  kind: petrol\n", "car:2: engine: an engine needs volume; write it like volume: 0.2"},
      {"name: a\nengine:\n  kind: petrol\n  battery: 1\n",
       "car:4: engine.battery: this key does not apply if kind is petrol; leave it out"},
      {"name: a\nengine:\n  kind: electric\n  volum: 1\n", "car:4: engine.volum: unknown key; did you mean kind?"},
      {"name: a\nengine:\n  kind: steam\n", "car:3: engine.kind: steam is not one of the allowed values: petrol, "
                                            "electric"},
      {"name: a\nengine:\n  kind: petrol\n  volume: 8.5\n", "car:2: engine: that is a truck"},
      {"name: a\nengine:\n  kind: petrol\n  volume: 0.1\n",
       "car:4: engine.volume: 0.1 is out of range; the allowed range is 0.5 to 9"},
      {"name: a\nwheels: []\n", "car:2: wheels: the list is empty; give it at least one entry or leave the key out"},
      {"name: a\nwheels:\n- name: l\n- radius: 1 m\n",
       "car:4: wheels[1]: a wheel needs name; write it like name: some-text"},
      {"name: a\nwheels:\n- {name: l, spokes: 9}\n", "car:3: wheels[0].spokes: this key was removed; give radius"},
      {"name: a\nwheels:\n- l\n", "car:3: wheels[0]: a wheel must be a map of keys and values, for example {name: "
                                  "...}"},
      {"name: a\nwheels: {name: l}\n", "car:2: wheels: this is a map, but a list is needed; write it like wheels: "
                                       "[{name: ...}]"},
      {"- 1\n", "car:1: a car must be a map of keys and values, for example {name: ...}"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    error = (tacError){0};
    Car car;
    TAC_CREATE(tacYamlTree, tree, tac_yaml_tree_parse(cases[i].text, strlen(cases[i].text), "car", &tree, &error));
    ck_assert_int_eq(tac_schema_read(tree, tac_yaml_tree_root(tree), &car_record, &car, &error), TAC_ERR_FORMAT);
    ck_assert_str_eq(error.text, cases[i].message);
  }
}
