import { refuse } from '#kit/contract/wire.ts'
import { asFen } from '#kit/domain/money.ts'
import { writes } from '#kit/server/handler.ts'
import { hasBuilding, outOfDomain } from '#kit/server/scope.ts'
import {
  advanceBilledTo,
  needsRoomTotals,
  loadChargeableStandards,
  findRelationsByIds,
  loadRoomTotals,
  type PlanScope,
} from '#modules/fees/server/public.ts'
import { generateMeterBills } from '../contract/meter-fee.ts'
import { planRelations } from './run-plan.ts'
import { billed, findMeteredRelations, createReadingsLoader } from './run-readings.ts'
import { toBillDraft, billedReadingsOf } from './bill-draft.ts'
import { issueBatch } from './issue-batch.ts'

const maxReadings = 5000

export const meterFeeHandlers = [
  writes(
    generateMeterBills,
    async ({ projectCode: project, month, readingIds, meterIds }, { tx, scope, today }) => {
      const owner = scope.ownerId
      const found = await findMeteredRelations(tx, owner, project, {
        readingIds: readingIds?.map(Number),
        meterIds: meterIds?.map(Number),
        month,
      })
      if (!found.readings.size)
        return refuse('没有等待出账的读数：可能已经出账，或仪表还没有在收费关联里绑定收费标准')
      if (found.readings.size > maxReadings)
        return refuse(
          `一次最多出账 ${maxReadings} 个读数，现有 ${found.readings.size} 个，请按月份或楼栋分开，或用“生成账单”`,
        )
      const bounds = await findRelationsByIds(tx, owner, found.relations, true)
      for (const b of bounds) {
        if (b.buildCode !== undefined && !hasBuilding(scope.domain, project, b.buildCode)) throw outOfDomain()
      }
      const standards = await loadChargeableStandards(tx, owner, {
        ids: [...new Set(bounds.map(b => b.standardId))],
      })
      const planScope: PlanScope = { kind: 'due', today }
      const { bills, skipped, advanced } = await planRelations(
        tx,
        {
          owner,
          project,
          standards,
          totals: needsRoomTotals(standards.values()) ? await loadRoomTotals(tx, owner, project) : undefined,
          excluded: new Set(),
          scope: planScope,
          readings: createReadingsLoader(owner, planScope, standards, found.readings),
        },
        bounds.filter(b => standards.get(b.standardId)?.prepared.metered),
      )
      const skippedRows = skipped.map(l => ({
        sourceName: l.bound.sourceName,
        reason: l.skip.reason,
        ...(l.skip.detail ? { detail: l.skip.detail } : {}),
      }))
      if (!bills.length) return { count: 0, amount: asFen(0), left: skippedRows }
      const batch = await issueBatch(
        tx,
        scope,
        { project, source: 'metered' },
        'metered',
        bills.map(d => toBillDraft(d, '')),
        today,
        month ? { month } : {},
      )
      await billed(tx, scope, billedReadingsOf(bills, batch.nos, batch.byNo))
      await advanceBilledTo(tx, owner, advanced)
      return { batchNo: batch.batchNo, count: batch.count, amount: batch.amount, left: skippedRows }
    },
  ),
]
