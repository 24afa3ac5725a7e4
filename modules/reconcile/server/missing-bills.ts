import type { Id } from '#kit/domain/id.ts'
import { defined } from '#kit/domain/defined.ts'
import { keyOf } from '#kit/contract/field.ts'
import { Refused } from '#kit/contract/wire.ts'
import { addDays, type Day } from '#kit/domain/day.ts'
import { dayOfInstant } from '#kit/domain/moment.ts'
import type { App } from '#kit/server/app.ts'
import { errorMessage } from '#kit/server/database-error.ts'
import { sql } from '#kit/server/db.ts'
import { clockScope } from '#kit/server/scope.ts'
import { codes, notDeleted } from '#kit/server/sql.ts'
import { channel } from '#modules/payments/contract/choices.ts'
import { channelBillState } from '../contract/choices.ts'
import { pullDayBill } from './reconciliation.ts'

interface ActiveChannel {
  readonly ownerId: Id
  readonly channel: number
  readonly since: Day
}

const maxDaysBack = 7

/** Pulls the missing bills of the last days for every enabled channel; one failure stops no other. */
export async function pullMissingBills(app: App, signal: AbortSignal): Promise<void> {
  const today = dayOfInstant(app.clock())
  const channels = await app.database.reader('*').rows<ActiveChannel>(
    sql`
        select owner_id, channel::int as channel, (create_time at time zone 'Asia/Shanghai')::date as since
        from pay_channel
        where enabled and ${notDeleted()} and owner_id > 0 and (simulated or run_private_key is not null)
      `,
  )
  const existingBills = new Set(
    (
      await app.database.reader('*').rows<{ ownerId: Id; channel: number; day: Day }>(
        sql`
            select owner_id, channel::int as channel, check_date as day
            from channel_bill
            where state in ${codes(channelBillState, 'same', 'different')} and check_date >= ${addDays(today, -maxDaysBack)}
          `,
      )
    ).map(r => `${r.ownerId}/${r.channel}/${r.day}`),
  )
  for (const activeChannel of channels) {
    for (let daysBack = maxDaysBack; daysBack >= 1 && !signal.aborted; daysBack--) {
      const day = addDays(today, -daysBack)
      if (
        (day < activeChannel.since && daysBack > 1) ||
        existingBills.has(`${activeChannel.ownerId}/${activeChannel.channel}/${day}`)
      )
        continue
      await pullDayBill(
        app,
        activeChannel.ownerId,
        defined(keyOf(channel, activeChannel.channel)),
        day,
        clockScope(app, activeChannel.ownerId),
      ).catch(err => {
        if (!(err instanceof Refused)) {
          app.log.warn(
            { err: errorMessage(err), ownerId: activeChannel.ownerId, day },
            'a bill was not compared',
          )
        }
      })
    }
  }
}
