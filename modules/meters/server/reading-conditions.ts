import { sql, type RawBuilder } from '#kit/server/db.ts'
import { code, codes, notDeleted } from '#kit/server/sql.ts'
import { meterState, readingState } from '../contract/choices.ts'

type Fragment = RawBuilder<unknown>

/** A reading that counts: neither deleted nor abolished (MTR-9). `r`: the alias of meter_reading. */
export const validReading = (r: string): Fragment =>
  sql`${notDeleted(r)} and ${sql.id(r)}.state <> ${code(readingState, 'abolished')}`

/** A reading whose usage looks wrong and that nobody has confirmed: it cannot be billed (MTR-8). */
export const doubtfulReading = (r: string): Fragment =>
  sql`${sql.id(r)}.state = ${code(readingState, 'open')}
    and ${sql.id(r)}.anomalies is not null
    and not ${sql.id(r)}.confirmed`

/** A meter to be read: in use, or broken and not replaced yet. `t`: the alias of meter. */
export const meterInUse = (t: string): Fragment =>
  sql`${sql.id(t)}.state in ${codes(meterState, 'active', 'broken')}`
