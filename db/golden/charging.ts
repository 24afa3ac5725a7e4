import { defined } from '#kit/domain/defined.ts'
import { addMinutes, fromInstant, type Moment } from '#kit/domain/moment.ts'
import type { Id } from '#kit/domain/id.ts'
import { asFen } from '#kit/domain/money.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import { code, notDeleted } from '#kit/server/sql.ts'
import { insert, insertAll, update } from '#kit/server/table.ts'
import { hubException } from '#modules/charging/contract/exception.ts'
import { chargerHub, hubCommand, type ChargerHub } from '#modules/charging/contract/hub.ts'
import { chargerOrder, type ChargerOrder } from '#modules/charging/contract/order.ts'
import { chargerStandard } from '#modules/charging/contract/standard.ts'
import { bookIncome } from '#modules/charging/server/money.ts'
import { addPorts } from '#modules/charging/server/ports.ts'
import { simulatedModel } from '#modules/charging/server/simulator/piles.ts'
import { feeType } from '#modules/fees/contract/choices.ts'
import { feeItem } from '#modules/fees/contract/item.ts'

interface SeededHub {
  readonly id: Id
  readonly hubNo: string
  readonly portId: Id
}

type HubValues = Pick<ChargerHub, 'hubNo' | 'hubName' | 'hubType' | 'location' | 'portCount' | 'standardId'>

type OrderValues = Partial<ChargerOrder> &
  Pick<ChargerOrder, 'orderNo' | 'chargeMode' | 'standardName' | 'orderTime' | 'prepaidAmount' | 'state'>

interface Site {
  readonly projectCode: string
  /** What the numbers of its piles begin with. */
  readonly mark: string
  readonly feeItemId: Id
  readonly now: Moment
}

const limits = { minFee: asFen(0), maxHours: 12, graceMinutes: 30, state: 'on' } as const

/** Cars by energy with time of use, bicycles by package. */
async function seedStandards(tx: Tx, scope: Scope, { projectCode, feeItemId }: Site): Promise<[Id, Id]> {
  const byEnergy = await insert(tx, chargerStandard, scope, {
    ...limits,
    projectCode,
    feeItemId,
    standardName: '汽车分时充电',
    chargeMode: 'energy',
    periods: [
      { begin: '00:00', end: '08:00', price: '0.35' },
      { begin: '08:00', end: '22:00', price: '0.65' },
      { begin: '22:00', end: '24:00', price: '0.35' },
    ],
    servicePrice: '0.35',
    idlePrice: '6',
    prepaidAmounts: ['5', '20', '50'],
  })
  const byPackage = await insert(tx, chargerStandard, scope, {
    ...limits,
    projectCode,
    feeItemId,
    standardName: '电动自行车包时',
    chargeMode: 'package',
    packages: [
      { hours: 4, price: asFen(100) },
      { hours: 8, price: asFen(200) },
    ],
  })
  return [byEnergy.id, byPackage.id]
}

async function seedHub(tx: Tx, scope: Scope, site: Site, values: HubValues): Promise<SeededHub> {
  const hub = await insert(tx, chargerHub, scope, {
    projectCode: site.projectCode,
    isOnline: false,
    model: simulatedModel,
    state: 'on',
    ...values,
  })
  await addPorts(tx, scope.ownerId, hub)
  const port = await tx.one<{ id: Id }>(sql`
    select id
    from charger_port
    where owner_id = ${scope.ownerId} and hub_id = ${hub.id} and port_no = 1
  `)
  return { id: hub.id, hubNo: hub.hubNo ?? '', portId: defined(port).id }
}

const orderOf = (site: Site, hub: SeededHub, values: OrderValues) => ({
  projectCode: site.projectCode,
  hubId: hub.id,
  hubNo: hub.hubNo,
  portId: hub.portId,
  portNo: 1,
  paidAmount: asFen(0),
  elecFee: asFen(0),
  serviceFee: asFen(0),
  idleFee: asFen(0),
  realAmount: asFen(0),
  refundAmount: asFen(0),
  ...values,
})

/** Ended charges, the newest last; what was prepaid is used up. */
function endedOrders(site: Site, bikes: SeededHub, count: number) {
  return Array.from({ length: count }, (_, i) => {
    const beginTime = addMinutes(site.now, -60 * 9 - 5 * (count - i))
    return orderOf(site, bikes, {
      orderNo: `CD${site.mark}${String(i + 1).padStart(6, '0')}`,
      mobile: `1380013${String(8000 + i)}`,
      chargeMode: 'package',
      standardName: '电动自行车包时',
      orderTime: addMinutes(beginTime, -1),
      payTime: addMinutes(beginTime, -1),
      beginTime,
      endTime: addMinutes(beginTime, 240),
      energyKwh: String(0.6 + i / 10),
      minutes: 240,
      elecFee: asFen(100),
      prepaidAmount: asFen(100),
      paidAmount: asFen(100),
      realAmount: asFen(100),
      stopReason: 'overtime',
      state: 'done',
    })
  })
}

const closedOrder = (site: Site, cars: SeededHub) =>
  orderOf(site, cars, {
    orderNo: `CD${site.mark}900001`,
    chargeMode: 'energy',
    standardName: '汽车分时充电',
    orderTime: addMinutes(site.now, -120),
    prepaidAmount: asFen(2000),
    state: 'closed',
  })

interface ChargingPlan {
  readonly projectCode: string
  readonly mark: string
  readonly nowMs: number
  readonly orderCount: number
  /** The trouble is still to be dealt with. */
  readonly hasOpenException: boolean
}

async function seedSite(tx: Tx, scope: Scope, site: Site, plan: ChargingPlan): Promise<Id[]> {
  const [byEnergy, byPackage] = await seedStandards(tx, scope, site)
  const cars = await seedHub(tx, scope, site, {
    hubNo: `${site.mark}01`,
    hubName: '地下车库 1 号桩',
    hubType: 'carSlow',
    location: '地下一层 A 区',
    portCount: 2,
    standardId: byEnergy,
  })
  const bikes = await seedHub(tx, scope, site, {
    hubNo: `${site.mark}02`,
    hubName: '非机动车棚充电站',
    hubType: 'bike',
    location: '南门车棚',
    portCount: 4,
    standardId: byPackage,
  })
  const orders = [...endedOrders(site, bikes, plan.orderCount), closedOrder(site, cars)]
  const ids = await insertAll(tx, chargerOrder, scope, orders)
  await insertAll(tx, hubException, scope, [
    {
      projectCode: site.projectCode,
      hubId: cars.id,
      hubNo: cars.hubNo,
      portNo: 2,
      exceptionType: 'overHeat',
      content: '过温：枪头 82 ℃',
      occurTime: addMinutes(site.now, -200),
      handleNote: '已更换枪头',
      handlerName: scope.name,
      state: 'handled',
    },
    ...(plan.hasOpenException
      ? [
          {
            projectCode: site.projectCode,
            hubId: bikes.id,
            hubNo: bikes.hubNo,
            portNo: 3,
            exceptionType: 'startFailed' as const,
            content: '充电桩未在规定时间内启动',
            occurTime: addMinutes(site.now, -50),
            state: 'open' as const,
          },
        ]
      : []),
  ])
  await insertAll(tx, hubCommand, scope, [
    {
      projectCode: site.projectCode,
      hubId: cars.id,
      kind: 'softReset',
      state: 'accepted',
      sendTime: addMinutes(site.now, -190),
      operatorName: scope.name,
    },
  ])
  return ids
}

/** Piles of a project without any money moved: what tests begin with. */
export async function seedCharging(tx: Tx, scope: Scope, plan: ChargingPlan): Promise<void> {
  const item = await tx.one<{ id: Id }>(sql`
    select id
    from fee_item
    where owner_id = ${scope.ownerId} and fee_type = ${code(feeType, 'temporary')} and ${notDeleted()}
    order by id
    limit 1
  `)
  const { projectCode, mark, nowMs } = plan
  await seedSite(tx, scope, { projectCode, mark, feeItemId: defined(item).id, now: fromInstant(nowMs) }, plan)
}

/** The demo's piles, which the simulator brings to life, with what was charged today in the books. */
export async function seedDemoCharging(
  tx: Tx,
  owner: Scope,
  plan: Omit<ChargingPlan, 'orderCount' | 'hasOpenException'>,
): Promise<void> {
  const scope = { ...owner, time: new Date(plan.nowMs).toISOString() }
  const item = await insert(tx, feeItem, scope, {
    code: 'CHONG',
    name: '充电费',
    feeType: 'temporary',
    category: 'other',
    incomeKind: 'own',
    inRate: false,
    billMode: 'manual',
    scene: 'area',
    allowMulti: true,
    allowOnline: true,
    autoDeduct: false,
    principalSettles: false,
    lateFeeSwitch: false,
    taxRate: '0.13',
    sort: 46,
    state: 'on',
  })
  const { projectCode, mark, nowMs } = plan
  const site = { projectCode, mark, feeItemId: item.id, now: fromInstant(nowMs) }
  const ids = await seedSite(tx, scope, site, { ...plan, orderCount: 4, hasOpenException: true })
  for (const [i, id] of ids.slice(0, 4).entries()) {
    const { billId } = await bookIncome(
      tx,
      scope,
      {
        projectCode,
        orderNo: `CD${mark}${String(i + 1).padStart(6, '0')}`,
        feeItemId: item.id,
        hubNo: `${mark}02`,
        portNo: 1,
      },
      { amount: asFen(100), at: site.now, method: 'wechatTransfer' },
    )
    await update(tx, chargerOrder, scope, id, { billId })
  }
}
