import { parseId, type Id } from '#kit/domain/id.ts'
import { defined } from '#kit/domain/defined.ts'
import { notFound, refuse, invalidInput } from '#kit/contract/wire.ts'
import { latest, type Day } from '#kit/domain/day.ts'
import { sumFen } from '#kit/domain/money.ts'
import { codeOf, labelOf } from '#kit/contract/field.ts'
import { sql, type Db } from '#kit/server/db.ts'
import { reads, uniqueMessages, writes } from '#kit/server/handler.ts'
import { hasBuilding, outOfDomain } from '#kit/server/scope.ts'
import { findByIds, findAll, projectRequired } from '#kit/server/table.ts'
import { skipReason, sourceType, relationState, feeType } from '#modules/fees/contract/choices.ts'
import { feeItem } from '#modules/fees/contract/item.ts'
import { feeRelation } from '#modules/fees/contract/relation.ts'
import {
  advanceBilledTo,
  needsRoomTotals,
  loadChargeableStandards,
  findPayerAt,
  findRelationsByIds,
  explainAmount,
  assertNoFaults,
  sourceKey,
  loadSources,
  completeTemporaryPeriod,
  temporaryRefusal,
  loadRoomTotals,
  type BillingRelation,
} from '#modules/fees/server/public.ts'
import { code, codes } from '#kit/server/sql.ts'
import { enabledState } from '#modules/estates/contract/estate.ts'
import { addPreFee, addTempFee, listPrepayable, listTempItems } from '../contract/temporary.ts'
import { type BillDraft } from './issue.ts'
import { planRelations, type RunPlan } from './run-plan.ts'
import { toBillDraft } from './bill-draft.ts'
import { issueBatch } from './issue-batch.ts'
import { requirePrepaidOrders } from './prepaid.ts'

uniqueMessages({
  bill_overlap: '该对象这段账期已有同项目的账单，请更改账期或先处理该账单',
  bill_relation_once: '这一期已有账单，请刷新后重试',
  bill_reading_once: '该读数已经出账，请刷新后重试',
})

/** Plans the next `count` periods of relations (TMP-2). */
async function planPrepayments(
  db: Db,
  ownerId: Id,
  project: string,
  billingRelations: readonly BillingRelation[],
  count: number,
  today: Day,
): Promise<RunPlan> {
  const standards = await loadChargeableStandards(db, ownerId, {
    ids: [...new Set(billingRelations.map(b => b.standardId))],
  })
  return planRelations(
    db,
    {
      ownerId,
      project,
      standards,
      totals: needsRoomTotals(standards.values()) ? await loadRoomTotals(db, ownerId, project) : undefined,
      excluded: new Set(),
      scope: { kind: 'ahead', count, today },
      readings: () => Promise.resolve(new Map()),
    },
    billingRelations,
  )
}

const toSkippedRows = (skipped: RunPlan['skipped'], relationById: ReadonlyMap<Id, BillingRelation>) =>
  skipped.map(relation => ({
    relationId: relation.billingRelation.relation.id,
    sourceName: defined(relationById.get(relation.billingRelation.relation.id)).sourceName,
    reason: relation.skip.reason,
    ...(relation.skip.detail ? { detail: relation.skip.detail } : {}),
  }))

export const temporaryHandlers = [
  writes(
    addTempFee,
    async (
      { projectCode, feeItemId, amount, sources, beginDate, endDate, dueDate, remark },
      { tx, scope, today },
    ) => {
      const [item] = await findByIds(tx, feeItem, scope, [feeItemId])
      if (!item) throw invalidInput([{ Field: 'FeeItemID', Message: '收费项目不存在或已被删除，请重新选择' }])
      if (item.state === 'off')
        throw invalidInput([{ Field: 'FeeItemID', Message: `收费项目「${item.name}」已停用，请更换` }])
      const entered = { ...(beginDate ? { begin: beginDate } : {}), ...(endDate ? { end: endDate } : {}) }
      const refusal = temporaryRefusal(item.feeType, amount, sources.length, entered)
      assertNoFaults(addTempFee.input, refusal ? [refusal] : [])
      const period = completeTemporaryPeriod(entered, today)
      const due = dueDate ?? latest(today, period.end)
      const sourceByKey = await loadSources(tx, scope.ownerId, projectCode, sources, today)
      if (due < period.begin && due < today)
        throw invalidInput([{ Field: 'DueDate', Message: '应缴日期不能早于账期和今天' }])
      const seen = new Set<string>()
      const faults = sources.flatMap((source, i) => {
        const key = sourceKey(source)
        const located = sourceByKey.get(key)
        const field = `Sources[${i}].SourceCode`
        if (!located) return [{ Field: field, Message: '收费对象不存在或已被删除，请重新选择' }]
        if (seen.has(key)) return [{ Field: field, Message: `「${located.name}」选了两次` }]
        seen.add(key)
        if (located.buildCode !== undefined && !hasBuilding(scope.domain, projectCode, located.buildCode))
          throw outOfDomain()
        return []
      })
      if (faults.length) throw invalidInput(faults)
      const drafts = sources.map((source): Omit<BillDraft, 'billNo'> => {
        const located = defined(sourceByKey.get(sourceKey(source)))
        return {
          ...source,
          sourceName: located.name,
          buildCode: located.buildCode,
          payer: findPayerAt(located.source, period.begin),
          item,
          ...period,
          amount,
          dueDate: due,
          remark,
        }
      })
      const {
        batchNo,
        count,
        amount: sum,
        ids,
      } = await issueBatch(
        tx,
        scope,
        { project: projectCode, source: 'temporary' },
        'temporary',
        drafts,
        today,
        { message: `${item.name} ${sources.length} 张` },
      )
      return { batchNo, count, amount: sum, ids }
    },
  ),
  writes(addPreFee, async ({ relationIds, count }, { tx, scope, now, today }) => {
    const relations = await findByIds(tx, feeRelation, scope, relationIds)
    const project = relations[0]?.projectCode
    if (relations.length !== new Set(relationIds).size || project === undefined) throw notFound()
    if (relations.some(r => r.projectCode !== project))
      return refuse('一次只能预缴一个项目的收费，请分开办理')
    const orders = requirePrepaidOrders()
    await orders.lockToday({ tx, scope, now, today }, project)
    const billingRelations = await findRelationsByIds(tx, scope.ownerId, relationIds.map(parseId), {
      lock: true,
    })
    const relationById = new Map(billingRelations.map(b => [b.relation.id, b]))
    const { bills, skipped, advanced } = await planPrepayments(
      tx,
      scope.ownerId,
      project,
      billingRelations,
      count,
      today,
    )
    if (!bills.length) {
      const skip = toSkippedRows(skipped, relationById)[0]
      return refuse(
        skip
          ? `不能预缴：${skip.sourceName} ${skip.detail ?? labelOf(skipReason, skip.reason)}`
          : '所选收费没有可以预缴的账期：抄表、公摊和一次性收费不能预缴，已停收或已到期的也不能',
      )
    }
    const {
      batchNo,
      count: made,
      amount,
      ids,
    } = await issueBatch(
      tx,
      scope,
      { project, source: 'prepaid', isPre: true, state: 'normal' },
      'temporary',
      bills.map(d => toBillDraft(d, '')),
      today,
      { message: `预缴 ${count} 期` },
    )
    await advanceBilledTo(tx, scope.ownerId, advanced)
    const orderNo = await orders.open(
      { tx, scope, now, today },
      { projectCode: project, billIds: ids.map(parseId) },
    )
    return { batchNo, count: made, amount, ids, orderNo, skipped: toSkippedRows(skipped, relationById) }
  }),
  reads(
    listPrepayable,
    async ({ projectCode, sourceType: type, sourceCode, count = 1 }, { db, scope, today }) => {
      const project = projectCode ?? (scope.projectCode || undefined)
      if (!project) throw projectRequired()
      const relations = await findAll(
        db,
        feeRelation,
        scope,
        { projectCode: project },
        {
          where: [
            sql`t.source_type = ${codeOf(sourceType, type)}
              and t.source_code = ${sourceCode}
              and t.state <> ${code(relationState, 'ended')}`,
          ],
        },
      )
      const billingRelations = await findRelationsByIds(
        db,
        scope.ownerId,
        relations.map(r => r.id),
      )
      const standards = await loadChargeableStandards(db, scope.ownerId, {
        ids: [...new Set(billingRelations.map(b => b.standardId))],
      })
      const prepayable = billingRelations.filter(billingRelation => {
        const chargeable = standards.get(billingRelation.standardId)
        return (
          chargeable &&
          !chargeable.prepared.metered &&
          !['share', 'imported', 'times'].includes(chargeable.formula.formulaType) &&
          chargeable.standard.cycleType !== 'once'
        )
      })
      const { bills, skipped } = await planPrepayments(db, scope.ownerId, project, prepayable, count, today)
      return prepayable.map(billingRelation => {
        const chargeable = defined(standards.get(billingRelation.standardId))
        const planned = bills.filter(d => d.billingRelation.relation.id === billingRelation.relation.id)
        const skip = skipped.find(l => l.billingRelation.relation.id === billingRelation.relation.id)
        return {
          relationId: billingRelation.relation.id,
          itemName: chargeable.item.name,
          standardName: chargeable.standard.name,
          cycleType: chargeable.standard.cycleType,
          cycleMonths: chargeable.standard.cycleMonths,
          ...(billingRelation.relation.billedTo ? { billedTo: billingRelation.relation.billedTo } : {}),
          periods: planned.map(bill => ({
            begin: bill.line.begin,
            end: bill.line.end,
            amount: bill.line.amount,
            sentence: explainAmount(bill.line.snapshot),
          })),
          amount: sumFen(planned.map(d => d.line.amount)),
          ...(skip
            ? { reason: skip.skip.reason, ...(skip.skip.detail ? { detail: skip.skip.detail } : {}) }
            : {}),
        }
      })
    },
  ),
  reads(listTempItems, async (_, { db, scope }) =>
    (
      await findAll(
        db,
        feeItem,
        scope,
        { order: 'sort,code' },
        {
          where: [
            sql`t.fee_type in ${codes(feeType, 'temporary', 'deposit')}
              and t.state = ${code(enabledState, 'on')}`,
          ],
        },
      )
    ).map(i => ({ id: i.id, name: i.name, feeType: i.feeType })),
  ),
]
