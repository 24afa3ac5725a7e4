import { refuse } from '#kit/contract/wire.ts'
import { writes } from '#kit/server/handle.ts'
import { inBuilding, outside } from '#kit/server/scope.ts'
import {
  asksTotals,
  chargedStandards,
  relationsById,
  totalsOf,
  type PlanScope,
} from '#modules/fees/server/public.ts'
import { meterFeeBatch } from '../contract/meter-fee.ts'
import { planRelations } from './run-plan.ts'
import { billed, meteredRelations, readingsOf } from './run-readings.ts'
import { freshOf, moveOn } from './run-work.ts'
import { fileBills } from './temporary.ts'

const most = 5000

export const meterFeeHandlers = [
  writes(
    meterFeeBatch,
    async ({ projectCode: project, month, readingIds, meterIds }, { tx, scope, today }) => {
      const owner = scope.ownerId
      const found = await meteredRelations(tx, owner, project, {
        readingIds: readingIds?.map(Number),
        meterIds: meterIds?.map(Number),
        month,
      })
      if (!found.readings.size)
        return refuse('没有等待出账的读数：可能已经出账，或仪表还没有在收费关联里绑定收费标准')
      if (found.readings.size > most)
        return refuse(
          `一次最多出账 ${most} 个读数，现有 ${found.readings.size} 个，请按月份或楼栋分开，或用“生成账单”`,
        )
      const bounds = await relationsById(tx, owner, found.relations, true)
      for (const b of bounds) {
        if (b.buildCode !== undefined && !inBuilding(scope.domain, project, b.buildCode)) throw outside()
      }
      const standards = await chargedStandards(tx, owner, {
        ids: [...new Set(bounds.map(b => b.standardId))],
      })
      const at: PlanScope = { kind: 'due', today }
      const { drawn, left, moved } = await planRelations(
        tx,
        {
          owner,
          project,
          standards,
          totals: asksTotals(standards.values()) ? await totalsOf(tx, owner, project) : undefined,
          excluded: new Set(),
          scope: at,
          readings: readingsOf(owner, at, standards, found.readings),
        },
        bounds.filter(b => standards.get(b.standardId)?.prepared.metered),
      )
      const told = left.map(l => ({
        sourceName: l.bound.sourceName,
        reason: l.skip.reason,
        ...(l.skip.detail ? { detail: l.skip.detail } : {}),
      }))
      if (!drawn.length) return { count: 0, amount: 0, left: told }
      const made = await fileBills(
        tx,
        scope,
        { project, source: 'metered' },
        'metered',
        drawn.map(d => freshOf(d, '')),
        today,
        month ? { month } : {},
      )
      await billed(
        tx,
        scope,
        drawn.flatMap((d, i) =>
          d.reading
            ? [
                {
                  readingId: d.reading.id,
                  version: d.reading.version,
                  billId: made.byNo.get(made.nos[i]!)!,
                  billNo: made.nos[i]!,
                },
              ]
            : [],
        ),
      )
      await moveOn(tx, owner, moved)
      return { batchNo: made.batchNo, count: made.count, amount: made.amount, left: told }
    },
  ),
]
