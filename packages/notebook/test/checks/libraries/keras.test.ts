// Checks on Keras models.
import { keras } from './cases/keras.js';
import { runCases } from './run-cases.js';

runCases('keras', keras);
