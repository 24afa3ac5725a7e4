import { parseId, type Id } from '#kit/domain/id.ts'
import type { App } from '#kit/server/app.ts'
import { sql } from '#kit/server/db.ts'
import { code, codes, notDeleted } from '#kit/server/sql.ts'
import type { ServerSocket, SocketEndpoint, SocketRequest } from '#kit/server/sockets.ts'
import { enabledState } from '#modules/estates/contract/estate.ts'
import { orderState } from '../../contract/choices.ts'
import { sendStop, sendWaitingStarts } from './commands.ts'
import { HubConnection, connectionsOf } from './connections.ts'
import { errorFrame, readFrame, resultFrame, type OcppFrame } from './frame.ts'
import { isKey, readBasic } from './hub-key.ts'
import { heartbeatSeconds, markBooted, markConnected, markLost, markSeen } from './presence.ts'
import { takeStatus } from './port-status.ts'
import { isOcppAction, readRequest, type OcppAction, type OcppRequests } from './schemas.ts'
import { startTransaction, stopTransaction, takeReadings } from './transactions.ts'

const protocol = 'ocpp1.6'

interface KnownHub {
  readonly ownerId: Id
  readonly hubId: Id
  readonly projectCode: string
  readonly hubNo: string
}

/** The pile of the address, by its own key (security profile 1 of OCPP 1.6). */
export async function findHub(app: App, { params, headers }: SocketRequest): Promise<KnownHub | undefined> {
  const ownerId = parseId(params.company)
  const hubNo = params.hub ?? ''
  const basic = readBasic(headers.authorization)
  if (!ownerId || basic?.name !== hubNo) return undefined
  const row = await app.database.reader(ownerId).one<{ id: Id; projectCode: string; keyHash?: string }>(sql`
    select id, project_code, run_key_hash as key_hash
    from charger_hub
    where owner_id = ${ownerId}
      and hub_no = ${hubNo}
      and state = ${code(enabledState, 'on')}
      and ${notDeleted()}
  `)
  return row?.keyHash !== undefined && isKey(basic.key, row.keyHash)
    ? { ownerId, hubId: row.id, projectCode: row.projectCode, hubNo }
    : undefined
}

const isoNow = (app: App): string => new Date(app.clock()).toISOString()

type Handlers = {
  readonly [A in OcppAction]: (
    app: App,
    connection: HubConnection,
    request: OcppRequests[A],
  ) => Promise<object>
}

/** After the answer is on its way: piles take no command while they wait for one. */
const stopSoon = (app: App, connection: HubConnection, stop: { readonly orderId: Id } | undefined): void => {
  if (!stop) return
  sendStop(app, connection, stop.orderId).catch((err: unknown) => {
    app.log.warn({ err, order: stop.orderId }, 'a charge was not stopped')
  })
}

const handlers: Handlers = {
  BootNotification: async (app, connection, request) => {
    await markBooted(app, connection, request)
    return { currentTime: isoNow(app), interval: heartbeatSeconds, status: 'Accepted' }
  },
  Heartbeat: async app => ({ currentTime: isoNow(app) }),
  StatusNotification: async (app, connection, request) => {
    stopSoon(app, connection, await takeStatus(app, connection, request))
    app.live.publish(connection.ownerId, { topic: 'chargers' }, 'chargers')
    return {}
  },
  // Cards of the pile's own are none of ours: charging begins with an order.
  Authorize: async (app, { ownerId, hubId }, { idTag }) => {
    const known = await app.database.reader(ownerId).one(sql`
      select 1 as found
      from charger_order
      where owner_id = ${ownerId}
        and hub_id = ${hubId}
        and run_id_tag = ${idTag}
        and state in ${codes(orderState, 'starting', 'charging')}
    `)
    return { idTagInfo: { status: known ? 'Accepted' : 'Invalid' } }
  },
  StartTransaction: async (app, connection, request) => {
    const { transactionId, isAccepted } = await startTransaction(app, connection, request)
    if (!isAccepted && transactionId > 0) {
      stopSoon(app, connection, { orderId: transactionId })
    }
    return { transactionId, idTagInfo: { status: isAccepted ? 'Accepted' : 'Invalid' } }
  },
  MeterValues: async (app, connection, request) => {
    stopSoon(app, connection, await takeReadings(app, connection, request))
    return {}
  },
  StopTransaction: async (app, connection, request) => {
    await stopTransaction(app, connection, request)
    return { idTagInfo: { status: 'Accepted' } }
  },
  DataTransfer: async () => ({ status: 'UnknownVendorId' }),
}

type Call = Extract<OcppFrame, { readonly kind: 'call' }>

async function respond<A extends OcppAction>(
  app: App,
  connection: HubConnection,
  action: A,
  { id, payload }: Call,
): Promise<string> {
  const request = readRequest(action, payload)
  if (!request) return errorFrame(id, 'FormationViolation', 'payload is not as the protocol says')
  try {
    return resultFrame(id, await handlers[action](app, connection, request))
  } catch (err) {
    app.log.warn({ err, hub: connection.hubId, action }, 'a message of a pile was not handled')
    // The pile sends it again.
    return errorFrame(id, 'InternalError', 'try again')
  }
}

async function answer(app: App, connection: HubConnection, call: Call): Promise<void> {
  if (connection.isClosed) return
  await markSeen(app, connection).catch(() => {})
  const { action, id } = call
  const text = isOcppAction(action)
    ? await respond(app, connection, action, call)
    : errorFrame(id, 'NotImplemented', action.slice(0, 60))
  if (!connection.isClosed) {
    connection.socket.send(text)
  }
}

/** Takes a pile's connection; exported for piles of tests that have no socket. */
export function acceptHub(app: App, socket: ServerSocket, hub: KnownHub): HubConnection {
  const connection = new HubConnection(socket, hub)
  const connections = connectionsOf(app)
  const report = (err: unknown): void =>
    app.log.warn({ err, hub: hub.hubId }, 'the presence of a pile was not written')
  connections.add(connection)
  connection.enqueue(() =>
    markConnected(app, connection)
      .catch(report)
      .then(() => void sendWaitingStarts(app, connection).catch(report)),
  )
  socket.onMessage(text => {
    const frame = readFrame(text)
    if (!frame) {
      connection.close(1007, 'no OCPP message')
    } else if (frame.kind !== 'call') {
      connection.receiveAnswer(frame)
    } else if (!connection.enqueue(() => answer(app, connection, frame))) {
      connection.close(1008, 'too many messages')
    }
  })
  socket.onClose(() => {
    connections.remove(connection)
    markLost(app, connection).catch(report)
  })
  return connection
}

export const ocppEndpoint: SocketEndpoint = {
  path: '/api/ocpp/:company/:hub',
  maxMessageBytes: 200_000,
  maxConnections: 20_000,
  perAddress: 2_000,
  protocols: [protocol],
  authorize: async (request, app) => {
    const hub = await findHub(app, request)
    return hub && (socket => void acceptHub(app, socket, hub))
  },
  accept: socket => socket.close(1008, 'not known'),
}
