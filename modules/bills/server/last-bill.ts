import { defined } from '#kit/domain/defined.ts'
import { codeOf } from '#kit/contract/field.ts'
import { notFound, refuse } from '#kit/contract/wire.ts'
import type { Day } from '#kit/domain/day.ts'
import { parseYuan } from '#kit/domain/money.ts'
import { sql } from '#kit/server/db.ts'
import { reads } from '#kit/server/handler.ts'
import { findByIds, projectRequired, tenantFilter } from '#kit/server/table.ts'
import { sourceType } from '#modules/fees/contract/choices.ts'
import { feeRelation } from '#modules/fees/contract/relation.ts'
import { nextManualBegin } from '#modules/fees/server/public.ts'
import { bill } from '../contract/bill.ts'
import { getLastBill } from '../contract/run.ts'
import { effectiveStates } from './bill-states.ts'

export const lastBillHandlers = [
  // BILL-10
  reads(
    getLastBill,
    async ({ relationId, projectCode, sourceType: type, sourceCode, feeItemId }, { db, scope, today }) => {
      const project = projectCode ?? (scope.projectCode || undefined)
      if (!relationId && !(type && sourceCode && feeItemId))
        return refuse('请指定收费关联，或指定对象与收费项目')
      if (!relationId && !project) throw projectRequired()
      const [relation] = relationId ? await findByIds(db, feeRelation, scope, [relationId]) : []
      if (relationId && !relation) throw notFound()
      const place = relation ?? {
        sourceType: defined(type),
        sourceCode: defined(sourceCode),
        feeItemId: defined(feeItemId),
      }
      const where = sql`t.source_type = ${codeOf(sourceType, place.sourceType)}
        and t.source_code = ${place.sourceCode}
        and t.fee_item_id = ${place.feeItemId} ${relation ? sql`and t.relation_id = ${relation.id}` : sql``}`
      const lastBill = await db.one<{ billNo: string; beginDate: Day; endDate: Day; amount: string }>(
        sql`
          select t.bill_no, t.begin_date, t.end_date, t.amount::text as amount
          from bill t
          where ${tenantFilter(bill, scope, relation?.projectCode ?? project)}
            and ${where}
            and t.state in ${effectiveStates}
          order by t.end_date desc, t.id desc
          limit 1
        `,
      )
      const start = relation?.beginDate ?? today
      return lastBill
        ? {
            ...lastBill,
            amount: parseYuan(lastBill.amount),
            nextBegin: nextManualBegin([{ begin: lastBill.beginDate, end: lastBill.endDate }], start),
          }
        : { nextBegin: nextManualBegin([], start) }
    },
  ),
]
