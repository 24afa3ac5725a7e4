import { invalidInput, refuse, type FieldFault } from '#kit/contract/wire.ts'
import { crudHandlers, joinServers } from '#kit/server/crud.ts'
import { sql } from '#kit/server/db.ts'
import { reads, writes, type WriteContext } from '#kit/server/handler.ts'
import { code, notDeleted, touch } from '#kit/server/sql.ts'
import { insert, requireById, update } from '#kit/server/table.ts'
import { receiverKind } from '#modules/messaging/contract/choices.ts'
import { cancelMessages, queueMessages } from '#modules/messaging/server/public.ts'
import { findResidentsByIds } from '#modules/residents/server/public.ts'
import { noticeKind, noticeReceipt } from '../contract/choices.ts'
import {
  addAndPublishUserNotice,
  publishUserNotice,
  userNotice,
  userNotices,
  withdrawUserNotice,
  type UserNotice,
} from '../contract/direct.ts'
import { directEditFault, directPublishFault } from '../domain/states.ts'
import { paths } from '../module.ts'
import { directActions, isOwnOrAll, requireOwnOrAll } from './direct-notice.ts'
import { withReceiptCounts } from './receipt-counts.ts'
import { directSource } from './sources.ts'

type Draft = NonNullable<typeof userNotices.edit.input.T>

async function draftFaults(draft: Draft, c: WriteContext, before?: UserNotice): Promise<FieldFault[]> {
  if (before) {
    await requireOwnOrAll(c.tx, c.scope, 'user_notice', before.id)
    const fault = directEditFault(before.state)
    if (fault !== undefined) return refuse(fault)
  }
  const faults: FieldFault[] = []
  const found = await findResidentsByIds(c.tx, c.scope, draft.targetIds)
  if (found.length < new Set(draft.targetIds).size) {
    faults.push({ Field: 'TargetIDs', Message: '部分住户不存在，请重新选择' })
  }
  return faults
}

async function publish(c: WriteContext, notice: UserNotice): Promise<UserNotice> {
  const { tx, scope, now } = c
  const fault = directPublishFault(notice.state)
  if (fault !== undefined) return refuse(fault)
  const residents = await findResidentsByIds(tx, scope, notice.targetIds)
  if (!residents.length) return refuse('所选住户均不存在，请重新选择')
  await tx.rows(sql`
    insert into notice_receiver (
      owner_id, notice_kind, notice_id, receiver_kind, receiver_id, receipt, create_time, update_time,
      create_by, update_by
    )
    select ${scope.ownerId}::bigint, ${code(noticeKind, 'resident')}::smallint, ${notice.id}::bigint,
      ${code(receiverKind, 'resident')}::smallint, n.id, ${code(noticeReceipt, 'unread')}::smallint,
      ${scope.time}::timestamptz, ${scope.time}::timestamptz, ${scope.operatorId}::bigint,
      ${scope.operatorId}::bigint
    from unnest(${residents.map(({ id }) => id)}::bigint[]) n(id)
    on conflict do nothing
    returning id
  `)
  for (const channel of ['wechat', 'sms'] as const) {
    if (notice.channels.includes(channel)) {
      await queueMessages(c, {
        source: directSource.key,
        bizId: notice.id,
        channel,
        to: residents.map(({ id }) => ({ kind: 'resident', id })),
        message: { title: notice.title, text: notice.content },
        link: `${paths.residentNotice}?kind=resident&id=${notice.id}`,
      })
    }
  }
  return update(tx, userNotice, scope, notice.id, {
    state: 'published',
    publishTime: now,
    publisherName: scope.name,
  })
}

const { lock, withdraw } = directActions<UserNotice>({
  table: 'user_notice',
  findLocked: ({ tx, scope }, id) => requireById(tx, userNotice, scope, id, { lock: true }),
  retract: (c, id) => cancelMessages(c, directSource.key, id),
  save: ({ tx, scope }, id, values, reason) => update(tx, userNotice, scope, id, values, { reason }),
})

const counted = async (notice: UserNotice, { tx, scope }: WriteContext): Promise<UserNotice> =>
  (await withReceiptCounts([notice], { db: tx, scope }, 'resident'))[0] ?? notice

export const userNoticeServer = joinServers(
  crudHandlers(userNotices, {
    addSaves: true,
    byHand: ['get'],
    filter: (_, { scope }) => isOwnOrAll(scope),
    enrich: (rows, c) => withReceiptCounts(rows, c, 'resident'),
    references: { targetIds: { unchecked: 'checked with the data domain of residents' } },
    check: draftFaults,
    beforeDelete: async (rows, c) => {
      for (const { id } of rows) {
        await requireOwnOrAll(c.tx, c.scope, 'user_notice', id)
      }
    },
    afterDelete: async (rows, c) => {
      const ids = rows.map(row => row.id)
      await c.tx.execute(sql`
        update notice_receiver
        set delete_tag = 1, ${touch(c.scope)}
        where owner_id = ${c.scope.ownerId}
          and notice_kind = ${code(noticeKind, 'resident')}
          and notice_id = any(${ids}::bigint[])
          and ${notDeleted()}
      `)
      for (const id of ids) {
        await cancelMessages(c, directSource.key, id)
      }
    },
  }),
  {
    handlers: [
      reads(userNotices.get, async ({ id }, { db, scope }) => {
        await requireOwnOrAll(db, scope, 'user_notice', id)
        const notice = await requireById(db, userNotice, scope, id)
        return (await withReceiptCounts([notice], { db, scope }, 'resident'))[0] ?? notice
      }),
      writes(addAndPublishUserNotice, async ({ id, version: _version, ...draft }, c) => {
        if (id) return refuse('该通知已保存，请保存修改后点「发布」')
        const faults = await draftFaults(draft, c)
        if (faults.length) throw invalidInput(faults)
        const notice = await insert(c.tx, userNotice, c.scope, { ...draft, state: 'draft' })
        return counted(await publish(c, notice), c)
      }),
      writes(publishUserNotice, async ({ id }, c) => counted(await publish(c, await lock(c, id)), c)),
      writes(withdrawUserNotice, async ({ id, reason }, c) => counted(await withdraw(c, id, reason), c)),
    ],
  },
)
