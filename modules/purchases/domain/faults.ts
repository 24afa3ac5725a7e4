import { compare, type Decimal } from '#kit/domain/decimal.ts'
import { displayYuan, addFen, type Fen } from '#kit/domain/money.ts'
import type { Day } from '#kit/domain/day.ts'
import type { FieldFault } from '#kit/contract/wire.ts'
import { receivableOf, remainderOf } from './amounts.ts'

interface KnownLine {
  readonly lineNo: number
  readonly itemName: string
  readonly unit: string
  readonly quantity: Decimal
  readonly price: Decimal
}

interface SentLine {
  readonly lineNo: number
  readonly quantity: Decimal
  readonly price: Decimal
  readonly priceReason?: string | undefined
}

const fault = (i: number, member: string, Message: string): FieldFault => ({
  Field: `Lines[${i}].${member}`,
  Message,
})

const isBlank = (reason: string | undefined): boolean => (reason?.trim().length ?? 0) < 2

/** Lines that name what is not there, or one line twice. */
function unknownFaults(sent: readonly SentLine[], known: ReadonlyMap<number, KnownLine>): FieldFault[] {
  return sent.flatMap(({ lineNo }, i) => {
    if (!known.has(lineNo)) return [fault(i, 'LineNo', `没有第 ${lineNo} 行，请刷新后重试`)]
    return sent.findIndex(line => line.lineNo === lineNo) < i
      ? [fault(i, 'LineNo', `第 ${lineNo} 行重复`)]
      : []
  })
}

/** What is wrong with an order: beyond what the request still asks for, dearer than it without a reason. */
export function placeFaults(
  sent: readonly SentLine[],
  lines: readonly (KnownLine & { readonly orderedQuantity: Decimal })[],
): FieldFault[] {
  const known = new Map(lines.map(line => [line.lineNo, line]))
  const unknown = unknownFaults(sent, known)
  if (unknown.length) return unknown
  return sent.flatMap(({ lineNo, quantity, price, priceReason }, i) => {
    const line = known.get(lineNo)
    if (!line) return []
    const rest = remainderOf(line.quantity, line.orderedQuantity)
    return [
      ...(compare(quantity, rest) > 0
        ? [fault(i, 'Quantity', `「${line.itemName}」还可下单 ${rest} ${line.unit}`)]
        : []),
      ...(compare(price, line.price) > 0 && isBlank(priceReason)
        ? [fault(i, 'PriceReason', `单价高于预估 ${line.price} 元，请填写价格原因`)]
        : []),
    ]
  })
}

/** STK-4: no more than was ordered and the tolerance; another price has its reason. */
export function arrivalFaults(
  sent: readonly SentLine[],
  lines: readonly (KnownLine & { readonly receivedQuantity: Decimal })[],
  tolerance: Decimal,
): FieldFault[] {
  const known = new Map(lines.map(line => [line.lineNo, line]))
  const unknown = unknownFaults(sent, known)
  if (unknown.length) return unknown
  return sent.flatMap(({ lineNo, quantity, price, priceReason }, i) => {
    const line = known.get(lineNo)
    if (!line) return []
    const rest = remainderOf(receivableOf(line.quantity, tolerance), line.receivedQuantity)
    return [
      ...(compare(quantity, rest) > 0
        ? [fault(i, 'Quantity', `「${line.itemName}」还可收货 ${rest} ${line.unit}`)]
        : []),
      ...(compare(price, line.price) !== 0 && isBlank(priceReason)
        ? [fault(i, 'PriceReason', `单价与订单 ${line.price} 元不同，请填写价格原因`)]
        : []),
    ]
  })
}

export interface ProjectLimit {
  readonly projectCode: string
  readonly requestLimit?: Fen | undefined
  readonly monthLimit?: Fen | undefined
}

/** Why the limits of the project refuse a request; `ofMonth`: what others of the month come to. */
export function limitRefusal(total: Fen, ofMonth: Fen, limit: ProjectLimit | undefined): string | undefined {
  if (limit?.requestLimit !== undefined && total > limit.requestLimit)
    return `预估金额 ${displayYuan(total)} 元超过项目单笔上限 ${displayYuan(limit.requestLimit)} 元`
  if (limit?.monthLimit === undefined || addFen(total, ofMonth) <= limit.monthLimit) return undefined
  return `本月已提交 ${displayYuan(ofMonth)} 元，加上本单 ${displayYuan(total)} 元，超过项目每月上限 ${displayYuan(limit.monthLimit)} 元`
}

interface RequestFacts {
  readonly isUrgent: boolean
  readonly urgentReason?: string | undefined
  readonly needDate: Day
}

export const requestFaults = (
  { isUrgent, urgentReason, needDate }: RequestFacts,
  today: Day,
): FieldFault[] => [
  ...(isUrgent && isBlank(urgentReason) ? [{ Field: 'UrgentReason', Message: '紧急采购请填写原因' }] : []),
  ...(needDate < today ? [{ Field: 'NeedDate', Message: '需求日期不能早于今天' }] : []),
]

export interface RequestLine extends KnownLine {
  readonly spec?: string | undefined
  readonly remark?: string | undefined
}

const isSameLine = (a: RequestLine, b: RequestLine | undefined): boolean =>
  b !== undefined &&
  a.itemName === b.itemName &&
  (a.spec ?? '') === (b.spec ?? '') &&
  a.unit === b.unit &&
  (a.remark ?? '') === (b.remark ?? '') &&
  compare(a.quantity, b.quantity) === 0 &&
  compare(a.price, b.price) === 0

/** Ordered lines of a request that the sent ones leave out or change: orders name them by their numbers. */
export const orderedLineFaults = (
  sent: readonly RequestLine[],
  lines: readonly RequestLine[],
  ordered: ReadonlySet<number>,
): FieldFault[] =>
  lines
    .filter(line => ordered.has(line.lineNo))
    .filter(
      line =>
        !isSameLine(
          line,
          sent.find(each => each.lineNo === line.lineNo),
        ),
    )
    .map(({ lineNo, itemName }) => ({
      Field: 'Lines',
      Message: `第 ${lineNo} 行「${itemName}」已先行下单，不能修改或删除`,
    }))
