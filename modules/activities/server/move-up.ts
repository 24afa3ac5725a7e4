import type { Id } from '#kit/domain/id.ts'
import { audit } from '#kit/server/audit.ts'
import { activity, type Activity } from '../contract/activity.ts'
import type { ActivityContext } from './context.ts'
import { billSigns } from './fee-bills.ts'
import { notifyMovedUp } from './messages.ts'
import { moveUp, type MovedUp } from './places.ts'

/** Nobody's place waits for a bill: it is written down that the fee is to be collected otherwise. */
async function billMovedUp(c: ActivityContext, of: Activity, moved: readonly MovedUp[]): Promise<void> {
  const ids = moved.map(({ id }) => id)
  const unbilled = await billSigns(c, of.id, ids)
  if (!unbilled.length) return
  await audit(c.tx, c.scope, [
    {
      action: 'state',
      entity: activity.name,
      entityId: of.id,
      projectCode: of.projectCode,
      reason: `递补的 ${unbilled.length} 个报名没有房屋，未出账单，请在收银台收取费用`,
    },
  ])
}

/** Those who have places now get their bills and are notified; `caller` sees it at once. */
export async function moveUpAndNotify(c: ActivityContext, of: Activity, caller?: Id): Promise<void> {
  const moved = await moveUp(c, of.id)
  await billMovedUp(c, of, moved)
  await notifyMovedUp(
    c,
    of,
    moved.filter(({ id }) => id !== caller),
  )
}
