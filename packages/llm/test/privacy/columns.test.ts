// At the level of values, columns of a table: what differs from row to row may be a password or a person, whatever the
// column is called. Categories, numbers and the form of dates are told.
import type { Kernel } from '@grus/kernel';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestKernel } from '../support/kernel.js';
import { bodyAt } from './body.js';
import { forms, randomFrom, secretOf, tells } from './forms.js';

const labels = (
  'password user_pwd api_token accessToken jwt session_id sessionid csrf client_secret license_key webhook_url dsn ' +
  'connection_string pincode security_answer recovery_code mfa_seed national_insurance nino aadhaar tin driver_license ' +
  'acct_no bank_account routing_number sort_code cc_num card_no date_of_birth tel contact_number addr ip_addr ' +
  'emailaddress customer_name patient_name patient_id medical_record nickname pw kennwort notes remarks c1'
).split(' ');

let kernel: Kernel;
beforeAll(async () => {
  kernel = await startTestKernel();
});
afterAll(() => kernel.close());

it('tells no text that stands in one row alone', async () => {
  const random = randomFrom(57);
  const kinds = Object.keys(forms);
  const planted = labels.map((label, index) => ({
    label,
    secrets: [0, 1, 2].map((row) => secretOf(kinds[(index * 7 + row * 3) % kinds.length]!, random)),
  }));
  const columns = planted.map(({ label, secrets }) => {
    const texts = secrets.map(({ text }) => JSON.stringify([...Buffer.from(text)].map((byte) => byte ^ 90)));
    return `"${label}": [bytes(b ^ 90 for b in t).decode() for t in [${texts.join(', ')}]]`;
  });
  await kernel.execute(`import pandas as pd\npeople = pd.DataFrame({${columns.join(', ')}})`);
  const told: string[] = [];
  for (let start = 0; start < labels.length; start += 9) {
    const some = planted.slice(start, start + 9);
    const touched = some.map(({ label }) => `people["${label}"]`).join(', ');
    const body = await bodyAt(kernel, 'values', `print(${touched})\nfor _ in range(2):\n    pass`);
    for (const { label, secrets } of some)
      for (const secret of secrets) if (tells(body!, secret)) told.push(`${secret.form} under ${label}`);
  }
  expect(told).toEqual([]);
});

it('tells categories, numbers and the form of dates', async () => {
  await kernel.execute(
    [
      'import pandas as pd',
      'trips = pd.DataFrame({"deck": ["upper", "lower"] * 4, "fare": ["1,5"] + [str(n) for n in range(7)],',
      '    "day": ["2024-03-0%d" % n for n in range(1, 9)]})',
    ].join('\n'),
  );
  const body = await bodyAt(
    kernel,
    'values',
    'print(trips["deck"], trips["fare"], trips["day"])\nfor _ in range(2):\n    pass',
  );
  expect(body).toContain('lower');
  expect(body).toContain('1,5');
  expect(body).toContain('9999-99-99');
});
