import type { Day } from '#kit/domain/day.ts'
import { defined } from '#kit/domain/defined.ts'
import { labelOf } from '#kit/contract/field.ts'
import { notFound, refuse, invalidInput } from '#kit/contract/wire.ts'
import { defineStateMachine } from '#kit/domain/state-machine.ts'
import { audit } from '#kit/server/audit.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import { reads, uniqueMessages, writes, type WriteContext } from '#kit/server/handler.ts'
import { checkPicture } from '#kit/server/picture.ts'
import type { Scope } from '#kit/server/scope.ts'
import { matchesSearchText } from '#kit/server/search-text.ts'
import { findByIds, insert, requireById, findPage, remove, findAll, update } from '#kit/server/table.ts'
import { live, touch, code } from '#kit/server/sql.ts'
import { codeOf } from '#kit/contract/field.ts'
import { room } from '#modules/rooms/contract/room.ts'
import {
  listCardTypes,
  listHolderCards,
  changeCardStates,
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
import { cardState, cardType, faceState } from '../contract/labels.ts'
import { findBlockReason } from './resident-block.ts'
import { requireResident } from './resident-access.ts'
import { staffState } from '#modules/staff/contract/labels.ts'

uniqueMessages({ identity_card_live: '该卡号已在使用，请核对卡号，或先注销旧卡' })

/** An ended card is issued anew, not woken. */
const cardStateMachine = defineStateMachine<keyof typeof cardState.rows>(
  {
    normal: ['lost', 'ended', 'expired'],
    lost: ['normal', 'ended'],
    expired: ['ended', 'normal'],
    ended: [],
  },
  { state: s => labelOf(cardState, s) },
)

type HolderQuery = { readonly userId?: number; readonly staffId?: number; readonly roomId?: number }

const holderConditions = ({ userId, staffId, roomId }: HolderQuery) => [
  ...(userId === undefined ? [] : [sql`t.user_id = ${userId}`]),
  ...(staffId === undefined ? [] : [sql`t.staff_id = ${staffId}`]),
  ...(roomId === undefined ? [] : [sql`t.room_id = ${roomId}`]),
]

/** Held by a resident or a colleague whom the word finds. */
const holderKeywordFilter = (owner: number, word: string) =>
  sql`(
    t.staff_id = any(
      array(
        select s.id
        from staff s
        where s.owner_id = ${owner} and ${live('s')} and ${matchesSearchText(word, 's')}
      )
    )
    or t.user_id = any(
      array(
        select p.id
        from resident p
        where p.owner_id = ${owner} and ${live('p')} and ${matchesSearchText(word, 'p')}
      )
    )
  )`

const assertValidDates = (d: { readonly beginDate?: string; readonly endDate?: string }): void => {
  if (d.beginDate && d.endDate && d.endDate < d.beginDate)
    throw invalidInput([{ Field: 'EndDate', Message: '失效日期不能早于生效日期' }])
}

/** Who a key is for: a resident whom nothing blocks (BASE-15), or a colleague. */
async function assertHolderAllowed(
  tx: Tx,
  scope: Scope,
  project: string,
  d: HolderQuery,
  today: Day,
): Promise<void> {
  if (!d.userId === !d.staffId)
    throw invalidInput([{ Field: 'UserID', Message: d.userId ? '住户和员工只能选一个' : '请选择持有人' }])
  if (d.staffId) {
    if (
      !(await tx.one(
        sql`
          select 1 as there
          from staff
          where owner_id = ${scope.ownerId}
            and id = ${d.staffId}
            and ${live()}
            and state <> ${code(staffState, 'left')}
        `,
      ))
    )
      throw invalidInput([{ Field: 'StaffID', Message: '员工不存在或已离职，请重新选择' }])
    return
  }
  const person = await requireResident(tx, scope, defined(d.userId))
  const why = await findBlockReason(
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

async function saveFaceKey(
  draft: NonNullable<typeof saveFace.input.T>,
  { tx, scope, app, today }: WriteContext,
): Promise<FaceKey> {
  const { id, version, ...d } = draft
  const before = id ? await requireById(tx, faceKey, scope, id, true) : undefined
  assertValidDates(d)
  await assertHolderAllowed(tx, scope, d.projectCode, d, today)
  const faults =
    before?.face === d.face ? [] : await checkPicture(app.files, scope.ownerId, d.face, 'FaceUrl', '人脸照片')
  if (faults.length) throw invalidInput(faults)
  // Another picture goes to the devices anew.
  if (before)
    return update(
      tx,
      faceKey,
      scope,
      defined(id),
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
    findPage(db, identityCard, scope, q, {
      filters: defined(listCards.input.filters),
      where: [
        ...holderConditions({ userId, staffId, roomId }),
        ...(word
          ? [
              sql`(
                t.card_no ilike ${`%${word.replace(/[\\%_]/g, c => `\\${c}`)}%`} escape '\\'
                or ${holderKeywordFilter(scope.ownerId, word)}
              )`,
            ]
          : []),
      ],
    }),
  ),
  reads(listHolderCards, (q, { db, scope }) =>
    q.userId || q.staffId || q.roomId
      ? findAll(db, identityCard, scope, {}, { where: holderConditions(q) })
      : refuse('请说明要看谁的卡'),
  ),
  reads(listCardTypes, async () =>
    Object.values(cardType.rows).map(r => ({ code: Number(r[0]), name: r[1] })),
  ),
  writes(saveCard, async ({ id, version, ...d }, { tx, scope, today }) => {
    assertValidDates(d)
    const before = id ? await requireById(tx, identityCard, scope, id, true) : undefined
    if (before?.state === 'ended') return refuse('已注销的卡不能修改，请重新发卡')
    if (before && before.cardNo !== d.cardNo)
      throw invalidInput([{ Field: 'CardNo', Message: '卡号保存后不能修改，换卡请注销旧卡后重新发卡' }])
    await assertHolderAllowed(tx, scope, d.projectCode, d, today)
    const r = d.roomId ? (await findByIds(tx, room, scope, [d.roomId]))[0] : undefined
    if (d.roomId && r?.projectCode !== d.projectCode)
      throw invalidInput([{ Field: 'RoomID', Message: '房间不属于所选项目，请重新选择' }])
    const value = { ...d, buildCode: r?.buildCode }
    return before
      ? update(tx, identityCard, scope, before.id, { ...value, projectCode: before.projectCode }, { version })
      : insert(tx, identityCard, scope, { ...value, state: 'normal', issueBy: scope.operatorId })
  }),
  writes(changeCardStates, async ({ ids, state, reason }, { tx, scope, today }) => {
    if (state === 'ended' && [...(reason ?? '')].length < 2)
      throw invalidInput([{ Field: 'Reason', Message: '注销请填写原因（2 到 200 字）' }])
    const found = await findByIds(tx, identityCard, scope, ids, true)
    if (!found.length) throw notFound()
    const bad = found.map(c => ({
      c,
      fault:
        cardStateMachine.checkTransition(c.state, state) ??
        (state === 'normal' && c.endDate && c.endDate < today ? '已过有效期，请先修改失效日期' : undefined),
    }))
    const good = bad.filter(b => !b.fault).map(b => b.c)
    await tx.execute(
      sql`
        update identity_card
        set state = ${codeOf(cardState, state)},
          end_reason = coalesce(${state === 'ended' ? (reason ?? null) : null}, end_reason),
          ${touch(scope)}
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
        ...bad.filter(b => b.fault).map(b => ({ id: b.c.id, code: b.c.cardNo, reason: defined(b.fault) })),
        ...gone.map(id => ({ id: Number(id), reason: notFound().message })),
      ],
    }
  }),
  writes(deleteCards, async ({ ids, reason }, { tx, scope }) => {
    const live = (await findByIds(tx, identityCard, scope, ids, true)).find(c => c.state !== 'ended')
    if (live) return refuse(`卡「${live.cardNo}」还没有注销，请先注销`)
    await remove(tx, identityCard, scope, ids, reason)
  }),

  reads(listFaces, ({ userId, keyword: word, ...q }, { db, scope }) =>
    findPage(db, faceKey, scope, q, {
      filters: defined(listFaces.input.filters),
      where: [
        sql`t.user_id is not null`,
        ...holderConditions(userId ? { userId } : {}),
        ...(word ? [holderKeywordFilter(scope.ownerId, word)] : []),
      ],
    }),
  ),
  reads(listStaffFaces, ({ staffId, ...q }, { db, scope }) =>
    findPage(db, faceKey, scope, q, {
      filters: defined(listStaffFaces.input.filters),
      where: [sql`t.staff_id is not null`, ...holderConditions(staffId ? { staffId } : {})],
    }),
  ),
  writes(saveFace, saveFaceKey),
  writes(saveStaffFace, saveFaceKey),
  // Devices forget it first; access control marks it away for good.
  writes(deleteFaces, async ({ ids, reason }, { tx, scope }) => {
    const found = await findByIds(tx, faceKey, scope, ids, true)
    if (!found.length) throw notFound()
    await tx.execute(
      sql`
        update face_key
        set state = ${code(faceState, 'gone')}, ${touch(scope)}
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
