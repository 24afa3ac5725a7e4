import type { Id } from '#kit/domain/id.ts'
import { defined } from '#kit/domain/defined.ts'
import { lastDay } from '#kit/domain/month.ts'
import { sql, type Db } from '#kit/server/db.ts'
import { notDeleted, code } from '#kit/server/sql.ts'
import type { BillingRelation, ChargeableStandard, PlanScope, Reading } from '#modules/fees/server/public.ts'
import { billReadings, findUnbilledReadings } from '#modules/meters/server/public.ts'
import { readingState } from '#modules/meters/contract/choices.ts'

/**
 * Loads the unbilled readings of metered relations (MTR-9); `only`: restricts them to these ids. When two
 * relations share a meter, the first one gets its readings.
 */
export const createReadingsLoader =
  (ownerId: Id, scope: PlanScope, standards: ReadonlyMap<Id, ChargeableStandard>, only?: ReadonlySet<Id>) =>
  async (
    db: Db,
    billingRelations: readonly BillingRelation[],
  ): Promise<ReadonlyMap<Id, readonly Reading[]>> => {
    const metered = billingRelations.filter(
      b =>
        b.meterId !== undefined &&
        standards.get(b.standardId)?.prepared.metered &&
        b.relation.state === 'charging',
    )
    if (!metered.length) return new Map()
    const until = scope.kind === 'month' ? lastDay(scope.month) : scope.today
    const waiting = await findUnbilledReadings(
      db,
      { ownerId },
      { meterIds: metered.map(b => defined(b.meterId)), until },
    )
    const takenReadings = new Set<Id>()
    return new Map(
      metered.map(billingRelation => [
        billingRelation.relation.id,
        (waiting.get(defined(billingRelation.meterId)) ?? []).filter(
          r => (!only || only.has(r.id)) && !takenReadings.has(r.id) && takenReadings.add(r.id),
        ),
      ]),
    )
  }

/** Marks readings as billed. */
export { billReadings }

/**
 * Finds the relations of unbilled readings, chosen by reading, meter or month. Readings of a replaced
 * meter belong to its successor (MTR-11). Needs fee_relation_meter.
 */
export const findMeteredRelations = async (
  db: Db,
  ownerId: Id,
  project: string,
  filter: {
    readonly readingIds?: readonly Id[] | undefined
    readonly meterIds?: readonly Id[] | undefined
    readonly month?: string | undefined
    /** Only readings of smart meters. */
    readonly smartOnly?: boolean
  },
): Promise<{ readonly relations: Id[]; readonly readings: Set<Id> }> => {
  const isOfSmartMeter = sql`
    and exists (
      select
      from meter d
      where d.owner_id = ${ownerId} and d.id = m.meter_id and d.is_smart
    )
  `
  const rows = await db.rows<{
    relation: Id
    reading: Id
  }>(sql`
    with recursive found as (
      select m.*
      from meter_reading m
      where m.owner_id = ${ownerId}
        and m.project_code = ${project}
        and m.state = ${code(readingState, 'open')}
        and ${notDeleted('m')}
        ${filter.readingIds?.length ? sql`and m.id = any(${[...filter.readingIds]}::bigint[])` : sql``}
        ${filter.meterIds?.length ? sql`and m.meter_id = any(${[...filter.meterIds]}::bigint[])` : sql``}
        ${filter.month ? sql`and m.month = ${filter.month}` : sql``}
        ${filter.smartOnly ? isOfSmartMeter : sql``}
    ),
      successors(reading, meter_id) as (
        select id, meter_id
        from found
        union all
        select g.reading, p.new_meter_id
        from successors g
        join meter_replace p on p.owner_id = ${ownerId}
          and p.meter_id = g.meter_id
          and ${notDeleted('p')}
      )
    select distinct r.id as relation, g.reading
    from successors g
    join fee_relation r on r.owner_id = ${ownerId}
      and r.meter_id = g.meter_id
      and ${notDeleted('r')}
      and r.project_code = ${project}
  `)
  return { relations: [...new Set(rows.map(r => r.relation))], readings: new Set(rows.map(r => r.reading)) }
}
