import type { Id } from '#kit/domain/id.ts'
import { labelOf, type ChoiceOf } from '#kit/contract/field.ts'
import type { Day } from '#kit/domain/day.ts'
import { defineStateMachine } from '#kit/domain/state-machine.ts'
import { displayYuan, type Fen, subtractFen } from '#kit/domain/money.ts'
import { invoiceKind, invoiceState, type invoiceMedium, type invoiceType } from '../contract/choices.ts'
import type { InvoicePart, InvoiceRecord } from '../contract/record.ts'
import type { InvoiceSetting } from '../contract/setting.ts'
import type { Title } from '../contract/title.ts'
import { taxNoRule } from '../contract/tax-no.ts'

export type InvoiceState = ChoiceOf<typeof invoiceState>
export type InvoiceKind = ChoiceOf<typeof invoiceKind>

/** C7; an invoice taken back in part is 已开具 again. */
export const invoiceStateMachine = defineStateMachine<InvoiceState>(
  {
    pending: ['doing', 'cancelled'],
    doing: ['issued', 'failed'],
    issued: ['redDue', 'cancelled'],
    failed: ['doing', 'cancelled'],
    redDue: ['issued', 'red'],
    red: [],
    cancelled: [],
  },
  { state: s => labelOf(invoiceState, s) },
)

type TypeAndMedium = {
  readonly invoiceType: ChoiceOf<typeof invoiceType>
  readonly medium: ChoiceOf<typeof invoiceMedium>
}

const typeAndMediumByKind: Readonly<Record<InvoiceKind, TypeAndMedium>> = {
  eNormal: { invoiceType: 'normal', medium: 'electronic' },
  eSpecial: { invoiceType: 'special', medium: 'electronic' },
  paper: { invoiceType: 'normal', medium: 'paper' },
  paperSpecial: { invoiceType: 'special', medium: 'paper' },
}

export const typeAndMediumOf = (kind: InvoiceKind): TypeAndMedium => typeAndMediumByKind[kind]

export const kindOf = ({ invoiceType: type, medium }: TypeAndMedium): InvoiceKind =>
  medium === 'electronic'
    ? type === 'normal'
      ? 'eNormal'
      : 'eSpecial'
    : type === 'normal'
      ? 'paper'
      : 'paperSpecial'

/** INV-4, by field. */
export function titleFaults(
  title: Pick<Title, 'titleType' | 'title' | 'taxNo' | 'addressPhone' | 'bankAccount'>,
  kind: InvoiceKind,
): Partial<Record<keyof Title, string>> {
  const special = typeAndMediumByKind[kind].invoiceType === 'special'
  const faults: Partial<Record<keyof Title, string>> = {}
  if (!title.title?.trim()) {
    faults.title = title.titleType === 'company' ? '请填写企业名称' : '请填写姓名'
  }
  if (special && title.titleType !== 'company') {
    faults.titleType = '专用发票只能开给企业'
  }
  if (title.titleType !== 'company') return faults
  const taxNoFault = title.taxNo ? taxNoRule.test(title.taxNo) : '企业抬头请填写税号'
  if (taxNoFault) {
    faults.taxNo = taxNoFault
  }
  if (special && !title.addressPhone?.trim()) {
    faults.addressPhone = '专用发票请填写地址和电话'
  }
  if (special && !title.bankAccount?.trim()) {
    faults.bankAccount = '专用发票请填写开户行和账号'
  }
  return faults
}

export interface PartToInvoice {
  readonly open: Fen
  readonly amount: Fen
  readonly label: string
  readonly beginDate?: Day | undefined
  readonly billCleared: boolean
  readonly refunding: boolean
  readonly good: boolean
  readonly feeItemName: string
  readonly income?: boolean
}

type InvoicingRules = Pick<InvoiceSetting, 'refuseNextYear' | 'paidUpOnly'>

/** Why a part cannot be invoiced, and what to do; undefined when it can (INV-1, INV-6). */
export function partRefusal(
  partToInvoice: PartToInvoice,
  rules: InvoicingRules,
  today: Day,
): string | undefined {
  if (partToInvoice.refunding) return '该收款有退款在办，请先办结或取消退款'
  if (partToInvoice.open <= 0) return '没有可开票的金额'
  if (
    rules.refuseNextYear &&
    partToInvoice.beginDate !== undefined &&
    partToInvoice.beginDate.slice(0, 4) > today.slice(0, 4)
  )
    return `账期 ${partToInvoice.beginDate} 起在明年，请到明年再开`
  if (rules.paidUpOnly && !partToInvoice.billCleared) return '账单尚未缴清，按设置缴清后再开'
  if (!partToInvoice.good && partToInvoice.income)
    return '押金转收入暂无开票商品，请到发票设置中把一个开票商品设为「用于押金转收入」'
  if (!partToInvoice.good)
    return `收费项目「${partToInvoice.feeItemName}」没有对应的开票商品，请到发票设置中设置`
  return partToInvoice.amount > partToInvoice.open
    ? `最多可开 ${displayYuan(partToInvoice.open)} 元，请刷新后重新选择`
    : undefined
}

/** Why a kind or a sum is not for this set; nothing when it is. */
export const kindRefusal = (
  kind: InvoiceKind,
  set: Pick<InvoiceSetting, 'kinds' | 'channel'>,
): string | undefined =>
  !set.kinds.includes(kind)
    ? `发票设置中未开放${labelOf(invoiceKind, kind)}`
    : set.channel === 'platform' && typeAndMediumByKind[kind].medium === 'paper'
      ? '开票平台只开电子发票，请改选电子票种'
      : undefined

export const limitRefusal = (total: Fen, limit: Fen | undefined): string | undefined =>
  limit !== undefined && total > limit
    ? `合计 ${displayYuan(total)} 元超过单张限额 ${displayYuan(limit)} 元，请分开开具`
    : undefined

type CancellableInvoice = Pick<InvoiceRecord, 'state' | 'isRed' | 'medium' | 'issueTime' | 'redAmount'>

/** Why an invoice cannot be cancelled: only what was not issued, or a paper one within its month (C7). */
export function cancelRefusal(row: CancellableInvoice, today: Day): string | undefined {
  if (row.state === 'issued') {
    if (row.isRed) return '红字发票不能作废'
    if (row.redAmount > 0) return '已部分红冲的发票不能作废，请把余下的也红冲'
    if (row.medium !== 'paper') return '已开具的电子发票不能作废，请红冲'
    return row.issueTime?.slice(0, 7) === today.slice(0, 7)
      ? undefined
      : '纸质发票只能在开票当月作废，以前的请红冲'
  }
  return invoiceStateMachine.checkTransition(row.state, 'cancelled')
}

/** Why an invoice cannot be reversed by a red one (C7, INV-5). */
export function redRefusal(record: Pick<InvoiceRecord, 'state' | 'isRed'>): string | undefined {
  if (record.isRed) return '红字发票不能再红冲'
  if (record.state === 'pending' || record.state === 'doing' || record.state === 'failed')
    return '发票尚未开具，不能红冲；如不需要可作废'
  return record.state === 'redDue' ? undefined : invoiceStateMachine.checkTransition(record.state, 'redDue')
}

type InvoicedPart = Pick<InvoicePart, 'id' | 'amount' | 'redAmount' | 'feeItemName'>

interface RedFault {
  /** The index in the requested amounts. */
  readonly index: number
  readonly message: string
}

/** INV-5: what a red invoice takes back of each part: the requested amounts, or all that is left. */
export function resolveRedAmounts(
  parts: readonly InvoicedPart[],
  requested: readonly { readonly partId: Id; readonly amount: Fen }[] | undefined,
): { readonly amountsByPart: ReadonlyMap<Id, Fen>; readonly faults: readonly RedFault[] } {
  if (requested === undefined)
    return {
      amountsByPart: new Map(parts.map(part => [part.id, subtractFen(part.amount, part.redAmount)])),
      faults: [],
    }
  const partsById = new Map(parts.map(part => [part.id, part]))
  const amountsByPart = new Map<Id, Fen>()
  const faults = requested.flatMap(({ partId, amount }, index): readonly RedFault[] => {
    const part = partsById.get(partId)
    if (!part) return [{ index, message: '这一行不在该发票上，请刷新后重新选择' }]
    if (amountsByPart.has(part.id)) return [{ index, message: '同一行只能填一次' }]
    amountsByPart.set(part.id, amount)
    const remaining = subtractFen(part.amount, part.redAmount)
    if (amount <= remaining) return []
    const message =
      remaining > 0
        ? `${part.feeItemName}最多可红冲 ${displayYuan(remaining)} 元，请刷新后重新填写`
        : `${part.feeItemName}已全部红冲，请刷新`
    return [{ index, message }]
  })
  return { amountsByPart, faults }
}

/** Why it cannot be issued now. */
export const issueRefusal = (r: Pick<InvoiceRecord, 'state'>): string | undefined =>
  r.state === 'doing' ? '正在开具，请等平台的结果' : invoiceStateMachine.checkTransition(r.state, 'doing')

/** A number for the platform; only a definite no is followed by another one. */
export const serialFor = (base: string, attempt: number): string =>
  attempt > 1 ? `${base.replace(/-\d+$/, '')}-${attempt}` : base
