import type { Day } from '#kit/domain/day.ts'
import { bulkResultOf, judgeRecords } from '#kit/server/bulk-result.ts'
import { defined } from '#kit/domain/defined.ts'
import { labelOf, codeOf } from '#kit/contract/field.ts'
import { notFound, refuse, invalidField, invalidInput } from '#kit/contract/wire.ts'
import { defineStateMachine } from '#kit/domain/state-machine.ts'
import { audit } from '#kit/server/audit.ts'
import { sql } from '#kit/server/db.ts'
import { reads, uniqueMessages, writes, type WriteContext } from '#kit/server/handler.ts'
import { publishRecordsWritten } from '#kit/server/record-events.ts'
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
import { touch } from '#kit/server/sql.ts'
import { room as roomEntity } from '#modules/rooms/contract/room.ts'
import {
  cardNumberOf,
  listCardTypes,
  listHolderCards,
  changeCardStates,
  deleteCards,
  identityCard,
  type IdentityCard,
  listCards,
  saveCard,
} from '../contract/card.ts'
import { cardState, cardType } from '../contract/labels.ts'
import {
  assertGroupsExist,
  assertHolderAllowed,
  endingCondition,
  holderConditions,
  holderKeywordFilter,
  publishFormerHolder,
} from './credential-holder.ts'
import { findCodesAmong } from './reader-numbers.ts'
import { isOver, validityFaults } from './validity.ts'

export const codeNumberText = '该卡号与使用中的通行码或邀请码相同，请更换卡片'

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

/** What was over is in use again once its last day is put off. */
export const renewedState = (
  before: IdentityCard,
  changed: Pick<IdentityCard, 'endDate'>,
  today: Day,
): IdentityCard['state'] =>
  before.state === 'expired' && isOver(before, today) && !isOver(changed, today) ? 'normal' : before.state

type CardDraft = Pick<IdentityCard, 'deposit' | 'remark'>

const textOf = (value: unknown): string => JSON.stringify(value ?? null)

/** Of an ended card the deposit is still to be returned: that it was is written down, and nothing else. */
function saveEnded(
  { tx, scope }: WriteContext,
  before: IdentityCard,
  fields: CardDraft,
  version: number | undefined,
): Promise<IdentityCard> {
  const { deposit, remark, ...others } = fields
  const stored = new Map<string, unknown>(Object.entries(before))
  if (Object.entries(others).some(([key, value]) => textOf(value) !== textOf(stored.get(key))))
    return refuse('已注销的卡只能修改押金、备注；换卡请重新发卡')
  if ((deposit ?? 0) > (before.deposit ?? 0))
    throw invalidInput([{ Field: 'Deposit', Message: '已注销的卡押金只能减少，全部退还后填 0' }])
  return update(tx, identityCard, scope, before.id, { deposit, remark }, { version })
}

/** ACS-1: a reader cannot tell a card from a code of the same number. */
async function assertNoCode({ tx, scope }: WriteContext, cardNo: string): Promise<void> {
  const { ownerId, time } = scope
  if ((await findCodesAmong(tx, { ownerId, time, numbers: [cardNo] })).has(cardNo))
    throw invalidField('CardNo', codeNumberText)
}

export const cardHandlers = [
  reads(listCards, ({ userId, staffId, roomId, keyword, endsSoon, ...query }, { db, scope, today }) =>
    findPage(db, identityCard, scope, query, {
      filters: defined(listCards.input.filters),
      where: [
        ...holderConditions({ userId, staffId, roomId }),
        ...endingCondition(endsSoon, today),
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
  writes(saveCard, async ({ id, version, ...draft }, c) => {
    const fields = { ...draft, cardNo: cardNumberOf(draft.cardNo) }
    const { tx, scope, today } = c
    const before = id ? await requireById(tx, identityCard, scope, id, { lock: true }) : undefined
    if (before?.state === 'ended') return saveEnded(c, before, fields, version)
    const dateFaults = validityFaults(fields, today, before)
    if (dateFaults.length) throw invalidInput(dateFaults)
    await assertGroupsExist(fields, c, before)
    if (before && cardNumberOf(before.cardNo) !== fields.cardNo)
      throw invalidInput([{ Field: 'CardNo', Message: '卡号保存后不能修改，换卡请注销旧卡后重新发卡' }])
    const projectCode = before?.projectCode ?? fields.projectCode
    await assertHolderAllowed(tx, scope, projectCode, fields, today, before)
    const room = fields.roomId ? (await findByIds(tx, roomEntity, scope, [fields.roomId]))[0] : undefined
    if (fields.roomId && room?.projectCode !== projectCode)
      throw invalidInput([{ Field: 'RoomID', Message: '房间不属于所选项目，请重新选择' }])
    const value = { ...fields, ...(before && { cardNo: before.cardNo }), buildCode: room?.buildCode }
    if (!before) {
      await assertNoCode(c, value.cardNo)
      return insert(tx, identityCard, scope, { ...value, state: 'normal', issueBy: scope.operatorId })
    }
    publishFormerHolder(tx, scope.ownerId, before, fields)
    const state = renewedState(before, fields, today)
    return update(tx, identityCard, scope, before.id, { ...value, projectCode, state }, { version })
  }),
  writes(changeCardStates, async ({ ids, state, reason }, { tx, scope, today }) => {
    if (state === 'ended' && [...(reason ?? '')].length < 2)
      throw invalidInput([{ Field: 'Reason', Message: '注销请填写原因（2 到 200 字）' }])
    const found = await findByIds(tx, identityCard, scope, ids, { lock: true })
    if (!found.length) throw notFound()
    const dateFault = (card: IdentityCard): string | undefined => {
      if (state === 'normal' && isOver(card, today)) return '已过有效期，请先修改失效日期'
      return state === 'expired' && !isOver(card, today) ? '未过有效期；停用请挂失或注销' : undefined
    }
    const { allowed, refused } = judgeRecords(
      found,
      c => cardStateMachine.checkTransition(c.state, state) ?? dateFault(c),
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
    publishRecordsWritten(tx, scope.ownerId, {
      entity: identityCard.name,
      action: 'update',
      ids: allowed.map(c => c.id),
    })
    return bulkResultOf(ids, found, refused)
  }),
  writes(deleteCards, async ({ ids, reason }, { tx, scope }) => {
    const cards = await findByIds(tx, identityCard, scope, ids, { lock: true })
    const activeCard = cards.find(card => card.state !== 'ended')
    if (activeCard) return refuse(`卡「${activeCard.cardNo}」尚未注销，请先注销`)
    const unreturned = cards.find(card => (card.deposit ?? 0) > 0)
    if (unreturned) return refuse(`卡「${unreturned.cardNo}」的押金未退还，请先退还并把押金改为 0`)
    await remove(tx, identityCard, scope, ids, reason)
  }),
]
