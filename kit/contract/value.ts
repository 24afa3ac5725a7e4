import { defined } from '#kit/domain/defined.ts'
import { isDay, readDay } from '#kit/domain/day.ts'
import { asFen, formatYuan, parseYuan } from '#kit/domain/money.ts'
import { readMonth } from '#kit/domain/month.ts'
import { isMoment, readMoment } from '#kit/domain/moment.ts'
import { parseExact as readDec, formatExact as decText } from '#kit/domain/decimal.ts'
import { emptyPlaceholder, countCharacters } from '#kit/contract/text.ts'
import { keyOf, labelOf, type Choices, type Field, type Fields, type FieldKind } from './field.ts'

/** What cannot be read as its kind; the message completes a sentence that begins with the label. */
export class UnreadableValue extends Error {}

const rejectValue = (why: string): never => {
  throw new UnreadableValue(why)
}

/**
 * How one kind of value is displayed, sent on the wire, and read back. Texts arrive trimmed and not empty.
 */
interface KindBehaviour {
  readonly format: (v: any, f: Field) => string
  readonly parse: (s: string, f: Field) => unknown
  readonly toWire: (v: any, f: Field) => unknown
  readonly fromWire: (x: unknown, f: Field) => unknown
  /** JSON schema of the wire's form, for the API pages and hostile-input tests. */
  readonly jsonSchema: (f: Field) => object
}

const toText = (x: unknown): string =>
  typeof x === 'string'
    ? x.trim()
    : typeof x === 'number' || typeof x === 'boolean'
      ? String(x)
      : rejectValue('格式不正确')

const viaText =
  (read: KindBehaviour['parse']): KindBehaviour['fromWire'] =>
  (x, f) =>
    read(toText(x), f)

const readInteger = (s: string): number => {
  const n = /^[+-]?\d{1,16}$/.test(s) ? Number(s) : rejectValue('应为整数')
  return Number.isSafeInteger(n) ? n : rejectValue('超出范围')
}

const readDecimal = (s: string, f: Field): string => {
  const plain = s.replaceAll(',', '')
  const m = /^[+-]?\d{1,14}(?:\.(\d+))?$/.exec(plain) ?? rejectValue('应为数字')
  if ((m[1] ?? '').replace(/0+$/, '').length > (f.scale ?? 4)) {
    rejectValue(`最多 ${f.scale ?? 4} 位小数`)
  }
  return decText(readDec(plain))
}

const readMoney = (s: string): number => {
  const plain = s
    .replace(/^[¥￥]/, '')
    .replaceAll(',', '')
    .trim()
  if (!/^[+-]?\d{1,12}(\.\d{1,2}0*)?$/.test(plain)) {
    rejectValue('应为数字，最多两位小数')
  }
  return parseYuan(plain.replace(/(\.\d{2})0+$/, '$1'))
}

const booleanByText: Readonly<Record<string, boolean>> = {
  '1': true,
  true: true,
  是: true,
  有: true,
  Y: true,
  '0': false,
  false: false,
  否: false,
  无: false,
  N: false,
}

const readBoolean = (s: string): boolean =>
  Object.hasOwn(booleanByText, s) ? defined(booleanByText[s]) : rejectValue('应为 是 或 否')

const readChoice = (c: Choices, s: string): string => {
  const named = Object.keys(c.rows).find(k => defined(c.rows[k])[1] === s)
  return (
    named ??
    keyOf(c, s) ??
    rejectValue(
      `应为 ${Object.values(c.rows)
        .map(r => r[1])
        .join('、')} 之一`,
    )
  )
}

const choiceByCode = (c: Choices, x: unknown): string =>
  keyOf(c, toText(x)) ?? c.otherwise ?? rejectValue('不是可选的值')

const splitList = (x: unknown): unknown[] =>
  Array.isArray(x)
    ? x
    : toText(x)
        .split(/[,，]/)
        .map(s => s.trim())
        .filter(s => s !== '')

const readJsonRows = (x: unknown): unknown[] => {
  try {
    const rows: unknown = JSON.parse(toText(x))
    if (Array.isArray(rows)) return rows
  } catch {
    /* given below */
  }
  return rejectValue('应为多行')
}

const choiceCodes = (f: Field): (string | number)[] => Object.values(defined(f.choices).rows).map(r => r[0])

const textBehaviour: KindBehaviour = {
  format: String,
  parse: s => s,
  toWire: v => v,
  fromWire: toText,
  jsonSchema: f => ({ type: 'string', ...(f.max ? { maxLength: f.max } : {}) }),
}

/**
 * `12,345.60`: thousands for people; what is measured in a unit keeps two digits at least, so that points
 * stand under each other.
 */
const formatThousands = (v: number | string, minDecimals = 0): string => {
  const [whole = '', part = ''] = String(v).split('.')
  const digits = part.padEnd(minDecimals, '0')
  return whole.replace(/\B(?=(\d{3})+$)/g, ',') + (digits ? `.${digits}` : '')
}

const integerBehaviour: KindBehaviour = {
  format: String,
  parse: readInteger,
  toWire: v => v,
  fromWire: viaText(readInteger),
  jsonSchema: f => ({
    type: 'integer',
    ...(f.min === undefined ? {} : { minimum: f.min }),
    ...(f.max === undefined ? {} : { maximum: f.max }),
  }),
}

const calendarBehaviour = (
  read: (s: string) => string | undefined,
  example: string,
  format: string,
): KindBehaviour => {
  const strict = (s: string): string => read(s) ?? rejectValue(`应为 ${example} 这样的${format}`)
  return {
    format: String,
    parse: strict,
    toWire: v => v,
    fromWire: viaText(strict),
    jsonSchema: () => ({ type: 'string', examples: [example] }),
  }
}

/** One row per kind: a new kind does not compile until its manners are written. */
export const kindBehaviour: Record<FieldKind, KindBehaviour> = {
  id: integerBehaviour,
  int: { ...integerBehaviour, format: v => formatThousands(v) },
  text: textBehaviour,
  file: textBehaviour,
  decimal: {
    format: (v, f) =>
      f.unit === undefined
        ? formatThousands(v)
        : `${formatThousands(v, Math.min(2, f.scale ?? 4))} ${f.unit}`.trimEnd(),
    parse: readDecimal,
    toWire: v => v,
    fromWire: viaText(readDecimal),
    jsonSchema: () => ({ type: 'string', pattern: '^-?\\d+(\\.\\d+)?$' }),
  },
  money: {
    format: v => formatYuan(v, { thousands: true }),
    parse: readMoney,
    toWire: v => formatYuan(v),
    fromWire: viaText(readMoney),
    jsonSchema: () => ({ type: 'string', pattern: '^-?\\d+\\.\\d{2}$' }),
  },
  day: calendarBehaviour(readDay, '2026-02-28', '日期'),
  month: calendarBehaviour(readMonth, '2026-02', '月份'),
  moment: {
    ...calendarBehaviour(readMoment, '2026-02-28 09:12:00', '时间'),
    format: v => String(v).slice(0, 16),
  },
  flag: {
    format: v => (v ? '是' : '否'),
    parse: readBoolean,
    toWire: v => (v ? 1 : 0),
    fromWire: x => (typeof x === 'boolean' ? x : readBoolean(toText(x))),
    jsonSchema: () => ({ type: 'integer', enum: [0, 1] }),
  },
  choice: {
    format: (v, f) => labelOf(defined(f.choices), v),
    parse: (s, f) => readChoice(defined(f.choices), s),
    toWire: (v, f) => defined(f.choices).rows[v]?.[0] ?? null,
    fromWire: (x, f) => choiceByCode(defined(f.choices), x),
    jsonSchema: f => ({ enum: choiceCodes(f) }),
  },
  choices: {
    format: (v, f) => v.map((k: string) => labelOf(defined(f.choices), k)).join('、'),
    parse: (s, f) => s.split(/[,，、]/).map(p => readChoice(defined(f.choices), p.trim())),
    toWire: (v, f) => v.map((k: string) => defined(f.choices).rows[k]?.[0]),
    fromWire: (x, f) => splitList(x).map(c => choiceByCode(defined(f.choices), c)),
    jsonSchema: f => ({ type: 'array', items: { enum: choiceCodes(f) } }),
  },
  ref: {
    format: String,
    parse: (s, f) => (f.targetBy === 'key' ? s : readInteger(s)),
    toWire: v => v,
    fromWire: (x, f) => (f.targetBy === 'key' ? toText(x) : readInteger(toText(x))),
    jsonSchema: f => (f.targetBy === 'key' ? { type: 'string', maxLength: 20 } : { type: 'integer' }),
  },
  list: {
    format: v => v.join('、'),
    parse: s => splitList(s.replaceAll('、', ',')),
    toWire: v => v.join(','),
    fromWire: x => splitList(x).map(toText),
    jsonSchema: () => ({ type: 'string', description: '逗号分隔' }),
  },
  part: {
    format: () => '1 项',
    parse: () => rejectValue('不能写在一格里'),
    toWire: v => v,
    fromWire: x =>
      x !== null && typeof x === 'object' && !Array.isArray(x) ? x : rejectValue('应为一组数据'),
    jsonSchema: () => ({ type: 'object' }),
  },
  lines: {
    format: v => `${v.length} 行`,
    parse: () => rejectValue('不能写在一格里'),
    toWire: v => v,
    fromWire: x => (Array.isArray(x) ? x : readJsonRows(x)),
    jsonSchema: () => ({ type: 'array', items: { type: 'object' } }),
  },
}

export const nestedFieldsOf = (f: Field): Fields =>
  typeof f.fields === 'function' ? f.fields() : (f.fields ?? {})

/** What a cell or a detail shows; `--` where there is nothing (G-1). */
export const formatValue = (v: unknown, f: Field): string =>
  v === undefined || v === null || v === '' || (Array.isArray(v) && !v.length)
    ? emptyPlaceholder
    : kindBehaviour[f.kind].format(v, f)

const formatBound = (n: number, f: Field): string => (f.kind === 'money' ? formatYuan(asFen(n)) : `${n}`)

const measure = (v: unknown, f: Field): number => {
  if (Array.isArray(v)) return v.length
  return typeof v === 'string' && f.kind !== 'decimal' ? countCharacters(v) : Number(v)
}

const countUnits: Partial<Record<FieldKind, string>> = {
  text: '个字',
  file: '个字',
  list: '个',
  choices: '个',
  lines: '行',
}

/** Control characters, but for tabs and the ends of lines. */
// oxlint-disable-next-line no-control-regex
const controlCharacters = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/

/** What is wrong with a value, in the words the user reads; nothing when it is right. */
export function validateValue(f: Field, v: unknown): string | undefined {
  if (v === undefined || v === null || v === '' || (Array.isArray(v) && v.length === 0))
    return f.required ? `${f.label}不能为空` : undefined
  const n = f.max === undefined && f.min === undefined ? 0 : measure(v, f)
  const unit = countUnits[f.kind]
  if (f.max !== undefined && n > f.max)
    return unit ? `${f.label}最多 ${f.max} ${unit}` : `${f.label}不能大于 ${formatBound(f.max, f)}`
  if (f.min !== undefined && n < f.min)
    return unit ? `${f.label}至少 ${f.min} ${unit}` : `${f.label}不能小于 ${formatBound(f.min, f)}`
  if (f.kind === 'text' && controlCharacters.test(v as string)) return `${f.label}含有不可见的控制字符`
  if (f.kind === 'day' && !isDay(v as string)) return `${f.label}应为日期`
  if (f.kind === 'moment' && !isMoment(v as string)) return `${f.label}应为时间`
  if (f.rule && typeof v === 'string') return f.rule.test(v)
  if (f.rule && f.kind === 'list') {
    for (const x of v as readonly string[]) {
      const bad = f.rule.test(x)
      if (bad) return bad
    }
  }
  return undefined
}
