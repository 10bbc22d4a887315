// The issuer as a process, and somebody who signs in there without a browser.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

export async function startIssuer(port: number, address: string) {
  const url = `http://127.0.0.1:${port}`;
  const script = join(import.meta.dirname, 'issuer.mjs');
  const issuer = spawn(process.execPath, [script, String(port), address], { stdio: 'ignore' });
  const discovery = `${url}/.well-known/openid-configuration`;
  while (
    !(await fetch(discovery).then(
      ({ ok }) => ok,
      () => false,
    ))
  ) {
    if (issuer.exitCode !== null) throw new Error(`the issuer ended with ${issuer.exitCode}`);
    await wait(100);
  }
  return {
    url,
    stop: async () => {
      if (issuer.exitCode !== null || issuer.signalCode !== null) return;
      const ended = once(issuer, 'exit');
      issuer.kill();
      await ended;
    },
  };
}

export interface Answer {
  readonly status: number;
  /** Where it leads, if anywhere. */
  readonly location: string | null;
  readonly text: string;
}

/** Keeps cookies as a browser does, by host, and follows nothing unasked. */
export function visitor() {
  const cookies = new Map<string, Map<string, string>>();
  const attributes: string[] = [];
  const go = async (address: string, form?: Record<string, string>): Promise<Answer> => {
    const url = new URL(address);
    const jar = cookies.get(url.host) ?? new Map<string, string>();
    cookies.set(url.host, jar);
    const response = await fetch(url, {
      redirect: 'manual',
      headers: {
        accept: 'text/html',
        cookie: [...jar].map(([name, value]) => `${name}=${value}`).join('; '),
      },
      ...(form === undefined ? {} : { method: 'POST', body: new URLSearchParams(form) }),
    });
    for (const line of response.headers.getSetCookie()) {
      attributes.push(line);
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(line)!;
      if (value === '' || /max-age=0/i.test(line)) jar.delete(name!);
      else jar.set(name!, value!);
    }
    const location = response.headers.get('location');
    return {
      status: response.status,
      location: location === null ? null : new URL(location, url).href,
      text: await response.text(),
    };
  };
  return {
    go,
    attributes,
    cookie: (host: string, name: string) => cookies.get(host)?.get(name),
    /** From the first page of the server to the address that the issuer sends the browser back to. */
    async toCallback(server: string, login: string, next = '/'): Promise<string> {
      const begun = await go(`${server}/oidc/sign-in?${new URLSearchParams({ next })}`);
      let at = (await go(begun.location!)).location!;
      if (!at.includes('/oidc/callback')) {
        await go(at);
        at = (await go(at, { prompt: 'login', login, password: 'any' })).location!;
        at = (await go(at)).location!;
      }
      return at;
    },
    async signIn(server: string, login: string, next = '/'): Promise<Answer> {
      return go(await this.toCallback(server, login, next));
    },
  };
}
