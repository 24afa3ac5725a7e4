import type { Id } from '#kit/domain/id.ts'
import { defined } from '#kit/domain/defined.ts'
import type { Day } from '#kit/domain/day.ts'
import { asFen, formatYuan, sumFen, type Fen } from '#kit/domain/money.ts'
import { dayOfMoment, type Moment } from '#kit/domain/moment.ts'
import { codeOf, type ChoiceOf } from '#kit/contract/field.ts'
import { refuse } from '#kit/contract/wire.ts'
import { audit } from '#kit/server/audit.ts'
import type { Tx } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import { sqlFile } from '#kit/server/sql-file.ts'
import { code } from '#kit/server/sql.ts'
import { bookPayment, type PayableBill, type Allocation } from '#modules/bills/server/public.ts'
import { payerSide, sourceType } from '#modules/fees/contract/choices.ts'
import { describeSources } from '../domain/bill-sources.ts'
import { payMethod, recordState, recordType } from '../contract/choices.ts'
import { depositMixRefusal, depositPaymentRefusal, isDepositBill } from '../domain/deposit-bills.ts'
import { keptTenders } from '../domain/tender-sums.ts'
import type { Payer } from '../domain/payer.ts'
import { paymentContextOf } from './payment-context.ts'
import { nextReceiptNumber } from './receipt-number.ts'
import { drawRecordKey, type RecordKey } from './record-key.ts'
import { tenderProviderOf, publishPaid, requirePrestoreProvider, type PayMethod } from './tenders.ts'

export interface Tender {
  readonly method: PayMethod
  readonly amount: Fen
}

export interface SettleInput {
  readonly projectCode: string
  readonly type: ChoiceOf<typeof recordType>
  /** Bills as `payableBills` locked them, and what each gets; empty for money without bills. */
  readonly bills: readonly PayableBill[]
  readonly allocations: readonly Allocation[]
  /** Σ tenders = Σ allocations + change + toPrestore + depositAmount; fen. */
  readonly tenders: readonly Tender[]
  readonly change: Fen
  /** Where the money belongs that is for no bill (PERM-6); of bills it is their building. */
  readonly buildCode?: string | undefined
  /** Money that stays the payer's in a ledger of its own (a deposit): neither for bills nor prestore. */
  readonly depositAmount?: Fen
  /** Kept as general prestore (PAY-13). */
  readonly toPrestore: Fen
  readonly payer: Payer
  readonly sourceName?: string
  readonly order?: Id | undefined
  readonly at: Moment
  /** The caller holds the lock of the day of `at` and saw it open (`lockTakings`). */
  readonly isDayOpen?: boolean
  /** Drawn by the caller together with that lock (`drawRecordId`). */
  readonly recordId?: Id
  readonly cashier: { readonly id: Id; readonly name: string }
  readonly remark?: string | undefined
  readonly isHistory?: boolean
  /** Replaces the payer's general account as the place of `toPrestore`: a top-up names its own account. */
  readonly creditPrestore?: (tx: Tx, amount: Fen, recordId: Id) => Promise<void>
  /** LATE-9: what is left of late fees once the principal is paid is waived. */
  readonly waiveRemainingLateFee?: boolean
}

export interface SettleResult {
  readonly recordId: Id
  readonly recordNo: string
  readonly receiptNo: string
}

/**
 * C27-8: what is paid for deposit items is a deposit, a record of its own kind: no income, no invoice, given
 * back by the deposits alone. It is not mixed with what is income.
 */
function recordTypeOf({ type, bills, allocations, tenders }: SettleInput): SettleInput['type'] {
  const paid = new Set(allocations.map(a => a.billId))
  const rows = bills.filter(b => paid.has(b.row.id)).map(b => b.row)
  const usesOwnMoney = tenders.some(tender => tenderProviderOf(tender.method) !== undefined)
  const refusal =
    depositMixRefusal(rows) ?? depositPaymentRefusal(rows, { usesOwnMoney, remaining: asFen(0) })
  if (refusal) refuse(refusal)
  return type === 'payment' && rows.some(isDepositBill) ? 'deposit' : type
}

/** Fen. */
interface SettledSums {
  readonly principal: Fen
  readonly late: Fen
  readonly off: Fen
  readonly received: Fen
}

/** Throws RangeError when the tenders do not make up what they are for: the caller computed wrongly. */
function sumSettlement(input: SettleInput): SettledSums {
  const principal = sumFen(input.allocations.map(a => a.principal))
  const late = sumFen(input.allocations.map(a => a.late))
  const off = sumFen(input.allocations.map(a => a.off ?? 0))
  const received = sumFen(input.tenders.map(t => t.amount))
  const parts = [principal, late, input.change, input.toPrestore, input.depositAmount ?? 0]
  if (received !== sumFen(parts))
    throw new RangeError(`money does not add up: ${received} ≠ ${parts.join(' + ')}`)
  return { principal, late, off, received }
}

/**
 * One payment, whole or not at all (PAY-4): the bills, the tenders, prestore, and the record with its gapless
 * receipt. The caller has locked the bills and checked the amounts; the unique key of the record settles an
 * order once. Locks are taken in one order: the day (`lockDays`), bills, prestore, and last the receipt
 * counter, for which every payment of the project waits.
 */
export async function settle(tx: Tx, scope: Scope, settleInput: SettleInput): Promise<SettleResult> {
  const input = { ...settleInput, type: recordTypeOf(settleInput) }
  const day = dayOfMoment(input.at)
  const sums = sumSettlement(input)
  const key = await drawRecordKey(tx, scope.ownerId, input)
  const { recordId } = key
  const booked = bookBills(tx, scope, recordId, input)
  if (movesAccounts(input)) {
    await booked
    await moveTenders(tx, scope, recordId, input)
  }
  // Otherwise both leave in one message: the locks are taken in the order of sending.
  const [numbers] = await Promise.all([insertRecord(tx, scope, input, key, sums), booked])
  await audit(tx, scope, [
    {
      action: 'insert',
      entity: 'payRecord',
      entityId: recordId,
      projectCode: input.projectCode,
      after: {
        ...numbers,
        received: sums.received,
        change: input.change,
        toPrestore: input.toPrestore,
        methods: input.tenders,
        bills: input.allocations,
      },
    },
  ])
  await publishPaid(tx, scope, {
    recordId,
    projectCode: input.projectCode,
    days: [day],
    billIds: input.allocations.map(a => a.billId),
    kind: 'paid',
    recordType: input.type,
    refTypes: new Set(input.bills.map(({ row }) => row.refType)),
  })
  return { recordId, ...numbers }
}

async function bookBills(tx: Tx, scope: Scope, recordId: Id, input: SettleInput): Promise<void> {
  if (!input.allocations.length) return
  await bookPayment(tx, scope, input.bills, input.allocations, {
    day: dayOfMoment(input.at),
    at: input.at,
    from: { type: 'pay', id: recordId },
    waiveLeft: input.waiveRemainingLateFee ?? false,
  })
}

/** Whether money of accounts kept here moves with the payment. */
const movesAccounts = ({ tenders, toPrestore }: SettleInput): boolean =>
  toPrestore > 0 || tenders.some(tender => tenderProviderOf(tender.method) !== undefined)

/** Debits the tenders with a balance here and keeps what was paid beyond the bills. */
async function moveTenders(tx: Tx, scope: Scope, recordId: Id, input: SettleInput): Promise<void> {
  const context = { ...paymentContextOf(recordId, input), at: input.at }
  for (const tender of input.tenders) {
    await tenderProviderOf(tender.method)?.debit(tx, scope, tender.amount, context)
  }
  if (input.toPrestore <= 0) return
  if (input.creditPrestore) {
    await input.creditPrestore(tx, input.toPrestore, recordId)
  } else {
    const provider = requirePrestoreProvider('未启用预存账户，不能转预存')
    await provider.credit(tx, scope, input.toPrestore, context, 'change')
  }
}

/** The way by which most was paid. */
export const mainMethodOf = <T extends Pick<Tender, 'method' | 'amount'>>(tenders: readonly T[]): PayMethod =>
  tenders.reduce((largest, tender) => (tender.amount > largest.amount ? tender : largest)).method

function toDetailRows({ bills, allocations }: SettleInput) {
  const billById = new Map(bills.map(b => [b.row.id, b.row]))
  return allocations.map(allocation => {
    const bill = defined(billById.get(allocation.billId))
    return {
      bill_id: bill.id,
      bill_no: bill.billNo,
      source_type: codeOf(sourceType, bill.sourceType),
      source_code: bill.sourceCode,
      source_name: bill.sourceName,
      fee_item_id: bill.feeItemId,
      fee_item_name: bill.feeItemName,
      begin_date: bill.beginDate,
      end_date: bill.endDate,
      principal: formatYuan(allocation.principal),
      late_fee: formatYuan(allocation.late),
    }
  })
}

const toLineRows = ({ tenders, change }: SettleInput) =>
  keptTenders(tenders, change).map((tender, seq) => ({
    seq,
    method: codeOf(payMethod, tender.method),
    amount: formatYuan(tender.amount),
  }))

const insertSettlement = sqlFile(import.meta.dirname, 'settlement.sql', [
  'building',
  'cashier',
  'cashierName',
  'change',
  'counter',
  'coupon',
  'day',
  'details',
  'isHistory',
  'late',
  'lines',
  'method',
  'methods',
  'normal',
  'operator',
  'ownerId',
  'paidAt',
  'payOrder',
  'payerId',
  'payerKind',
  'payerName',
  'prestore',
  'principal',
  'project',
  'record',
  'recordNo',
  'recordType',
  'remark',
  'roundOff',
  'sourceName',
  'tendered',
  'toPrestore',
])

/** The record with its receipt, its details and lines, in one statement (PAY-20). */
async function insertRecord(
  tx: Tx,
  scope: Scope,
  input: SettleInput,
  { recordId, recordNo }: RecordKey,
  sums: SettledSums,
): Promise<Pick<SettleResult, 'recordNo' | 'receiptNo'>> {
  const { ownerId } = scope
  const day: Day = dayOfMoment(input.at)
  const buildings = new Set(input.bills.map(b => b.row.buildCode))
  const sumBy = (method: PayMethod): string =>
    formatYuan(sumFen(input.tenders.filter(t => t.method === method).map(t => t.amount)))
  const numbers = await tx.one<Pick<SettleResult, 'recordNo' | 'receiptNo'>>(
    insertSettlement({
      building: input.buildCode ?? (buildings.size === 1 ? [...buildings][0] : null),
      cashier: input.cashier.id || null,
      cashierName: input.cashier.name,
      change: formatYuan(input.change),
      counter: nextReceiptNumber(ownerId, input.projectCode, Number(day.slice(0, 4))),
      coupon: sumBy('parkCoupon'),
      day,
      details: JSON.stringify(toDetailRows(input)),
      isHistory: input.isHistory ?? false,
      late: formatYuan(sums.late),
      lines: JSON.stringify(toLineRows(input)),
      method: codeOf(payMethod, mainMethodOf(keptTenders(input.tenders, input.change))),
      methods: JSON.stringify(input.tenders),
      normal: code(recordState, 'normal'),
      operator: scope.operatorId,
      ownerId,
      paidAt: input.at,
      payOrder: input.order ?? null,
      payerId: input.payer.id ?? null,
      payerKind: input.payer.kind ? codeOf(payerSide, input.payer.kind) : null,
      payerName: input.payer.name ?? null,
      prestore: sumBy('prestore'),
      // What is paid for a deposit is no principal of anything due (C27-8).
      principal: formatYuan(input.type === 'deposit' ? asFen(0) : sums.principal),
      project: input.projectCode,
      record: recordId,
      recordNo,
      recordType: codeOf(recordType, input.type),
      remark: input.remark ?? null,
      roundOff: formatYuan(sums.off),
      tendered: formatYuan(sums.received),
      sourceName: (input.sourceName ?? describeSources(input.bills.map(b => b.row.sourceName))).slice(0, 100),
      toPrestore: formatYuan(input.toPrestore),
    }),
  )
  return defined(numbers)
}
