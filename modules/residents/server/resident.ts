import { defined } from '#kit/domain/defined.ts'
import { refuse, invalidInput } from '#kit/contract/wire.ts'
import { assertDeletable } from '#kit/server/dependents.ts'
import { writes } from '#kit/server/handler.ts'
import { hasProject, outOfDomain, requireProject } from '#kit/server/scope.ts'
import { sql } from '#kit/server/db.ts'
import { remove } from '#kit/server/table.ts'
import { live } from '#kit/server/sql.ts'
import type { Room } from '#modules/rooms/contract/room.ts'
import {
  addFamily,
  addResident,
  deleteResidents,
  editResident,
  resident,
  type Resident,
} from '../contract/resident.ts'
import { insertResidencies, requireDraftRoom, type NewResidency } from './residency-links.ts'
import { presentResidents, presentResident } from './resident-list.ts'
import { findOrCreateResident, updateResident, type ResidentSaveContext } from './resident-record.ts'
import { requireResident, findResidentsByIds } from './resident-access.ts'

export const residentHandlers = [
  writes(addResident, async ({ rooms = [], linkExisting, ...draft }, { tx, scope, app, today }) => {
    if (!hasProject(scope.domain, draft.homeProject)) throw outOfDomain()
    const places: Room[] = []
    for (const [i, l] of rooms.entries()) {
      places.push(await requireDraftRoom(tx, scope, l, draft.homeProject, `Rooms[${i}].`))
    }
    const person = await findOrCreateResident(draft, { tx, scope, app, today, linkExisting })
    await insertResidencies(
      tx,
      scope,
      today,
      rooms.map((l, i): NewResidency => ({ person, room: defined(places[i]), draft: l, at: `Rooms[${i}].` })),
    )
    return presentResident(tx, scope, person, today)
  }),
  writes(
    addFamily,
    async ({ projectCode, roomIds, people, linkExisting, ...stay }, { tx, scope, app, today }) => {
      requireProject(scope.domain, projectCode)
      const places: Room[] = []
      const c: ResidentSaveContext = { tx, scope, app, today, linkExisting }
      for (const id of [...new Set(roomIds.map(Number))].toSorted((a, b) => a - b)) {
        places.push(await requireDraftRoom(tx, scope, { roomId: id }, projectCode))
      }
      const who: Resident[] = []
      for (const [i, { userId, relation: _, isMain: __, isPayer: ___, ...p }] of people.entries()) {
        if (userId) {
          who.push(await requireResident(tx, scope, userId))
          continue
        }
        if (!p.name) throw invalidInput([{ Field: `Users[${i}].Username`, Message: '姓名不能为空' }])
        who.push(
          await findOrCreateResident(
            { userType: 'person', state: 'normal', ...p, name: p.name, homeProject: projectCode },
            { ...c, at: `Users[${i}].` },
          ),
        )
      }
      await insertResidencies(
        tx,
        scope,
        today,
        places.flatMap(r =>
          people.map((p, i): NewResidency => ({
            person: defined(who[i]),
            room: r,
            draft: { ...stay, relation: p.relation, isMain: p.isMain, isPayer: p.isPayer },
            at: `Users[${i}].`,
          })),
        ),
      )
      return presentResidents(tx, scope, who, today)
    },
  ),
  writes(editResident, async (draft, { tx, scope, app, today }) =>
    presentResident(tx, scope, await updateResident(draft, { tx, scope, app, today }), today),
  ),
  writes(deleteResidents, async ({ ids, reason }, { tx, scope }) => {
    const found = await findResidentsByIds(tx, scope, ids, true)
    for (const p of found) {
      await assertDeletable(tx, scope, 'resident', `住户「${p.name}」`, [p])
    }
    if (found.length !== new Set(ids.map(Number)).size) return refuse('有的住户已被删除，请刷新后重试')
    await remove(tx, resident, scope, ids, reason)
    await tx.execute(
      sql`
        update user_blocklist
        set delete_tag = 1
        where owner_id = ${scope.ownerId} and user_id = any(${found.map(p => p.id)}) and ${live()}
      `,
    )
  }),
]
