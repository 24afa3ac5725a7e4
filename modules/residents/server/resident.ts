import { refuse, wrong } from '#kit/contract/wire.ts'
import { mayGo } from '#kit/server/guard.ts'
import { writes } from '#kit/server/handle.ts'
import { inProject, outside, within } from '#kit/server/scope.ts'
import { sql } from '#kit/server/db.ts'
import { remove } from '#kit/server/table.ts'
import type { Room } from '#modules/rooms/contract/room.ts'
import {
  addFamily,
  addResident,
  deleteResidents,
  editResident,
  resident,
  type Resident,
} from '../contract/resident.ts'
import { addLinks, roomOf, type Adding } from './link.ts'
import { dressed, oneDressed } from './list.ts'
import { bringPerson, savePerson, type Saving } from './person.ts'
import { needResident, residentsById } from './visible.ts'

export const residentHandlers = [
  writes(addResident, async ({ rooms = [], linkExisting, ...draft }, { tx, scope, world, today }) => {
    if (!inProject(scope.domain, draft.homeProject)) throw outside()
    const places: Room[] = []
    for (const [i, l] of rooms.entries()) {
      places.push(await roomOf(tx, scope, l, draft.homeProject, `Rooms[${i}].`))
    }
    const person = await bringPerson(draft, { tx, scope, world, today, linkExisting })
    await addLinks(
      tx,
      scope,
      today,
      rooms.map((l, i): Adding => ({ person, room: places[i]!, draft: l, at: `Rooms[${i}].` })),
    )
    return oneDressed(tx, scope, person, today)
  }),
  writes(
    addFamily,
    async ({ projectCode, roomIds, people, linkExisting, ...stay }, { tx, scope, world, today }) => {
      within(scope.domain, projectCode)
      const places: Room[] = []
      const c: Saving = { tx, scope, world, today, linkExisting }
      for (const id of [...new Set(roomIds.map(Number))].sort((a, b) => a - b)) {
        places.push(await roomOf(tx, scope, { roomId: id }, projectCode))
      }
      const who: Resident[] = []
      for (const [i, { userId, relation: _, isMain: __, isPayer: ___, ...p }] of people.entries()) {
        if (userId) {
          who.push(await needResident(tx, scope, userId))
          continue
        }
        if (!p.name) throw wrong([{ Field: `Users[${i}].Username`, Message: '姓名不能为空' }])
        who.push(
          await bringPerson(
            { userType: 'person', state: 'normal', ...p, name: p.name, homeProject: projectCode },
            { ...c, at: `Users[${i}].` },
          ),
        )
      }
      await addLinks(
        tx,
        scope,
        today,
        places.flatMap(r =>
          people.map((p, i): Adding => ({
            person: who[i]!,
            room: r,
            draft: { ...stay, relation: p.relation, isMain: p.isMain, isPayer: p.isPayer },
            at: `Users[${i}].`,
          })),
        ),
      )
      return dressed(tx, scope, who, today)
    },
  ),
  writes(editResident, async (draft, { tx, scope, world, today }) =>
    oneDressed(tx, scope, await savePerson(draft, { tx, scope, world, today }), today),
  ),
  writes(deleteResidents, async ({ ids, reason }, { tx, scope }) => {
    const found = await residentsById(tx, scope, ids, true)
    for (const p of found) {
      await mayGo(tx, scope, 'resident', `住户「${p.name}」`, [p])
    }
    if (found.length !== new Set(ids.map(Number)).size) return refuse('有的住户已被删除，请刷新后重试')
    await remove(tx, resident, scope, ids, reason)
    await tx.run(
      sql`
        update user_blocklist
        set delete_tag = 1
        where owner_id = ${scope.ownerId} and user_id = any(${found.map(p => p.id)}) and delete_tag = 0
      `,
    )
  }),
]
