import { removeSecrets } from '@grus/core';
import { describe, expect, it } from 'vitest';

describe('removeSecrets', () => {
  it.each([
    ['openai.api_key = "sk-proj-abcdefghijklmnop1234567890"', 'abcdefghijklmnop'],
    ['HF_TOKEN="hf_AbCdEfGhIjKlMnOpQrStUv"', 'hf_AbCdEf'],
    ["password = 'correct horse'", 'correct horse'],
    ['postgres://user:hunter2@db.example.org/x', 'hunter2'],
    ['mail jane.doe@example.org please', 'jane.doe'],
    ['Authorization: Bearer abcdef123456', 'abcdef123456'],
    ['aws AKIAIOSFODNN7EXAMPLE here', 'AKIAIOSFODNN7EXAMPLE'],
    ['digest 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b', '9f86d081'],
    ['jwt eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.abc', 'eyJhbGci'],
  ])('removes the secret of %s', (text, secret) => {
    const clean = removeSecrets(text);
    expect(clean).not.toContain(secret);
    expect(clean).toContain('[removed]');
  });

  it.each([
    'df = pd.read_csv("data/train_features_2019_q3.csv")',
    'GearboxBearingTemperature_max_over_last_24_hours',
    'from sklearn.model_selection import train_test_split',
    'tokenizer = AutoTokenizer.from_pretrained("bert-base-uncased")',
    'max_tokens = 512',
    "KeyError: 'monthly_charges'",
  ])('leaves ordinary text alone: %s', (text) => {
    expect(removeSecrets(text)).toBe(text);
  });
});
