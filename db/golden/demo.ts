import { dayOfMoment, fromInstant } from '#kit/domain/moment.ts'
import type { Day } from '#kit/domain/day.ts'
import { openDatabase, sql, type Database } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import { insertAll } from '#kit/server/table.ts'
import { createCompany } from '#modules/accounts/server/public.ts'
import { roomChange } from '#modules/rooms/contract/room-change.ts'
import { modules } from '#modules/index.ts'
import { billedUntil, seedEstateBills, seedPool } from './bills.ts'
import { refreshLateFees } from '#modules/bills/server/late-fee-refresh.ts'
import { seedPaymentHistory } from './payment-history.ts'
import { seedReminders } from './reminders.ts'
import { seedInvoiceSettings, seedInvoices } from './invoices.ts'
import { withoutIndexes } from './bulk-load.ts'
import { analyzeTables } from './analyze.ts'
import { seedFees, seedRelations, seedStandards } from './fees.ts'
import { ownerScope, seedEstate, type PlannedEstate } from './seed-estate.ts'
import { seedRoles } from './roles.ts'
import { seedCalendar } from './calendar.ts'
import { seedMessages } from './messages.ts'
import { seedMeters } from './meters.ts'
import { seedReconcile } from './reconcile.ts'
import { seedPayments } from './payments.ts'
import { seedPeople } from './people.ts'
import { seedStaff } from './seed-staff.ts'
import { seedSubscription } from './subscription.ts'

const password = 'Anju2026'

const gardenEstate: PlannedEstate = {
  projectCode: 'JXHY0001',
  name: '锦绣花园',
  projectType: 'housing',
  provinceName: '江苏省',
  cityName: '苏州市',
  districtName: '吴中区',
  address: '锦绣路 88 号',
  zoneCode: '320506001001',
  servicePhone: '0512-66001234',
  alarmPhone: ['13800138000', '0512-66001199'],
  landArea: '68200',
  buildArea: '132600',
  greenRate: '0.38',
  deliverDate: '2021-06-18',
  sort: 1,
  buildings: [
    {
      code: 'JX01',
      name: '1 栋',
      units: 2,
      floors: 18,
      perFloor: 4,
      buildType: 'high',
      elevatorCount: 4,
      states: { let: 14, vacant: 11, fitting: 2, unsold: 3, own: 1 },
    },
    {
      code: 'JX02',
      name: '2 栋',
      units: 2,
      floors: 18,
      perFloor: 4,
      buildType: 'high',
      elevatorCount: 4,
      states: { let: 12, vacant: 14, fitting: 3, pending: 2, unsold: 2 },
    },
    {
      code: 'JX03',
      name: '3 栋',
      units: 3,
      floors: 18,
      perFloor: 4,
      buildType: 'high',
      elevatorCount: 6,
      states: { let: 22, vacant: 18, fitting: 4, pending: 2, unsold: 9, own: 2 },
    },
    {
      code: 'JX05',
      name: '5 栋',
      units: 2,
      floors: 18,
      perFloor: 4,
      buildType: 'high',
      elevatorCount: 4,
      states: { let: 9, vacant: 12, fitting: 1, unsold: 4 },
    },
    {
      code: 'JX06',
      name: '6 栋',
      units: 2,
      floors: 11,
      perFloor: 4,
      buildType: 'middle',
      elevatorCount: 2,
      states: { let: 7, vacant: 8, fitting: 2, pending: 1 },
    },
    {
      code: 'JX07',
      name: '7 栋',
      units: 2,
      floors: 11,
      perFloor: 4,
      buildType: 'middle',
      elevatorCount: 2,
      states: { let: 5, vacant: 6 },
    },
    {
      code: 'JX08',
      name: '8 栋',
      units: 2,
      floors: 11,
      perFloor: 4,
      buildType: 'middle',
      elevatorCount: 2,
      states: { let: 6, vacant: 9, pending: 3, unsold: 6 },
    },
    {
      code: 'JX09',
      name: '9 栋',
      units: 2,
      floors: 18,
      perFloor: 4,
      buildType: 'high',
      elevatorCount: 4,
      deliverDate: '2023-09-28',
      states: { let: 10, vacant: 22, fitting: 6, pending: 8, unsold: 12 },
    },
    {
      code: 'JX10',
      name: '商业街',
      units: 1,
      unitNames: ['商业'],
      floors: 2,
      perFloor: 28,
      buildType: 'shop',
      roomType: 'shop',
      states: { let: 34, vacant: 15, fitting: 2, own: 5 },
      areas: [46.8, 62.5, 88.2, 126],
    },
  ],
  publicAreas: [
    {
      code: 'JXA01',
      name: '1 栋大堂',
      buildCode: 'JX01',
      areaType: 'lobby',
      area: '96.4',
      rentState: 'own',
      position: '1 层',
    },
    {
      code: 'JXA02',
      name: '3 栋电梯轿厢广告位',
      buildCode: 'JX03',
      areaType: 'advert',
      area: '6',
      rentState: 'let',
      position: '6 部电梯',
    },
    {
      code: 'JXA03',
      name: '南门道闸广告位',
      areaType: 'advert',
      area: '4',
      rentState: 'let',
      position: '南门',
    },
    {
      code: 'JXA04',
      name: '中心广场',
      areaType: 'square',
      area: '1860',
      rentState: 'vacant',
      position: '中心景观',
    },
    {
      code: 'JXA05',
      name: '邻里会所',
      areaType: 'club',
      area: '420',
      rentState: 'own',
      position: '商业街二层',
    },
    {
      code: 'JXA06',
      name: '9 栋屋面通信基站',
      buildCode: 'JX09',
      areaType: 'plant',
      area: '18',
      rentState: 'let',
      position: '屋面',
    },
  ],
  parks: [
    {
      code: 'JXP01',
      name: '锦绣花园地下车库',
      areas: { 'B1-A区': 140, 'B1-B区': 140, 'B2-A区': 100 },
      states: { sold: 196, let: 88, own: 6, off: 4 },
    },
    {
      code: 'JXP02',
      name: '锦绣花园地面车位',
      parkType: 'ground',
      fullPolicy: 'let',
      areas: { 地面: 40 },
      states: { let: 12 },
    },
  ],
}

const riverEstate: PlannedEstate = {
  projectCode: 'BJGJ0001',
  name: '滨江国际',
  projectType: 'office',
  provinceName: '浙江省',
  cityName: '杭州市',
  districtName: '滨江区',
  address: '江晖路 1666 号',
  servicePhone: '0571-88005678',
  buildArea: '56800',
  deliverDate: '2019-03-01',
  sort: 2,
  buildings: [
    {
      code: 'BJ0A',
      name: 'A座',
      unitType: 'letter',
      floors: 20,
      perFloor: 6,
      buildType: 'office',
      roomType: 'office',
      elevatorCount: 6,
      deliverDate: '2019-03-01',
      states: { let: 74, vacant: 18, fitting: 4, own: 3 },
      areas: [128.6, 156, 210.4, 86.2],
    },
    {
      code: 'BJ0B',
      name: 'B座',
      unitType: 'letter',
      floors: 16,
      perFloor: 5,
      buildType: 'office',
      roomType: 'office',
      elevatorCount: 4,
      deliverDate: '2019-12-01',
      states: { let: 52, vacant: 20, unsold: 4 },
      areas: [142, 168.5, 96.8],
    },
  ],
  publicAreas: [
    {
      code: 'BJA01',
      name: 'A座大堂',
      buildCode: 'BJ0A',
      areaType: 'lobby',
      area: '312',
      rentState: 'own',
      position: '1 层',
    },
    {
      code: 'BJA02',
      name: '外墙大屏',
      areaType: 'advert',
      area: '180',
      rentState: 'let',
      position: 'B座东立面',
    },
  ],
  parks: [
    { code: 'BJP01', name: '滨江国际地下车库', areas: { B1区: 70, B2区: 50 }, states: { let: 84, own: 8 } },
  ],
}

const cloudEstate: PlannedEstate = {
  projectCode: 'YQSY0001',
  name: '云栖商业中心',
  projectType: 'mall',
  provinceName: '浙江省',
  cityName: '杭州市',
  districtName: '西湖区',
  address: '云栖小镇 3 号',
  servicePhone: '0571-88009090',
  buildArea: '24600',
  deliverDate: '2020-10-01',
  sort: 3,
  buildings: [
    {
      code: 'YQ01',
      name: '主楼',
      unitNames: ['主楼'],
      floors: 4,
      perFloor: 22,
      buildType: 'shop',
      roomType: 'shop',
      elevatorCount: 8,
      deliverDate: '2020-10-01',
      states: { let: 71, vacant: 12, fitting: 3 },
      areas: [38.5, 64, 112.8, 240],
    },
  ],
  publicAreas: [
    {
      code: 'YQA01',
      name: '中庭',
      buildCode: 'YQ01',
      areaType: 'square',
      area: '560',
      rentState: 'vacant',
      position: '1 层',
    },
    {
      code: 'YQA02',
      name: '中庭吊旗',
      buildCode: 'YQ01',
      areaType: 'advert',
      area: '24',
      rentState: 'let',
      position: '1–4 层',
    },
  ],
  parks: [
    {
      code: 'YQP01',
      name: '云栖地面停车场',
      parkType: 'ground',
      fullPolicy: 'let',
      areas: { 东区: 36, 西区: 24 },
      states: { let: 9, own: 3 },
    },
  ],
}

const smallEstate: PlannedEstate = {
  projectCode: 'QYXY0001',
  name: '清园小苑',
  projectType: 'housing',
  servicePhone: '0512-68001111',
  deliverDate: '2018-05-01',
  sort: 1,
  buildings: [
    {
      code: 'QY01',
      name: '1幢',
      units: 2,
      floors: 6,
      perFloor: 2,
      buildType: 'low',
      deliverDate: '2018-05-01',
      states: { vacant: 3, let: 2 },
    },
    {
      code: 'QY02',
      name: '2幢',
      units: 2,
      floors: 6,
      perFloor: 2,
      buildType: 'low',
      deliverDate: '2018-05-01',
      states: { vacant: 2, unsold: 1 },
    },
  ],
  parks: [
    { code: 'QYP01', name: '清园地面停车场', parkType: 'ground', areas: { 地面: 20 }, states: { let: 8 } },
  ],
}

interface DemoCompany {
  readonly loginCode: string
  readonly companyName: string
  readonly plans: readonly PlannedEstate[]
  /** Books, desks and devices of a company at work. */ readonly lively: boolean
}

const mainCompany: DemoCompany = {
  loginCode: 'demo',
  companyName: '安居物业演示公司',
  plans: [gardenEstate, riverEstate, cloudEstate],
  lively: true,
}

const smallCompany: DemoCompany = {
  loginCode: 'demo2',
  companyName: '清园物业演示公司',
  plans: [smallEstate],
  lively: false,
}

/** A company that has its estates, people and fees, and nothing billed yet. */
interface SeededCompany extends DemoCompany {
  readonly scope: Scope
  readonly cashier?: Scope | undefined
  readonly supervisor?: Scope | undefined
}

const realName = '演示管理员'
const mainProject = gardenEstate.projectCode
const cashierLogin = 'cashier1'
const supervisorLogin = 'manager1'

async function seedCompany(database: Database, company: DemoCompany, today: Day): Promise<SeededCompany> {
  const { loginCode, companyName, plans, lively } = company
  const { ownerId, operatorId } = await database.tx('*', tx =>
    createCompany(tx, { companyName, loginCode, password, realName }),
  )
  const scope = ownerScope(ownerId, operatorId, realName)
  await database.tx(ownerId, async tx => {
    for (const [i, plan] of plans.entries()) {
      await seedEstate(tx, scope, plan, 2026 + i)
      await seedPeople(tx, scope, plan.projectCode, 2026 + i)
    }
    await seedStaff(tx, scope, 2026, lively ? 3 : 1)
    await seedSubscription(tx, scope, lively ? 'lively' : 'small')
    await seedFees(tx, scope)
    for (const plan of plans) {
      await seedStandards(
        tx,
        scope,
        plan.projectCode,
        plan.projectType === 'office' || plan.projectType === 'mall' ? plan.projectType : 'housing',
      )
      await seedRelations(tx, scope, plan.projectCode, billedUntil(today))
    }
    // The gateway simulator of this machine stands for the channels until the company enters its own
    // accounts.
    await tx.execute(
      sql`
        insert into pay_channel (owner_id, channel, simulated, enabled)
        values (${ownerId}, 10, true, true), (${ownerId}, 20, true, true), (${ownerId}, 30, true, true)
      `,
    )
    await tx.execute(
      sql`
        insert into pos_terminal (owner_id, project_code, terminal_no, name, place)
        select ${ownerId}::bigint, p.code,
          'P' || lpad((row_number() over (order by p.code, n))::text, 7, '0'), '前台 ' || n || ' 号机',
          case n when 1 then '客服中心前台' else '财务室' end
        from unnest(${plans.map(x => x.projectCode)}::text[]) as p(code), generate_series(1, 2) n
      `,
    )
    await seedInvoiceSettings(tx, scope, companyName)
    await seedCalendar(tx, ownerId)
    if (!lively) return
    await seedMeters(tx, scope, {
      project: mainProject,
      smart: ['JX09'],
      done: ['JX01', 'JX02', 'JX05'],
      main: 'JX01',
      lobby: 'JXA01',
      today,
    })
    // A measured-again area that holds from the new year, and one that held before.
    const remeasuredRooms = await tx.rows<{ id: number; code: string; chargeArea: string }>(
      sql`
        select id, code, trim_scale(charge_area)::text as charge_area
        from room
        where owner_id = ${ownerId} and project_code = ${mainProject} and path in ('3-2-1502', '3-1-801')
        order by path
      `,
    )
    await insertAll(
      tx,
      roomChange,
      scope,
      remeasuredRooms.map((r, i) => ({
        projectCode: mainProject,
        roomId: r.id,
        roomCode: r.code,
        item: 'chargeArea',
        oldValue: i ? '140.1' : r.chargeArea,
        newValue: i ? r.chargeArea : '114.5',
        effectiveDate: i ? '2024-07-01' : '2027-01-01',
        reason: '实测面积更正',
        applied: i === 1,
        operatorName: realName,
      })),
    )
  })
  if (!lively) return { ...company, scope }
  await seedRoles(database, ownerId, modules, r => `${r.key}1`, {
    cashier: { [mainProject]: null },
    service: { [mainProject]: null },
    engineer: { [mainProject]: ['JX01', 'JX02', 'JX03'] },
    manager: { [mainProject]: null, [cloudEstate.projectCode]: null },
  })
  const counterStaff = await database.reader(ownerId).rows<{ login: string; id: number; name: string }>(
    sql`
        select login_code as login, id, real_name as name
        from manager
        where owner_id = ${ownerId} and login_code = any(${[cashierLogin, supervisorLogin]})
      `,
  )
  const [cashier, supervisor] = [cashierLogin, supervisorLogin].map(
    login => counterStaff.flatMap(m => (m.login === login ? [ownerScope(ownerId, m.id, m.name)] : []))[0],
  )
  return { ...company, scope, cashier, supervisor }
}

/** What was billed and paid. */
async function seedBooks(
  database: Database,
  { scope, plans, cashier, supervisor }: SeededCompany,
  today: Day,
): Promise<void> {
  // Fresh tables have no statistics yet: without them the first questions of the day are planned blindly.
  await database.tx('*', tx =>
    analyzeTables(
      tx,
      'fee_relation',
      'meter_reading',
      'room',
      'resident',
      'park_place',
      'fee_standard',
      'fee_standard_version',
      'fee_item',
      'room_change_log',
    ),
  )
  for (const plan of plans) {
    await seedEstateBills(database, scope, plan.projectCode, today)
  }
  await database.tx('*', tx =>
    analyzeTables(
      tx,
      'bill (owner_id, id, project_code, source_type, source_code, fee_type, relation_id, begin_date, create_time, state, pay_state, delete_tag)',
      'bill_month',
    ),
  )
  // Before the till's own three weeks, and so that late fees are computed on what is still owed.
  for (const [nth, { projectCode: project }] of plans.entries()) {
    await seedPaymentHistory(
      database,
      project === mainProject && cashier && supervisor
        ? { project, sequence: nth, cashier, supervisor, keptUnpaid: 200, openDays: 20 }
        : { project, sequence: nth, cashier: scope, ...(supervisor ? { supervisor } : {}) },
      today,
    )
  }
}

/** The last three weeks at the desks, whose days are closed at the end. */
async function seedDailyData(
  database: Database,
  { scope }: SeededCompany,
  today: Day,
  dataDir?: string,
): Promise<void> {
  await seedReconcile(database, scope, mainProject, '财务', dataDir)
  await seedPayments(database, scope, mainProject, cashierLogin, supervisorLogin)
  await seedInvoices(database, scope, mainProject, cashierLogin, supervisorLogin)
  await seedReminders(database, scope, mainProject, today)
  await seedPool(database, scope, mainProject, today)
  await seedMessages(database, scope.ownerId, mainProject)
}

/** The companies that a first start shows: a lively one, and a small one beside it. */
export async function fillDemo(
  url: string,
  { dataDir, alone }: { readonly dataDir?: string; readonly alone: boolean },
): Promise<void> {
  const today = dayOfMoment(fromInstant(Date.now()))
  // Whoever lays it tells afterwards that it is whole: that commit keeps everything before it.
  const store = openDatabase(url, { pool: 3, bulk: 1, asyncCommit: true })
  try {
    const one = await seedCompany(store, mainCompany, today)
    const two = await seedCompany(store, smallCompany, today)
    const both = async (): Promise<void> => {
      await Promise.all([seedBooks(store, one, today), seedBooks(store, two, today)])
    }
    // In a database that others may use, or that is left half laid, no index goes.
    await (alone ? withoutIndexes(store, both) : both())
    for (const { scope } of [one, two]) {
      await refreshLateFees(store, scope.ownerId, today)
    }
    await seedDailyData(store, one, today, dataDir)
    // Where companies pay what they buy of the platform.
    await store.tx('*', tx =>
      tx.execute(
        sql`
          insert into pay_channel (owner_id, channel, simulated, enabled)
          values (0, 10, true, true), (0, 20, true, true)
        `,
      ),
    )
    await store.tx('*', tx =>
      analyzeTables(
        tx,
        'bill',
        'bill_month',
        'bill_move',
        'pay_record',
        'pay_detail',
        'pay_line',
        'fc_summary',
        'fee_relation',
        'meter',
        'meter_reading',
        'room',
        'resident',
        'user_room',
        'user_room_log',
        'identity_card',
        'park_place',
        'company_room',
        'manager',
        'day_close',
        'prestore_entry',
        'invoice_part',
      ),
    )
    await store.tx('*', tx => tx.execute(sql`select setval('natural_code_seq', 100000)`))
  } finally {
    await store.close()
  }
}

/** Whether the demo's accounts are in the database. */
export async function hasDemo(url: string): Promise<boolean> {
  const database = openDatabase(url, { pool: 1, bulk: 1 })
  try {
    return (
      (await database
        .reader('*')
        .one(sql`select 1 as there from manager where login_code = 'demo' and delete_tag = 0 limit 1`)) !==
      undefined
    )
  } finally {
    await database.close()
  }
}
