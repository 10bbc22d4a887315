// The browser for the tests of the JupyterLab extension: Debian's Chromium or a Chrome that is there, never a download.
import { existsSync } from 'node:fs';

const places = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
];

/** Path of the browser; GRUS_CHROMIUM names one. Undefined when there is none. */
export function findChromium() {
  return [process.env.GRUS_CHROMIUM, ...places].find((path) => path && existsSync(path));
}

export const chromiumAdvice =
  'The tests of the JupyterLab extension need a browser: apt-get install chromium, or name one in GRUS_CHROMIUM.';
