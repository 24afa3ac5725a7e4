import type { Id } from '#kit/domain/id.ts'
import { codeOf, type ChoiceOf } from '#kit/contract/field.ts'
import type { Decimal } from '#kit/domain/decimal.ts'
import type { Month } from '#kit/domain/month.ts'
import { sql, type Db } from '#kit/server/db.ts'
import { notDeleted, code } from '#kit/server/sql.ts'
import { meterKind, meterUse } from '../contract/choices.ts'
import { sourceType } from '#modules/fees/contract/choices.ts'
import { validReading } from './reading-conditions.ts'

/**
 * Usage of the household meters of rooms in a month, by room code: the weight of an allocation by usage
 * (SHR-2). A room without a reading, or with an unconfirmed anomalous one (MTR-8), is left out. Needs
 * meter_source.
 */
export async function loadRoomUsage(
  db: Db,
  ownerId: Id,
  project: string,
  month: Month,
  kinds: readonly ChoiceOf<typeof meterKind>[],
  rooms: readonly string[],
): Promise<ReadonlyMap<string, Decimal>> {
  if (!kinds.length || !rooms.length) return new Map()
  const found = await db.rows<{
    code: string
    usage: Decimal
  }>(sql`
    select t.source_code as code, trim_scale(sum(r.usage))::text as usage
    from meter t
    join meter_reading r on r.owner_id = ${ownerId}
      and r.meter_id = t.id
      and r.month = ${month}
      and ${validReading('r')}
    where t.owner_id = ${ownerId}
      and t.project_code = ${project}
      and t.source_type = ${code(sourceType, 'room')}
      and t.source_code = any(${[...rooms]}::text[])
      and t.meter_kind = any(${kinds.map(k => codeOf(meterKind, k))}::int[])
      and t.meter_use = ${code(meterUse, 'household')}
      and ${notDeleted('t')}
    group by t.source_code
    having not bool_or(r.usage is null or (r.anomalies is not null and not r.confirmed))
  `)
  return new Map(found.map(f => [f.code, f.usage]))
}
