import { defined } from '#kit/domain/defined.ts'
import { labelOf } from '#kit/contract/field.ts'
import { notFound, refuse, invalidInput } from '#kit/contract/wire.ts'
import { sql } from '#kit/server/db.ts'
import { reads, writes } from '#kit/server/handler.ts'
import { mask, maskRows } from '#kit/server/privacy.ts'
import { matchesSearchText } from '#kit/server/search-text.ts'
import {
  findByIds,
  findByKey,
  findPage,
  remove,
  findAll,
  projectRequired,
  update,
} from '#kit/server/table.ts'
import { live, touch, code, codes } from '#kit/server/sql.ts'
import { room } from '#modules/rooms/contract/room.ts'
import { onRoomMoved, roomIdsByKeyword } from '#modules/rooms/server/public.ts'
import {
  addResidency,
  reapplyResidency,
  auditResidencies,
  deleteResidencies,
  editResidency,
  listResidentHomes,
  listResidencyLog,
  listResidencies,
  residency,
  residencyLog,
  listRoomResidents,
  type Residency,
} from '../contract/residency.ts'
import { relation, residencyStatus } from '../contract/labels.ts'
import { residencyFaults, residencyStatusMachine } from '../domain/residency.ts'
import {
  insertResidencies,
  requireDraftRoom,
  findRoomsWithMainOwner,
  releaseMainAndPayer,
} from './residency-links.ts'
import { syncRoomOccupancy } from './room-occupancy.ts'
import { logResidencyChanges, type ResidencyLogEntry } from './residency-log.ts'
import { requireResident } from './resident-access.ts'

const residencyConditions = (q: {
  readonly userId?: number
  readonly roomId?: number
  readonly roomCode?: string
}) => [
  ...(q.userId === undefined ? [] : [sql`t.user_id = ${q.userId}`]),
  ...(q.roomId === undefined ? [] : [sql`t.room_id = ${q.roomId}`]),
  ...(q.roomCode === undefined
    ? []
    : [
        sql`t.room_id in (
          select r.id
          from room r
          where r.owner_id = t.owner_id and r.code = ${q.roomCode} and ${live('r')}
        )`,
      ]),
]

// A room that stands in another building takes its people along.
onRoomMoved(async (tx, scope, r) => {
  await tx.execute(
    sql`
      update user_room
      set build_code = ${r.buildCode}
      where owner_id = ${scope.ownerId} and room_id = ${r.id}
    `,
  )
  await tx.execute(
    sql`
      update user_room_log
      set build_code = ${r.buildCode}
      where owner_id = ${scope.ownerId} and room_id = ${r.id}
    `,
  )
  await tx.execute(
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
const residencyKeywordFilter = (owner: number, word: string) => {
  const people = sql`t.user_id = any(
    array(select p.id from resident p where p.owner_id = ${owner} and ${matchesSearchText(word, 'p')})
  )`
  return /\d/.test(word)
    ? sql`(${people} or t.room_id = any(array(${roomIdsByKeyword(owner, word)})))`
    : people
}

export const residencyHandlers = [
  reads(listResidencies, async ({ userId, roomId, roomCode, keyword: word, ...q }, { db, scope }) => {
    const found = await findPage(db, residency, scope, q, {
      filters: defined(listResidencies.input.filters),
      where: [
        ...residencyConditions({ userId, roomId, roomCode }),
        ...(word ? [residencyKeywordFilter(scope.ownerId, word)] : []),
      ],
    })
    return { ...found, rows: maskRows(residency.fields, found.rows, scope) }
  }),
  reads(listResidentHomes, async ({ userId }, { db, scope }) => {
    await requireResident(db, scope, userId)
    return maskRows(
      residency.fields,
      await findAll(db, residency, scope, {}, { where: [sql`t.user_id = ${userId}`] }),
      scope,
    )
  }),
  reads(listRoomResidents, async ({ roomCode, roomId, roomIds, projectCode }, { db, scope }) => {
    const project = projectCode ?? (scope.projectCode || undefined)
    if (!roomId && !roomCode && !roomIds?.length) return refuse('请选择房间')
    if (!roomId && !roomIds?.length && !project) throw projectRequired()
    const here =
      roomId || roomIds?.length
        ? await findByIds(db, room, scope, roomId ? [roomId] : defined(roomIds))
        : [await findByKey(db, room, scope, defined(roomCode), project)].filter(r => r !== undefined)
    if (!here.length) throw notFound()
    const found = await findAll(
      db,
      residency,
      scope,
      { order: 'id' },
      {
        where: [
          sql`t.room_id = any(${here.map(r => r.id)})`,
          sql`t.status in ${codes(residencyStatus, 'pending', 'living')}`,
        ],
      },
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
    return maskRows(
      listRoomResidents.output.fields,
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
  reads(listResidencyLog, ({ userId, roomId, roomCode, keyword: word, ...q }, { db, scope }) =>
    findPage(db, residencyLog, scope, q, {
      filters: defined(listResidencyLog.input.filters),
      where: [
        ...residencyConditions({ userId, roomId, roomCode }),
        ...(word ? [residencyKeywordFilter(scope.ownerId, word)] : []),
      ],
    }),
  ),

  writes(addResidency, async ({ userId, projectCode, attachments, ...draft }, { tx, scope, today }) => {
    const r = await requireDraftRoom(
      tx,
      scope,
      draft,
      draft.roomId ? projectCode : (projectCode ?? (scope.projectCode || undefined)),
    )
    const person = await requireResident(tx, scope, userId, true)
    if (person.state === 'gone') return refuse(`住户「${person.name}」已注销，请先在住户资料里恢复`)
    const [id] = await insertResidencies(tx, scope, today, [
      { person, room: r, draft: { ...draft, ...(attachments ? { attachments } : {}) } },
    ])
    return mask(residency.fields, defined((await findByIds(tx, residency, scope, [defined(id)]))[0]), scope)
  }),
  writes(editResidency, async ({ id, version, ...draft }, { tx, scope, today }) => {
    const [asked] = await findByIds(tx, residency, scope, [id])
    if (!asked) throw notFound()
    await findByIds(tx, room, scope, [asked.roomId], true)
    const [before] = await findByIds(tx, residency, scope, [id], true)
    if (defined(before).status === 'left') return refuse('已迁出的关系不能修改；如需恢复请用「再次入住」')
    const faults = residencyFaults(draft, today)
    if (faults.length) throw invalidInput(faults)
    const runs = defined(before).status === 'living'
    const isMain = draft.isMain ?? (defined(before).isMain && draft.relation === 'owner')
    const isPayer = draft.isPayer ?? defined(before).isPayer
    if (runs) {
      await releaseMainAndPayer(tx, scope, [
        {
          roomId: defined(before).roomId,
          isMain: isMain && !defined(before).isMain,
          isPayer: isPayer && !defined(before).isPayer,
        },
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
    const notes: ResidencyLogEntry[] = []
    const say = (action: ResidencyLogEntry['action'], detail?: string): void => {
      notes.push({ link: after, userName: after.userName ?? '', action, day: today, detail })
    }
    if (isMain && !defined(before).isMain) {
      say('mainSet')
    }
    if (isPayer && !defined(before).isPayer) {
      say('payerSet')
    }
    if (after.relation !== defined(before).relation) {
      say('edited', `${labelOf(relation, defined(before).relation)} → ${labelOf(relation, after.relation)}`)
    }
    if (after.inDate && after.inDate !== defined(before).inDate && runs) {
      say('movedIn')
    }
    await logResidencyChanges(tx, scope, notes)
    if (runs) {
      await syncRoomOccupancy(tx, scope, [after.roomId], {
        today,
        inDate: after.inDate,
        leaving: defined(before).inDate !== undefined && !after.inDate,
      })
    }
    return mask(residency.fields, after, scope)
  }),
  writes(deleteResidencies, async ({ ids, reason }, { tx, scope, today }) => {
    const found = await findByIds(tx, residency, scope, ids, true)
    const fixed = found.find(l => l.status !== 'pending' && l.status !== 'refused')
    if (fixed) return refuse(`${fixed.userName}在「${fixed.roomPath}」的关系已生效，请用「迁出」，历史会保留`)
    await logResidencyChanges(
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
      throw invalidInput([{ Field: 'Reason', Message: '驳回请填写原因（2 到 200 字）' }])
    if (inDate && inDate > today)
      throw invalidInput([{ Field: 'InDate', Message: '入住日期不能晚于今天，请到当天再办理' }])
    const asked = await findByIds(tx, residency, scope, ids)
    if (!asked.length) throw notFound()
    await findByIds(tx, room, scope, [...new Set(asked.map(l => l.roomId))], true)
    const found = await findByIds(tx, residency, scope, ids, true)
    const to = pass ? 'living' : 'refused'
    const bad = found.map(l => ({ l, fault: residencyStatusMachine.checkTransition(l.status, to) }))
    const good = bad.filter(b => !b.fault).map(b => b.l)
    const mains = pass
      ? await findRoomsWithMainOwner(
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
      await releaseMainAndPayer(tx, scope, settled)
    }
    const values = settled.map(l => ({ id: l.id, main: l.isMain, payer: l.isPayer }))
    await tx.execute(sql`
      update user_room u
      set status = ${pass ? 20 : 40},
        ${
          pass
            ? sql`is_main = r.main,
      is_payer = r.payer, in_date = coalesce(u.in_date, ${inDate ?? null}),`
            : sql`reject_reason = ${reason ?? null},`
        } audit_by = ${scope.operatorId},
        audit_time = now(), ${touch(scope, 'u')}
      from jsonb_to_recordset(${JSON.stringify(values)}::jsonb) as r(id bigint, main boolean, payer boolean)
      where u.owner_id = ${scope.ownerId} and u.id = r.id and u.status = ${code(residencyStatus, 'pending')}
    `)
    await logResidencyChanges(
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
      await syncRoomOccupancy(
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
        ...bad
          .filter(b => b.fault)
          .map(b => ({ id: b.l.id, code: b.l.userName ?? '', reason: defined(b.fault) })),
        ...gone.map(id => ({ id: Number(id), reason: notFound().message })),
      ],
    }
  }),
  writes(reapplyResidency, async ({ id }, { tx, scope, today }) => {
    const [l] = await findByIds(tx, residency, scope, [id], true)
    if (!l) throw notFound()
    const fault = residencyStatusMachine.checkTransition(l.status, 'pending')
    if (fault) return refuse(fault)
    const after = await update(tx, residency, scope, id, { status: 'pending', rejectReason: undefined })
    await logResidencyChanges(tx, scope, [
      { link: after, userName: after.userName ?? '', action: 'again', day: today },
    ])
    return mask(residency.fields, after, scope)
  }),
]
