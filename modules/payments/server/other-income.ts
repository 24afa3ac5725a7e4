import { invalidInput } from '#kit/contract/wire.ts'
import { sumFen } from '#kit/domain/money.ts'
import { sql } from '#kit/server/db.ts'
import { reads, writes } from '#kit/server/handler.ts'
import { hasProject, outOfDomain } from '#kit/server/scope.ts'
import { code, codes } from '#kit/server/sql.ts'
import { findByIds, findAll } from '#kit/server/table.ts'
import { issueBatch, payableBills } from '#modules/bills/server/public.ts'
import { enabledState } from '#modules/estates/contract/estate.ts'
import { feeType } from '#modules/fees/contract/choices.ts'
import { feeItem } from '#modules/fees/contract/item.ts'
import { listOtherIncomeItems, registerOtherIncome } from '../contract/other-income.ts'
import { parseTenders } from './payment.ts'
import { lockDays } from './day-lock.ts'
import { settle } from './settlement.ts'

const allowedFeeTypes: ReadonlySet<string> = new Set(['temporary', 'other'])

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
    ).map(i => ({ id: i.id, name: i.name, feeType: i.feeType })),
  ),
  /** The bill stands for the estate itself: there is no object to owe anything again. */
  writes(
    registerOtherIncome,
    async ({ projectCode, feeItemId, content, methods, payerName, remark }, { tx, scope, today, now }) => {
      if (!hasProject(scope.domain, projectCode)) throw outOfDomain()
      const [item] = await findByIds(tx, feeItem, scope, [feeItemId])
      const tenders = parseTenders(methods)
      const amount = sumFen(tenders.map(t => t.amount))
      if (!item || item.state === 'off')
        throw invalidInput([{ Field: 'FeeItemID', Message: '收费项目不存在或已停用，请重新选择' }])
      if (!allowedFeeTypes.has(item.feeType))
        throw invalidInput([
          { Field: 'FeeItemID', Message: `「${item.name}」不是临时或其他类项目，不能记其他收入` },
        ])
      if (tenders.some(t => t.method === 'prestore'))
        throw invalidInput([
          { Field: 'MethodJson', Message: '其他收入不能用预存支付，请选择现金、转账等方式' },
        ])
      await lockDays(tx, scope.ownerId, projectCode, [today])
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
            runFree: true,
            remark,
          },
        ],
        today,
        { message: `其他收入：${content}` },
      )
      const bills = await payableBills(tx, scope, ids.map(Number), today, true)
      const done = await settle(tx, scope, {
        projectCode,
        type: 'payment',
        bills,
        allocations: bills.map(b => ({ billId: b.row.id, principal: b.owed.principal, late: 0 })),
        tenders,
        change: 0,
        toPrestore: 0,
        payer: { name: payerName },
        at: now,
        cashier: { id: scope.operatorId, name: scope.name },
        remark,
      })
      return {
        ...done,
        received: amount,
        principal: amount,
        late: 0,
        roundOff: 0,
        change: 0,
        toPrestore: 0,
        left: 0,
      }
    },
  ),
]
