import { parseId, type Id } from '#kit/domain/id.ts'
import { invalidInput } from '#kit/contract/wire.ts'
import type { Day } from '#kit/domain/day.ts'
import { sumFen, type Fen } from '#kit/domain/money.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import { reads, writes } from '#kit/server/handler.ts'
import { hasProject, outOfDomain, type Scope } from '#kit/server/scope.ts'
import { code, codes } from '#kit/server/sql.ts'
import { findByIds, findAll } from '#kit/server/table.ts'
import { issueBatch, payableBills } from '#modules/bills/server/public.ts'
import { enabledState } from '#modules/estates/contract/estate.ts'
import { feeType } from '#modules/fees/contract/choices.ts'
import { feeItem, type FeeItem } from '#modules/fees/contract/item.ts'
import { listOtherIncomeItems, registerOtherIncome } from '../contract/other-income.ts'
import { parseTenders } from './payment.ts'
import { lockReceivingDay } from './receiving-day.ts'
import { settle } from './settlement.ts'

const allowedFeeTypes: ReadonlySet<string> = new Set(['temporary', 'other'])

/** The fee item, which must be of a kind that may be other income. */
async function requireIncomeItem(tx: Tx, scope: Scope, id: Id): Promise<FeeItem> {
  const [item] = await findByIds(tx, feeItem, scope, [id])
  if (!item || item.state === 'off')
    throw invalidInput([{ Field: 'FeeItemID', Message: '收费项目不存在或已停用，请重新选择' }])
  if (!allowedFeeTypes.has(item.feeType))
    throw invalidInput([
      { Field: 'FeeItemID', Message: `「${item.name}」不是临时或其他类项目，不能记其他收入` },
    ])
  return item
}

interface IncomeBill {
  readonly projectCode: string
  readonly item: FeeItem
  readonly content: string
  readonly amount: Fen
  readonly today: Day
  readonly remark: string | undefined
}

/** Issues the bill, which belongs to the estate itself: there is no object to owe anything again. */
async function issueIncomeBill(tx: Tx, scope: Scope, income: IncomeBill): Promise<Id[]> {
  const { projectCode, item, content, amount, today, remark } = income
  const { ids } = await issueBatch(
    tx,
    scope,
    { project: projectCode, source: 'otherIncome', state: 'normal' },
    'temporary',
    [
      {
        sourceType: 'publicArea',
        sourceCode: projectCode,
        sourceName: content,
        item,
        begin: today,
        end: today,
        amount,
        dueDate: today,
        canOverlap: true,
        remark,
      },
    ],
    today,
    { message: `其他收入：${content}` },
  )
  return ids.map(parseId)
}

export const otherIncomeHandlers = [
  reads(listOtherIncomeItems, async (_, { db, scope }) =>
    (
      await findAll(
        db,
        feeItem,
        scope,
        {},
        {
          where: [
            sql`t.state = ${code(enabledState, 'on')}
              and t.fee_type in ${codes(feeType, 'temporary', 'other')}`,
          ],
          limit: 500,
        },
      )
    ).map(({ id, name, feeType: type }) => ({ id, name, feeType: type })),
  ),
  writes(registerOtherIncome, async (input, { tx, scope, today, now }) => {
    const { projectCode, content, payerName, remark } = input
    if (!hasProject(scope.domain, projectCode)) throw outOfDomain()
    const tenders = parseTenders(input.methods)
    const amount = sumFen(tenders.map(tender => tender.amount))
    const item = await requireIncomeItem(tx, scope, input.feeItemId)
    if (tenders.some(tender => tender.method === 'prestore'))
      throw invalidInput([{ Field: 'MethodJson', Message: '其他收入不能用预存支付，请选择现金、转账等方式' }])
    const at = await lockReceivingDay(tx, scope.ownerId, projectCode, now, now)
    const ids = await issueIncomeBill(tx, scope, { projectCode, item, content, amount, today, remark })
    const bills = await payableBills(tx, scope, ids, today, { lock: true })
    const settled = await settle(tx, scope, {
      projectCode,
      type: 'payment',
      bills,
      allocations: bills.map(({ row, owed }) => ({ billId: row.id, principal: owed.principal, late: 0 })),
      tenders,
      change: 0,
      toPrestore: 0,
      payer: { name: payerName },
      at,
      cashier: { id: scope.operatorId, name: scope.name },
      remark,
    })
    const sums = {
      tendered: amount,
      received: amount,
      principal: amount,
      late: 0,
      roundOff: 0,
      change: 0,
      toPrestore: 0,
      unpaid: 0,
      settledCount: bills.length,
      unsettledCount: 0,
    }
    return { ...settled, ...sums }
  }),
]
