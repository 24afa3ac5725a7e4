import { defined } from '#kit/domain/defined.ts'
import type { Id } from '#kit/domain/id.ts'
import { asFen, type Fen } from '#kit/domain/money.ts'
import type { CallOptions } from '#kit/server/fixtures/test-app.ts'
import type { App } from '#kit/server/app.ts'
import { sql } from '#kit/server/db.ts'
import type { ServerSocket } from '#kit/server/sockets.ts'
import { findViolations } from '#db/golden/invariants.ts'
import { openPaymentHarness, waitUntil } from '#db/golden/payment-harness.ts'
import { maintainRefunds } from '#modules/payments/server/order-jobs.ts'
import { confirmPayment } from '#modules/payments/server/public.ts'
import { listHubExceptions } from '../contract/exception.ts'
import { chargerHubs, type ChargerHub } from '../contract/hub.ts'
import { getChargerOrder, type ChargerOrder } from '../contract/order.ts'
import { placeChargerOrder } from '../contract/payer.ts'
import { chargerStandards, type ChargerStandard } from '../contract/standard.ts'
import { acceptHub } from './ocpp/endpoint.ts'
import { listenToHubNotices } from './ocpp/notices.ts'
import { orderTokenOf, portTokenOf, readOrderLink } from './payer-link.ts'

export const projectCode = 'GOLD0001'

const standardValues = {
  projectCode,
  chargeMode: 'energy',
  periods: [{ begin: '00:00', end: '24:00', price: '0.65' }],
  servicePrice: '0.35',
  minFee: 0,
  maxHours: 12,
  graceMinutes: 30,
  state: 'on',
} as const

/** What the server answers to a start; other answers have none of it. */
interface PileAnswer {
  readonly transactionId: number
  readonly idTagInfo?: { readonly status: string }
}

type Answers = Readonly<Record<string, object | undefined>>

/** A pile without a socket: what it sends goes to the server, what the server commands is answered. */
export class TestPile {
  readonly commands: { readonly action: string; readonly payload: Record<string, unknown> }[] = []
  answers: Answers = {}
  closed: string | undefined
  readonly #waiting = new Map<string, (answer: unknown[]) => void>()
  #onMessage: (text: string) => void = () => {}
  #onClose: () => void = () => {}
  #counter = 0

  readonly socket: ServerSocket = {
    send: text => this.#receive(JSON.parse(text)),
    close: (_, reason) => {
      this.closed = reason
      this.#onClose()
    },
    onMessage: listener => {
      this.#onMessage = listener
    },
    onClose: listener => {
      this.#onClose = listener
    },
  }

  #receive(frame: unknown[]): void {
    const [type, id, action, payload] = frame
    if (type !== 2) return this.#waiting.get(String(id))?.(frame)
    const name = String(action)
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the server sends objects
    this.commands.push({ action: name, payload: payload as Record<string, unknown> })
    const answer = name in this.answers ? this.answers[name] : { status: 'Accepted' }
    if (answer) {
      queueMicrotask(() => this.#onMessage(JSON.stringify([3, id, answer])))
    }
  }

  /** Sends a request; returns the answer, or the code of a failure. */
  async request(action: string, payload: object): Promise<PileAnswer> {
    const id = `m${++this.#counter}`
    const answered = new Promise<unknown[]>(resolve => {
      this.#waiting.set(id, resolve)
    })
    this.#onMessage(JSON.stringify([2, id, action, payload]))
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- so the server answers
    return (await answered)[2] as PileAnswer
  }

  send(text: string): void {
    this.#onMessage(text)
  }

  drop(): void {
    this.#onClose()
  }

  async waitForCommand(action: string): Promise<Record<string, unknown>> {
    const found = await waitUntil(
      async () => this.commands.find(command => command.action === action),
      command => command !== undefined,
    )
    return defined(found).payload
  }
}

/** A company whose piles charge 0.65 + 0.35 a kWh, paid by the channels' simulator. */
export async function openChargingFixture() {
  const s = await openPaymentHarness()
  const { t, me, ownerId } = s
  await listenToHubNotices(t.app)
  const feeItemId = await t.addFeeItem('CHARGE', { name: '充电费', feeType: 'temporary', multi: true })
  let made = 0
  const iso = (seconds = 0): string => new Date(t.app.clock() + seconds * 1000).toISOString()
  const addStandard = (values: object = {}): Promise<ChargerStandard> =>
    t.call(
      chargerStandards.add,
      { ...standardValues, standardName: `标准${++made}`, feeItemId, ...values },
      me,
    )
  const standard = await addStandard()
  const addHub = (values: object = {}): Promise<ChargerHub> =>
    t.call(
      chargerHubs.add,
      {
        projectCode,
        hubNo: `CP${++made}`,
        hubName: `桩${made}`,
        hubType: 'carSlow',
        portCount: 2,
        standardId: standard.id,
        state: 'on',
        ...values,
      },
      me,
    )
  const connect = async (hub: ChargerHub, app: App = t.app): Promise<TestPile> => {
    const pile = new TestPile()
    acceptHub(app, pile.socket, { ownerId, hubId: hub.id, projectCode, hubNo: hub.hubNo ?? '' })
    await pile.request('BootNotification', { chargePointVendor: 'Sim', chargePointModel: 'P1' })
    return pile
  }
  const loseLine = async (hub: ChargerHub, pile: TestPile): Promise<void> => {
    pile.drop()
    await waitUntil(
      () => t.call(chargerHubs.get, { id: hub.id }, me),
      ({ isOnline }) => !isOnline,
    )
  }
  const portIdOf = async (hub: ChargerHub, portNo = 1): Promise<Id> =>
    defined(
      await t.database.reader(ownerId).one<{ id: Id }>(sql`
        select id
        from charger_port
        where owner_id = ${ownerId} and hub_id = ${hub.id} and port_no = ${portNo}
      `),
    ).id
  const place = async (hub: ChargerHub, input: object = { amount: asFen(500) }, portNo = 1) => {
    const token = await portTokenOf(t.app, ownerId, await portIdOf(hub, portNo))
    const { orderToken, payUrl } = await t.call(placeChargerOrder, { token, ...input })
    const { id } = await readOrderLink(t.app, orderToken)
    return { id, orderToken, payUrl }
  }
  const readOrder = (id: Id): Promise<ChargerOrder> => t.call(getChargerOrder, { id }, me)
  const confirm = async (
    id: Id,
    amount?: Fen,
    transactionId = `42${String(id).padStart(26, '0')}`,
    app = t.app,
  ) => {
    const order = await readOrder(id)
    await confirmPayment(app, ownerId, defined(order.payOrderId), {
      transactionId,
      amount: amount ?? order.prepaidAmount,
      channel: 'wechat',
      source: 'notified',
    })
  }
  const payByPhone = async ({ payUrl }: { readonly payUrl: string }): Promise<void> =>
    s.pay({ url: payUrl.slice(0, payUrl.indexOf('&back=')) }, 'normal')
  const waitForState = (id: Id, state: ChargerOrder['state']): Promise<ChargerOrder> =>
    waitUntil(
      () => readOrder(id),
      order => order.state === state,
    )
  /** Paid and begun: the transaction's number is the order's. */
  const begin = async (hub: ChargerHub, pile: TestPile, input?: object, portNo = 1, clockOffset = 0) => {
    const order = await place(hub, input, portNo)
    const before = pile.commands.length
    await confirm(order.id)
    const start = await waitUntil(
      async () => pile.commands.slice(before).find(({ action }) => action === 'RemoteStartTransaction'),
      command => command !== undefined,
    )
    const { idTag } = defined(start).payload
    const { transactionId } = await pile.request('StartTransaction', {
      connectorId: portNo,
      idTag,
      meterStart: 1000,
      timestamp: iso(clockOffset),
    })
    return { ...order, transactionId, idTag }
  }
  const readings = (transactionId: number, wattHours: number, seconds = 0) => ({
    connectorId: 1,
    transactionId,
    meterValue: [
      { timestamp: iso(seconds), sampledValue: [{ value: String(1000 + wattHours), unit: 'Wh' }] },
    ],
  })
  const stopOf = (transactionId: number, wattHours: number, reason = 'Local', seconds = 0) => ({
    transactionId,
    meterStop: 1000 + wattHours,
    timestamp: iso(seconds),
    reason,
  })
  return {
    ...s,
    app: t.app,
    iso,
    addStandard,
    addHub,
    connect,
    loseLine,
    portIdOf,
    place,
    readOrder,
    confirm,
    payByPhone,
    waitForState,
    begin,
    readings,
    stopOf,
    orderToken: (id: Id) => orderTokenOf(t.app, ownerId, id),
    refundAll: () => maintainRefunds(t.app, new AbortController().signal),
    exceptionsOf: async (hub: ChargerHub) =>
      (await t.call(listHubExceptions, { hubId: [String(hub.id)] }, me)).rows,
    violations: () => findViolations(t.database.reader(ownerId), ownerId),
    /** What an order has asked to go back, each request. */
    refundsOf: (id: Id) =>
      t.database.reader(ownerId).rows<{ amount: string; state: number }>(sql`
        select f.amount::text as amount, f.state
        from charger_order o
        join fee_refund f on f.owner_id = ${ownerId}
          and f.record_id in (
            select d.record_id
            from pay_detail d
            where d.owner_id = ${ownerId} and d.bill_id = o.bill_id
          )
        where o.owner_id = ${ownerId} and o.id = ${id}
        order by f.id
      `),
    me: me satisfies CallOptions,
  }
}

export type ChargingFixture = Awaited<ReturnType<typeof openChargingFixture>>
