import { isDay, readDay } from '#kit/domain/day.ts'
import { formatYuan, parseYuan } from '#kit/domain/money.ts'
import { readMonth } from '#kit/domain/month.ts'
import { isMoment, readMoment } from '#kit/domain/moment.ts'
import { parse as readDec, text as decText } from '#kit/domain/decimal.ts'
import { blank, lengthOf } from '#kit/contract/text.ts'
import { keyOf, labelOf, type Choices, type Field, type Fields, type Kind } from './field.ts'

/** What cannot be read as its kind; the message completes a sentence that begins with the label. */
export class Unreadable extends Error {}

const no = (why: string): never => {
  throw new Unreadable(why)
}

/**
 * How one kind of value is said to people and on the wire, and read back. Texts arrive trimmed and not empty.
 */
interface Manner {
  readonly show: (v: any, f: Field) => string
  readonly read: (s: string, f: Field) => unknown
  readonly toWire: (v: any, f: Field) => unknown
  readonly fromWire: (x: unknown, f: Field) => unknown
  /** JSON schema of the wire's form, for the API pages and hostile-input tests. */
  readonly schema: (f: Field) => object
}

const asText = (x: unknown): string =>
  typeof x === 'string'
    ? x.trim()
    : typeof x === 'number' || typeof x === 'boolean'
      ? String(x)
      : no('格式不正确')

const overText =
  (read: Manner['read']): Manner['fromWire'] =>
  (x, f) =>
    read(asText(x), f)

const whole = (s: string): number => {
  const n = /^[+-]?\d{1,16}$/.test(s) ? Number(s) : no('应为整数')
  return Number.isSafeInteger(n) ? n : no('超出范围')
}

const exact = (s: string, f: Field): string => {
  const plain = s.replaceAll(',', '')
  const m = /^[+-]?\d{1,14}(?:\.(\d+))?$/.exec(plain) ?? no('应为数字')
  if ((m[1] ?? '').replace(/0+$/, '').length > (f.scale ?? 4)) no(`最多 ${f.scale ?? 4} 位小数`)
  return decText(readDec(plain))
}

const yuan = (s: string): number => {
  const plain = s
    .replace(/^[¥￥]/, '')
    .replaceAll(',', '')
    .trim()
  if (!/^[+-]?\d{1,12}(\.\d{1,2}0*)?$/.test(plain)) no('应为数字，最多两位小数')
  return parseYuan(plain.replace(/(\.\d{2})0+$/, '$1'))
}

const flags: Readonly<Record<string, boolean>> = {
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

const yesNo = (s: string): boolean => (Object.hasOwn(flags, s) ? flags[s]! : no('应为 是 或 否'))

const oneChoice = (c: Choices, s: string): string => {
  const named = Object.keys(c.rows).find(k => c.rows[k]![1] === s)
  return (
    named ??
    keyOf(c, s) ??
    no(
      `应为 ${Object.values(c.rows)
        .map(r => r[1])
        .join('、')} 之一`,
    )
  )
}

const coded = (c: Choices, x: unknown): string => keyOf(c, asText(x)) ?? no('不是可选的值')

const several = (x: unknown): unknown[] =>
  Array.isArray(x)
    ? x
    : asText(x)
        .split(/[,，]/)
        .map(s => s.trim())
        .filter(s => s !== '')

const rowsIn = (x: unknown): unknown[] => {
  try {
    const rows: unknown = JSON.parse(asText(x))
    if (Array.isArray(rows)) return rows
  } catch {
    /* said below */
  }
  return no('应为多行')
}

const codes = (f: Field): (string | number)[] => Object.values(f.choices!.rows).map(r => r[0])

const textual: Manner = {
  show: String,
  read: s => s,
  toWire: v => v,
  fromWire: asText,
  schema: f => ({ type: 'string', ...(f.max ? { maxLength: f.max } : {}) }),
}

/**
 * `12,345.60`: thousands for people; what is measured in a unit keeps two digits at least, so that points
 * stand under each other.
 */
const grouped = (v: number | string, least = 0): string => {
  const [whole = '', part = ''] = String(v).split('.')
  const digits = part.padEnd(least, '0')
  return whole.replace(/\B(?=(\d{3})+$)/g, ',') + (digits ? `.${digits}` : '')
}

const numeric: Manner = {
  show: String,
  read: whole,
  toWire: v => v,
  fromWire: overText(whole),
  schema: f => ({
    type: 'integer',
    ...(f.min === undefined ? {} : { minimum: f.min }),
    ...(f.max === undefined ? {} : { maximum: f.max }),
  }),
}

const calendar = (read: (s: string) => string | undefined, example: string, format: string): Manner => {
  const strict = (s: string): string => read(s) ?? no(`应为 ${example} 这样的${format}`)
  return {
    show: String,
    read: strict,
    toWire: v => v,
    fromWire: overText(strict),
    schema: () => ({ type: 'string', examples: [example] }),
  }
}

/** One row per kind: a new kind does not compile until its manners are written. */
export const manners: Record<Kind, Manner> = {
  id: numeric,
  int: { ...numeric, show: v => grouped(v) },
  text: textual,
  file: textual,
  decimal: {
    show: (v, f) =>
      f.unit === undefined ? grouped(v) : `${grouped(v, Math.min(2, f.scale ?? 4))} ${f.unit}`.trimEnd(),
    read: exact,
    toWire: v => v,
    fromWire: overText(exact),
    schema: () => ({ type: 'string', pattern: '^-?\\d+(\\.\\d+)?$' }),
  },
  money: {
    show: v => formatYuan(v, { thousands: true }),
    read: yuan,
    toWire: v => formatYuan(v),
    fromWire: overText(yuan),
    schema: () => ({ type: 'string', pattern: '^-?\\d+\\.\\d{2}$' }),
  },
  day: calendar(readDay, '2026-02-28', '日期'),
  month: calendar(readMonth, '2026-02', '月份'),
  moment: { ...calendar(readMoment, '2026-02-28 09:12:00', '时间'), show: v => String(v).slice(0, 16) },
  flag: {
    show: v => (v ? '是' : '否'),
    read: yesNo,
    toWire: v => (v ? 1 : 0),
    fromWire: x => (typeof x === 'boolean' ? x : yesNo(asText(x))),
    schema: () => ({ type: 'integer', enum: [0, 1] }),
  },
  choice: {
    show: (v, f) => labelOf(f.choices!, v),
    read: (s, f) => oneChoice(f.choices!, s),
    toWire: (v, f) => f.choices!.rows[v]?.[0] ?? null,
    fromWire: (x, f) => coded(f.choices!, x),
    schema: f => ({ enum: codes(f) }),
  },
  choices: {
    show: (v, f) => v.map((k: string) => labelOf(f.choices!, k)).join('、'),
    read: (s, f) => s.split(/[,，、]/).map(p => oneChoice(f.choices!, p.trim())),
    toWire: (v, f) => v.map((k: string) => f.choices!.rows[k]?.[0]),
    fromWire: (x, f) => several(x).map(c => coded(f.choices!, c)),
    schema: f => ({ type: 'array', items: { enum: codes(f) } }),
  },
  ref: {
    show: String,
    read: (s, f) => (f.by === 'key' ? s : whole(s)),
    toWire: v => v,
    fromWire: (x, f) => (f.by === 'key' ? asText(x) : whole(asText(x))),
    schema: f => (f.by === 'key' ? { type: 'string', maxLength: 20 } : { type: 'integer' }),
  },
  list: {
    show: v => v.join('、'),
    read: s => several(s.replaceAll('、', ',')),
    toWire: v => v.join(','),
    fromWire: x => several(x).map(asText),
    schema: () => ({ type: 'string', description: '逗号分隔' }),
  },
  part: {
    show: () => '1 项',
    read: () => no('不能写在一格里'),
    toWire: v => v,
    fromWire: x => (x !== null && typeof x === 'object' && !Array.isArray(x) ? x : no('应为一组数据')),
    schema: () => ({ type: 'object' }),
  },
  lines: {
    show: v => `${v.length} 行`,
    read: () => no('不能写在一格里'),
    toWire: v => v,
    fromWire: x => (Array.isArray(x) ? x : rowsIn(x)),
    schema: () => ({ type: 'array', items: { type: 'object' } }),
  },
}

export const membersOf = (f: Field): Fields => (typeof f.of === 'function' ? f.of() : (f.of ?? {}))

/** What a cell or a detail shows; `--` where there is nothing (G-1). */
export const show = (v: unknown, f: Field): string =>
  v === undefined || v === null || v === '' || (Array.isArray(v) && !v.length)
    ? blank
    : manners[f.kind].show(v, f)

const bound = (n: number, f: Field): string => (f.kind === 'money' ? formatYuan(n) : `${n}`)

const size = (v: unknown, f: Field): number =>
  Array.isArray(v)
    ? v.length
    : typeof v !== 'string'
      ? Number(v)
      : f.kind === 'decimal'
        ? Number(v)
        : lengthOf(v)

const counted: Partial<Record<Kind, string>> = {
  text: '个字',
  file: '个字',
  list: '个',
  choices: '个',
  lines: '行',
}

/** Control characters, but for tabs and the ends of lines. */
// oxlint-disable-next-line no-control-regex
const unseen = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/

/** What is wrong with a value, in the words the user reads; nothing when it is right. */
export function fault(f: Field, v: unknown): string | undefined {
  if (v === undefined || v === null || v === '' || (Array.isArray(v) && v.length === 0))
    return f.required ? `${f.label}不能为空` : undefined
  const n = f.max === undefined && f.min === undefined ? 0 : size(v, f)
  const unit = counted[f.kind]
  if (f.max !== undefined && n > f.max)
    return unit ? `${f.label}最多 ${f.max} ${unit}` : `${f.label}不能大于 ${bound(f.max, f)}`
  if (f.min !== undefined && n < f.min)
    return unit ? `${f.label}至少 ${f.min} ${unit}` : `${f.label}不能小于 ${bound(f.min, f)}`
  if (f.kind === 'text' && unseen.test(v as string)) return `${f.label}含有不可见的控制字符`
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
