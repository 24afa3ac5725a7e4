import type { Id } from '#kit/domain/id.ts'
import { defined } from '#kit/domain/defined.ts'
import { displayYuan, type Fen, parseYuan, sumFen } from '#kit/domain/money.ts'
import type { Day } from '#kit/domain/day.ts'
import { sql, type Db, type Tx } from '#kit/server/db.ts'
import { importer, type ImportFile, type LineFault } from '#kit/server/crud-import.ts'
import type { LineResult, ReadyLine } from '#kit/server/import-definition.ts'
import { hasBuilding, type Scope } from '#kit/server/scope.ts'
import { codeOf } from '#kit/contract/field.ts'
import { codes, notDeleted } from '#kit/server/sql.ts'
import { billState, payState } from '#modules/bills/contract/choices.ts'
import { payableBills, type Allocation } from '#modules/bills/server/public.ts'
import { feeType } from '#modules/fees/contract/choices.ts'
import { offsetMethods } from '../contract/choices.ts'
import { importHistory, type HistoryLine } from '../contract/import-export.ts'
import { payRecord, type PayRecord } from '../contract/record.ts'
import { resolvePayer } from '../domain/payer.ts'
import { settle } from './settlement.ts'

interface UnpaidBillRow {
  readonly id: Id
  readonly sourceName: string
  readonly feeItemName: string
  readonly beginDate: Day
  readonly endDate: Day
  readonly unpaid: string
  readonly state: number
  readonly payState: number
  readonly feeType: number
  readonly buildCode?: string
}

type BillKey = Pick<HistoryLine, 'sourceName' | 'feeItemName' | 'beginDate' | 'endDate'>
const billKeyOf = (r: Partial<BillKey>): string =>
  `${r.sourceName}/${r.feeItemName}/${r.beginDate}/${r.endDate}`
const excludedMethods: ReadonlySet<string> = new Set(offsetMethods)

/** The bills that lines may pay, by their key. */
type BillsByKey = ReadonlyMap<string, readonly UnpaidBillRow[]>

const billsOf = (billsByKey: BillsByKey, line: Partial<BillKey>): readonly UnpaidBillRow[] =>
  billsByKey.get(billKeyOf(line)) ?? []

const findUnpaidBills = (
  db: Db,
  ownerId: Id,
  projectCode: string,
  sourceNames: readonly string[],
): Promise<UnpaidBillRow[]> =>
  db.rows<UnpaidBillRow>(
    sql`
      select b.id, b.source_name, b.fee_item_name, b.begin_date, b.end_date, b.state::int,
        b.pay_state::int, b.fee_type::int, b.build_code, b.unpaid_principal::text as unpaid
      from bill b
      where b.owner_id = ${ownerId}
        and b.project_code = ${projectCode}
        and ${notDeleted('b')}
        and b.state in ${codes(billState, 'pending', 'normal')}
        and b.source_name = any(${sourceNames}::text[])
    `,
  )

async function loadBills(
  db: Db,
  { request, lines }: ImportFile<HistoryLine, PayRecord, unknown>,
): Promise<{ readonly billsByKey: BillsByKey }> {
  const { scope, extraInput } = request
  const { projectCode } = extraInput
  const sourceNames = [...new Set(lines.flatMap(line => line.row.sourceName ?? []))]
  const bills = await findUnpaidBills(db, scope.ownerId, projectCode, sourceNames)
  const visible = bills.filter(
    ({ buildCode }) => !buildCode || hasBuilding(scope.domain, projectCode, buildCode),
  )
  return { billsByKey: Map.groupBy(visible, billKeyOf) }
}

/** Why the bill of a line cannot take its money; nothing when it can. */
function billFault(bills: readonly UnpaidBillRow[], amount: Fen | undefined): LineFault | undefined {
  const [bill] = bills
  const feeItemFault = (message: string, remedy: string): LineFault => ({
    column: 'feeItemName',
    message,
    remedy,
  })
  if (!bill) return feeItemFault('没有该对象、项目和账期的账单', '核对对象、收费项目和账期，或先导入账单')
  if (bills.length > 1) return feeItemFault('该对象、项目和账期有多张账单', '请在收银台逐张补录')
  if (bill.state !== codeOf(billState, 'normal')) return feeItemFault('账单尚未审核', '先审核账单')
  if (bill.payState === codeOf(payState, 'paid')) return feeItemFault('账单已缴清', '删除这一行')
  const unpaid = parseYuan(bill.unpaid)
  return amount && amount > unpaid
    ? {
        column: 'amount',
        message: `超过账单未收的 ${displayYuan(unpaid)} 元`,
        remedy: '填写不超过未收本金的金额',
      }
    : undefined
}

function checkLine(line: Partial<HistoryLine>, bills: readonly UnpaidBillRow[], today: Day): LineFault[] {
  const faults: LineFault[] = []
  if (line.payDay && line.payDay > today) {
    faults.push({ column: 'payDay', message: '缴费日期不能晚于今天', remedy: '填写实际缴费的日期' })
  }
  if (line.payMethod && excludedMethods.has(line.payMethod)) {
    faults.push({
      column: 'payMethod',
      message: '历史收款不能是预存抵扣或停车券',
      remedy: '填写现金、转账等方式',
    })
  }
  const fault = billFault(bills, line.amount)
  return fault ? [...faults, fault] : faults
}

type HistoryReadyLine = Pick<ReadyLine<HistoryLine, never>, 'line' | 'row'>

/** A record is of one object, day, method and payer; deposits have a record of their own (C27-8). */
const recordKeyOf = ({ row }: HistoryReadyLine, billsByKey: BillsByKey): string => {
  const isDeposit = billsOf(billsByKey, row)[0]?.feeType === codeOf(feeType, 'deposit')
  return `${row.payDay}/${row.sourceName}/${row.payMethod}/${row.payerName ?? ''}/${isDeposit}`
}

/** One record for what an object paid on one day by one method, as it was paid then. */
async function settleGroup(
  tx: Tx,
  scope: Scope,
  projectCode: string,
  billsByKey: BillsByKey,
  group: readonly HistoryReadyLine[],
): Promise<[line: number, result: LineResult][]> {
  const first = defined(group[0]).row
  const billIdOf = (line: HistoryReadyLine): Id => defined(billsOf(billsByKey, line.row)[0]).id
  const payable = await payableBills(tx, scope, group.map(billIdOf), first.payDay, { lock: true })
  const owedByBill = new Map(payable.map(({ row, owed }) => [row.id, owed.principal]))
  const isCovered = (line: HistoryReadyLine): boolean =>
    line.row.amount <= (owedByBill.get(billIdOf(line)) ?? 0)
  const allocations: Allocation[] = group
    .filter(isCovered)
    .map(line => ({ billId: billIdOf(line), principal: line.row.amount, late: 0 }))
  if (allocations.length) {
    const bills = payable.filter(({ row }) => allocations.some(({ billId }) => billId === row.id))
    const amount = sumFen(allocations.map(({ principal }) => principal))
    await settle(tx, scope, {
      projectCode,
      type: 'payment',
      bills,
      allocations,
      tenders: [{ method: first.payMethod, amount }],
      change: 0,
      toPrestore: 0,
      payer: resolvePayer(bills, { name: first.payerName }),
      at: `${first.payDay} 12:00:00`,
      cashier: { id: scope.operatorId, name: scope.name },
      isHistory: true,
      remark: first.remark ?? '历史导入',
    })
  }
  return group.map(line => [
    line.line,
    isCovered(line)
      ? { outcome: 'added', message: '已导入' }
      : { outcome: 'failed', message: '账单刚刚被缴，请重新核对' },
  ])
}

/**
 * PAY-22: a line pays the one bill of its object, item and period, on its own day, whether closed or not;
 * cash reports leave it out.
 */
export const historyImporter = importer(payRecord, {
  calls: importHistory,
  kind: 'payments.history',
  prepare: loadBills,
  rules: (row, _existing, { request, data: { billsByKey } }) =>
    checkLine(row, billsOf(billsByKey, row), request.today),
  write: async (tx, ready, { request: { scope, extraInput }, data: { billsByKey } }) => {
    const results = new Map<number, LineResult>()
    for (const group of Map.groupBy(ready, line => recordKeyOf(line, billsByKey)).values()) {
      for (const [line, result] of await settleGroup(tx, scope, extraInput.projectCode, billsByKey, group)) {
        results.set(line, result)
      }
    }
    return results
  },
})
