// One line for each layer, in the order of the list that people see.
import './surface.js';
import './wireframe.js';
import './volume.js';
import './fixed.js';
import './tool.js';
import './spring.js';
import './arrows.js';
import './contacts.js';
import './masks.js';
import './ground.js';
