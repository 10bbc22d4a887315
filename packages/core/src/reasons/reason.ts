// A reason: a code and its data, the same in TypeScript and in the kernel agent.
import { type FieldTypes, reasonFields } from './codes.js';

type Fields = typeof reasonFields;
export type ReasonCode = keyof Fields;

type Held<Field> = Field extends keyof FieldTypes
  ? FieldTypes[Field]
  : Field extends 'reasons'
    ? readonly Reason[]
    : Field extends 'reason?'
      ? Reason | null
      : Reason;

export type ReasonOf<Code extends ReasonCode> = { readonly code: Code } & {
  readonly [Name in keyof Fields[Code]]: Held<Fields[Code][Name]>;
};

/** Why something was not decided. Decide on `code`; show `textOf(reason)`. */
export type Reason = { [Code in ReasonCode]: ReasonOf<Code> }[ReasonCode];

/** Whether something from outside is a reason, data included. */
export function isReason(value: unknown): value is Reason {
  if (typeof value !== 'object' || value === null || !('code' in value)) return false;
  if (typeof value.code !== 'string' || !Object.hasOwn(reasonFields, value.code)) return false;
  const held: Readonly<Record<string, unknown>> = { ...value };
  const fields: Readonly<Record<string, string>> = reasonFields[value.code as ReasonCode];
  return Object.entries(fields).every(([name, field]) => holds(field, held[name]));
}

function holds(field: string, value: unknown): boolean {
  switch (field) {
    case 'number':
      return typeof value === 'number';
    case 'text':
      return typeof value === 'string';
    case 'texts':
      return Array.isArray(value) && value.every((item) => typeof item === 'string');
    case 'cuts':
      return Array.isArray(value) && value.every((item) => typeof item?.what === 'string');
    case 'reason':
      return isReason(value);
    case 'reasons':
      return Array.isArray(value) && value.every(isReason);
    default:
      return value === null || holds(field.slice(0, -1), value);
  }
}
