import { labelOf } from '#kit/contract/field.ts'
import { absent, refuse, wrong } from '#kit/contract/wire.ts'
import { sql } from '#kit/server/db.ts'
import { reads, writes } from '#kit/server/handle.ts'
import { veil, veiled } from '#kit/server/privacy.ts'
import { soughtBy } from '#kit/server/sought.ts'
import { byIds, byKey, page, remove, rows, unknownProject, update } from '#kit/server/table.ts'
import { room } from '#modules/rooms/contract/room.ts'
import { roomMoved, roomsCalled } from '#modules/rooms/server/public.ts'
import {
  addResidency,
  applyAgain,
  auditResidencies,
  deleteResidencies,
  editResidency,
  homesOf,
  listMovements,
  listResidencies,
  residency,
  residencyLog,
  usersInRoom,
  type Residency,
} from '../contract/residency.ts'
import { relation } from '../contract/words.ts'
import { linkFaults, linkStates } from '../domain/residency.ts'
import { addLinks, roomOf, withMain, yieldPlaces } from './link.ts'
import { follow } from './follow.ts'
import { noteMoves, type Note } from './log.ts'
import { needResident } from './visible.ts'

const of = (q: { readonly userId?: number; readonly roomId?: number; readonly roomCode?: string }) => [
  ...(q.userId === undefined ? [] : [sql`t.user_id = ${q.userId}`]),
  ...(q.roomId === undefined ? [] : [sql`t.room_id = ${q.roomId}`]),
  ...(q.roomCode === undefined
    ? []
    : [
        sql`t.room_id in (
          select r.id
          from room r
          where r.owner_id = t.owner_id and r.code = ${q.roomCode} and r.delete_tag = 0
        )`,
      ]),
]

// A room that stands in another building takes its people along.
roomMoved(async (tx, scope, r) => {
  await tx.run(
    sql`
      update user_room
      set build_code = ${r.buildCode}
      where owner_id = ${scope.ownerId} and room_id = ${r.id}
    `,
  )
  await tx.run(
    sql`
      update user_room_log
      set build_code = ${r.buildCode}
      where owner_id = ${scope.ownerId} and room_id = ${r.id}
    `,
  )
  await tx.run(
    sql`
      update identity_card
      set build_code = ${r.buildCode}
      where owner_id = ${scope.ownerId} and room_id = ${r.id}
    `,
  )
})

/**
 * Links and movements of people or rooms that a word finds, those of people who are no more too. Sets of ids,
 * so that every index serves.
 */
const happenedTo = (owner: number, word: string) => {
  const people = sql`t.user_id = any(
    array(select p.id from resident p where p.owner_id = ${owner} and ${soughtBy(word, 'p')})
  )`
  return /\d/.test(word) ? sql`(${people} or t.room_id = any(array(${roomsCalled(owner, word)})))` : people
}

export const residencyHandlers = [
  reads(listResidencies, async ({ userId, roomId, roomCode, keyword: word, ...q }, { db, scope }) => {
    const found = await page(db, residency, scope, q, {
      filters: listResidencies.input.filters!,
      where: [
        ...of({ userId, roomId, roomCode } as never),
        ...(word ? [happenedTo(scope.ownerId, word)] : []),
      ],
    })
    return { ...found, rows: veiled(residency.fields, found.rows, scope) }
  }),
  reads(homesOf, async ({ userId }, { db, scope }) => {
    await needResident(db, scope, userId)
    return veiled(
      residency.fields,
      await rows(db, residency, scope, {}, { where: [sql`t.user_id = ${userId}`] }),
      scope,
    )
  }),
  reads(usersInRoom, async ({ roomCode, roomId, roomIds, projectCode }, { db, scope }) => {
    const project = projectCode ?? (scope.projectCode || undefined)
    if (!roomId && !roomCode && !roomIds?.length) return refuse('请选择房间')
    if (!roomId && !roomIds?.length && !project) throw unknownProject()
    const here =
      roomId || roomIds?.length
        ? await byIds(db, room, scope, roomId ? [roomId] : roomIds!)
        : [await byKey(db, room, scope, roomCode!, project)].filter(r => r !== undefined)
    if (!here.length) throw absent()
    const found = await rows(
      db,
      residency,
      scope,
      { order: 'id' },
      { where: [sql`t.room_id = any(${here.map(r => r.id)})`, sql`t.status in (10, 20)`] },
    )
    const photos = new Map(
      (
        await db.rows<{ id: number; photo?: string }>(
          sql`
            select id, photo
            from resident
            where owner_id = ${scope.ownerId} and id = any(${found.map(l => l.userId)})
          `,
        )
      ).map(p => [p.id, p.photo]),
    )
    return veiled(
      usersInRoom.output.fields,
      found.map(l => ({
        id: l.userId,
        roomId: l.roomId,
        name: l.userName ?? '',
        mobile: l.mobile,
        linkId: l.id,
        relation: l.relation,
        status: l.status,
        isMain: l.isMain,
        isPayer: l.isPayer,
        ...(photos.get(l.userId) ? { photo: photos.get(l.userId) } : {}),
        ...(l.inDate ? { inDate: l.inDate } : {}),
      })),
      scope,
    ) as never
  }),
  reads(listMovements, ({ userId, roomId, roomCode, keyword: word, ...q }, { db, scope }) =>
    page(db, residencyLog, scope, q, {
      filters: listMovements.input.filters!,
      where: [
        ...of({ userId, roomId, roomCode } as never),
        ...(word ? [happenedTo(scope.ownerId, word)] : []),
      ],
    }),
  ),

  writes(addResidency, async ({ userId, projectCode, attachments, ...draft }, { tx, scope, today }) => {
    const r = await roomOf(
      tx,
      scope,
      draft,
      draft.roomId ? projectCode : (projectCode ?? (scope.projectCode || undefined)),
    )
    const person = await needResident(tx, scope, userId, true)
    if (person.state === 'gone') return refuse(`住户「${person.name}」已注销，请先在住户资料里恢复`)
    const [id] = await addLinks(tx, scope, today, [
      { person, room: r, draft: { ...draft, ...(attachments ? { attachments } : {}) } },
    ])
    return veil(residency.fields, (await byIds(tx, residency, scope, [id!]))[0]!, scope)
  }),
  writes(editResidency, async ({ id, version, ...draft }, { tx, scope, today }) => {
    const [asked] = await byIds(tx, residency, scope, [id])
    if (!asked) throw absent()
    await byIds(tx, room, scope, [asked.roomId], true)
    const [before] = await byIds(tx, residency, scope, [id], true)
    if (before!.status === 'left') return refuse('已迁出的关系不能修改；如需恢复请用「再次入住」')
    const faults = linkFaults(draft, today)
    if (faults.length) throw wrong(faults)
    const runs = before!.status === 'living'
    const isMain = draft.isMain ?? (before!.isMain && draft.relation === 'owner')
    const isPayer = draft.isPayer ?? before!.isPayer
    if (runs) {
      await yieldPlaces(tx, scope, [
        { roomId: before!.roomId, isMain: isMain && !before!.isMain, isPayer: isPayer && !before!.isPayer },
      ])
    }
    const { remark, attachments, leaseBegin, leaseEnd, inDate } = draft
    const after = await update(
      tx,
      residency,
      scope,
      id,
      { relation: draft.relation, isMain, isPayer, remark, attachments, leaseBegin, leaseEnd, inDate },
      { version },
    )
    const notes: Note[] = []
    const say = (action: Note['action'], detail?: string): void => {
      notes.push({ link: after, userName: after.userName ?? '', action, day: today, detail })
    }
    if (isMain && !before!.isMain) {
      say('mainSet')
    }
    if (isPayer && !before!.isPayer) {
      say('payerSet')
    }
    if (after.relation !== before!.relation) {
      say('edited', `${labelOf(relation, before!.relation)} → ${labelOf(relation, after.relation)}`)
    }
    if (after.inDate && after.inDate !== before!.inDate && runs) {
      say('movedIn')
    }
    await noteMoves(tx, scope, notes)
    if (runs) {
      await follow(tx, scope, [after.roomId], {
        today,
        inDate: after.inDate,
        leaving: before!.inDate !== undefined && !after.inDate,
      })
    }
    return veil(residency.fields, after, scope)
  }),
  writes(deleteResidencies, async ({ ids, reason }, { tx, scope, today }) => {
    const found = await byIds(tx, residency, scope, ids, true)
    const fixed = found.find(l => l.status !== 'pending' && l.status !== 'refused')
    if (fixed) return refuse(`${fixed.userName}在「${fixed.roomPath}」的关系已生效，请用「迁出」，历史会保留`)
    await noteMoves(
      tx,
      scope,
      (await remove(tx, residency, scope, ids, reason)).map(l => ({
        link: l,
        userName: l.userName ?? '',
        action: 'removed',
        day: today,
        reason,
      })),
    )
  }),
  // Each by itself: one that cannot pass does not hold up the others (G-11).
  writes(auditResidencies, async ({ ids, pass, inDate, reason }, { tx, scope, today }) => {
    if (!pass && [...(reason ?? '')].length < 2)
      throw wrong([{ Field: 'Reason', Message: '驳回请填写原因（2 到 200 字）' }])
    if (inDate && inDate > today)
      throw wrong([{ Field: 'InDate', Message: '入住日期不能晚于今天，请到当天再办理' }])
    const asked = await byIds(tx, residency, scope, ids)
    if (!asked.length) throw absent()
    await byIds(tx, room, scope, [...new Set(asked.map(l => l.roomId))], true)
    const found = await byIds(tx, residency, scope, ids, true)
    const to = pass ? 'living' : 'refused'
    const bad = found.map(l => ({ l, fault: linkStates.check(l.status, to) }))
    const good = bad.filter(b => !b.fault).map(b => b.l)
    const mains = pass
      ? await withMain(
          tx,
          scope.ownerId,
          good.map(l => l.roomId),
        )
      : new Set<number>()
    const paid = new Set<number>()
    const settled = good.map((l): Residency => {
      const isMain = pass && l.relation === 'owner' && !mains.has(l.roomId)
      const isPayer = pass && l.isPayer && !paid.has(l.roomId)
      if (isMain) {
        mains.add(l.roomId)
      }
      if (isPayer) {
        paid.add(l.roomId)
      }
      return { ...l, isMain, isPayer }
    })
    if (pass) {
      await yieldPlaces(tx, scope, settled)
    }
    const values = settled.map(l => ({ id: l.id, main: l.isMain, payer: l.isPayer }))
    await tx.run(sql`
      update user_room u
      set status = ${pass ? 20 : 40},
        ${
          pass
            ? sql`is_main = r.main,
      is_payer = r.payer, in_date = coalesce(u.in_date, ${inDate ?? null}),`
            : sql`reject_reason = ${reason ?? null},`
        } audit_by = ${scope.operatorId},
        audit_time = now(), version = u.version + 1, update_time = now(), update_by = ${scope.operatorId}
      from jsonb_to_recordset(${JSON.stringify(values)}::jsonb) as r(id bigint, main boolean, payer boolean)
      where u.owner_id = ${scope.ownerId} and u.id = r.id and u.status = 10
    `)
    await noteMoves(
      tx,
      scope,
      good.map(l => ({
        link: l,
        userName: l.userName ?? '',
        action: pass ? 'passed' : 'refused',
        day: l.inDate ?? inDate ?? today,
        reason,
      })),
    )
    if (pass) {
      await follow(
        tx,
        scope,
        good.map(l => l.roomId),
        { today, inDate: inDate ?? good.find(l => l.inDate)?.inDate },
      )
    }
    const gone = ids.filter(id => !found.some(l => l.id === Number(id)))
    return {
      success: good.length,
      fail: bad.length - good.length + gone.length,
      skipped: 0,
      rows: [
        ...bad.filter(b => b.fault).map(b => ({ id: b.l.id, code: b.l.userName ?? '', reason: b.fault! })),
        ...gone.map(id => ({ id: Number(id), reason: absent().message })),
      ],
    }
  }),
  writes(applyAgain, async ({ id }, { tx, scope, today }) => {
    const [l] = await byIds(tx, residency, scope, [id], true)
    if (!l) throw absent()
    const fault = linkStates.check(l.status, 'pending')
    if (fault) return refuse(fault)
    const after = await update(tx, residency, scope, id, { status: 'pending', rejectReason: undefined })
    await noteMoves(tx, scope, [{ link: after, userName: after.userName ?? '', action: 'again', day: today }])
    return veil(residency.fields, after, scope)
  }),
]
