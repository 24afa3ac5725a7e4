import { parseId, type Id } from '#kit/domain/id.ts'
import { sql } from '#kit/server/db.ts'
import { reads, writes } from '#kit/server/handler.ts'
import { findByIds, findPage, update, requireById } from '#kit/server/table.ts'
import { codes, notDeleted, touch, code } from '#kit/server/sql.ts'
import { refuse, staleVersion } from '#kit/contract/wire.ts'
import { feeNotice } from '../contract/notice.ts'
import {
  confirmLettersPrinted,
  listNotices,
  recordNoticeResult,
  noticeFilters,
  resendNotices,
} from '../contract/reminder.ts'
import { countReminders } from './reminder-notices.ts'
import { billState, payState, reminderChannel, reminderState } from '../contract/choices.ts'

export const noticeHandlers = [
  reads(listNotices, ({ sourceCode, promised, ...query }, { db, scope }) =>
    findPage(db, feeNotice, scope, query, {
      filters: noticeFilters,
      sums: ['totalAmount'],
      where: [
        ...(sourceCode === undefined ? [] : [sql`t.source_code = ${sourceCode}`]),
        ...(promised === undefined ? [] : [sql`(t.promise_date is not null) = ${promised}`]),
      ],
    }),
  ),
  writes(
    recordNoticeResult,
    async ({ id, version, promiseDate, clearPromise, remark, clearRemark }, { tx, scope, today }) => {
      if (promiseDate !== undefined && promiseDate < today) return refuse('承诺缴费日不能早于今天')
      const notice = await requireById(tx, feeNotice, scope, id, { lock: true })
      if (version !== undefined && version !== notice.version) throw staleVersion()
      const after = await update(tx, feeNotice, scope, id, {
        ...(promiseDate ? { promiseDate } : clearPromise ? { promiseDate: undefined } : {}),
        ...(remark !== undefined ? { remark } : clearRemark ? { remark: undefined } : {}),
      })
      // A promise is cleared only on bills that still have this one.
      if (promiseDate ?? (clearPromise && notice.promiseDate)) {
        await tx.execute(
          sql`
            update bill
            set promise_date = ${promiseDate ?? null}::date, ${touch(scope)}
            where owner_id = ${scope.ownerId}
              and id = any(${notice.billIds.map(parseId)})
              and state = ${code(billState, 'normal')}
              and pay_state = ${code(payState, 'unpaid')}
              and ${notDeleted()} ${promiseDate ? sql`` : sql`and promise_date = ${notice.promiseDate ?? null}::date`}
          `,
        )
      }
      return after
    },
  ),
  writes(confirmLettersPrinted, async ({ ids }, { tx, scope, now }) => {
    const printed = await tx.rows<{ id: Id; billIds: readonly string[] }>(sql`
      update fee_notice
      set state = ${code(reminderState, 'sent')}, send_time = ${now}::timestamptz, ${touch(scope)}
      where owner_id = ${scope.ownerId}
        and id = any(${(await findByIds(tx, feeNotice, scope, ids, { lock: true })).map(n => n.id)})
        and channel in ${codes(reminderChannel, 'letter', 'lawyer')}
        and state = ${code(reminderState, 'queued')}
      returning id, bill_ids
    `)
    await countReminders(
      tx,
      scope,
      printed.flatMap(n => n.billIds.map(parseId)),
      now,
    )
    const done = new Set(printed.map(n => n.id))
    const rest = ids
      .map(parseId)
      .filter(id => !done.has(id))
      .map(id => ({ id, reason: '不是待打印的催缴函' }))
    return { success: done.size, fail: 0, skipped: rest.length, rows: rest }
  }),
  writes(resendNotices, async ({ ids }, { tx, scope, app }) => {
    const found = await findByIds(tx, feeNotice, scope, ids, { lock: true })
    const sendable = found.filter(notice => notice.state === 'failed')
    const foundIds = new Set(found.map(notice => notice.id))
    await tx.execute(
      sql`
        update fee_notice
        set state = ${code(reminderState, 'queued')}, fail_reason = null, ${touch(scope)}
        where owner_id = ${scope.ownerId} and id = any(${sendable.map(notice => notice.id)})
      `,
    )
    if (sendable.length) {
      await app.jobs.start(tx, scope, 'bills.urge', `重发催缴 ${sendable.length} 条`, {
        ids: sendable.map(notice => notice.id),
      })
    }
    const rest = [
      ...found
        .filter(notice => notice.state !== 'failed')
        .map(notice => ({ id: notice.id, code: notice.sourceName, reason: '只有发送失败的可以重发' })),
      ...ids
        .map(parseId)
        .filter(id => !foundIds.has(id))
        .map(id => ({ id, reason: '通知不存在或已被删除' })),
    ]
    return { success: sendable.length, fail: 0, skipped: rest.length, rows: rest }
  }),
]
