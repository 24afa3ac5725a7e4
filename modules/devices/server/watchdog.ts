import { type FieldFault, Refused } from '#kit/contract/wire.ts'
import { keyOf } from '#kit/contract/field.ts'
import { defined } from '#kit/domain/defined.ts'
import type { Id } from '#kit/domain/id.ts'
import type { App } from '#kit/server/app.ts'
import { audit } from '#kit/server/audit.ts'
import { crudHandlers } from '#kit/server/crud.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import { forEachDueCompany } from '#kit/server/directory.ts'
import type { WriteContext } from '#kit/server/handler.ts'
import { clockScope, type Scope } from '#kit/server/scope.ts'
import { code, notDeleted } from '#kit/server/sql.ts'
import { findByIds } from '#kit/server/table.ts'
import { enabledState } from '#modules/estates/contract/estate.ts'
import { heartbeatMs } from '../contract/agent-protocol.ts'
import { watchdogAction } from '../contract/choices.ts'
import { device } from '../contract/device.ts'
import { gateway } from '../contract/gateway.ts'
import { watchdogDriver, watchdogs, type Watchdog } from '../contract/watchdog.ts'
import { decideWatchdog } from '../domain/watchdog.ts'
import { sendDeviceCommand, sendGatewayCommand } from './command.ts'
import { requireWholeProject } from './whole-project.ts'

type WatchdogDraft = Pick<
  Watchdog,
  'projectCode' | 'deviceId' | 'targetGatewayId' | 'targetDeviceId' | 'action' | 'serviceName'
>

/** What it watches and what it restarts with are in one project and belong together. */
async function watchdogFaults(draft: WatchdogDraft, { tx, scope }: WriteContext): Promise<FieldFault[]> {
  const [own] = await findByIds(tx, device, scope, [draft.deviceId])
  const [target] = await findByIds(tx, gateway, scope, [draft.targetGatewayId])
  const { targetDeviceId } = draft
  const [watched] = targetDeviceId === undefined ? [] : await findByIds(tx, device, scope, [targetDeviceId])
  const isElsewhere = targetDeviceId !== undefined && watched?.gatewayId !== draft.targetGatewayId
  const faults: (readonly [isWrong: boolean, field: string, message: string])[] = [
    [
      own?.driver !== watchdogDriver || own.projectCode !== draft.projectCode,
      'DeviceID',
      `请选择该项目中驱动为 ${watchdogDriver} 的设备`,
    ],
    [target?.projectCode !== draft.projectCode, 'TargetGatewayID', '看护的网关不存在或不属于该项目'],
    [isElsewhere, 'TargetDeviceID', '看护的设备不属于所选网关'],
    [draft.action === 'restartService' && !draft.serviceName, 'ServiceName', '请填写要重启的服务名'],
    [
      targetDeviceId === undefined && own?.gatewayId === draft.targetGatewayId,
      'TargetGatewayID',
      '看门狗设备须接在其他网关上，才能重启离线的网关',
    ],
  ]
  return faults.filter(([isWrong]) => isWrong).map(([, Field, Message]) => ({ Field, Message }))
}

export const watchdogServer = crudHandlers(watchdogs, {
  unique: { watchdog_name_live: '该项目已有同名看门狗' },
  refusesChangeOf: ['projectCode'],
  // It restarts a gateway, whichever device it watches.
  check: (draft: WatchdogDraft, c, before: Watchdog | undefined) => {
    requireWholeProject(c.scope, before?.projectCode ?? draft.projectCode)
    return watchdogFaults(draft, c)
  },
  // What is set otherwise has its tries again.
  afterUpdate: ({ id }, { tx, scope }) =>
    tx.execute(sql`update watchdog set run_attempts = 0 where owner_id = ${scope.ownerId} and id = ${id}`),
  beforeDelete: async (rows, { scope }) => {
    for (const { projectCode } of rows) {
      requireWholeProject(scope, projectCode)
    }
  },
})

interface DueWatchdog {
  readonly id: Id
  readonly projectCode: string
  readonly name: string
  readonly deviceId: Id
  readonly targetGatewayId: Id
  readonly targetDeviceId?: Id
  readonly checkSeconds: number
  readonly missLimit: number
  readonly missCount: number
  readonly attempts: number
  readonly lastMessage?: string
  readonly action: number
  readonly serviceName?: string
  readonly canAskGateway: boolean
  readonly hasBeat: boolean
  readonly sinceRestart?: number
  readonly gateNo: string
  readonly hostName?: string
}

/**
 * A gateway that has beaten so lately carries out what it is sent, and has missed nothing yet: a beat that is
 * late restarts no machine. One that is watched itself and misses its beats is not asked.
 */
const answersForMs = 2 * heartbeatMs

/** What is watched shows itself: the gateway by a beat, a device by being online. */
function loadDue(tx: Tx, ownerId: Id, now: Date): Promise<DueWatchdog[]> {
  const answering = new Date(now.getTime() - answersForMs)
  return tx.rows(sql`
    select t.id, t.project_code, t.name, t.device_id, t.target_gateway_id, t.target_device_id, t.check_seconds,
      t.miss_limit, t.miss_count, t.run_attempts as attempts, t.last_message, t.action, t.service_name, g.gate_no,
      g.host_name,
      t.target_device_id is not null and g.is_online and g.last_beat > ${answering}::timestamptz
        as can_ask_gateway,
      case
        when t.target_device_id is not null then coalesce(d.is_online, false)
        else g.is_online and coalesce(g.last_beat >= least(t.check_time, ${answering}::timestamptz), false)
        end as has_beat,
      extract(epoch from ${now}::timestamptz - t.restart_time)::float8 as since_restart
    from watchdog t
    join gateway g on g.owner_id = ${ownerId} and g.id = t.target_gateway_id
    left join device d on d.owner_id = ${ownerId} and d.id = t.target_device_id
    where t.owner_id = ${ownerId}
      and t.state = ${code(enabledState, 'on')}
      and ${notDeleted('t')}
      and (t.check_time is null or t.check_time <= ${now}::timestamptz - make_interval(secs => t.check_seconds))
    order by t.id
    for update of t skip locked
  `)
}

/** Over its own gateway where that still answers, else by the watchdog device, over that one's gateway. */
async function restart(tx: Tx, scope: Scope, row: DueWatchdog): Promise<string> {
  const action = defined(keyOf(watchdogAction, row.action))
  const { serviceName: name = '' } = row
  if (row.canAskGateway) {
    const common = { gatewayId: row.targetGatewayId }
    await (action === 'restartService'
      ? sendGatewayCommand(tx, scope, { ...common, command: action, input: { name } })
      : sendGatewayCommand(tx, scope, { ...common, command: action, input: {} }))
    return '已向网关下发重启指令，等待恢复'
  }
  const { gateNo, hostName = '' } = row
  await sendDeviceCommand(tx, scope, {
    deviceId: row.deviceId,
    input: { action, data: { gateNo, hostName, serviceName: name } },
  })
  return '已通过看门狗设备重启，等待恢复'
}

const tryRestart = (tx: Tx, scope: Scope, row: DueWatchdog): Promise<{ message: string; isSent: boolean }> =>
  restart(tx, scope, row).then(
    message => ({ message, isSent: true }),
    (e: unknown) => {
      if (e instanceof Refused) return { message: `未能恢复：${e.message}`, isSent: false }
      throw e
    },
  )

async function check(tx: Tx, scope: Scope, row: DueWatchdog, now: Date): Promise<void> {
  const decision = decideWatchdog({ ...row, sinceRestart: row.sinceRestart })
  const restarted = decision.shouldRestart ? await tryRestart(tx, scope, row) : undefined
  const message = (restarted?.message ?? decision.message).slice(0, 200)
  const sent = restarted?.isSent ? 1 : 0
  await tx.execute(sql`
    update watchdog
    set check_time = ${now}, miss_count = ${decision.missCount}, last_message = ${message},
      run_attempts = ${decision.attempts + sent}, restart_count = restart_count + ${sent},
      restart_time = ${sent ? sql`${now}::timestamptz` : sql`restart_time`}
    where owner_id = ${scope.ownerId} and id = ${row.id}
  `)
  // One that cannot be sent is tried at each check, and audited once.
  if (restarted && (sent || message !== row.lastMessage)) {
    const { projectCode } = row
    await audit(tx, scope, [
      { action: 'state', entity: 'watchdog', entityId: row.id, projectCode, after: { message } },
    ])
  }
}

/** Looks at every watchdog whose time has come; one process does each. */
export async function checkWatchdogs(app: App): Promise<void> {
  const now = new Date(app.clock())
  const due = sql<{ ownerId: Id }>`
    select distinct owner_id from watchdog where state = ${code(enabledState, 'on')} and ${notDeleted()}
  `
  await forEachDueCompany(app.database, due, async (tx, ownerId) => {
    const scope = { ...clockScope(app, ownerId), name: '看门狗' }
    for (const row of await loadDue(tx, ownerId, now)) {
      await check(tx, scope, row, now)
    }
  })
}
