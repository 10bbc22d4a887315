// Reads a pickle that holds plain data: dictionaries, lists, tuples, text, numbers. Nothing is looked up by name, called or
// built: an opcode that could do that ends the reading. What was read until then is given up.

/** Whole numbers beyond 2^53 lose their last digits. */
export type Plain = null | boolean | number | string | Buffer | readonly Plain[] | Dictionary;

/** The names of keys: a text of a file that is one of them becomes the very same, and is then compared at a glance. */
const names = new Map<string, string>();
const mostNames = 1000;
const longestName = 40;

/** A key that is asked for again and again. Dictionaries written by one program hold it in the same place: that is tried first. */
export class Key {
  at = 0;
  constructor(readonly name: string) {
    if (names.size < mostNames) names.set(name, name);
  }
}

/** Keys and values in turn, as they stand in the file: a dump has millions of small dictionaries, each asked a few times. */
export class Dictionary {
  /** Takes the list over. */
  constructor(private items: Plain[] = []) {}

  get(key: Key): Plain | undefined {
    const { items } = this;
    if (items[key.at] === key.name) return items[key.at + 1];
    for (let at = items.length - 2; at >= 0; at -= 2)
      if (items[at] === key.name) {
        key.at = at;
        return items[at + 1];
      }
    return undefined;
  }

  values(): Plain[] {
    return this.items.filter((_, at) => at % 2 === 1);
  }

  add(items: Plain[]): void {
    if (this.items.length === 0) this.items = items;
    else for (const item of items) this.items.push(item);
  }
}

export type PickleProblem = 'not-plain' | 'cut' | 'broken' | 'too-large';

export class PickleError extends Error {
  constructor(
    readonly problem: PickleProblem,
    readonly offset: number,
  ) {
    super(`${problem} at byte ${offset}`);
  }
}

/** More values than a dump of a hundred thousand collectives has. */
const mostValues = 20_000_000;
/** Not a value: stands on the stack where a list or a dictionary begins. */
const mark = Symbol('mark');

export function readPickle(bytes: Buffer): Plain {
  return new Machine(bytes).run();
}

/** One switch instead of a table of functions: a dump of a large job has a hundred million opcodes. */
class Machine {
  private at = 0;
  private readonly stack: (Plain | typeof mark)[] = [];
  private readonly marks: number[] = [];
  private readonly memo: (Plain | undefined)[] = [];

  constructor(private readonly bytes: Buffer) {}

  run(): Plain {
    const { bytes, stack, memo } = this;
    for (let made = 0; made < mostValues; made++) {
      const code = bytes[this.skip(1)];
      switch (code) {
        case 0x2e: // STOP
          return this.pop();
        case 0x80: // PROTO
          this.skip(1);
          break;
        case 0x95: // FRAME
          this.skip(8);
          break;
        case 0x28: // MARK
          this.marks.push(stack.length);
          stack.push(mark);
          break;
        case 0x30: // POP
          this.pop();
          break;
        case 0x31: // POP_MARK
          this.sinceMark();
          break;
        case 0x32: // DUP
          stack.push(this.top());
          break;
        case 0x4e: // NONE
          stack.push(null);
          break;
        case 0x88: // NEWTRUE
          stack.push(true);
          break;
        case 0x89: // NEWFALSE
          stack.push(false);
          break;
        case 0x4a: // BININT
          stack.push(bytes.readInt32LE(this.skip(4)));
          break;
        case 0x4b: // BININT1
          stack.push(bytes[this.skip(1)]!);
          break;
        case 0x4d: // BININT2
          stack.push(bytes.readUInt16LE(this.skip(2)));
          break;
        case 0x8a: // LONG1
          stack.push(this.long(bytes[this.skip(1)]!));
          break;
        case 0x8b: // LONG4
          stack.push(this.long(this.length()));
          break;
        case 0x47: // BINFLOAT
          stack.push(bytes.readDoubleBE(this.skip(8)));
          break;
        case 0x54: // BINSTRING
        case 0x58: // BINUNICODE
          stack.push(this.text(this.length()));
          break;
        case 0x55: // SHORT_BINSTRING
        case 0x8c: // SHORT_BINUNICODE
          stack.push(this.text(bytes[this.skip(1)]!));
          break;
        case 0x8d: // BINUNICODE8
          stack.push(this.text(this.longLength()));
          break;
        case 0x42: // BINBYTES
          stack.push(this.raw(this.length()));
          break;
        case 0x43: // SHORT_BINBYTES
          stack.push(this.raw(bytes[this.skip(1)]!));
          break;
        case 0x8e: // BINBYTES8
          stack.push(this.raw(this.longLength()));
          break;
        case 0x29: // EMPTY_TUPLE
        case 0x5d: // EMPTY_LIST
        case 0x8f: // EMPTY_SET
          stack.push([]);
          break;
        case 0x6c: // LIST
        case 0x74: // TUPLE
          stack.push(this.sinceMark());
          break;
        case 0x85: // TUPLE1
          stack.push([this.pop()]);
          break;
        case 0x86: // TUPLE2
          stack.push([this.pop(), this.pop()].reverse());
          break;
        case 0x87: // TUPLE3
          stack.push([this.pop(), this.pop(), this.pop()].reverse());
          break;
        case 0x61: // APPEND
          this.append([this.pop()]);
          break;
        case 0x65: // APPENDS
        case 0x90: // ADDITEMS
          this.append(this.sinceMark());
          break;
        case 0x7d: // EMPTY_DICT
          stack.push(new Dictionary());
          break;
        case 0x64: // DICT
          this.fill(this.sinceMark(), new Dictionary());
          break;
        case 0x73: // SETITEM
          this.fill([this.pop(), this.pop()].reverse(), this.pop());
          break;
        case 0x75: // SETITEMS
          this.fill(this.sinceMark(), this.pop());
          break;
        case 0x71: // BINPUT
          this.remember(bytes[this.skip(1)]!);
          break;
        case 0x72: // LONG_BINPUT
          this.remember(this.length());
          break;
        case 0x94: // MEMOIZE
          this.remember(memo.length);
          break;
        case 0x68: // BINGET
          stack.push(this.recall(bytes[this.skip(1)]!));
          break;
        case 0x6a: // LONG_BINGET
          stack.push(this.recall(this.length()));
          break;
        default:
          throw new PickleError('not-plain', this.at - 1);
      }
    }
    throw new PickleError('too-large', this.at);
  }

  /** Goes past so many bytes and says where they begin. */
  private skip(count: number): number {
    const from = this.at;
    this.at = from + count;
    if (this.at > this.bytes.length) throw new PickleError('cut', from);
    return from;
  }

  private length(): number {
    return this.bytes.readUInt32LE(this.skip(4));
  }

  /** A length of eight bytes; a file that names one beyond its own end is cut. */
  private longLength(): number {
    const length = this.bytes.readBigUInt64LE(this.skip(8));
    if (length > BigInt(this.bytes.length)) throw new PickleError('cut', this.at);
    return Number(length);
  }

  private text(length: number): string {
    const from = this.skip(length);
    const text = this.bytes.toString('utf8', from, this.at);
    return length > longestName ? text : (names.get(text) ?? text);
  }

  private raw(length: number): Buffer {
    const from = this.skip(length);
    return this.bytes.subarray(from, this.at);
  }

  /** Little endian, two's complement, of any length that a time or a size has. */
  private long(length: number): number {
    const from = this.skip(length);
    if (length === 0) return 0;
    if (length === 8) return this.bytes.readInt32LE(from + 4) * 2 ** 32 + this.bytes.readUInt32LE(from);
    if (length > 16) throw new PickleError('too-large', from);
    let value = 0n;
    for (let index = length - 1; index >= 0; index--)
      value = (value << 8n) | BigInt(this.bytes[from + index]!);
    return Number(BigInt.asIntN(8 * length, value));
  }

  private pop(): Plain {
    const value = this.top();
    this.stack.pop();
    return value;
  }

  private top(): Plain {
    const value = this.stack[this.stack.length - 1];
    if (value === undefined || value === mark) throw new PickleError('broken', this.at);
    return value as Plain;
  }

  /** What stands above the last mark, which goes. */
  private sinceMark(): Plain[] {
    const from = this.marks.pop();
    if (from === undefined) throw new PickleError('broken', this.at);
    const values = this.stack.splice(from + 1) as Plain[];
    this.stack.pop();
    return values;
  }

  private append(items: readonly Plain[]): void {
    const list = this.top();
    if (!Array.isArray(list)) throw new PickleError('broken', this.at);
    for (const item of items) list.push(item);
  }

  private fill(items: Plain[], into: Plain): void {
    if (!(into instanceof Dictionary) || items.length % 2 !== 0) throw new PickleError('broken', this.at);
    into.add(items);
    this.stack.push(into);
  }

  private remember(key: number): void {
    if (key > mostValues) throw new PickleError('too-large', this.at);
    this.memo[key] = this.top();
  }

  private recall(key: number): Plain {
    const value = this.memo[key];
    if (value === undefined) throw new PickleError('broken', this.at);
    return value;
  }
}
