import { defined } from '#kit/domain/defined.ts'
import type { Id } from '#kit/domain/id.ts'
import { sql, type Db } from '#kit/server/db.ts'
import type { CallOptions } from '#kit/server/fixtures/test-app.ts'
import { code, notDeleted } from '#kit/server/sql.ts'
import type { GoldenApp } from '#db/golden/golden-app.ts'
import { saveCard, type IdentityCard } from '#modules/residents/contract/card.ts'
import { residencyStatus } from '#modules/residents/contract/labels.ts'
import { projectCode } from './access.fixtures.ts'

export interface Neighbour {
  readonly residencyId: Id
  readonly userId: Id
  readonly name: string
  readonly roomId: Id
  readonly place: string
  readonly buildCode: string
  readonly unitName: string
  readonly relation: number
}

/** People who live in one room alone, each of another one, and whom nothing keeps out. */
export const selectNeighbours = (db: Db, ownerId: Id): Promise<Neighbour[]> =>
  db.rows(sql`
    select distinct on (l.room_id) l.id as residency_id, l.user_id, p.name, l.room_id, r.path as place,
      l.build_code, r.unit_name, l.relation
    from user_room l
    join room r on r.owner_id = ${ownerId} and r.id = l.room_id
    join resident p on p.owner_id = ${ownerId} and p.id = l.user_id
    where l.owner_id = ${ownerId}
      and l.project_code = ${projectCode}
      and l.status = ${code(residencyStatus, 'living')}
      and ${notDeleted('l')}
      and l.lease_end is null
      and not exists (
        select 1
        from user_room o
        where o.owner_id = ${ownerId} and o.user_id = l.user_id and o.id <> l.id and ${notDeleted('o')}
      )
      and not exists (
        select 1 from company_worker w where w.owner_id = ${ownerId} and w.user_id = l.user_id
      )
      and not exists (
        select 1 from user_blocklist b where b.owner_id = ${ownerId} and b.user_id = l.user_id
      )
    order by l.room_id, l.id
  `)

export const findNeighbours = (t: GoldenApp): Promise<Neighbour[]> =>
  selectNeighbours(t.database.reader(t.ownerId), t.ownerId)

let issued = 0

export const issueCard = (
  t: GoldenApp,
  me: CallOptions,
  holder: { readonly userId?: Id; readonly staffId?: Id; readonly roomId?: Id },
  values: Partial<IdentityCard> = {},
): Promise<IdentityCard> =>
  t.call(saveCard, { projectCode, cardNo: `T${90_000 + ++issued}`, cardType: 'ic', ...holder, ...values }, me)

export const inBuilding = (people: readonly Neighbour[], buildCode: string, unitName?: string): Neighbour =>
  defined(
    people.find(
      person => person.buildCode === buildCode && (unitName === undefined || person.unitName === unitName),
    ),
  )
