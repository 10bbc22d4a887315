// What may be asked of Python itself and its standard library, in a copy of the kernel.
import type { Context, Exact } from '../../reasoning/context.js';
import type { Operand } from '../../reasoning/events.js';
import type { Fact } from '../../reasoning/facts.js';
import type { Planned } from '../../reasoning/inquiry/planned.js';
import { asksForMuch, isPlainValue, partsOf, planRefusal, words } from '../../reasoning/inquiry/planning.js';
import type { CallSite, QuestionRules } from '../../reasoning/library.js';
import { planDraw } from './draws.js';

const builtins = words(
  `int float str bool len list tuple dict set frozenset sorted sum min max abs round divmod pow chr ord repr format bytes
  complex hash hex bin range`,
);
const standard =
  /^(json\.(loads|dumps)|pickle\.dumps|ast\.literal_eval|math\.\w+|statistics\.\w+|re\.(compile|match|search|findall|sub|split|fullmatch|escape)|datetime\.(datetime|date|time|timedelta)(\.(strptime|fromisoformat|fromtimestamp|fromordinal|combine))?|collections\.(Counter|OrderedDict|deque|ChainMap)|decimal\.Decimal|fractions\.Fraction|urllib\.parse\.\w+|base64\.\w+|copy\.(copy|deepcopy)|textwrap\.\w+|string\.\w+|calendar\.\w+|struct\.\w+|unicodedata\.\w+|dateutil\.parser\.parse|operator\.\w+)$/;
const quiet =
  /^builtins\.(len|list|tuple|dict|set|frozenset|str|repr|bool|range|abs|hash|sorted|round|sum|format)$|^math\.(ceil|floor|isnan)$|^collections\.\w+$|^copy\.\w+$/;

/** Builtins whose results hold the very objects that they are given. */
const holdsObjects = /^builtins\.(list|tuple|dict|set|frozenset|sorted|min|max|sum)$/;
/** Functions that compare or add up the items of a list. */
const comparing = /^builtins\.(sorted|min|max|sum)$/;
/** Functions that write an object into a file, which `json.dumps` and `pickle.dumps` do without one. */
const intoFile = /^(json|pickle)\.dump$/;
const drawing = words('choice choices sample randint randrange');

function planCall(
  site: CallSite,
  callee: Operand,
  context: Context,
  exact: Exact,
): Planned | null | undefined {
  const { target, method, receiver, args } = site;
  const held = receiver?.fact;
  if (held?.kind === 'list') return planOfList(site, receiver!, context, exact);
  if (held && (isPlainValue(held) || (held.kind === 'scalar' && held.value !== undefined))) return null;
  const draw = /^random\.(\w+)$/.exec(target ?? '')?.[1];
  if (draw !== undefined && drawing.has(draw))
    return planDraw(site, draw, exact.named(callee.fact), context, exact);
  if (held?.kind === 'instance' && held.class === 'random.Random' && drawing.has(method ?? '')) {
    const generator = exact.step({ op: 'call', callee: exact.step({ op: 'name', name: 'random.Random' }) });
    const drawn = exact.step({ op: 'attribute', receiver: generator, name: method! });
    return planDraw(site, method!, drawn, context, exact);
  }
  if (target === null) return undefined;
  if (intoFile.test(target)) return planDump(site, target, exact);
  const operands = [...args.positional, ...args.keywords.values()];
  if (
    holdsObjects.test(target) &&
    operands.some(({ fact }) => isPlainValue(fact) || fact.kind === 'iterator')
  )
    return asksForMuch(context, args) ? null : planOfItems(site, target, callee, context, exact);
  return undefined;
}

/** What comes back are the very objects of the list, which the walk follows by itself: only a refusal is told. */
function planOfItems(
  { args }: CallSite,
  target: string,
  callee: Operand,
  context: Context,
  exact: Exact,
): Planned | null {
  const [given] = args.positional;
  if (!comparing.test(target) || !given || args.positional.length > 1) return null;
  if (!isMixed(context, given.fact, target === 'builtins.sum')) return null;
  return planRefusal(exact, exact.named(callee.fact), args);
}

/** `sort`, and `index` and `remove` of something that the list does not hold. */
function planOfList(
  { args, method }: CallSite,
  { ref, fact }: Operand,
  context: Context,
  exact: Exact,
): Planned | null {
  const isSearch = method === 'index' || method === 'remove';
  if (fact.kind !== 'list' || (!isSearch && method !== 'sort')) return null;
  const wanted = args.positional[0] && context.literal(args.positional[0].ref);
  const isAbsent =
    (typeof wanted === 'string' || typeof wanted === 'number') &&
    fact.items?.every((item) => {
      const literal = context.literal(item);
      return literal !== undefined && literal !== wanted;
    });
  if (isSearch ? !isAbsent : !isMixed(context, fact, false)) return null;
  const receiver = exact.stepOf(ref);
  const parts = receiver === undefined ? undefined : partsOf(exact, args);
  if (receiver === undefined || !parts) return null;
  return { step: { op: 'apart', receiver, name: method!, ...parts }, urgency: 'needed', isRandom: true };
}

/** Whether a list holds things that do not go together: texts beside numbers, or nothing; for a sum, texts. */
function isMixed(context: Context, fact: Fact, isSum: boolean): boolean {
  if (fact.kind !== 'list' && fact.kind !== 'tuple') return false;
  const types = new Set(
    (fact.items ?? []).map((ref) => {
      const item = context.look(ref);
      return item.kind === 'scalar' ? (item.type === 'str' ? 'str' : 'number') : item.kind;
    }),
  );
  if (types.has('unknown')) return false;
  return isSum ? types.has('str') || types.has('none') || types.has('list') : types.size > 1;
}

function planDump({ args }: CallSite, target: string, exact: Exact): Planned | null {
  const [given, , ...others] = args.positional;
  if (!given || args.positional.length < 2) return null;
  const callee = exact.step({ op: 'name', name: `${target}s` });
  return planRefusal(exact, callee, { ...args, positional: [given, ...others] });
}

/** `os.environ[name]`, while nothing ran that might have set it. */
function planItem(
  { fact }: Operand,
  key: Operand,
  context: Context,
  exact: Exact,
): Planned | null | undefined {
  const isEnvironment =
    (fact.kind === 'library' && fact.name === 'os.environ') || fact.class === 'os._Environ';
  if (!isEnvironment) return undefined;
  const wanted = exact.stepOf(key.ref);
  if (wanted === undefined || context.state.effects.files) return null;
  const made = exact.step({ op: 'name', name: 'os.environ' });
  return { step: { op: 'item', args: [made, wanted] }, urgency: 'needed' };
}

export const questions: QuestionRules = {
  purity(name) {
    if (name.startsWith('builtins.')) {
      if (!builtins.has(name.slice('builtins.'.length))) return 'no';
    } else if (!standard.test(name)) return undefined;
    return quiet.test(name) ? 'quiet' : 'askable';
  },
  quietMethods: words(
    `copy count keys get lower upper strip title capitalize startswith endswith isdigit replace items values strftime
    total_seconds isoformat date`,
  ),
  askableMethods: words(
    `split rsplit lstrip rstrip findall match zfill isnumeric index find fullmatch encode decode format partition rpartition
    splitlines center ljust rjust casefold translate union intersection difference symmetric_difference issubset issuperset
    group groups span start end strptime timestamp weekday isoweekday timetuple toordinal`,
  ),
  readers: /^glob\.glob$/,
  classes: /^(datetime|decimal|fractions|collections|re|pathlib|dateutil|zoneinfo)\./,
  moments: /^datetime\.(datetime|date|time|timedelta)$/,
  planCall,
  planItem,
};
