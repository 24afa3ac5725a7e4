import { parseId } from '#kit/domain/id.ts'
import { defined } from '#kit/domain/defined.ts'
import { refuse } from '#kit/contract/wire.ts'
import { assertDeletable } from '#kit/server/dependents.ts'
import { writes } from '#kit/server/handler.ts'
import { hasProject, outOfDomain, requireProject } from '#kit/server/scope.ts'
import { sql } from '#kit/server/db.ts'
import { remove } from '#kit/server/table.ts'
import { notDeleted } from '#kit/server/sql.ts'
import type { Room } from '#modules/rooms/contract/room.ts'
import { addFamily, addResident, deleteResidents, editResident, resident } from '../contract/resident.ts'
import { insertResidencies, requireDraftRoom, type NewResidency } from './residency-links.ts'
import { presentResidents, presentResident } from './resident-presentation.ts'
import { findOrCreatePeople, findOrCreateResident, updateResident } from './resident-record.ts'
import { findResidentsByIds } from './resident-access.ts'

export const residentHandlers = [
  writes(addResident, async ({ rooms = [], linkExisting, ...draft }, { tx, scope, app, today }) => {
    if (!hasProject(scope.domain, draft.homeProject)) throw outOfDomain()
    const chosenRooms: Room[] = []
    for (const [i, roomDraft] of rooms.entries()) {
      chosenRooms.push(await requireDraftRoom(tx, scope, roomDraft, draft.homeProject, `Rooms[${i}].`))
    }
    const person = await findOrCreateResident(draft, { tx, scope, app, today, linkExisting })
    await insertResidencies(
      tx,
      scope,
      today,
      rooms.map((roomDraft, i): NewResidency => ({
        person,
        room: defined(chosenRooms[i]),
        draft: roomDraft,
        fieldPrefix: `Rooms[${i}].`,
      })),
    )
    return presentResident(tx, scope, person, today)
  }),
  writes(
    addFamily,
    async ({ projectCode, roomIds, people, linkExisting, ...shared }, { tx, scope, app, today }) => {
      requireProject(scope.domain, projectCode)
      const chosenRooms: Room[] = []
      for (const id of [...new Set(roomIds.map(parseId))].toSorted((a, b) => a - b)) {
        chosenRooms.push(await requireDraftRoom(tx, scope, { roomId: id }, projectCode))
      }
      const residents = await findOrCreatePeople(people, projectCode, {
        tx,
        scope,
        app,
        today,
        linkExisting,
      })
      await insertResidencies(
        tx,
        scope,
        today,
        chosenRooms.flatMap(room =>
          people.map((person, i): NewResidency => ({
            person: defined(residents[i]),
            room,
            draft: { ...shared, relation: person.relation, isMain: person.isMain, isPayer: person.isPayer },
            fieldPrefix: `Users[${i}].`,
          })),
        ),
      )
      return presentResidents(tx, scope, residents, today)
    },
  ),
  writes(editResident, async (draft, { tx, scope, app, today }) =>
    presentResident(tx, scope, await updateResident(draft, { tx, scope, app, today }), today),
  ),
  writes(deleteResidents, async ({ ids, reason }, { tx, scope }) => {
    const found = await findResidentsByIds(tx, scope, ids, { lock: true })
    for (const person of found) {
      await assertDeletable(tx, scope, 'resident', `住户「${person.name}」`, [person])
    }
    if (found.length !== new Set(ids.map(parseId)).size) return refuse('有的住户已被删除，请刷新后重试')
    await remove(tx, resident, scope, ids, reason)
    await tx.execute(
      sql`
        update user_blocklist
        set delete_tag = 1
        where owner_id = ${scope.ownerId} and user_id = any(${found.map(person => person.id)}) and ${notDeleted()}
      `,
    )
  }),
]
