// Secrets and personal data of many forms, none of them real, each drawn from a seed. `core` is the part that must not be
// told: of a connection string the password, of a header the token.

export interface Secret {
  readonly form: string;
  readonly text: string;
  /** What nobody may read; a piece of eight characters of it is a leak already. */
  readonly core: string;
}

/** A small generator of pseudo-random numbers, so that a seed names a corpus. */
export function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

type Random = () => number;

const digits = '0123456789';
const lower = 'abcdefghijklmnopqrstuvwxyz';
const upper = lower.toUpperCase();
const hex = '0123456789abcdef';
const base62 = digits + lower + upper;
const base64 = `${base62}+/`;

function draw(random: Random, letters: string, length: number): string {
  return Array.from({ length }, () => letters[Math.floor(random() * letters.length)]).join('');
}

function pick<Item>(random: Random, items: readonly Item[]): Item {
  return items[Math.floor(random() * items.length)]!;
}

const given = [
  'Philippa',
  'Torvald',
  'Oyelaran',
  'Marguerite',
  'Ignatius',
  'Xiomara',
  'Wilhelmina',
  'Thaddeus',
];
const family = ['Brandywine', 'Quackenbush', 'Oyelowokan', 'Featherston', 'Zubizarreta', 'Lindqvistson'];
const street = ['Mulberry', 'Kastanien', 'Thistledown', 'Hawksmoor', 'Gooseberry'];
const nouns = [
  'walrus',
  'teapot',
  'gravel',
  'lantern',
  'mustard',
  'parsnip',
  'violin',
  'badger',
  'clover',
  'puffin',
];
const hosts = ['vault-kilo', 'ledgerhub', 'quarrymill', 'stonecroft'];

const person = (random: Random) => `${pick(random, given)} ${pick(random, family)}`;
const words = (random: Random, count: number, glue: string) =>
  Array.from({ length: count }, () => pick(random, nouns)).join(glue);
const host = (random: Random) => `${pick(random, hosts)}${draw(random, digits, 2)}.intra.corp`;
const whole = (text: string) => ({ text, core: text });
const around = (before: string, core: string, after = '') => ({ text: `${before}${core}${after}`, core });

export const forms: Readonly<Record<string, (random: Random) => { text: string; core: string }>> = {
  'aws access key': (r) => whole(`AKIA${draw(r, upper + digits, 16)}`),
  'aws temporary key': (r) => whole(`ASIA${draw(r, upper + digits, 16)}`),
  'aws secret key': (r) => whole(draw(r, base64, 40)),
  'google api key': (r) => whole(`AIza${draw(r, `${base62}_-`, 35)}`),
  'google oauth': (r) => whole(`ya29.${draw(r, `${base62}_-`, 60)}`),
  'github classic': (r) => whole(`ghp_${draw(r, base62, 36)}`),
  'github fine-grained': (r) => whole(`github_pat_${draw(r, base62, 22)}_${draw(r, base62, 59)}`),
  'gitlab token': (r) => whole(`glpat-${draw(r, `${base62}_-`, 20)}`),
  'slack token': (r) => whole(`xoxb-${draw(r, digits, 11)}-${draw(r, digits, 11)}-${draw(r, base62, 24)}`),
  'slack webhook': (r) =>
    around(
      'https://hooks.slack.com/services/',
      `T${draw(r, upper, 8)}/B${draw(r, upper, 8)}/${draw(r, base62, 24)}`,
    ),
  'stripe key': (r) => whole(`sk_live_${draw(r, base62, 24)}`),
  'openai key': (r) => whole(`sk-proj-${draw(r, `${base62}_-`, 48)}`),
  'anthropic key': (r) => whole(`sk-ant-api03-${draw(r, `${base62}_-`, 40)}`),
  'hugging face token': (r) => whole(`hf_${draw(r, lower + upper, 34)}`),
  'npm token': (r) => whole(`npm_${draw(r, base62, 36)}`),
  'pypi token': (r) => whole(`pypi-${draw(r, `${base62}_-`, 60)}`),
  'wandb key': (r) => whole(draw(r, hex, 40)),
  'telegram bot': (r) => whole(`${draw(r, digits, 10)}:AA${draw(r, `${base62}_-`, 33)}`),
  'sendgrid key': (r) => whole(`SG.${draw(r, base62, 22)}.${draw(r, base62, 43)}`),
  'twilio sid': (r) => whole(`AC${draw(r, hex, 32)}`),
  jwt: (r) => whole(`eyJ${draw(r, base62, 20)}.eyJ${draw(r, base62, 40)}.${draw(r, `${base62}_-`, 43)}`),
  uuid: (r) => whole([8, 4, 4, 4, 12].map((length) => draw(r, hex, length)).join('-')),
  'md5 digest': (r) => whole(draw(r, hex, 32)),
  'sha256 digest': (r) => whole(draw(r, hex, 64)),
  'bcrypt hash': (r) => whole(`$2b$12$${draw(r, `${base62}./`, 53)}`),
  'shadow line': (r) =>
    around('root:', `$6$${draw(r, base62, 8)}$${draw(r, `${base62}./`, 60)}`, ':19000:0:99999:7:::'),
  'base32 seed': (r) => whole(draw(r, `${upper}234567`, 32)),
  'lower-case noise': (r) => whole(draw(r, 'bcdfghjklmnpqrstvwxz', 18)),
  'upper-case noise': (r) => whole(draw(r, 'BCDFGHJKLMNPQRSTVWXZ', 18)),
  'random letters and digits': (r) => whole(draw(r, base62, 12)),
  'private key': (r) =>
    around('-----BEGIN RSA PRIVATE KEY-----\n', draw(r, base64, 64), '\n-----END RSA PRIVATE KEY-----'),
  'ssh public key': (r) => whole(`ssh-ed25519 AAAA${draw(r, base64, 60)}`),
  'basic auth header': (r) => around('Authorization: Basic ', draw(r, base64, 28)),
  'bearer header': (r) => around('Authorization: Bearer ', draw(r, base62, 30)),
  'postgres address': (r) =>
    around('postgresql://svc:', `${pick(r, nouns)}${draw(r, digits, 4)}`, `@${host(r)}:5432/prod`),
  'mongodb address': (r) =>
    around('mongodb+srv://app:', draw(r, base62, 14), `@${host(r)}/db?retryWrites=true`),
  'redis address': (r) => around('redis://:', draw(r, base62, 14), `@${host(r)}:6379/0`),
  'odbc string': (r) =>
    around('Server=tcp:db;Uid=svc;Pwd=', `${pick(r, nouns)}!${draw(r, digits, 5)}`, ';Encrypt=yes'),
  'query parameter': (r) =>
    around('https://api.corp.test/v1/x?token=', `${pick(r, nouns)}${draw(r, digits, 5)}`, '&page=2'),
  'azure signature': (r) => around('https://acct.blob.test/c/f?sv=2022&sig=', draw(r, base62, 43)),
  'azure account key': (r) => around('AccountName=acct;AccountKey=', `${draw(r, base64, 60)}==`),
  'presigned address': (r) => around('https://b.s3.test/k?X-Amz-Signature=', draw(r, hex, 64)),
  'word and digits': (r) => whole(`${pick(r, nouns)}${draw(r, digits, 3)}`),
  'word with symbols': (r) => whole(`${pick(r, nouns)}!${draw(r, digits, 2)}#${pick(r, nouns)}`),
  passphrase: (r) => whole(words(r, 4, ' ')),
  'dashed passphrase': (r) => whole(words(r, 4, '-')),
  'seed phrase': (r) => whole(words(r, 12, ' ')),
  'e-mail': (r) =>
    whole(`${pick(r, given).toLowerCase()}.${pick(r, family).toLowerCase()}@${pick(r, hosts)}.test`),
  'phone number': (r) => whole(`+49 170 ${draw(r, digits, 8)}`),
  'social security number': (r) => whole(`${draw(r, digits, 3)}-${draw(r, digits, 2)}-${draw(r, digits, 4)}`),
  'card number': (r) => whole(`4${draw(r, digits, 15)}`),
  'spaced card number': (r) => whole(Array.from({ length: 4 }, () => draw(r, digits, 4)).join(' ')),
  iban: (r) => whole(`DE${draw(r, digits, 20)}`),
  person: (r) => whole(person(r)),
  address: (r) => whole(`${1 + Math.floor(r() * 90)} ${pick(r, street)} Street, ${pick(r, family)}ville`),
  'home folder': (r) =>
    around('/home/', `${pick(r, given)}_${pick(r, family)}`.toLowerCase(), '/notes/data.csv'),
  'internal host': (r) => whole(host(r)),
  'internet address': (r) => whole(Array.from({ length: 4 }, () => 100 + Math.floor(r() * 150)).join('.')),
  'mac address': (r) => whole(Array.from({ length: 6 }, () => draw(r, hex, 2)).join(':')),
  coordinates: (r) => whole(`${(r() * 80 + 10).toFixed(6)}, ${(r() * 80 + 10).toFixed(6)}`),
  'wallet address': (r) => whole(`0x${draw(r, hex, 40)}`),
  'patient number': (r) => whole(`MRN-${draw(r, digits, 8)}`),
  'one-time address': (r) => around('otpauth://totp/x?secret=', draw(r, `${upper}234567`, 32)),
  'netrc line': (r) => around('machine x login svc password ', `${pick(r, nouns)}${draw(r, base62, 6)}`),
  'environment line': (r) => around('export DB_PASSWORD=', `${pick(r, nouns)}${draw(r, digits, 4)}`),
  'cookie line': (r) => around('Set-Cookie: session=', draw(r, base62, 26), '; HttpOnly'),
  'passport number': (r) => whole(`C${draw(r, upper + digits, 8)}`),
  'vehicle number': (r) => whole(draw(r, 'ABCDEFGHJKLMNPRSTUVWXYZ0123456789', 17)),
  'number plate': (r) => whole(`B-${draw(r, upper, 2)} ${draw(r, digits, 4)}`),
  'birth date': (r) =>
    whole(`19${60 + Math.floor(r() * 39)}-0${1 + Math.floor(r() * 9)}-1${draw(r, digits, 1)}`),
  'birth date with dots': (r) =>
    whole(`1${draw(r, digits, 1)}.0${1 + Math.floor(r() * 9)}.19${60 + Math.floor(r() * 39)}`),
  'health number': (r) => whole(`${draw(r, digits, 3)} ${draw(r, digits, 3)} ${draw(r, digits, 4)}`),
  'bank code': (r) => whole(`${draw(r, upper, 6)}FF${draw(r, digits, 3)}`),
  'sort code and account': (r) =>
    whole(`${draw(r, digits, 2)}-${draw(r, digits, 2)}-${draw(r, digits, 2)} ${draw(r, digits, 8)}`),
  'device number': (r) => whole(draw(r, digits, 15)),
  'internet address of version 6': (r) => whole(Array.from({ length: 8 }, () => draw(r, hex, 4)).join(':')),
  'hidden service': (r) => whole(`${draw(r, `${lower}234567`, 56)}.onion`),
  'bitcoin address': (r) => whole(`bc1q${draw(r, `${lower}023456789`, 38)}`),
  'wallet key': (r) => whole(`5${draw(r, base62, 50)}`),
  'armoured block': (r) =>
    around('-----BEGIN PGP MESSAGE-----\n\n', draw(r, base64, 64), '\n-----END PGP MESSAGE-----'),
  'age key': (r) => whole(`AGE-SECRET-KEY-1${draw(r, upper + digits, 58)}`),
  'registry login': (r) => around('{"auths": {"r.corp.test": {"auth": "', draw(r, base64, 24), '"}}}'),
  'service account': (r) => around('{"type": "service_account", "private_key_id": "', draw(r, hex, 40), '"}'),
  'ini section': (r) =>
    around('[db]\npassword = ', `${pick(r, nouns)}${draw(r, digits, 4)}`, '\nport = 5432'),
  'yaml line': (r) => around('db:\n  password: ', `${pick(r, nouns)}_${draw(r, base62, 4)}`),
  'xml element': (r) =>
    around('<login><password>', `${pick(r, nouns)}${draw(r, digits, 4)}`, '</password></login>'),
  'directory name': (r) => around('cn=', person(r), ',ou=people,dc=corp,dc=test'),
  'shared folder': (r) => around('//files/hr/', `${words(r, 2, '_')}`, '/salaries.xlsx'),
  'windows folder': (r) =>
    around('C:/Users/', `${pick(r, given)}.${pick(r, family)}`.toLowerCase(), '/Desktop/plan.xlsx'),
  'remote with a token': (r) =>
    around('https://oauth2:', draw(r, base62, 20), '@git.corp.test/team/repo.git'),
  'jdbc string': (r) =>
    around('jdbc:oracle:thin:svc/', `${pick(r, nouns)}${draw(r, digits, 4)}`, '@//db:1521/prod'),
  'login module line': (r) =>
    around('required username=svc password=', `${pick(r, nouns)}${draw(r, base62, 5)}`, ';'),
  'curl command': (r) =>
    around('curl -s -u svc:', `${pick(r, nouns)}${draw(r, digits, 4)}`, ' https://api.corp.test'),
  diagnosis: (r) => whole(`patient reports ${words(r, 3, ' and ')}`),
  codename: (r) => whole(`Operation ${words(r, 2, ' ')}`),
  salary: (r) => whole(`EUR ${draw(r, '123456789', 3)},${draw(r, digits, 3)}.00`),
  'salted hash': (r) => whole(`pbkdf2:sha256:260000$${draw(r, base62, 8)}$${draw(r, hex, 64)}`),
  'argon hash': (r) => whole(`$argon2id$v=19$m=65536$${draw(r, base64, 22)}$${draw(r, base64, 43)}`),
  'disguised word': (r) => whole(`P@ssw0rd!${draw(r, digits, 4)}`),
  'walk over the keyboard': (r) => whole(`1qaz2wsx${draw(r, lower, 3)}`),
  'glued words': (r) => whole(words(r, 3, '')),
  'glued capitalised words': (r) =>
    whole(
      Array.from({ length: 3 }, () => pick(r, nouns))
        .map((w) => w[0]!.toUpperCase() + w.slice(1))
        .join(''),
    ),
  'words with underscores': (r) => whole(words(r, 3, '_')),
  'words with dots': (r) => whole(words(r, 3, '.')),
  fingerprint: (r) => whole(Array.from({ length: 20 }, () => draw(r, hex, 2)).join(':')),
  'encoded password': (r) => around('user=svc&pass=', `${pick(r, nouns)}%21${draw(r, digits, 4)}`),
  'sentence in base64': (r) => whole(Buffer.from(`the password is ${words(r, 2, ' ')}`).toString('base64')),
  'chat number': (r) => whole(`-100${draw(r, digits, 10)}`),
  'order number': (r) => whole(`ORD-2024-${draw(r, digits, 9)}`),
  'sequence of a genome': (r) => whole(draw(r, 'ACGT', 30)),
  'place on a map': (r) =>
    around('https://maps.test/@', `${(r() * 80 + 10).toFixed(6)},${(r() * 80 + 10).toFixed(6)}`, ',17z'),
  'licence key': (r) => whole(Array.from({ length: 4 }, () => draw(r, upper + digits, 5)).join('-')),
};

export function secretOf(form: string, random: Random): Secret {
  return { form, ...forms[form]!(random) };
}

/** Whether the text tells the secret, or a good piece of it. */
export function tells(text: string, { core }: Secret): boolean {
  const size = Math.min(8, core.length);
  for (let start = 0; start + size <= core.length; start++)
    if (text.includes(core.slice(start, start + size))) return true;
  return false;
}
