// The sign of Grus in the side bar: a crane's head looking out.
import { LabIcon } from '@jupyterlab/ui-components';

const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="16" height="16" viewBox="0 0 24 24">
<g class="jp-icon3" fill="#616161">
<path d="M8 22c0-5 5-6 5-11 0-2-1-3-3-3H6l-5 1 5-3c1-3 3-4 6-4 4 0 6 3 6 7 0 6-5 7-5 13z"/>
<circle cx="10.500" cy="5.500" r="1" fill="white"/>
</g>
</svg>`;

export const grusIcon = new LabIcon({ name: 'grus:crane', svgstr: svg });
