import { refuse, type FieldFault } from '#kit/contract/wire.ts'
import { isEmptyRichText } from '#kit/contract/rich-text.ts'
import { crudHandlers, joinServers } from '#kit/server/crud.ts'
import { sql } from '#kit/server/db.ts'
import { asFen } from '#kit/domain/money.ts'
import { reads, writes, type WriteContext } from '#kit/server/handler.ts'
import { prepareRichText } from '#kit/server/rich-text.ts'
import { code, codes, notDeleted, touch } from '#kit/server/sql.ts'
import { requireById, update } from '#kit/server/table.ts'
import type { Id } from '#kit/domain/id.ts'
import {
  activities,
  activity,
  cancelActivity,
  getPlaceCode,
  publishActivity,
  type Activity,
} from '../contract/activity.ts'
import { cancelSource, signPayState, signState } from '../contract/choices.ts'
import {
  cancelFault,
  deleteFault,
  editFault,
  numberFaults,
  publishFault,
  timeFaults,
} from '../domain/activity.ts'
import { hasFee } from '../domain/fee.ts'
import { placeUrlOf } from './activity-link.ts'
import { abolishBills } from './fee-bills.ts'
import { feeItemFaults, refuseOpenFees } from './fee-item.ts'
import { followBills } from './follow-bills.ts'
import { notifyCancelled } from './messages.ts'
import { moveUpAndNotify } from './move-up.ts'
import { pinHandler } from './pin.ts'
import { lockActivity } from './places.ts'

type Draft = NonNullable<typeof activities.edit.input.T>

/** Nobody would see an activity for a building that is not there. */
async function buildingFaults(
  { projectCode, buildCodes = [] }: Draft,
  { tx, scope }: WriteContext,
): Promise<FieldFault[]> {
  if (!buildCodes.length) return []
  const found = await tx.rows<{ code: string }>(sql`
    select code
    from building
    where owner_id = ${scope.ownerId}
      and project_code = ${projectCode}
      and code = any(${[...buildCodes]}::text[])
      and ${notDeleted()}
  `)
  const known = new Set(found.map(row => row.code))
  const missing = buildCodes.filter(buildCode => !known.has(buildCode))
  if (!missing.length) return []
  return [{ Field: 'Buildcodes', Message: `楼栋「${missing.join('、')}」不存在，请重新选择` }]
}

async function draftFaults(
  draft: Draft,
  c: WriteContext,
  before: Activity | undefined,
): Promise<FieldFault[]> {
  const fault = before && editFault(before)
  if (fault !== undefined) return refuse(fault)
  // Who signs up at the same time does so before or after the change, not in between.
  const current = before && (await lockActivity(c, before.id))
  return [
    ...timeFaults(draft),
    ...numberFaults(draft, current),
    ...(await feeItemFaults(c, draft, current)),
    ...(await buildingFaults(draft, c)),
    ...(isEmptyRichText(draft.content) ? [{ Field: 'Content', Message: '请填写活动内容' }] : []),
  ]
}

/** The text as it may be shown to residents, and its pictures. */
async function storedContent({ app, scope }: WriteContext, content: string, before: Activity | undefined) {
  const { html, fileKeys } = await prepareRichText(app, scope, content, before?.contentFiles)
  return { content: html, contentFiles: fileKeys }
}

interface CancelledSign {
  readonly userId: Id
  /** Money goes back. */
  readonly isPaid: boolean
}

/** All who signed up or wait lose their place with the activity. Returns their residents. */
async function cancelSigns(of: Activity, reason: string, c: WriteContext): Promise<readonly CancelledSign[]> {
  const { tx, scope } = c
  const { id } = of
  const coming = await tx.rows<{ id: Id }>(sql`
    select id
    from activity_sign
    where owner_id = ${scope.ownerId}
      and activity_id = ${id}
      and state <> ${code(signState, 'cancelled')}
      and ${notDeleted()}
    order by id
  `)
  const billedIds = hasFee(of) ? coming.map(sign => sign.id) : []
  await abolishBills(c, billedIds, { by: 'activity', reason: `活动已取消：${reason}` })
  const cancelled = await tx.rows<{ id: Id }>(sql`
    update activity_sign
    set state = ${code(signState, 'cancelled')}, cancel_time = ${scope.time}::timestamptz,
      cancel_by = ${code(cancelSource, 'activity')}, cancel_reason = ${reason}, ${touch(scope)}
    where owner_id = ${scope.ownerId}
      and activity_id = ${id}
      and state in ${codes(signState, 'signed', 'waiting', 'checkedIn')}
      and ${notDeleted()}
    returning id
  `)
  await followBills(tx, scope, billedIds)
  return tx.rows<CancelledSign>(sql`
    select user_id, pay_state is not distinct from ${code(signPayState, 'refundDue')} as is_paid
    from activity_sign
    where owner_id = ${scope.ownerId} and id = any(${cancelled.map(sign => sign.id)}::bigint[])
    order by id
  `)
}

/** What is free has no item. */
const feeTerms = (draft: Draft) => (hasFee(draft) ? {} : { fee: asFen(0), feeItemId: undefined })

async function cancel(id: Id, reason: string, c: WriteContext): Promise<Activity> {
  const { tx, scope, now } = c
  const before = await lockActivity(c, id)
  const fault = cancelFault(before)
  if (fault !== undefined) return refuse(fault)
  const cancelledSigns = await cancelSigns(before, reason, c)
  const cancelled = await update(
    tx,
    activity,
    scope,
    id,
    {
      state: 'cancelled',
      topSort: 0,
      signCount: 0,
      waitCount: 0,
      checkInCount: 0,
      cancelTime: now,
      cancelReason: reason,
    },
    { reason },
  )
  for (const [isPaid, signs] of Map.groupBy(cancelledSigns, sign => sign.isPaid)) {
    await notifyCancelled(
      c,
      cancelled,
      signs.map(({ userId }) => userId),
      { reason, isPaid },
    )
  }
  return cancelled
}

export const activityServer = joinServers(
  crudHandlers(activities, {
    addSaves: true,
    pictures: ['cover'],
    references: {
      buildCodes: { unchecked: 'the reference names the project of the record' },
      feeItemId: { unchecked: 'feeItemFaults asks for its kind' },
    },
    refusesChangeOf: ['projectCode'],
    check: draftFaults,
    beforeInsert: async (draft, c) => ({
      ...(await storedContent(c, draft.content, undefined)),
      ...feeTerms(draft),
      signCount: 0,
      waitCount: 0,
      checkInCount: 0,
      topSort: 0,
      state: 'draft',
    }),
    beforeUpdate: async (draft, c, before) => ({
      ...(await storedContent(c, draft.content, before)),
      ...feeTerms(draft),
    }),
    // More places than before are for those who wait.
    afterUpdate: async (row, c) => {
      await lockActivity(c, row.id)
      await moveUpAndNotify(c, row)
    },
    beforeDelete: async (rows, c) => {
      const fault = rows.map(deleteFault).find(each => each !== undefined)
      if (fault !== undefined) refuse(fault)
      await refuseOpenFees(rows, c)
    },
    afterDelete: async (rows, { tx, scope }) => {
      await tx.execute(sql`
        update activity_sign
        set delete_tag = 1, ${touch(scope)}
        where owner_id = ${scope.ownerId}
          and activity_id = any(${rows.map(({ id }) => id)}::bigint[])
          and ${notDeleted()}
      `)
    },
  }),
  {
    handlers: [
      writes(publishActivity, async ({ id }, { tx, scope, now }) => {
        const before = await requireById(tx, activity, scope, id, { lock: true })
        const fault = publishFault(before, now)
        if (fault !== undefined) refuse(fault)
        const [itemFault] = await feeItemFaults({ tx, scope }, before, undefined)
        if (itemFault) refuse(`${itemFault.Message}后发布`)
        return update(tx, activity, scope, id, {
          state: 'published',
          publishTime: now,
          publisherName: scope.name,
        })
      }),
      writes(cancelActivity, ({ id, reason }, c) => cancel(id, reason, c)),
      pinHandler,
      reads(getPlaceCode, async ({ id }, { db, scope, app }) => {
        const { state } = await requireById(db, activity, scope, id)
        if (state !== 'published') refuse('活动未发布或已结束，没有签到码')
        return { url: await placeUrlOf(app, scope.ownerId, id) }
      }),
    ],
  },
)
