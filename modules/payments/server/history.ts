import type { Day } from '#kit/domain/day.ts'
import { defined } from '#kit/domain/defined.ts'
import { formatYuan, parseYuan, sumFen, type Fen } from '#kit/domain/money.ts'
import { sql } from '#kit/server/db.ts'
import type { LineResult, ImportDefinition } from '#kit/server/sheet-import.ts'
import { hasBuilding, hasProject, outOfDomain } from '#kit/server/scope.ts'
import { codeOf } from '#kit/contract/field.ts'
import { codes, live } from '#kit/server/sql.ts'
import { billState, payState } from '#modules/bills/contract/choices.ts'
import { payableBills } from '#modules/bills/server/public.ts'
import {
  importHistory,
  historyImportInput,
  historySheet,
  type HistoryLine,
} from '../contract/import-export.ts'
import { resolvePayer } from './payment.ts'
import { settle } from './settlement.ts'

interface UnpaidBillRow {
  readonly id: number
  readonly sourceName: string
  readonly feeItemName: string
  readonly beginDate: Day
  readonly endDate: Day
  readonly unpaid: string
  readonly state: number
  readonly payState: number
  readonly buildCode?: string
}

type BillKey = Pick<HistoryLine, 'sourceName' | 'feeItemName' | 'beginDate' | 'endDate'>
const billKeyOf = (r: Partial<BillKey>): string =>
  `${r.sourceName}/${r.feeItemName}/${r.beginDate}/${r.endDate}`
const excludedMethods: ReadonlySet<string> = new Set(['prestore', 'parkCoupon'])

/**
 * PAY-22: a line pays the one bill of its object, item and period, on its own day, whether closed or not;
 * cash reports leave it out.
 */
export const historyImporter: ImportDefinition<HistoryLine, typeof historyImportInput, never> = {
  kind: 'payments.history',
  calls: importHistory,
  sheet: historySheet,
  openSession: async (db, { scope, today, more: { projectCode } }) => {
    if (!hasProject(scope.domain, projectCode)) throw outOfDomain()
    const bills = new Map<string, UnpaidBillRow[]>()
    const of = (r: Partial<BillKey>): readonly UnpaidBillRow[] => bills.get(billKeyOf(r)) ?? []
    return {
      findReferences: () => [],
      findExisting: async lines => {
        const found = await db.rows<UnpaidBillRow>(sql`
            select b.id, b.source_name, b.fee_item_name, b.begin_date, b.end_date, b.state::int,
              b.pay_state::int, b.build_code, b.unpaid_principal::text as unpaid
            from bill b
            where b.owner_id = ${scope.ownerId}
              and b.project_code = ${projectCode}
              and ${live('b')}
              and b.state in ${codes(billState, 'pending', 'normal')}
              and b.source_name = any(${[...new Set(lines.flatMap(l => l.row.sourceName ?? []))]})
          `)
        for (const b of found) {
          if (!b.buildCode || hasBuilding(scope.domain, projectCode, b.buildCode)) {
            bills.set(billKeyOf(b), [...(bills.get(billKeyOf(b)) ?? []), b])
          }
        }
        return new Map<number, never>()
      },
      checkRow: row => {
        const faults: { column: string; says: string; remedy: string }[] = []
        const fault = (column: string, says: string, remedy: string): void => {
          faults.push({ column, says, remedy })
        }
        const all = of(row)
        const b = all[0]
        if (row.payDay && row.payDay > today) {
          fault('payDay', '缴费日期不能晚于今天', '填写实际缴费的日期')
        }
        if (row.payMethod && excludedMethods.has(row.payMethod)) {
          fault('payMethod', '历史收款不能是预存抵扣或停车券', '填写现金、转账等方式')
        }
        if (!b) {
          fault('feeItemName', '没有这个对象、项目和账期的账单', '核对对象、收费项目和账期，或先导入账单')
        } else if (all.length > 1) {
          fault('feeItemName', '这个对象、项目和账期有多张账单', '请在收银台逐张补录')
        } else if (b.state !== codeOf(billState, 'normal')) {
          fault('feeItemName', '账单还没有审核', '先审核账单')
        } else if (b.payState === codeOf(payState, 'paid')) {
          fault('feeItemName', '账单已缴清', '删去这一行')
        } else if (row.amount && row.amount > parseYuan(b.unpaid)) {
          fault('amount', `超过账单未收的 ${formatYuan(parseYuan(b.unpaid))} 元`, '填写不超过未收本金的金额')
        }
        return faults
      },
      apply: async (tx, ready) => {
        const done = new Map<number, LineResult>()
        // One record for what an object paid on one day by one way, as it was paid then.
        for (const group of Map.groupBy(
          ready,
          r => `${r.row.payDay}/${r.row.sourceName}/${r.row.payMethod}/${r.row.payerName ?? ''}`,
        ).values()) {
          const first = defined(group[0]).row
          const list = await payableBills(
            tx,
            scope,
            group.map(l => defined(of(l.row)[0]).id),
            first.payDay,
            true,
          )
          const left = new Map(list.map(s => [s.row.id, s.owed.principal]))
          const takes: { billId: number; principal: Fen; late: Fen }[] = []
          for (const l of group) {
            const id = defined(of(l.row)[0]).id
            if (l.row.amount > (left.get(id) ?? 0)) {
              done.set(l.line, { did: 'failed', says: '账单刚刚被缴，请重新核对' })
            } else {
              takes.push({ billId: id, principal: l.row.amount, late: 0 })
              done.set(l.line, { did: 'added', says: '已导入' })
            }
          }
          if (!takes.length) continue
          const bills = list.filter(s => takes.some(t => t.billId === s.row.id))
          const amount = sumFen(takes.map(t => t.principal))
          await settle(tx, scope, {
            projectCode,
            type: 'payment',
            bills,
            allocations: takes,
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
        return done
      },
    }
  },
}
