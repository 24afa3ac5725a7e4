import { dayOfMoment, fromInstant } from '#kit/domain/moment.ts'
import type { Day, Id } from '#kit/contract/field.ts'
import { openDatabase, sql, type Database, type Tx } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import { registerEntities } from '#kit/server/registry.ts'
import type { ReportShare } from '#kit/server/startup/startup-progress.ts'
import { loadInstalledModules } from '#apps/server/modules.ts'
import { demoLogins, demoPassword } from '#modules/accounts/domain/demo-account.ts'
import { createCompany } from '#modules/accounts/server/public.ts'
import { billedUntil, seedEstateBills } from './bills.ts'
import { seedPool } from './share-pools.ts'
import { refreshLateFees } from '#modules/bills/server/late-fee-refresh.ts'
import { seedPaymentHistory } from './payment-history.ts'
import { seedReminders } from './reminders.ts'
import { seedInvoiceSettings } from './invoice-settings.ts'
import { seedInvoices } from './invoices.ts'
import { withoutIndexes } from './bulk-load.ts'
import { analyzeFinished, analyzeTables } from './analyze.ts'
import { seedFees, seedRelations, seedStandards } from './fees.ts'
import { ownerScope, seedEstate } from './seed-estate.ts'
import { seedRoles } from './roles.ts'
import { seedAreaChanges } from './area-changes.ts'
import { seedCars } from './cars.ts'
import { seedCalendar } from './calendar.ts'
import { seedCounters } from './counters.ts'
import { seedIntegrations } from './integrations.ts'
import { seedCorrespondence } from './correspondence.ts'
import { seedMeters } from './meters.ts'
import { seedActivities } from './activities.ts'
import { seedActivityFees } from './activity-fees.ts'
import { seedPublicNotices } from './public-notices.ts'
import { seedMerchantAccount } from './merchant-accounts.ts'
import { seedMerchantCoupons } from './merchant-coupons.ts'
import { seedMessaging } from './messaging.ts'
import { seedMonthCards } from './month-cards.ts'
import { seedParkingIncome } from './parking-income.ts'
import { seedDemoCharging } from './charging.ts'
import { seedReconcile } from './reconcile.ts'
import { seedPayments } from './payments.ts'
import { seedPortalEntries } from './portal.ts'
import { seedPeople } from './people.ts'
import { seedStaff } from './seed-staff.ts'
import { seedSubscription } from './subscription.ts'
import { seedOrderBills } from './work-order-bills.ts'
import { mainCompany, smallCompany, type DemoCompany } from './demo-companies.ts'
import { engineerDomain, seedOperations, type SeededCompany } from './demo-operations.ts'
import { cloudEstate } from './demo-estates.ts'
import { gardenEstate } from './demo-garden-estate.ts'
import { seedWechat } from './wechat.ts'

const realName = '演示管理员'
const mainProject = gardenEstate.projectCode
const cashierLogin = demoLogins.ofRole('cashier')
const supervisorLogin = demoLogins.ofRole('manager')

/** The accounts of the company's roles; those who take its money. */
async function seedAccounts(
  database: Database,
  scope: Scope,
): Promise<Pick<SeededCompany, 'cashier' | 'supervisor'>> {
  const { ownerId } = scope
  await seedRoles(database, ownerId, r => demoLogins.ofRole(r.key), {
    cashier: { [mainProject]: null },
    service: { [mainProject]: null },
    engineer: engineerDomain,
    environment: { [mainProject]: null },
    manager: { [mainProject]: null, [cloudEstate.projectCode]: null },
  })
  const counterStaff = await database.reader(ownerId).rows<{ login: string; id: Id; name: string }>(
    sql`
      select login_code as login, id, real_name as name
      from manager
      where owner_id = ${ownerId} and login_code = any(${[cashierLogin, supervisorLogin]})
    `,
  )
  const [cashier, supervisor] = [cashierLogin, supervisorLogin].map(
    login =>
      counterStaff.flatMap(m => (m.login === login ? [{ ...scope, operatorId: m.id, name: m.name }] : []))[0],
  )
  return { cashier, supervisor }
}

/** Its estates, people and fees, what bills are made from; the lively one has meters as well. */
async function seedCompanyData(
  tx: Tx,
  scope: Scope,
  { companyName, plans, lively }: DemoCompany,
  today: Day,
): Promise<void> {
  for (const [i, plan] of plans.entries()) {
    await seedEstate(tx, scope, plan, 2026 + i)
    await seedPeople(tx, scope, plan.projectCode, 2026 + i)
    const { projectCode } = plan
    await seedCars(tx, scope, { projectCode, today, owned: projectCode === mainProject ? 26 : 10 })
  }
  await seedStaff(tx, scope, 2026, lively ? 3 : 1)
  await seedPortalEntries(tx, scope)
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
  await seedCounters(
    tx,
    scope.ownerId,
    plans.map(p => p.projectCode),
  )
  await seedInvoiceSettings(tx, scope, companyName)
  await seedCalendar(tx, scope.ownerId)
  if (!lively) return
  await seedMeters(tx, scope, {
    project: mainProject,
    smart: ['JX09'],
    done: ['JX01', 'JX02', 'JX05'],
    main: 'JX01',
    lobby: 'JXA01',
    today,
  })
  await seedAreaChanges(tx, scope, mainProject, realName)
}

async function seedCompany(database: Database, company: DemoCompany, today: Day): Promise<SeededCompany> {
  const { loginCode, companyName, lively } = company
  const { ownerId, operatorId } = await database.tx('*', tx =>
    createCompany(tx, { companyName, loginCode, password: demoPassword, realName }),
  )
  const scope = ownerScope(ownerId, operatorId, realName, new Date().toISOString())
  await database.tx(ownerId, tx => seedCompanyData(tx, scope, company, today))
  if (!lively) return { ...company, scope }
  return { ...company, scope, ...(await seedAccounts(database, scope)) }
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
  // Before the cashier's own three weeks, and so that late fees are computed on what is still owed.
  for (const { projectCode: project } of plans) {
    await seedPaymentHistory(
      database,
      project === mainProject && cashier && supervisor
        ? { project, cashier, supervisor, keptUnpaid: 200, openDays: 20 }
        : { project, cashier: scope, ...(supervisor ? { supervisor } : {}) },
      today,
    )
  }
}

/** The last three weeks of the cashiers, whose days are closed at the end. */
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
  await seedCorrespondence(database, scope, mainProject, today)
  await database.tx(scope.ownerId, tx => seedOrderBills(tx, scope, today))
  await database.tx(scope.ownerId, tx => seedMonthCards(tx, scope, mainProject, today))
  await database.tx(scope.ownerId, tx => seedParkingIncome(tx, scope))
  await database.tx(scope.ownerId, tx =>
    seedDemoCharging(tx, scope, { projectCode: mainProject, mark: 'CDZ', nowMs: Date.now() }),
  )
  await database.tx(scope.ownerId, tx =>
    seedMerchantCoupons(tx, scope, {
      projectCode: mainProject,
      now: fromInstant(Date.now()),
      isSold: true,
    }),
  )
  await database.tx(scope.ownerId, tx => seedMerchantAccount(tx, scope, mainProject))
  await database.tx(scope.ownerId, tx =>
    seedPublicNotices(tx, scope, { projectCode: mainProject, now: fromInstant(Date.now()) }),
  )
  await database.tx(scope.ownerId, tx =>
    seedActivities(tx, scope, { projectCode: mainProject, now: fromInstant(Date.now()), signs: 15 }),
  )
  await database.tx(scope.ownerId, tx =>
    seedActivityFees(tx, scope, { projectCode: mainProject, now: fromInstant(Date.now()) }),
  )
  await database.tx(scope.ownerId, tx =>
    seedMessaging(tx, scope, {
      projectCode: mainProject,
      now: fromInstant(Date.now()),
      people: 120,
      bought: 20_000,
    }),
  )
  if (dataDir !== undefined) {
    await database.tx(scope.ownerId, tx => seedWechat(tx, scope, { projectCode: mainProject, dataDir }))
    await seedIntegrations(database, scope, mainProject, { today, dataDir })
  }
}

export interface DemoOptions {
  readonly dataDir?: string
  /** The database is used by nobody else. */
  readonly alone: boolean
  readonly report?: ReportShare
}

/** The companies that a first start shows: a lively one, and a small one beside it. */
export async function fillDemo(
  url: string,
  { dataDir, alone, report = () => {} }: DemoOptions,
): Promise<void> {
  // What is written is read back, with what its references lead to.
  registerEntities((await loadInstalledModules()).flatMap(m => m.contract.entities))
  const today = dayOfMoment(fromInstant(Date.now()))
  // Its maker marks it as complete afterwards: that commit keeps everything before it.
  const store = openDatabase(url, { pool: 6, bulk: 1, asyncCommit: true })
  try {
    report(0.02, '项目、房间与住户')
    const one = await seedCompany(store, mainCompany, today)
    const two = await seedCompany(store, smallCompany, today)
    report(0.2, '账单与收款')
    const both = async (): Promise<void> => {
      await Promise.all([seedBooks(store, one, today), seedBooks(store, two, today)])
    }
    // One company after the other: the numbers of their rows stay the same each time.
    const operations = async (): Promise<void> => {
      await seedOperations(store, one, today, dataDir)
      await seedOperations(store, two, today)
    }
    // In a database that others may use, or that is left half laid, no index goes.
    await Promise.all([alone ? withoutIndexes(store, both) : both(), operations()])
    report(0.75, '违约金')
    for (const { scope } of [one, two]) {
      await refreshLateFees(store, scope.ownerId, today)
    }
    report(0.8, '近三周的收费、对账与发票')
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
    await store.tx('*', analyzeFinished)
    await store.tx('*', tx => tx.execute(sql`select setval('natural_code_seq', 100000)`))
  } finally {
    await store.close()
  }
}
