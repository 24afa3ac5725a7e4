import type { Id } from '#kit/domain/id.ts'
import { defined } from '#kit/domain/defined.ts'
import { keyOf } from '#kit/contract/field.ts'
import { sub, type Decimal } from '#kit/domain/decimal.ts'
import { sql, type RawBuilder } from '#kit/server/db.ts'
import { reads } from '#kit/server/handler.ts'
import { tenantFilter } from '#kit/server/table.ts'
import { notDeleted, code } from '#kit/server/sql.ts'
import { listMainLosses } from '../contract/meter-calls.ts'
import { meterKind, meterState } from '../contract/choices.ts'
import { meter } from '../contract/meter.ts'
import { validReading } from './reading-conditions.ts'
import { assertReportInput, computePercent } from './report.ts'

/** What main meters measured beyond the meters of their parts. */
export const mainLossHandler = reads(
  listMainLosses,
  async ({ projectCode, fromMonth, toMonth }, { db, scope }) => {
    assertReportInput({ projectCode, fromMonth, toMonth })
    const parts = sql`c.owner_id = ${scope.ownerId} and c.parent_meter_id = t.id and ${notDeleted('c')}`
    const used = (meterIds: RawBuilder<unknown>): RawBuilder<unknown> =>
      sql`trim_scale(
      (
        select coalesce(sum(r.usage), 0)
        from (${meterIds}) w(id)
        join meter_reading r on r.owner_id = ${scope.ownerId}
          and r.meter_id = w.id
          and ${validReading('r')}
          and r.month between ${fromMonth} and ${toMonth}
      )
    )::text`
    // Usage of the meters it replaced belongs to the main meter too (MTR-11).
    const ownChain = sql`
    with recursive chain(id) as (
      select t.id
      union all
      select p.meter_id
      from chain
      join meter_replace p on p.owner_id = ${scope.ownerId} and p.new_meter_id = chain.id and ${notDeleted('p')}
    )
    select id
    from chain
  `
    const found = await db.rows<{
      meterId: Id
      meterNo: string
      sourceName?: string
      meterKind: number
      parts: number
      usage: Decimal
      partUsage: Decimal
    }>(sql`
    select t.id as meter_id, t.meter_no, t.source_name, t.meter_kind,
      (select count(*) from meter c where ${parts} and c.state <> ${code(meterState, 'replaced')})::int as parts,
      ${used(ownChain)} as usage,
      ${used(sql`
    select c.id from meter c where ${parts}
  `)} as part_usage
    from meter t
    where ${tenantFilter(meter, scope, projectCode)} and exists (select 1 from meter c where ${parts})
    order by t.meter_kind, t.meter_no
  `)
    return found.map(row => {
      const loss = sub(row.usage, row.partUsage)
      const rate = computePercent(loss, row.usage)
      return {
        ...row,
        meterKind: defined(keyOf(meterKind, row.meterKind)),
        loss,
        ...(rate === undefined ? {} : { rate }),
      }
    })
  },
)
