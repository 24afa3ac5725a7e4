import { bulkResultOf, judgeRecords } from '#kit/server/bulk-result.ts'
import { type Id } from '#kit/domain/id.ts'
import type { Day } from '#kit/domain/day.ts'
import { defined } from '#kit/domain/defined.ts'
import { labelOf, codeOf } from '#kit/contract/field.ts'
import { notFound, refuse, invalidInput } from '#kit/contract/wire.ts'
import { defineStateMachine } from '#kit/domain/state-machine.ts'
import { audit } from '#kit/server/audit.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import { reads, uniqueMessages, writes, type WriteContext } from '#kit/server/handler.ts'
import { checkPicture } from '#kit/server/picture.ts'
import type { Scope } from '#kit/server/scope.ts'
import { matchesSearchText } from '#kit/server/search-text.ts'
import {
  contains,
  findByIds,
  insert,
  orBuildingName,
  requireById,
  findPage,
  remove,
  findAll,
  update,
} from '#kit/server/table.ts'
import { notDeleted, touch, code } from '#kit/server/sql.ts'
import { room as roomEntity } from '#modules/rooms/contract/room.ts'
import {
  listCardTypes,
  listHolderCards,
  changeCardStates,
  deleteCards,
  deleteFaces,
  faceKey,
  identityCard,
  type IdentityCard,
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
import { requireResident, residentDomainFilter } from './resident-access.ts'
import { residentIdsByKeyword } from './resident-filters.ts'
import { staffState } from '#modules/staff/contract/labels.ts'

uniqueMessages({ identity_card_live: '该卡号已在使用，请核对卡号，或先注销旧卡' })

/** An ended card is issued again, not reactivated. */
const cardStateMachine = defineStateMachine<keyof typeof cardState.rows>(
  {
    normal: ['lost', 'ended', 'expired'],
    lost: ['normal', 'ended'],
    expired: ['ended', 'normal'],
    ended: [],
  },
  { state: s => labelOf(cardState, s) },
)

type HolderQuery = { readonly userId?: Id; readonly staffId?: Id; readonly roomId?: Id }

const holderConditions = ({ userId, staffId, roomId }: HolderQuery) => [
  ...(userId === undefined ? [] : [sql`t.user_id = ${userId}`]),
  ...(staffId === undefined ? [] : [sql`t.staff_id = ${staffId}`]),
  ...(roomId === undefined ? [] : [sql`t.room_id = ${roomId}`]),
]

/** A face is seen by those who see its resident (PERM-6). */
const visibleHolders = (scope: Scope) =>
  residentDomainFilter(scope).map(
    condition =>
      sql`t.user_id in (select t.id from resident t where t.owner_id = ${scope.ownerId} and ${condition})`,
  )

/** Held by a colleague, or a resident, whom the word finds. */
const holderKeywordFilter = (ownerId: Id, keyword: string) =>
  sql`(
    t.staff_id = any(
      array(
        select s.id
        from staff s
        where s.owner_id = ${ownerId} and ${notDeleted('s')} and ${matchesSearchText(keyword, 's')}
      )
    )
    or t.user_id = any(array(${residentIdsByKeyword(ownerId, keyword)}))
  )`

const assertValidDates = (fields: { readonly beginDate?: string; readonly endDate?: string }): void => {
  if (fields.beginDate && fields.endDate && fields.endDate < fields.beginDate)
    throw invalidInput([{ Field: 'EndDate', Message: '失效日期不能早于生效日期' }])
}

/** Who a key is for: a resident whom nothing blocks (BASE-15), or a colleague. */
async function assertHolderAllowed(
  tx: Tx,
  scope: Scope,
  project: string,
  fields: HolderQuery,
  today: Day,
): Promise<void> {
  if (!fields.userId === !fields.staffId)
    throw invalidInput([
      { Field: 'UserID', Message: fields.userId ? '住户和员工只能选一个' : '请选择持有人' },
    ])
  if (fields.staffId) {
    if (
      !(await tx.one(
        sql`
          select 1 as found
          from staff
          where owner_id = ${scope.ownerId}
            and id = ${fields.staffId}
            and ${notDeleted()}
            and state <> ${code(staffState, 'left')}
        `,
      ))
    )
      throw invalidInput([{ Field: 'StaffID', Message: '员工不存在或已离职，请重新选择' }])
    return
  }
  const person = await requireResident(tx, scope, defined(fields.userId))
  const blockReason = await findBlockReason(
    tx,
    scope.ownerId,
    project,
    'access',
    { userId: person.id, mobile: person.mobile, certNo: person.certNo },
    today,
  )
  if (blockReason)
    return refuse(`「${person.name}」在黑名单中（${blockReason}），不能发放门禁；请先移出黑名单`)
  if (person.state === 'cancelled') return refuse(`住户「${person.name}」已注销，不能发放门禁`)
}

async function saveFaceKey(
  draft: NonNullable<typeof saveFace.input.T>,
  { tx, scope, app, today }: WriteContext,
): Promise<FaceKey> {
  const { id, version, ...fields } = draft
  const before = id ? await requireById(tx, faceKey, scope, id, { lock: true }) : undefined
  assertValidDates(fields)
  await assertHolderAllowed(tx, scope, fields.projectCode, fields, today)
  const faults =
    before?.face === fields.face
      ? []
      : await checkPicture(app.files, scope.ownerId, fields.face, 'FaceUrl', '人脸照片')
  if (faults.length) throw invalidInput(faults)
  // Another picture goes to the devices again.
  if (before)
    return update(
      tx,
      faceKey,
      scope,
      defined(id),
      {
        ...fields,
        projectCode: before.projectCode,
        ...(before.face === fields.face
          ? {}
          : { state: 'waiting', failReason: undefined, quality: undefined }),
      },
      { version },
    )
  return insert(tx, faceKey, scope, { ...fields, state: 'waiting' })
}

export const cardHandlers = [
  reads(listCards, ({ userId, staffId, roomId, keyword, ...query }, { db, scope }) =>
    findPage(db, identityCard, scope, query, {
      filters: defined(listCards.input.filters),
      where: [
        ...holderConditions({ userId, staffId, roomId }),
        ...(keyword
          ? [
              orBuildingName(
                identityCard,
                scope.ownerId,
                keyword,
                word => sql`${contains(sql`t.card_no`, word)} or ${holderKeywordFilter(scope.ownerId, word)}`,
              ),
            ]
          : []),
      ],
    }),
  ),
  reads(listHolderCards, (query, { db, scope }) =>
    query.userId || query.staffId || query.roomId
      ? findAll(db, identityCard, scope, {}, { where: holderConditions(query) })
      : refuse('请指定持卡人'),
  ),
  reads(listCardTypes, async () =>
    Object.values(cardType.rows).map(([typeCode, name]) => ({ code: Number(typeCode), name })),
  ),
  writes(saveCard, async ({ id, version, ...fields }, { tx, scope, today }) => {
    assertValidDates(fields)
    const before = id ? await requireById(tx, identityCard, scope, id, { lock: true }) : undefined
    if (before?.state === 'ended') return refuse('已注销的卡不能修改，请重新发卡')
    if (before && before.cardNo !== fields.cardNo)
      throw invalidInput([{ Field: 'CardNo', Message: '卡号保存后不能修改，换卡请注销旧卡后重新发卡' }])
    await assertHolderAllowed(tx, scope, fields.projectCode, fields, today)
    const room = fields.roomId ? (await findByIds(tx, roomEntity, scope, [fields.roomId]))[0] : undefined
    if (fields.roomId && room?.projectCode !== fields.projectCode)
      throw invalidInput([{ Field: 'RoomID', Message: '房间不属于所选项目，请重新选择' }])
    const value = { ...fields, buildCode: room?.buildCode }
    return before
      ? update(tx, identityCard, scope, before.id, { ...value, projectCode: before.projectCode }, { version })
      : insert(tx, identityCard, scope, { ...value, state: 'normal', issueBy: scope.operatorId })
  }),
  writes(changeCardStates, async ({ ids, state, reason }, { tx, scope, today }) => {
    if (state === 'ended' && [...(reason ?? '')].length < 2)
      throw invalidInput([{ Field: 'Reason', Message: '注销请填写原因（2 到 200 字）' }])
    const found = await findByIds(tx, identityCard, scope, ids, { lock: true })
    if (!found.length) throw notFound()
    const isOver = (c: IdentityCard): boolean =>
      state === 'normal' && c.endDate !== undefined && c.endDate < today
    const { allowed, refused } = judgeRecords(
      found,
      c =>
        cardStateMachine.checkTransition(c.state, state) ??
        (isOver(c) ? '已过有效期，请先修改失效日期' : undefined),
      c => c.cardNo,
    )
    await tx.execute(
      sql`
        update identity_card
        set state = ${codeOf(cardState, state)},
          end_reason = coalesce(${state === 'ended' ? (reason ?? null) : null}, end_reason),
          ${touch(scope)}
        where owner_id = ${scope.ownerId} and id = any(${allowed.map(c => c.id)})
      `,
    )
    await audit(
      tx,
      scope,
      allowed.map(c => ({
        action: 'state',
        entity: 'identityCard',
        entityId: c.id,
        projectCode: c.projectCode,
        before: { state: c.state },
        after: { state },
        reason,
      })),
    )
    return bulkResultOf(ids, found, refused)
  }),
  writes(deleteCards, async ({ ids, reason }, { tx, scope }) => {
    const activeCard = (await findByIds(tx, identityCard, scope, ids, { lock: true })).find(
      c => c.state !== 'ended',
    )
    if (activeCard) return refuse(`卡「${activeCard.cardNo}」尚未注销，请先注销`)
    await remove(tx, identityCard, scope, ids, reason)
  }),

  reads(listFaces, ({ userId, keyword, ...query }, { db, scope }) =>
    findPage(db, faceKey, scope, query, {
      filters: defined(listFaces.input.filters),
      where: [
        sql`t.user_id is not null`,
        ...visibleHolders(scope),
        ...holderConditions(userId ? { userId } : {}),
        ...(keyword ? [holderKeywordFilter(scope.ownerId, keyword)] : []),
      ],
    }),
  ),
  reads(listStaffFaces, ({ staffId, ...query }, { db, scope }) =>
    findPage(db, faceKey, scope, query, {
      filters: defined(listStaffFaces.input.filters),
      where: [sql`t.staff_id is not null`, ...holderConditions(staffId ? { staffId } : {})],
    }),
  ),
  writes(saveFace, saveFaceKey),
  writes(saveStaffFace, saveFaceKey),
  // Devices forget it first; access control marks it away for good.
  writes(deleteFaces, async ({ ids, reason }, { tx, scope }) => {
    const found = await findByIds(tx, faceKey, scope, ids, { lock: true })
    if (!found.length) throw notFound()
    await tx.execute(
      sql`
        update face_key
        set state = ${code(faceState, 'deleted')}, ${touch(scope)}
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
