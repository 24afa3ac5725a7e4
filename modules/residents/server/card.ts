import { labelOf } from '#kit/contract/field.ts'
import { absent, refuse, wrong } from '#kit/contract/wire.ts'
import { machine } from '#kit/domain/machine.ts'
import { audit } from '#kit/server/audit.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import { reads, uniqueSays, writes, type Writing } from '#kit/server/handle.ts'
import { pictureFault } from '#kit/server/picture.ts'
import type { Scope } from '#kit/server/scope.ts'
import { soughtBy } from '#kit/server/sought.ts'
import { byIds, insert, need, page, remove, rows, update } from '#kit/server/table.ts'
import { codeOf } from '#kit/contract/field.ts'
import { room } from '#modules/rooms/contract/room.ts'
import {
  cardTypes,
  cardsOf,
  changeCards,
  deleteCards,
  deleteFaces,
  faceKey,
  identityCard,
  listCards,
  listFaces,
  listStaffFaces,
  saveCard,
  saveFace,
  saveStaffFace,
  type FaceKey,
} from '../contract/card.ts'
import { cardState, cardType } from '../contract/words.ts'
import { blockedFrom } from './block.ts'
import { needResident } from './visible.ts'

uniqueSays({ identity_card_live: '该卡号已在使用，请核对卡号，或先注销旧卡' })

/** An ended card is issued anew, not woken. */
const cardStates = machine<keyof typeof cardState.rows>(
  {
    normal: ['lost', 'ended', 'expired'],
    lost: ['normal', 'ended'],
    expired: ['ended', 'normal'],
    ended: [],
  },
  { state: s => labelOf(cardState, s) },
)

type Of = { readonly userId?: number; readonly staffId?: number; readonly roomId?: number }

const of = ({ userId, staffId, roomId }: Of) => [
  ...(userId === undefined ? [] : [sql`t.user_id = ${userId}`]),
  ...(staffId === undefined ? [] : [sql`t.staff_id = ${staffId}`]),
  ...(roomId === undefined ? [] : [sql`t.room_id = ${roomId}`]),
]

/** Held by a resident or a colleague whom the word finds. */
const heldBy = (owner: number, word: string) =>
  sql`(
    t.staff_id = any(
      array(
        select s.id from staff s where s.owner_id = ${owner} and s.delete_tag = 0 and ${soughtBy(word, 's')}
      )
    )
    or t.user_id = any(
      array(
        select p.id
        from resident p
        where p.owner_id = ${owner} and p.delete_tag = 0 and ${soughtBy(word, 'p')}
      )
    )
  )`

const valid = (d: { readonly beginDate?: string; readonly endDate?: string }): void => {
  if (d.beginDate && d.endDate && d.endDate < d.beginDate)
    throw wrong([{ Field: 'EndDate', Message: '失效日期不能早于生效日期' }])
}

/** Who a key is for: a resident whom nothing blocks (BASE-15), or a colleague. */
async function holder(tx: Tx, scope: Scope, project: string, d: Of, today: string): Promise<void> {
  if (!d.userId === !d.staffId)
    throw wrong([{ Field: 'UserID', Message: d.userId ? '住户和员工只能选一个' : '请选择持有人' }])
  if (d.staffId) {
    if (
      !(await tx.one(
        sql`
          select 1 as there
          from staff
          where owner_id = ${scope.ownerId} and id = ${d.staffId} and delete_tag = 0 and state <> 30
        `,
      ))
    )
      throw wrong([{ Field: 'StaffID', Message: '员工不存在或已离职，请重新选择' }])
    return
  }
  const person = await needResident(tx, scope, d.userId!)
  const why = await blockedFrom(
    tx,
    scope.ownerId,
    project,
    'door',
    { userId: person.id, mobile: person.mobile, certNo: person.certNo },
    today,
  )
  if (why) return refuse(`「${person.name}」在黑名单里（${why}），不能发放门禁；请先移出黑名单`)
  if (person.state === 'gone') return refuse(`住户「${person.name}」已注销，不能发放门禁`)
}

async function saveFaceOf(
  draft: NonNullable<typeof saveFace.input.T>,
  { tx, scope, world, today }: Writing,
): Promise<FaceKey> {
  const { id, version, ...d } = draft
  const before = id ? await need(tx, faceKey, scope, id, true) : undefined
  valid(d)
  await holder(tx, scope, d.projectCode, d, today)
  const faults =
    before?.face === d.face
      ? []
      : await pictureFault(world.files, scope.ownerId, d.face, 'FaceUrl', '人脸照片')
  if (faults.length) throw wrong(faults)
  // Another picture goes to the devices anew.
  if (before)
    return update(
      tx,
      faceKey,
      scope,
      id!,
      {
        ...d,
        projectCode: before.projectCode,
        ...(before.face === d.face ? {} : { state: 'waiting', failReason: undefined, quality: undefined }),
      },
      { version },
    )
  return insert(tx, faceKey, scope, { ...d, state: 'waiting' })
}

export const cardHandlers = [
  reads(listCards, ({ userId, staffId, roomId, keyword: word, ...q }, { db, scope }) =>
    page(db, identityCard, scope, q, {
      filters: listCards.input.filters!,
      where: [
        ...of({ userId, staffId, roomId } as Of),
        ...(word
          ? [
              sql`(
                t.card_no ilike ${`%${word.replace(/[\\%_]/g, c => `\\${c}`)}%`} escape '\\'
                or ${heldBy(scope.ownerId, word)}
              )`,
            ]
          : []),
      ],
    }),
  ),
  reads(cardsOf, (q, { db, scope }) =>
    q.userId || q.staffId || q.roomId
      ? rows(db, identityCard, scope, {}, { where: of(q) })
      : refuse('请说明要看谁的卡'),
  ),
  reads(cardTypes, async () => Object.values(cardType.rows).map(r => ({ code: Number(r[0]), name: r[1] }))),
  writes(saveCard, async ({ id, version, ...d }, { tx, scope, today }) => {
    valid(d)
    const before = id ? await need(tx, identityCard, scope, id, true) : undefined
    if (before?.state === 'ended') return refuse('已注销的卡不能修改，请重新发卡')
    if (before && before.cardNo !== d.cardNo)
      throw wrong([{ Field: 'CardNo', Message: '卡号保存后不能修改，换卡请注销旧卡后重新发卡' }])
    await holder(tx, scope, d.projectCode, d, today)
    const r = d.roomId ? (await byIds(tx, room, scope, [d.roomId]))[0] : undefined
    if (d.roomId && r?.projectCode !== d.projectCode)
      throw wrong([{ Field: 'RoomID', Message: '房间不属于所选项目，请重新选择' }])
    const value = { ...d, buildCode: r?.buildCode }
    return before
      ? update(tx, identityCard, scope, before.id, { ...value, projectCode: before.projectCode }, { version })
      : insert(tx, identityCard, scope, { ...value, state: 'normal', issueBy: scope.operatorId })
  }),
  writes(changeCards, async ({ ids, state, reason }, { tx, scope, today }) => {
    if (state === 'ended' && [...(reason ?? '')].length < 2)
      throw wrong([{ Field: 'Reason', Message: '注销请填写原因（2 到 200 字）' }])
    const found = await byIds(tx, identityCard, scope, ids, true)
    if (!found.length) throw absent()
    const bad = found.map(c => ({
      c,
      fault:
        cardStates.check(c.state, state) ??
        (state === 'normal' && c.endDate && c.endDate < today ? '已过有效期，请先修改失效日期' : undefined),
    }))
    const good = bad.filter(b => !b.fault).map(b => b.c)
    await tx.run(
      sql`
        update identity_card
        set state = ${codeOf(cardState, state)},
          end_reason = coalesce(${state === 'ended' ? (reason ?? null) : null}, end_reason),
          version = version + 1, update_time = now(), update_by = ${scope.operatorId}
        where owner_id = ${scope.ownerId} and id = any(${good.map(c => c.id)})
      `,
    )
    await audit(
      tx,
      scope,
      good.map(c => ({
        action: 'state',
        entity: 'identityCard',
        entityId: c.id,
        projectCode: c.projectCode,
        before: { state: c.state },
        after: { state },
        reason,
      })),
    )
    const gone = ids.filter(id => !found.some(c => c.id === Number(id)))
    return {
      success: good.length,
      fail: ids.length - good.length,
      skipped: 0,
      rows: [
        ...bad.filter(b => b.fault).map(b => ({ id: b.c.id, code: b.c.cardNo, reason: b.fault! })),
        ...gone.map(id => ({ id: Number(id), reason: absent().message })),
      ],
    }
  }),
  writes(deleteCards, async ({ ids, reason }, { tx, scope }) => {
    const live = (await byIds(tx, identityCard, scope, ids, true)).find(c => c.state !== 'ended')
    if (live) return refuse(`卡「${live.cardNo}」还没有注销，请先注销`)
    await remove(tx, identityCard, scope, ids, reason)
  }),

  reads(listFaces, ({ userId, keyword: word, ...q }, { db, scope }) =>
    page(db, faceKey, scope, q, {
      filters: listFaces.input.filters!,
      where: [
        sql`t.user_id is not null`,
        ...of(userId ? { userId } : {}),
        ...(word ? [heldBy(scope.ownerId, word)] : []),
      ],
    }),
  ),
  reads(listStaffFaces, ({ staffId, ...q }, { db, scope }) =>
    page(db, faceKey, scope, q, {
      filters: listStaffFaces.input.filters!,
      where: [sql`t.staff_id is not null`, ...of(staffId ? { staffId } : {})],
    }),
  ),
  writes(saveFace, saveFaceOf),
  writes(saveStaffFace, saveFaceOf),
  // Devices forget it first; access control marks it away for good.
  writes(deleteFaces, async ({ ids, reason }, { tx, scope }) => {
    const found = await byIds(tx, faceKey, scope, ids, true)
    if (!found.length) throw absent()
    await tx.run(
      sql`
        update face_key
        set state = 40, version = version + 1, update_time = now(), update_by = ${scope.operatorId}
        where owner_id = ${scope.ownerId} and id = any(${found.map(f => f.id)})
      `,
    )
    await remove(
      tx,
      faceKey,
      scope,
      found.map(f => f.id),
      reason,
    )
  }),
]
