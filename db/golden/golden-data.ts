import { defined } from '#kit/domain/defined.ts'
import type { Id } from '#kit/domain/id.ts'
import { toInstant } from '#kit/domain/moment.ts'
import { openDatabase, sql, type Database, type Tx } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import { registerEntities } from '#kit/server/registry.ts'
import { loadInstalledModules } from '#apps/server/modules.ts'
import { createCompany, registerLogin } from '#modules/accounts/server/public.ts'
import { seedDevices } from './devices.ts'
import { seedFees, seedRelations, seedStandards } from './fees.ts'
import { seedCars } from './cars.ts'
import { seedCharging } from './charging.ts'
import { ownerScope, seedEstate, type PlannedBuilding, type PlannedEstate } from './seed-estate.ts'
import { demoRoles, seedRoles } from './roles.ts'
import { seedGrounds, seedGroundTemplates } from './grounds.ts'
import { seedActivities } from './activities.ts'
import { seedMerchantCoupons } from './merchant-coupons.ts'
import { seedBooths } from './parking-booth.ts'
import { seedParkingStays } from './parking-stays.ts'
import { seedPeople } from './people.ts'
import { seedNotices, seedPortalEntries } from './portal.ts'
import { seedStaff } from './seed-staff.ts'
import { seedSubscription } from './subscription.ts'
import { seedOrderCompany, seedWorkOrders } from './work-orders.ts'

/** Signs in everyone of the golden data. */
export const password = 'Anju2026'

/** The second company has the same codes as the first: what leaks between them is seen at once. */
export const golden = {
  first: {
    owner: 'golden1',
    estateOnly: 'golden1-estate',
    buildingOnly: 'golden1-building',
    ofRole: (key: string): string => `golden1-${key}`,
    company: '金一物业',
  },
  second: { owner: 'golden2', company: '金二物业' },
  estates: ['GOLD0001', 'GOLD0002'],
  buildings: ['B1', 'B2', 'B3'],
} as const

const firstBuildings: readonly PlannedBuilding[] = [
  {
    code: 'B1',
    name: '1栋',
    units: 2,
    floors: 3,
    perFloor: 2,
    buildType: 'low',
    deliverDate: '2022-06-18',
    states: { unsold: 1, pending: 1, vacant: 2, let: 1, fitting: 1, own: 1 },
  },
  {
    code: 'B2',
    name: '2栋',
    units: 1,
    floors: 6,
    perFloor: 2,
    buildType: 'low',
    undergroundFloors: 1,
    states: { vacant: 3 },
  },
  {
    code: 'B3',
    name: '商业街',
    units: 1,
    floors: 2,
    perFloor: 4,
    buildType: 'shop',
    roomType: 'shop',
    states: { vacant: 4, let: 4 },
    areas: [56.2, 78.4],
  },
]

const firstEstate = (mark: string): PlannedEstate => ({
  projectCode: 'GOLD0001',
  name: `${mark}一期`,
  projectType: 'housing',
  servicePhone: '0755-12345678',
  alarmPhone: ['13800138000'],
  sort: 1,
  buildings: firstBuildings,
  publicAreas: [
    {
      code: 'A1',
      name: '1栋大堂',
      buildCode: 'B1',
      areaType: 'lobby',
      area: '86.5',
      rentState: 'own',
      position: '1层',
    },
    {
      code: 'A2',
      name: '中心广场广告位',
      areaType: 'advert',
      area: '12',
      rentState: 'let',
      position: '南门',
    },
  ],
  parks: [
    {
      code: `P${mark === '金一' ? 1 : 2}1`,
      name: '地下车库',
      areas: { 'B1-A区': 8, 'B1-B区': 6 },
      states: { sold: 5, let: 4, own: 1, off: 1 },
    },
  ],
})

const secondEstate = (mark: string): PlannedEstate => ({
  projectCode: 'GOLD0002',
  name: `${mark}二期`,
  projectType: 'office',
  sort: 2,
  buildings: [
    {
      code: 'B1',
      name: 'A座',
      units: 1,
      unitType: 'letter',
      floors: 4,
      perFloor: 3,
      buildType: 'office',
      roomType: 'office',
      states: { vacant: 4, let: 6 },
      areas: [120, 180, 240],
    },
  ],
  publicAreas: [
    { code: 'A1', name: '屋顶基站', areaType: 'plant', area: '20', rentState: 'let', position: '屋顶' },
  ],
  parks: [
    {
      code: `P${mark === '金一' ? 1 : 2}2`,
      name: '地面停车场',
      parkType: 'ground',
      areas: { 地面: 5 },
      states: { let: 2 },
    },
  ],
})

const goldenEstates = (mark: string): PlannedEstate[] => [firstEstate(mark), secondEstate(mark)]

async function createLimitedManager(
  database: Database,
  ownerId: Id,
  login: string,
  name: string,
  project: string,
  buildings: readonly string[] | null,
): Promise<void> {
  await database.tx(ownerId, async tx => {
    const m = await tx.one<{
      id: Id
    }>(sql`
      insert into manager (
        owner_id, login_code, real_name, manager_type, role_ids, all_project, show_privacy, state
      )
      select ${ownerId}::bigint, ${login}, ${name}, 30,
        array[(select id::text from role where owner_id = ${ownerId} and everything limit 1)], false, false,
        10
      returning id
    `)
    await registerLogin(tx, login, { ownerId, refId: defined(m).id })
    await tx.execute(
      sql`
        insert into manager_secret (owner_id, manager_id, password)
        select ${ownerId}::bigint, ${defined(m).id}::bigint, password
        from manager_secret
        where owner_id = ${ownerId}
        limit 1
        returning manager_id
      `,
    )
    await tx.execute(
      sql`
        insert into manager_data_domain (owner_id, manager_id, project_code, build_codes)
        values (${ownerId}, ${defined(m).id}, ${project}, ${buildings ? [...buildings] : null}::text[])
      `,
    )
  })
}

/** Devices, staff, fees and work orders of a company that has its estates. */
async function seedCompanyData(tx: Tx, scope: Scope, mark: string, onlyEnded: boolean): Promise<void> {
  await seedDevices(tx, scope, goldenEstates(mark))
  await seedCars(tx, scope, { projectCode: 'GOLD0001', today: '2026-11-20', owned: 0 })
  await seedParkingStays(tx, scope, 'GOLD0001', toInstant('2026-11-20 18:00:00'))
  await seedBooths(tx, scope, 'GOLD0001', toInstant('2026-11-20 18:00:00'))
  await seedStaff(tx, scope, 7, 1)
  await seedPortalEntries(tx, scope)
  await seedNotices(tx, scope, Date.parse(scope.time))
  await seedFees(tx, scope)
  await seedMerchantCoupons(tx, scope, {
    projectCode: 'GOLD0001',
    now: '2026-11-20 18:00:00',
    isSold: false,
  })
  await seedActivities(tx, scope, { projectCode: 'GOLD0001', now: '2026-11-20 18:00:00', signs: 2 })
  for (const [project, kind] of [
    ['GOLD0001', 'housing'],
    ['GOLD0002', 'office'],
  ] as const) {
    await seedStandards(tx, scope, project, kind)
  }
  // One building alone: what refers to a room holds it, and most tests want their rooms free.
  await seedRelations(tx, scope, 'GOLD0001', '2026-10-31', { buildings: ['B1'] })
  await seedCharging(tx, scope, {
    projectCode: 'GOLD0001',
    mark: mark === '金一' ? 'JA' : 'JB',
    nowMs: toInstant('2026-11-20 18:00:00'),
    orderCount: 2,
    hasOpenException: false,
  })
  const handlers = [{ id: scope.operatorId, name: `${mark}管理员` }]
  await seedOrderCompany(tx, scope, ['residential'], handlers)
  await seedGroundTemplates(tx, scope)
  await seedGrounds(tx, scope, 'GOLD0001')
  await seedWorkOrders(tx, scope, {
    project: 'GOLD0001',
    set: 'residential',
    count: 20,
    handlers,
    now: '2026-11-20 18:00:00',
    hasRooms: false,
    onlyEnded,
  })
}

/** The roles whose holders the first company has. */
export const goldenRoles = demoRoles.filter(({ key }) => key !== 'environment')

/** The managers of the first company: two with limited estates, and one of each role. */
async function seedManagers(database: Database, ownerId: Id): Promise<void> {
  await createLimitedManager(database, ownerId, golden.first.estateOnly, '一期主管', 'GOLD0001', null)
  await createLimitedManager(database, ownerId, golden.first.buildingOnly, '一栋管家', 'GOLD0001', ['B1'])
  const reach = {
    cashier: { GOLD0001: null },
    service: { GOLD0001: null },
    engineer: { GOLD0001: ['B1', 'B2'] },
  }
  await seedRoles(database, ownerId, r => golden.first.ofRole(r.key), reach, goldenRoles)
}

async function seedCompany(
  database: Database,
  { company, owner }: { readonly company: string; readonly owner: string },
  mark: string,
): Promise<void> {
  const realName = `${mark}管理员`
  const { ownerId, operatorId } = await database.tx('*', tx =>
    createCompany(tx, { companyName: company, loginCode: owner, password, realName }),
  )
  const scope = ownerScope(ownerId, operatorId, realName)
  const isFirst = owner === golden.first.owner
  for (const [i, plan] of goldenEstates(mark).entries()) {
    await database.tx(ownerId, async tx => {
      await seedEstate(tx, scope, plan, 7 + i)
      await seedPeople(tx, scope, plan.projectCode, 7 + i)
    })
  }
  await database.tx(ownerId, tx => seedCompanyData(tx, scope, mark, !isFirst))
  await database.tx(ownerId, tx => seedSubscription(tx, scope, 'small'))
  if (isFirst) {
    await seedManagers(database, ownerId)
  }
}

/**
 * Two small companies, the same on every machine: what server tests and the test of every call start from.
 */
export async function seedGolden(url: string): Promise<void> {
  // What is written is read back, with what its references lead to.
  registerEntities((await loadInstalledModules()).flatMap(m => m.contract.entities))
  const database = openDatabase(url, { pool: 2, bulk: 1 })
  try {
    await seedCompany(database, golden.first, '金一')
    await seedCompany(database, golden.second, '金二')
    await database.tx('*', tx => tx.execute(sql`select setval('natural_code_seq', 100000)`))
  } finally {
    await database.close()
  }
}
