import { formatYuan } from '#kit/domain/money.ts'
import { daysOf } from '#kit/domain/period.ts'
import { formula } from './formula/formula.ts'
import { parse, type Node } from './formula/parser.ts'
import { compared, minus, nought, parseFraction, plus, written, type Fraction } from './fraction.ts'
import { roundLine, usual } from './rounding.ts'
import { partAmount, type Part, type Snapshot } from './snapshot.ts'

const plain = (text: string): string => written(parseFraction(text))

/** `3+14/31` → `(3 + 14/31) 月`. */
const months = (factor: string): string =>
  factor.includes('+') ? `(${factor.replaceAll('+', ' + ')}) 月` : `${factor} 月`

interface Band {
  readonly quantity: Fraction
  readonly price: Fraction
}

/** What part of the usage each tier priced, from where the year already stood. */
function bands(p: Part): Band[] {
  const tree = parse(p.formula, Object.keys(p.values))
  const step = (n: Node): Extract<Node, { kind: 'step' }> | undefined =>
    n.kind === 'step' ? n : n.kind === 'operation' ? step(n.a) : undefined
  const table = step(tree)?.tiers ?? []
  const at = (n: Node): Fraction => formula(p.formula.slice(n.at, n.at + n.length)).run([])
  let low = parseFraction(p.values.已用量 || '0')
  const high = plus(low, parseFraction(p.values.用量 || '0'))
  const out: Band[] = []
  for (const t of table) {
    const bound = t.to && at(t.to)
    const top = bound && compared(bound, high) < 0 ? bound : high
    if (compared(top, low) > 0) {
      out.push({ quantity: minus(top, low), price: at(t.price) })
      low = top
    }
  }
  return out
}

const shown: Readonly<Partial<Record<Snapshot['type'], (p: Part, per: string, unit: string) => string>>> = {
  area: (p, per) =>
    `${plain(p.values.建筑面积 ?? p.values.套内面积 ?? p.values.计费面积 ?? '0')} ㎡ × ${plain(p.values.单价!)} 元/㎡${per}`,
  fixed: (p, per) => `${plain(p.values.金额!)} 元${per && '/月'}`,
  quantity: (p, per, unit) =>
    `${plain(p.values.数量!)}${unit && ` ${unit}`} × ${plain(p.values.单价!)} 元${unit ? `/${unit}${per}` : per && '/月'}`,
  usage: (p, _, unit) =>
    `${p.values.时段 ? `${p.values.时段} ` : ''}${plain(p.values.用量!)}${unit && ` ${unit}`} × ${plain(p.values.单价!)} 元${unit && `/${unit}`}`,
  tiers: (p, _, unit) =>
    bands(p)
      .map(b => `${written(b.quantity)}${unit && ` ${unit}`} × ${written(b.price)} 元${unit && `/${unit}`}`)
      .join(' + ') || `0${unit && ` ${unit}`}`,
  rent: (p, per) => `${plain(p.values.租金!)} 元${per && '/月'}`,
  risingRent: (p, per) => `${plain(p.values.租金!)} 元${per && '/月'}`,
}

const named = (p: Part): string =>
  Object.entries(p.values)
    .filter(([, v]) => v)
    .map(([n, v]) => `${n} ${/[+/]/.test(v) ? v : plain(v)}`)
    .join('、')

const custom = (p: Part): string => {
  const f = formula(p.formula, Object.keys(p.values))
  return `公式“${p.formula}”${f.variables.length ? `（${named(p)}）` : ''}得 ${written(partAmount({ begin: p.begin, end: p.end, version: p.version, formula: p.formula, values: p.values }))} 元${p.factor === undefined ? '' : '/月'}`
}

/** What made the usage of two numbers: without all of it a resident reckons another one. */
const beside = {
  翻表: (v: string) => `过 ${v} 翻表`,
  倍率: (v: string) => (v === '1' ? '' : `倍率 ${v}`),
  换表前: (v: string) => `另有换表前用量 ${v}`,
  损耗: (v: string) => `损耗 ${v}`,
  抵扣: (v: string) => `减去以前估抄多计 ${v}`,
}

const readings = (p: Part): string =>
  p.values.本期读数 && p.values.上期读数
    ? `（${[`本期 ${plain(p.values.本期读数)}`, `上期 ${plain(p.values.上期读数)}`, ...Object.entries(beside).flatMap(([k, say]) => (p.values[k] ? say(plain(p.values[k])) : '') || [])].join('，')}）`
    : ''

function told(s: Snapshot, p: Part): string {
  const per = p.factor === undefined ? '' : '·月'
  const amount = (shown[s.type] ?? custom)(p, per, s.unit ?? '')
  const ratio = s.type !== 'custom' && p.values.系数 ? ` × 系数 ${plain(p.values.系数)}` : ''
  const main =
    (ratio && s.type === 'tiers' ? `(${amount})` : amount) +
    ratio +
    (p.factor === undefined ? '' : ` × ${months(p.factor)}`)
  // Days that are not charged are said: 21 days stand before 10/30 otherwise, and nobody knows why (CYC-7).
  const free = p.days === undefined ? 0 : daysOf(p) - p.days
  return (
    main +
    (p.extra === undefined
      ? ''
      : ` + 附加费 ${plain(p.extra)} 元${p.extraFactor === undefined ? '' : `/月 × ${months(p.extraFactor)}`}`) +
    (free > 0 ? `（免收 ${free} 天）` : '') +
    readings(p)
  )
}

const cuts: Readonly<Record<string, string>> = {
  halfUp: '四舍五入',
  up: '向上进位',
  down: '向下舍去',
  halfEven: '四舍六入五成双',
}

const units: Readonly<Record<string, string>> = { fen: '分', jiao: '角', yuan: '元' }

/** A bill's amount in words a resident can check: `98.65 ㎡ × 2.85 元/㎡·月 × 14/31 月 = 126.97 元` (FEE-8). */
export function sentence(s: Snapshot): string {
  const result = `${formatYuan(s.amount)} 元`
  if (s.share) {
    const { total, weight, weights, unit } = s.share
    const off = s.amount - roundLine(parseFraction(s.exact), usual)
    return `公摊总额 ${formatYuan(total)} 元 × ${plain(weight)}${unit && ` ${unit}`} ÷ ${plain(weights)}${unit && ` ${unit}`}${off ? `，尾差 ${off > 0 ? '+' : '−'}${formatYuan(Math.abs(off))} 元` : ''} = ${result}`
  }
  const body = s.parts
    .map(
      p =>
        (s.parts.length > 1 && !p.values.时段 ? `（${p.begin.slice(5)} 至 ${p.end.slice(5)}）` : '') +
        told(s, p),
    )
    .join(' + ')
  const equals = body.endsWith('）') ? '= ' : ' = '
  const sum = s.parts.map(partAmount).reduce(plus, nought)
  const under = s.least !== undefined && compared(sum, { top: BigInt(s.least), bottom: 100n }) < 0
  const above = s.most !== undefined && compared(sum, { top: BigInt(s.most), bottom: 100n }) > 0
  const by = s.parted ? '按天数分到的' : ''
  if (under || above)
    return `${body}${equals}${written(sum)} 元，${under ? `低于${by}最低收费 ${formatYuan(s.least!)}` : `高于${by}最高收费 ${formatYuan(s.most!)}`} 元，收 ${result}`
  const { type, unit } = s.rounding
  return `${body}${equals}${result}${type === 'halfUp' && unit === 'fen' ? '' : `（${cuts[type]}到${units[unit]}）`}`
}
