// What a dry run notes is told to a model with the question. The cells here are asked about themselves: what they reach for,
// print, raise and start in the copy holds a secret that stands nowhere in the code.
import type { RedactionLevel } from '@grus/core';
import type { Kernel } from '@grus/kernel';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestKernel } from '../support/kernel.js';
import { bodyAt } from './body.js';
import { forms, randomFrom, secretOf, tells } from './forms.js';

/** Cells that do something with `hidden`; each ends in a way that the dry run notes and does not vouch for. */
const cells: Readonly<Record<string, string>> = {
  'an address on the network':
    'import urllib.request\nurllib.request.urlopen("http://127.0.0.1:9/?token=" + hidden)',
  'a host on the network': 'import socket\nsocket.getaddrinfo(hidden[:40] + ".corp.test", 80)',
  'a connection':
    'import http.client\nhttp.client.HTTPConnection(hidden[:40].replace(" ", "") + ".test").request("GET", "/")',
  'a program': 'import subprocess\nsubprocess.run(["curl", "-H", hidden])',
  'a program in a shell': 'import os\nos.system("curl -s http://127.0.0.1:9/" + repr(hidden))',
  'a program that fails': 'import subprocess\nsubprocess.run(["sh", "-c", "exit 3", hidden], check=True)',
  'a device': 'open("/dev/" + hidden.replace("/", "_")[:60])',
  'a file of another process': 'open("/proc/1/" + hidden.replace("/", "_")[:60])',
  'a place below /run': 'open("/run/" + hidden.replace("/", "_")[:60])',
  'an error that waits': 'raise TimeoutError(hidden)',
  'an error of the system': 'raise OSError(11, "busy", hidden)',
  'an error without a number': 'raise ConnectionError(hidden)',
  'an error of a queue': 'import queue\nraise queue.Empty(hidden)',
  'an error of memory': 'raise MemoryError("could not allocate " + hidden)',
  'an error of its own class': 'class Held(Exception): pass\nraise Held("timed out: " + hidden)',
  'a class named by it':
    'raise type("E" + "".join(c for c in hidden if c.isalnum()), (TimeoutError,), {})("x")',
  'a chain of errors':
    'try:\n    {}[hidden]\nexcept KeyError as error:\n    raise TimeoutError("x") from error',
  'what it prints first': 'print(hidden)\nraise TimeoutError("x")',
  'an exit': 'import sys\nsys.exit(hidden)',
  'a question to the user': 'input(hidden)',
  'a name of a thread': 'import threading\nthreading.Thread(name=hidden, target=input).start()\ninput()',
  'a signal to another': 'import os, signal\nprint(hidden)\nos.kill(1, 0)',
  'a database elsewhere': 'import sqlite3\nsqlite3.connect("/run/" + hidden.replace("/", "_")[:60])',
  'a temporary file':
    'import tempfile\ntempfile.mkdtemp(prefix=hidden.replace("/", "_")[:60])\nraise TimeoutError("x")',
};
const levels = ['shapes', 'statistics'] as const satisfies readonly RedactionLevel[];

let kernel: Kernel;
beforeAll(async () => {
  kernel = await startTestKernel();
});
afterAll(() => kernel.close());

it('tells nothing of what a dry run met', async () => {
  const random = randomFrom(31);
  const kinds = Object.keys(forms);
  const told: string[] = [];
  let asked = 0;
  for (const [index, [what, cell]] of Object.entries(cells).entries()) {
    const secret = secretOf(kinds[(index * 13 + 5) % kinds.length]!, random);
    const bytes = [...Buffer.from(secret.text)].map((byte) => byte ^ 90).join(', ');
    await kernel.execute(`hidden = bytes(b ^ 90 for b in [${bytes}]).decode()`);
    for (const level of levels) {
      const body = await bodyAt(kernel, level, cell);
      if (body === null) continue;
      asked += 1;
      if (tells(body, secret)) told.push(`${level}: ${secret.form} in ${what}`);
    }
  }
  expect(told).toEqual([]);
  expect(asked).toBeGreaterThan(30);
});
