import { refuse, refuseField } from '#kit/contract/wire.ts'
import type { Id } from '#kit/domain/id.ts'
import { audit, type AuditEntry } from '#kit/server/audit.ts'
import { crudHandlers, joinServers } from '#kit/server/crud.ts'
import { writes, type WriteContext } from '#kit/server/handler.ts'
import { requireById } from '#kit/server/table.ts'
import { findHomes } from '#modules/resident-page/server/public.ts'
import { requireResident } from '#modules/residents/server/public.ts'
import { activity } from '../contract/activity.ts'
import {
  activitySign,
  activitySigns,
  addSign,
  cancelSign,
  checkIn,
  checkInByCode,
  exportSigns,
  undoCheckIn,
  type ActivitySign,
} from '../contract/sign.ts'
import { fittingHome, homesRefusal } from '../domain/audience.ts'
import { readSignCode } from './activity-link.ts'
import { notifySignCancelled } from './messages.ts'
import { cancelOne, checkInOne, lockSign, signUpFor, undoCheckInOne } from './sign-up.ts'

/** The record after the step, which is written down. */
async function afterStep(
  id: Id,
  { tx, scope }: WriteContext,
  entry: Pick<AuditEntry, 'action' | 'reason'>,
): Promise<ActivitySign> {
  const row = await requireById(tx, activitySign, scope, id)
  await audit(tx, scope, [
    { ...entry, entity: activitySign.name, entityId: id, projectCode: row.projectCode },
  ])
  return row
}

async function checkInById(id: Id, activityId: Id | undefined, c: WriteContext): Promise<ActivitySign> {
  const { of, sign } = await lockSign(c, id)
  if (activityId !== undefined && of.id !== activityId)
    return refuse(`该码是活动「${of.title}」的，请打开对应的活动签到`)
  await checkInOne(c, of, sign)
  return afterStep(id, c, { action: 'state', reason: '签到' })
}

export const signServer = joinServers(crudHandlers(activitySigns, { export: exportSigns }), {
  handlers: [
    writes(addSign, async ({ activityId, userId, personCount, remark }, c) => {
      const { tx, scope } = c
      const of = await requireById(tx, activity, scope, activityId)
      await requireResident(tx, scope, userId)
      const homes = (await findHomes(tx, scope.ownerId, [userId])).get(userId) ?? []
      const home = fittingHome(of, homes)
      if (!home) return refuseField('UserID', homesRefusal(of, homes))
      const sign = await signUpFor(c, { activityId, userId, roomId: home.roomId, personCount, remark })
      return afterStep(sign.id, c, { action: 'insert', reason: '代为报名' })
    }),
    writes(cancelSign, async ({ id, reason }, c) => {
      const { of, sign } = await lockSign(c, id)
      await cancelOne(c, of, sign, { by: 'staff', reason })
      const row = await afterStep(id, c, { action: 'state', reason })
      await notifySignCancelled(c, of, [sign.userId], { reason, isPaid: row.payState === 'refundDue' })
      return row
    }),
    writes(checkIn, ({ id }, c) => checkInById(id, undefined, c)),
    writes(undoCheckIn, async ({ id }, c) => {
      const { sign } = await lockSign(c, id)
      await undoCheckInOne(c, sign)
      return afterStep(id, c, { action: 'state', reason: '撤销签到' })
    }),
    writes(checkInByCode, async ({ activityId, code }, c) => {
      const id = await readSignCode(c.app, c.scope.ownerId, code.trim())
      return id === undefined
        ? refuse('签到码无效，请住户重新打开活动页出示')
        : checkInById(id, activityId, c)
    }),
  ],
})
