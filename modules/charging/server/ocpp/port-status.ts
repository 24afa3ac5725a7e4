import { codeOf } from '#kit/contract/field.ts'
import type { Id } from '#kit/domain/id.ts'
import { fromInstant, type Moment } from '#kit/domain/moment.ts'
import type { App } from '#kit/server/app.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import { clockScope } from '#kit/server/scope.ts'
import { code, codes } from '#kit/server/sql.ts'
import {
  orderState,
  portState,
  type ExceptionType,
  type PortState,
  type StopReason,
} from '../../contract/choices.ts'
import { openException, recoverPort } from '../exceptions.ts'
import { settleLeft, settleOrReport } from '../settlement.ts'
import { lockOrder } from '../stored-order.ts'
import type { HubConnection } from './connections.ts'
import { readTime } from './readings.ts'
import type { OcppRequests } from './schemas.ts'
import { planAutoStop } from './transactions.ts'

/** OCPP 1.6, 7.7: what a connector is doing. */
const portStates: Readonly<Record<string, PortState>> = {
  Available: 'free',
  Preparing: 'occupied',
  Charging: 'charging',
  SuspendedEV: 'charging',
  SuspendedEVSE: 'charging',
  Finishing: 'occupied',
  Reserved: 'occupied',
  Unavailable: 'fault',
  Faulted: 'fault',
}

const faultTypes: Readonly<Record<string, ExceptionType>> = {
  OverCurrentFailure: 'overCurrent',
  HighTemperature: 'overHeat',
  GroundFailure: 'leakage',
}

type Status = OcppRequests['StatusNotification']

/** OCPP 1.6, 7.6: what is wrong, as the screen says it. */
const errorTexts: Readonly<Record<string, string>> = {
  ConnectorLockFailure: '枪锁故障',
  EVCommunicationError: '与车辆通信故障',
  GroundFailure: '漏电',
  HighTemperature: '过温',
  InternalError: '内部故障',
  OverCurrentFailure: '过流',
  OverVoltage: '过压',
  PowerMeterFailure: '电表故障',
  PowerSwitchFailure: '开关故障',
  ReaderFailure: '读卡器故障',
  ResetFailure: '重启失败',
  UnderVoltage: '欠压',
  WeakSignal: '信号弱',
}

const describeError = ({ errorCode, info }: Status): string | undefined =>
  errorCode === 'NoError'
    ? undefined
    : [errorTexts[errorCode] ?? '其他故障', info].filter(Boolean).join('：').slice(0, 100)

const writeState = (tx: Tx, hubId: Id, status: Status, now: Moment): Promise<number> =>
  tx.execute(sql`
    update charger_port
    set state = ${codeOf(portState, portStates[status.status] ?? 'fault')},
      error_text = ${describeError(status) ?? null}, update_time = ${now},
      run_free_since = case
        when ${status.status === 'Available'} then coalesce(run_free_since, ${now}::timestamptz)
        when not ${portStates[status.status] === 'charging'} then run_free_since
      end
    where owner_id = ${tx.ownerId} and hub_id = ${hubId} and port_no = ${status.connectorId}
  `)

const followErrors = (
  tx: Tx,
  { hubId, hubNo, projectCode }: HubConnection,
  status: Status,
  at: Moment,
): Promise<unknown> => {
  const content = describeError(status)
  return content === undefined
    ? recoverPort(tx, hubId, status.connectorId, at)
    : openException(tx, {
        hub: { id: hubId, hubNo, projectCode },
        portNo: status.connectorId,
        type: faultTypes[status.errorCode] ?? 'other',
        content,
        at,
      })
}

const findOrder = (tx: Tx, hubId: Id, portNo: number, states: 'charging' | 'left') =>
  tx.one<{ id: Id }>(sql`
    select id
    from charger_order
    where owner_id = ${tx.ownerId}
      and hub_id = ${hubId}
      and port_no = ${portNo}
      and ${
        states === 'charging'
          ? sql`state in ${codes(orderState, 'charging', 'abnormal')}`
          : sql`state = ${code(orderState, 'settling')} and not run_is_settled`
      }
    order by id desc
    limit 1
  `)

/** The port as it is now; answers which order is full, to be stopped. */
export async function takeStatus(
  app: App,
  connection: HubConnection,
  status: Status,
): Promise<{ readonly orderId: Id; readonly reason: StopReason } | undefined> {
  const { ownerId, hubId, projectCode } = connection
  const now = fromInstant(app.clock())
  const at = readTime(status.timestamp, now)
  const { stop, left } = await app.database.tx(ownerId, async tx => {
    await writeState(tx, hubId, status, now)
    await followErrors(tx, connection, status, at)
    const isFull = status.status === 'SuspendedEV'
    const charging = isFull ? await findOrder(tx, hubId, status.connectorId, 'charging') : undefined
    return {
      stop: charging
        ? await planAutoStop(
            tx,
            ownerId,
            await lockOrder(tx, clockScope(app, ownerId), charging.id),
            now,
            true,
          )
        : undefined,
      left:
        status.status === 'Available' ? await findOrder(tx, hubId, status.connectorId, 'left') : undefined,
    }
  })
  if (left) {
    await settleOrReport(app, ownerId, now, {
      orderId: left.id,
      projectCode,
      work: (tx, scope, order) =>
        settleLeft(tx, scope, order.id, readTime(status.timestamp, now, order.clockBehind), now),
      fallback: async () => {},
    })
  }
  return stop
}
