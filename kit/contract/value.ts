import { withoutSeparators } from '#kit/domain/separators.ts'
import { defined } from '#kit/domain/defined.ts'
import { isDay, readDay } from '#kit/domain/day.ts'
import { asFen, formatYuan, isWithinFenLimit, parseYuan } from '#kit/domain/money.ts'
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

/** How one kind of value is displayed, sent on the wire and read back. Texts arrive trimmed, not empty. */
interface KindBehaviour {
  readonly format: (value: any, field: Field) => string
  readonly parse: (text: string, field: Field) => unknown
  readonly toWire: (value: any, field: Field) => unknown
  readonly fromWire: (raw: unknown, field: Field) => unknown
  /** JSON schema of the wire's form, for the API pages and hostile-input tests. */
  readonly jsonSchema: (field: Field) => object
}

const toText = (raw: unknown): string =>
  typeof raw === 'string'
    ? raw.trim()
    : typeof raw === 'number' || typeof raw === 'boolean'
      ? String(raw)
      : rejectValue('格式不正确')

const viaText =
  (read: KindBehaviour['parse']): KindBehaviour['fromWire'] =>
  (raw, field) =>
    read(toText(raw), field)

const readInteger = (text: string): number => {
  const n = /^[+-]?\d{1,16}$/.test(text) ? Number(text) : rejectValue('应为整数')
  return Number.isSafeInteger(n) ? n : rejectValue('超出范围')
}

const readDecimal = (text: string, field: Field): string => {
  const plain = withoutSeparators(text) ?? rejectValue('千位分隔符应每三位一个')
  const match = /^[+-]?\d{1,14}(?:\.(\d+))?$/.exec(plain) ?? rejectValue('应为数字')
  if ((match[1] ?? '').replace(/0+$/, '').length > (field.scale ?? 4)) {
    rejectValue(`最多 ${field.scale ?? 4} 位小数`)
  }
  return decText(readDec(plain))
}

/** Up to the largest exact number; `validateValue` limits a single amount. */
const readMoney = (text: string): number => {
  const plain = withoutSeparators(text.replace(/^[¥￥] */, '')) ?? rejectValue('千位分隔符应每三位一个')
  const isAmount = /^[+-]?(\d{1,13}|[1-8]\d{13})(\.\d{1,2}0*)?$/.test(plain)
  if (!isAmount) return rejectValue('应为数字，最多两位小数')
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

const readBoolean = (text: string): boolean =>
  Object.hasOwn(booleanByText, text) ? defined(booleanByText[text]) : rejectValue('应为 是 或 否')

const readChoice = (choices: Choices, text: string): string => {
  const named = Object.keys(choices.rows).find(key => defined(choices.rows[key])[1] === text)
  return (
    named ??
    keyOf(choices, text) ??
    rejectValue(
      `应为 ${Object.values(choices.rows)
        .map(r => r[1])
        .join('、')} 之一`,
    )
  )
}

const choiceByCode = (choices: Choices, raw: unknown): string =>
  keyOf(choices, toText(raw)) ?? choices.otherwise ?? rejectValue('不是可选的值')

const splitList = (raw: unknown): unknown[] =>
  Array.isArray(raw)
    ? raw
    : toText(raw)
        .split(/[,，]/)
        .map(part => part.trim())
        .filter(part => part !== '' && part !== '[]')

const readJsonRows = (raw: unknown): unknown[] => {
  try {
    const rows: unknown = JSON.parse(toText(raw))
    if (Array.isArray(rows)) return rows
  } catch {
    /* given below */
  }
  return rejectValue('应为多行')
}

const choiceCodes = (field: Field): (string | number)[] =>
  Object.values(defined(field.choices).rows).map(r => r[0])

const textBehaviour: KindBehaviour = {
  format: String,
  parse: text => text,
  toWire: value => value,
  fromWire: toText,
  jsonSchema: field => ({ type: 'string', ...(field.max ? { maxLength: field.max } : {}) }),
}

/**
 * `12,345.60`: thousands for people; what is measured in a unit keeps two digits at least, so that points
 * are under each other.
 */
const formatThousands = (value: number | string, minDecimals = 0): string => {
  const [whole = '', part = ''] = String(value).split('.')
  const digits = part.padEnd(minDecimals, '0')
  return whole.replace(/\B(?=(\d{3})+$)/g, ',') + (digits ? `.${digits}` : '')
}

const integerBehaviour: KindBehaviour = {
  format: String,
  parse: readInteger,
  toWire: value => value,
  fromWire: viaText(readInteger),
  jsonSchema: field => ({
    type: 'integer',
    ...(field.min === undefined ? {} : { minimum: field.min }),
    ...(field.max === undefined ? {} : { maximum: field.max }),
  }),
}

const calendarBehaviour = (
  read: (text: string) => string | undefined,
  example: string,
  format: string,
): KindBehaviour => {
  const strict = (text: string): string => read(text) ?? rejectValue(`应为 ${example} 这样的${format}`)
  return {
    format: String,
    parse: strict,
    toWire: value => value,
    fromWire: viaText(strict),
    jsonSchema: () => ({ type: 'string', examples: [example] }),
  }
}

/** One row per kind: a new kind does not compile until its behaviour is written. */
export const kindBehaviour: Record<FieldKind, KindBehaviour> = {
  id: integerBehaviour,
  int: { ...integerBehaviour, format: value => formatThousands(value) },
  text: textBehaviour,
  file: textBehaviour,
  decimal: {
    format: (value, field) =>
      field.unit === undefined
        ? formatThousands(value)
        : `${formatThousands(value, Math.min(2, field.scale ?? 4))} ${field.unit}`.trimEnd(),
    parse: readDecimal,
    toWire: value => value,
    fromWire: viaText(readDecimal),
    jsonSchema: () => ({ type: 'string', pattern: '^-?\\d+(\\.\\d+)?$' }),
  },
  money: {
    format: value => formatYuan(value, { thousands: true }),
    parse: readMoney,
    toWire: value => formatYuan(value),
    fromWire: viaText(readMoney),
    jsonSchema: () => ({ type: 'string', pattern: '^-?\\d+\\.\\d{2}$' }),
  },
  day: calendarBehaviour(readDay, '2026-02-28', '日期'),
  month: calendarBehaviour(readMonth, '2026-02', '月份'),
  moment: {
    ...calendarBehaviour(readMoment, '2026-02-28 09:12:00', '时间'),
    format: value => String(value).slice(0, 16),
  },
  flag: {
    format: value => (value ? '是' : '否'),
    parse: readBoolean,
    toWire: value => (value ? 1 : 0),
    fromWire: raw => (typeof raw === 'boolean' ? raw : readBoolean(toText(raw))),
    jsonSchema: () => ({ type: 'integer', enum: [0, 1] }),
  },
  choice: {
    format: (value, field) => labelOf(defined(field.choices), value),
    parse: (text, field) => readChoice(defined(field.choices), text),
    toWire: (value, field) => defined(field.choices).rows[value]?.[0] ?? null,
    fromWire: (raw, field) => choiceByCode(defined(field.choices), raw),
    jsonSchema: field => ({ enum: choiceCodes(field) }),
  },
  choices: {
    format: (value, field) => value.map((key: string) => labelOf(defined(field.choices), key)).join('、'),
    parse: (text, field) =>
      text.split(/[,，、]/).map(part => readChoice(defined(field.choices), part.trim())),
    toWire: (value, field) => value.map((key: string) => defined(field.choices).rows[key]?.[0]),
    fromWire: (raw, field) => splitList(raw).map(code => choiceByCode(defined(field.choices), code)),
    jsonSchema: field => ({ type: 'array', items: { enum: choiceCodes(field) } }),
  },
  ref: {
    format: String,
    parse: (text, field) => (field.targetBy === 'key' ? text : readInteger(text)),
    toWire: value => value,
    fromWire: (raw, field) => (field.targetBy === 'key' ? toText(raw) : readInteger(toText(raw))),
    jsonSchema: field => (field.targetBy === 'key' ? { type: 'string', maxLength: 20 } : { type: 'integer' }),
  },
  list: {
    format: value => value.join('、'),
    parse: text => splitList(text.replaceAll('、', ',')),
    toWire: value => value.join(','),
    fromWire: raw => splitList(raw).map(toText),
    jsonSchema: () => ({ type: 'string', description: '逗号分隔' }),
  },
  part: {
    format: () => '1 项',
    parse: () => rejectValue('不能写在一格里'),
    toWire: value => value,
    fromWire: raw =>
      raw !== null && typeof raw === 'object' && !Array.isArray(raw) ? raw : rejectValue('应为一组数据'),
    jsonSchema: () => ({ type: 'object' }),
  },
  lines: {
    format: value => `${value.length} 行`,
    parse: () => rejectValue('不能写在一格里'),
    toWire: value => value,
    fromWire: raw => (Array.isArray(raw) ? raw : readJsonRows(raw)),
    jsonSchema: () => ({ type: 'array', items: { type: 'object' } }),
  },
}

export const nestedFieldsOf = (field: Field): Fields =>
  typeof field.fields === 'function' ? field.fields() : (field.fields ?? {})

/** What a cell or a detail shows; `--` where there is nothing (G-1). */
export const formatValue = (value: unknown, field: Field): string =>
  value === undefined || value === null || value === '' || (Array.isArray(value) && !value.length)
    ? emptyPlaceholder
    : kindBehaviour[field.kind].format(value, field)

const formatBound = (n: number, field: Field): string =>
  field.kind === 'money' ? formatYuan(asFen(n)) : `${n}`

const measure = (value: unknown, field: Field): number => {
  if (Array.isArray(value)) return value.length
  return typeof value === 'string' && field.kind !== 'decimal' ? countCharacters(value) : Number(value)
}

const countUnits: Partial<Record<FieldKind, string>> = {
  text: '个字',
  file: '个字',
  list: '个',
  choices: '个',
  lines: '行',
}

/** Control characters, but for tabs and the ends of lines. */
// oxlint-disable-next-line no-control-regex -- finds what nobody types
const controlCharacters = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/

/** What is wrong with a value, in the words the user reads; nothing when it is right. */
export function validateValue(field: Field, value: unknown): string | undefined {
  if (value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0))
    // With `min: 0` rows must be sent and may be none: they take the place of those before.
    return field.required && !(field.min === 0 && Array.isArray(value)) ? `${field.label}不能为空` : undefined
  const size = field.max === undefined && field.min === undefined ? 0 : measure(value, field)
  const unit = countUnits[field.kind]
  if (field.max !== undefined && size > field.max)
    return unit
      ? `${field.label}最多 ${field.max} ${unit}`
      : `${field.label}不能大于 ${formatBound(field.max, field)}`
  if (field.min !== undefined && size < field.min)
    return unit
      ? `${field.label}至少 ${field.min} ${unit}`
      : `${field.label}不能小于 ${formatBound(field.min, field)}`
  if (field.kind === 'money' && !isWithinFenLimit(Number(value))) return `${field.label}超出范围`
  if (field.kind === 'text' && controlCharacters.test(value as string))
    return `${field.label}含有不可见的控制字符`
  if (field.kind === 'day' && !isDay(value as string)) return `${field.label}应为日期`
  if (field.kind === 'moment' && !isMoment(value as string)) return `${field.label}应为时间`
  if (field.rule && typeof value === 'string') return field.rule.test(value)
  if (field.rule && field.kind === 'list') {
    for (const entry of value as readonly string[]) {
      const bad = field.rule.test(entry)
      if (bad) return bad
    }
  }
  return undefined
}
