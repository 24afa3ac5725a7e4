import type { Day } from '#kit/contract/field.ts'
import type { Database } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import { demoLogins } from '#modules/accounts/domain/demo-account.ts'
import { seedApprovals } from './approvals.ts'
import { seedAttendance } from './attendance.ts'
import type { DemoCompany } from './demo-companies.ts'
import { riverEstate } from './demo-estates.ts'
import { gardenEstate } from './demo-garden-estate.ts'
import { seedDevices } from './devices.ts'
import { seedFiles } from './files.ts'
import { seedBooths } from './parking-booth.ts'
import { seedParkingStays } from './parking-stays.ts'
import { seedPatrol } from './patrol.ts'
import { seedPlannedWork } from './planned-work.ts'
import { seedAccountHolders, seedNotices } from './portal.ts'
import { seedPurchases } from './purchases.ts'
import { seedSites } from './sites.ts'
import { seedDemoOrders } from './work-order-people.ts'
import { seedOrderCompany } from './work-orders.ts'

/** A company that has its estates, people and fees, and nothing billed yet. */
export interface SeededCompany extends DemoCompany {
  readonly scope: Scope
  readonly cashier?: Scope | undefined
  readonly supervisor?: Scope | undefined
}

const mainProject = gardenEstate.projectCode

const accountHolders = [
  { login: demoLogins.ofRole('manager'), department: '物业服务中心', position: '项目经理' },
  { login: demoLogins.ofRole('service'), department: '客户服务部', position: '客服主管' },
  { login: demoLogins.ofRole('engineer'), department: '工程维修部', position: '工程师' },
  { login: demoLogins.ofRole('cashier'), department: '财务部', position: '收费员' },
  { login: demoLogins.ofRole('environment'), department: '环境管理部', position: '保洁主管' },
] as const

export const engineerDomain = { [mainProject]: ['JX01', 'JX02', 'JX03'] }

/** The work of those who have an account: orders, approvals, purchases, rounds, notices. */
async function seedEmployees(database: Database, scope: Scope): Promise<void> {
  const { ownerId } = scope
  await database.tx(ownerId, tx =>
    seedDemoOrders(tx, scope, demoLogins.ofRole('engineer'), engineerDomain, [
      [mainProject, 'residential'],
      [riverEstate.projectCode, 'office'],
    ]),
  )
  await seedApprovals(database, scope)
  await seedPurchases(database, scope, mainProject)
  await database.tx(ownerId, tx => seedAccountHolders(tx, scope, accountHolders))
  await seedPlannedWork(database, scope, mainProject, demoLogins.ofRole('environment'))
  await seedPatrol(database, scope, mainProject)
  await database.tx(ownerId, tx => seedNotices(tx, scope, Date.now()))
}

/** What has nothing to do with money, so that it is written beside the books: devices, sites, work, files. */
export async function seedOperations(
  database: Database,
  { scope, plans, lively }: SeededCompany,
  today: Day,
  dataDir?: string,
): Promise<void> {
  await database.tx(scope.ownerId, async tx => {
    await seedDevices(tx, scope, plans, Date.now())
    for (const { projectCode } of plans) {
      await seedParkingStays(tx, scope, projectCode, Date.now())
      await seedBooths(tx, scope, projectCode, Date.now())
    }
    await seedOrderCompany(tx, scope, ['residential', 'office'], [{ id: scope.operatorId, name: scope.name }])
    await seedSites(tx, scope, plans)
    if (lively) {
      await seedAttendance(tx, scope, today)
    }
  })
  if (!lively) return
  await seedEmployees(database, scope)
  if (dataDir !== undefined) {
    await seedFiles(database, scope, mainProject, dataDir)
  }
}
