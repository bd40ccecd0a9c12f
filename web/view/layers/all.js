// One line for each layer, in the order of the list that people see.
import './surface.js';
import './wireframe.js';
import './volume.js';
import './fixed.js';
import './tool.js';
import './ghost.js';
import './spring.js';
import './arrows.js';
import './contacts.js';
import './laws.js';
import './masks.js';
import './touching.js';
import './shell.js';
import './balls.js';
import './slice.js';
import './isosurface.js';
import './ground.js';
