import { sql, type RawBuilder } from '#kit/server/db.ts'
import { registerDependents } from '#kit/server/dependents.ts'
import type { Scope } from '#kit/server/scope.ts'
import { code, codes, notDeleted } from '#kit/server/sql.ts'
import { defined } from '#kit/domain/defined.ts'
import { residencyStatus, cardState, faceState, residentState } from '../contract/labels.ts'

type Sql = RawBuilder<unknown>

const countResidencies = ({ ownerId }: Scope, condition: Sql): Sql => sql`
  select count(*)::int
  from user_room
  where owner_id = ${ownerId}
    and ${condition}
    and ${notDeleted()}
    and status in ${codes(residencyStatus, 'pending', 'living')}
`

const countCards = ({ ownerId }: Scope, condition: Sql): Sql => sql`
  select count(*)::int
  from identity_card
  where owner_id = ${ownerId} and ${condition} and ${notDeleted()} and state <> ${code(cardState, 'ended')}
`

const countFaces = ({ ownerId }: Scope, condition: Sql): Sql => sql`
  select count(*)::int
  from face_key
  where owner_id = ${ownerId} and ${condition} and ${notDeleted()} and state <> ${code(faceState, 'deleted')}
`

// BASE-5: a room stays while somebody lives in it or applies to, and while a card is issued for it.
registerDependents('room', async (tx, scope, [room]) => {
  const inRoom = sql`room_id = ${room.id}`
  const counts = defined(
    await tx.one<{ residencies: number; cards: number }>(sql`
      select (${countResidencies(scope, inRoom)}) as residencies, (${countCards(scope, inRoom)}) as cards
    `),
  )
  return [
    { label: '住户', count: counts.residencies },
    { label: '门禁卡', count: counts.cards },
  ]
})

registerDependents('estate', async (tx, scope, [estate]) => {
  const residents = await tx.one<{ count: number }>(
    sql`
      select count(*)::int as count
      from resident
      where owner_id = ${scope.ownerId}
        and home_project = ${estate.projectCode}
        and ${notDeleted()}
        and state = ${code(residentState, 'normal')}
    `,
  )
  return [{ label: '住户', count: defined(residents).count }]
})

registerDependents('resident', async (tx, scope, [person]) => {
  const ofPerson = sql`user_id = ${person.id}`
  const counts = defined(
    await tx.one<{ residencies: number; cards: number; faces: number }>(sql`
      select (${countResidencies(scope, ofPerson)}) as residencies, (${countCards(scope, ofPerson)}) as cards,
        (${countFaces(scope, ofPerson)}) as faces
    `),
  )
  return [
    { label: '房屋关系', count: counts.residencies },
    { label: '门禁卡', count: counts.cards },
    { label: '人脸', count: counts.faces },
  ]
})
