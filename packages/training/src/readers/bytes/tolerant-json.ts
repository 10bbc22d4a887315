// JSON as training tools really write it: bare NaN, Infinity and -Infinity (Python's json module), and files cut in
// the middle of a write. Push bytes in, get events out; memory does not grow with the file.

export interface JsonEvents {
  /** A key of an object was read; the events of its value follow. */
  key(name: string): void;
  value(value: string | number | boolean | null, offset: number, line: number): void;
  open(kind: 'object' | 'array', offset: number, line: number): void;
  close(kind: 'object' | 'array', offset: number, line: number): void;
}

const maxToken = 1 << 16;
const literals = new Map<string, number | boolean | null>([
  ['true', true],
  ['false', false],
  ['null', null],
  ['NaN', Number.NaN],
  ['nan', Number.NaN],
  ['-NaN', Number.NaN],
  ['Infinity', Number.POSITIVE_INFINITY],
  ['inf', Number.POSITIVE_INFINITY],
  ['-Infinity', Number.NEGATIVE_INFINITY],
  ['-inf', Number.NEGATIVE_INFINITY],
  ['None', null],
  ['True', true],
  ['False', false],
]);

export class JsonTokenizer {
  line = 1;
  offset = 0;
  /** Set when the text is not JSON even by tolerant rules; everything after is ignored. */
  failedAt: number | null = null;
  private readonly stack: ('object' | 'array')[] = [];
  private expectKey = false;
  private inString = false;
  private escaped = false;
  private token: number[] = [];
  private tokenOffset = 0;
  private tokenLine = 1;
  private cut = false;

  constructor(private readonly events: JsonEvents) {}

  get depth(): number {
    return this.stack.length;
  }

  /** True between top-level values: a file that ends elsewhere was cut. */
  get complete(): boolean {
    return this.stack.length === 0 && !this.inString;
  }

  write(chunk: Uint8Array): void {
    for (let at = 0; at < chunk.length && this.failedAt === null; at++) {
      this.byte(chunk[at]!);
      this.offset++;
    }
  }

  end(): void {
    if (!this.inString && this.failedAt === null) this.flushBare();
  }

  private byte(byte: number): void {
    if (this.inString) {
      this.stringByte(byte);
      return;
    }
    switch (byte) {
      case 0x22:
        this.startToken();
        this.inString = true;
        return;
      case 0x7b:
      case 0x5b:
        if (this.token.length > 0 || this.stack.length > 256) {
          this.failedAt = this.offset;
          return;
        }
        this.stack.push(byte === 0x7b ? 'object' : 'array');
        this.expectKey = byte === 0x7b;
        this.events.open(byte === 0x7b ? 'object' : 'array', this.offset, this.line);
        return;
      case 0x7d:
      case 0x5d: {
        this.flushBare();
        const kind = this.stack.pop();
        if (kind !== (byte === 0x7d ? 'object' : 'array')) {
          this.failedAt = this.offset;
          return;
        }
        this.events.close(kind, this.offset, this.line);
        this.expectKey = false;
        return;
      }
      case 0x2c:
        this.flushBare();
        this.expectKey = this.stack.at(-1) === 'object';
        return;
      case 0x3a:
        return;
      case 0x0a:
        this.flushBare();
        this.line++;
        return;
      case 0x20:
      case 0x09:
      case 0x0d:
        this.flushBare();
        return;
      case 0xef:
      case 0xbb:
      case 0xbf:
        if (this.offset < 3) return;
        break;
    }
    if (this.token.length === 0) {
      this.tokenOffset = this.offset;
      this.tokenLine = this.line;
    }
    this.token.push(byte);
    if (this.token.length > 64) this.failedAt = this.offset;
  }

  private stringByte(byte: number): void {
    if (this.escaped) {
      this.escaped = false;
      this.push(0x5c);
      this.push(byte);
    } else if (byte === 0x5c) {
      this.escaped = true;
    } else if (byte === 0x22) {
      this.inString = false;
      const text = this.takeString();
      if (this.expectKey) {
        this.expectKey = false;
        this.events.key(text);
      } else {
        this.events.value(text, this.tokenOffset, this.tokenLine);
      }
    } else {
      if (byte === 0x0a) this.line++;
      this.push(byte);
    }
  }

  private startToken(): void {
    this.token = [];
    this.cut = false;
    this.tokenOffset = this.offset;
    this.tokenLine = this.line;
  }

  private push(byte: number): void {
    if (this.token.length < maxToken) this.token.push(byte);
    else this.cut = true;
  }

  private takeString(): string {
    const text = Buffer.from(this.token).toString('utf8');
    this.token = [];
    if (!text.includes('\\') || this.cut) return text;
    try {
      const parsed: unknown = JSON.parse(`"${text.replace(/[\u0000-\u001f]/g, ' ')}"`);
      return typeof parsed === 'string' ? parsed : text;
    } catch {
      return text;
    }
  }

  private flushBare(): void {
    if (this.token.length === 0) return;
    const text = Buffer.from(this.token).toString('latin1');
    this.token = [];
    const literal = literals.get(text);
    const value = literal !== undefined || literals.has(text) ? literal! : Number(text);
    if (typeof value === 'number' && Number.isNaN(value) && !literals.has(text)) {
      this.failedAt = this.tokenOffset;
      return;
    }
    this.events.value(value, this.tokenOffset, this.tokenLine);
  }
}

export type JsonValue = string | number | boolean | null | JsonValue[] | { [key: string]: JsonValue };

/** One small document, whole; undefined when it is not JSON even by tolerant rules or is cut. */
export function parseTolerantJson(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return parseSlowly(text);
  }
}

function parseSlowly(text: string): JsonValue | undefined {
  let root: JsonValue | undefined;
  const stack: { container: JsonValue[] | { [key: string]: JsonValue }; key: string }[] = [];
  const place = (value: JsonValue): void => {
    const top = stack.at(-1);
    if (top === undefined) root = value;
    else if (Array.isArray(top.container)) top.container.push(value);
    else
      Object.defineProperty(top.container, top.key, {
        value,
        enumerable: true,
        writable: true,
        configurable: true,
      });
  };
  const tokenizer = new JsonTokenizer({
    key(name) {
      const top = stack.at(-1);
      if (top) top.key = name;
    },
    value: place,
    open(kind) {
      const container = kind === 'array' ? [] : {};
      place(container);
      stack.push({ container, key: '' });
    },
    close() {
      stack.pop();
    },
  });
  tokenizer.write(Buffer.from(text));
  tokenizer.end();
  return tokenizer.failedAt === null && tokenizer.complete ? root : undefined;
}
