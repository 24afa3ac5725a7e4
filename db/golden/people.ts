import { sql, type Tx } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import { createNamer } from './names.ts'
import { seededRandom } from './random.ts'
import { seedResidents, type Home } from './seed-residents.ts'
import { seedTrade } from './seed-trade.ts'

/** Everyone of an estate: who lives, works and trades in its rooms. */
export async function seedPeople(tx: Tx, scope: Scope, project: string, seed: number): Promise<void> {
  const homes = await tx.rows<Home>(
    sql`
      select id, code, project_code, build_code, path, room_type, room_state, checkin_date, deliver_date,
        trim_scale(build_area)::text as area
      from room
      where owner_id = ${scope.ownerId} and project_code = ${project} and delete_tag = 0
      order by sort_key, id
    `,
  )
  if (!homes.length) return
  const random = seededRandom(seed)
  const namer = createNamer(random, `15${seed % 8}`)
  await seedResidents(tx, scope, homes, random, namer)
  await seedTrade(tx, scope, homes, random, namer)
}
