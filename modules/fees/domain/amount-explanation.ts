import { defined } from '#kit/domain/defined.ts'
import { asFen, displayYuan } from '#kit/domain/money.ts'
import { daysOf } from '#kit/domain/period.ts'
import { compileFormula } from './formula/formula.ts'
import { describeFormula } from './formula/describe-formula.ts'
import { parse, type Node } from './formula/parser.ts'
import { compare, subtract, zero, parseFraction, add, formatFraction, type Fraction } from './fraction.ts'
import { roundLine, defaultRounding } from './rounding.ts'
import { computePartAmount, type SnapshotPart, type Snapshot } from './snapshot.ts'

/** A number with thousands separators. */
const formatExact = (f: Fraction): string =>
  formatFraction(f).replace(/^-?\d+(?=\.|$)/, whole => whole.replace(/\B(?=(\d{3})+$)/g, ','))

const formatDecimal = (text: string): string => formatExact(parseFraction(text))

/** A number as it is shown on the meter. */
const formatReading = (text: string): string => formatFraction(parseFraction(text))

/** `3+14/31` → `(3 + 14/31) 月`. */
const formatMonths = (factor: string): string =>
  factor.includes('+') ? `(${factor.replaceAll('+', ' + ')}) 月` : `${factor} 月`

interface TierUsage {
  readonly quantity: Fraction
  readonly price: Fraction
}

/** What part of the usage each tier priced, from where the year already stood. */
function splitByTier(part: SnapshotPart): TierUsage[] {
  const tree = parse(part.formula, Object.keys(part.values))
  const step = (n: Node): Extract<Node, { kind: 'step' }> | undefined =>
    n.kind === 'step' ? n : n.kind === 'operation' ? step(n.a) : undefined
  const table = step(tree)?.tiers ?? []
  const at = (n: Node): Fraction => compileFormula(part.formula.slice(n.at, n.at + n.length)).run([])
  let low = parseFraction(part.values.已用量 || '0')
  const high = add(low, parseFraction(part.values.用量 || '0'))
  const out: TierUsage[] = []
  for (const tierNode of table) {
    const bound = tierNode.to && at(tierNode.to)
    const top = bound && compare(bound, high) < 0 ? bound : high
    if (compare(top, low) > 0) {
      out.push({ quantity: subtract(top, low), price: at(tierNode.price) })
      low = top
    }
  }
  return out
}

const withUnit = (number: string | undefined, unit: string): string =>
  `${formatDecimal(defined(number))}${unit && ` ${unit}`}`

const amountFormatters: Readonly<
  Partial<Record<Snapshot['type'], (p: SnapshotPart, per: string, unit: string) => string>>
> = {
  area: (p, per) =>
    `${formatDecimal(p.values.建筑面积 ?? p.values.套内面积 ?? p.values.计费面积 ?? '0')} ㎡ × ${formatDecimal(defined(p.values.单价))} 元/㎡${per}`,
  fixed: (p, per) => `${formatDecimal(defined(p.values.金额))} 元${per && '/月'}`,
  quantity: (p, per, unit) => {
    const perUnit = unit ? `/${unit}${per}` : per && '/月'
    return `${withUnit(p.values.数量, unit)} × ${formatDecimal(defined(p.values.单价))} 元${perUnit}`
  },
  usage: (p, _, unit) => {
    const period = p.values.时段 ? `${p.values.时段} ` : ''
    const price = formatDecimal(defined(p.values.单价))
    return `${period}${withUnit(p.values.用量, unit)} × ${price} 元${unit && `/${unit}`}`
  },
  tiers: (part, _, unit) =>
    splitByTier(part)
      .map(
        b =>
          `${formatExact(b.quantity)}${unit && ` ${unit}`} × ${formatExact(b.price)} 元${unit && `/${unit}`}`,
      )
      .join(' + ') || `0${unit && ` ${unit}`}`,
  rent: (p, per) => `${formatDecimal(defined(p.values.租金))} 元${per && '/月'}`,
  risingRent: (p, per) => `${formatDecimal(defined(p.values.租金))} 元${per && '/月'}`,
}

const formatValues = (p: SnapshotPart): string =>
  Object.entries(p.values)
    .filter(([, v]) => v)
    .map(([n, v]) => `${n} ${/[+/]/.test(v) ? v : formatDecimal(v)}`)
    .join('、')

const formatCustomFormula = (part: SnapshotPart): string => {
  const names = Object.keys(part.values)
  const tree = parse(part.formula, names)
  const { begin, end, version, formula, values } = part
  const amount = formatExact(computePartAmount({ begin, end, version, formula, values }))
  const valueText = names.length ? `（${formatValues(part)}）` : ''
  return `${describeFormula(tree, formula)}${valueText}，得 ${amount} 元${part.factor === undefined ? '' : '/月'}`
}

/** What made the usage besides two numbers: without it a resident would compute another one. */
const breakdownFormatters = {
  翻表: (v: string) => `过 ${v} 翻表`,
  倍率: (v: string) => (v === '1' ? '' : `倍率 ${v}`),
  换表前: (v: string) => `另有换表前用量 ${v}`,
  损耗: (v: string) => `损耗 ${v}`,
  抵扣: (v: string) => `减去以前估抄多计 ${v}`,
}

const formatReadings = ({ values }: SnapshotPart): string => {
  if (!values.本期读数 || !values.上期读数) return ''
  const texts = [
    `本期 ${formatReading(values.本期读数)}`,
    `上期 ${formatReading(values.上期读数)}`,
    ...Object.entries(breakdownFormatters).flatMap(([key, format]) =>
      values[key] ? [format(formatReading(values[key]))] : [],
    ),
  ].filter(text => text !== '')
  return `（${texts.join('，')}）`
}

function explainPart(snapshot: Snapshot, part: SnapshotPart): string {
  const per = part.factor === undefined ? '' : '·月'
  const amount = (amountFormatters[snapshot.type] ?? formatCustomFormula)(part, per, snapshot.unit ?? '')
  const ratio =
    snapshot.type !== 'custom' && part.values.系数 ? ` × 系数 ${formatDecimal(part.values.系数)}` : ''
  const main =
    (ratio && snapshot.type === 'tiers' ? `(${amount})` : amount) +
    ratio +
    (part.factor === undefined ? '' : ` × ${formatMonths(part.factor)}`)
  // Free days are stated: otherwise 10/30 follows a period of 21 days without a reason (CYC-7).
  const free = part.days === undefined ? 0 : daysOf(part) - part.days
  return (
    main +
    (part.extra === undefined
      ? ''
      : ` + 附加费 ${formatDecimal(part.extra)} 元${part.extraFactor === undefined ? '' : `/月 × ${formatMonths(part.extraFactor)}`}`) +
    (free > 0 ? `（免收 ${free} 天）` : '') +
    formatReadings(part)
  )
}

const roundingLabels: Readonly<Record<string, string>> = {
  halfUp: '四舍五入',
  up: '向上进位',
  down: '向下舍去',
  halfEven: '四舍六入五成双',
}

const roundingUnitLabels: Readonly<Record<string, string>> = { fen: '分', jiao: '角', yuan: '元' }

/**
 * A bill's amount as a sentence that a resident can check: `98.65 ㎡ × 2.85 元/㎡·月 × 14/31 月 = 126.97 元`
 * (FEE-8).
 */
export function explainAmount(snapshot: Snapshot): string {
  const result = `${displayYuan(snapshot.amount)} 元`
  if (snapshot.share) {
    const { total, weight, weights, unit } = snapshot.share
    const off = snapshot.amount - roundLine(parseFraction(snapshot.exact), defaultRounding)
    const difference = off ? `，尾差 ${off > 0 ? '+' : '−'}${displayYuan(asFen(Math.abs(off)))} 元` : ''
    const quotient = `${withUnit(weight, unit)} ÷ ${withUnit(weights, unit)}`
    return `公摊总额 ${displayYuan(total)} 元 × ${quotient}${difference} = ${result}`
  }
  const body = snapshot.parts
    .map(
      p =>
        (snapshot.parts.length > 1 && !p.values.时段 ? `（${p.begin.slice(5)} 至 ${p.end.slice(5)}）` : '') +
        explainPart(snapshot, p),
    )
    .join(' + ')
  const equals = body.endsWith('）') ? '= ' : ' = '
  const sum = snapshot.parts.map(computePartAmount).reduce(add, zero)
  const under =
    snapshot.least !== undefined && compare(sum, { numerator: BigInt(snapshot.least), denominator: 100n }) < 0
  const above =
    snapshot.most !== undefined && compare(sum, { numerator: BigInt(snapshot.most), denominator: 100n }) > 0
  const by = snapshot.parted ? '按天数分到的' : ''
  if (under || above) {
    const limit = under
      ? `低于${by}最低收费 ${displayYuan(snapshot.least)}`
      : `高于${by}最高收费 ${displayYuan(defined(snapshot.most))}`
    return `${body}${equals}${formatExact(sum)} 元，${limit} 元，收 ${result}`
  }
  const { type, unit } = snapshot.rounding
  return `${body}${equals}${result}${type === 'halfUp' && unit === 'fen' ? '' : `（${roundingLabels[type]}到${roundingUnitLabels[unit]}）`}`
}
