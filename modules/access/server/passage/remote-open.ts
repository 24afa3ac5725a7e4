import type { Id } from '#kit/domain/id.ts'
import { notFound, refuse, refuseField } from '#kit/contract/wire.ts'
import { audit } from '#kit/server/audit.ts'
import type { Db, Tx } from '#kit/server/db.ts'
import { reads, writes } from '#kit/server/handler.ts'
import type { Scope } from '#kit/server/scope.ts'
import { requireById } from '#kit/server/table.ts'
import { isOwnCommand, waitForCommand } from '#modules/devices/server/public.ts'
import { declareSetting, getSettingValue } from '#modules/estates/server/public.ts'
import { doorway } from '../../contract/doorway.ts'
import { getOpenResult, getOpenRules, openDoorway } from '../../contract/remote-open.ts'
import { openPurpose, sendOpenCommand } from './open-command.ts'

/** A browser asks again after so long. */
const waitMs = 5000

/** ACS-6 */
const reasonSetting = declareSetting({
  key: 'access.openReason',
  label: '远程开门须填写原因',
  help: '0 可不填；1 必须填写原因才能开门',
  defaultValue: '0',
  check: value => (/^[01]$/.test(value) ? undefined : '请填写 0 或 1'),
})

const needsReason = async (db: Db, ownerId: Id, projectCode: string): Promise<boolean> =>
  (await getSettingValue(db, ownerId, projectCode, reasonSetting)) === '1'

async function sendOpening(tx: Tx, scope: Scope, id: Id, reason: string | undefined) {
  const asked = await requireById(tx, doorway, scope, id)
  const { projectCode, doorwayName, state } = asked
  if (state !== 'on') return refuse('门已停用，启用后才能远程开门')
  if (!reason?.trim() && (await needsReason(tx, scope.ownerId, projectCode))) {
    return refuseField('Reason', '请填写远程开门的原因')
  }
  const { taskId, device } = await sendOpenCommand(tx, scope, asked, {
    method: 'remote',
    person: { kind: 'staff', name: scope.name },
    refusals: {
      unbound: `「${doorwayName}」未绑定设备，请先在「设备」中绑定`,
      offline: `「${doorwayName}」的设备离线，请稍后再试或到现场开门`,
    },
  })
  await audit(tx, scope, [
    {
      action: 'state',
      entity: doorway.name,
      entityId: id,
      projectCode,
      after: { doorwayName, remark: `远程开门，经设备「${device.name}」` },
      reason,
    },
  ])
  return { taskId, deviceName: device.name }
}

export const remoteOpenHandlers = [
  writes(openDoorway, ({ id, reason }, { tx, scope }) => sendOpening(tx, scope, id, reason)),
  reads(getOpenRules, async ({ id }, { db, scope }) => {
    const { projectCode } = await requireById(db, doorway, scope, id)
    return { needsReason: await needsReason(db, scope.ownerId, projectCode) }
  }),
  // RMT-3: to the sender alone.
  reads(getOpenResult, async ({ taskId }, { app, db, scope }) => {
    if (!(await isOwnCommand(db, scope, taskId, openPurpose))) throw notFound()
    const { state, reason } = await waitForCommand(app, scope.ownerId, taskId, waitMs)
    return { state, reason, hasEnded: state !== 'sent' && state !== 'received' }
  }),
]
