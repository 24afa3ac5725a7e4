import { defined } from '#kit/domain/defined.ts'
import { sql } from '#kit/server/db.ts'
import { registerDependents } from '#kit/server/dependents.ts'
import { code, codes, live } from '#kit/server/sql.ts'
import { residencyStatus, cardState, faceState, residentState } from '../contract/labels.ts'

// BASE-5: a room stays while somebody lives in it or asks to, and while a card is out for it.
registerDependents('room', async (tx, scope, [room]) => {
  const counts = await tx.one<{
    links: number
    cards: number
  }>(sql`
    select (
      select count(*)
      from user_room
      where owner_id = ${scope.ownerId}
        and room_id = ${room.id}
        and ${live()}
        and status in ${codes(residencyStatus, 'pending', 'living')}
    )::int as links,
      (
        select count(*)
        from identity_card
        where owner_id = ${scope.ownerId}
          and room_id = ${room.id}
          and ${live()}
          and state <> ${code(cardState, 'ended')}
      )::int as cards
  `)
  return [
    { what: '住户', count: defined(counts).links },
    { what: '门禁卡', count: defined(counts).cards },
  ]
})

registerDependents('estate', async (tx, scope, [estate]) => [
  {
    what: '住户',
    count: defined(
      await tx.one<{ n: number }>(
        sql`
        select count(*)::int as n
        from resident
        where owner_id = ${scope.ownerId}
          and home_project = ${estate.projectCode}
          and ${live()}
          and state = ${code(residentState, 'normal')}
      `,
      ),
    ).n,
  },
])

registerDependents('resident', async (tx, scope, [person]) => {
  const counts = await tx.one<{
    links: number
    cards: number
    faces: number
  }>(sql`
    select (
      select count(*)
      from user_room
      where owner_id = ${scope.ownerId}
        and user_id = ${person.id}
        and ${live()}
        and status in ${codes(residencyStatus, 'pending', 'living')}
    )::int as links,
      (
        select count(*)
        from identity_card
        where owner_id = ${scope.ownerId}
          and user_id = ${person.id}
          and ${live()}
          and state <> ${code(cardState, 'ended')}
      )::int as cards,
      (
        select count(*)
        from face_key
        where owner_id = ${scope.ownerId}
          and user_id = ${person.id}
          and ${live()}
          and state <> ${code(faceState, 'gone')}
      )::int as faces
  `)
  return [
    { what: '房屋关系', count: defined(counts).links },
    { what: '门禁卡', count: defined(counts).cards },
    { what: '人脸', count: defined(counts).faces },
  ]
})
