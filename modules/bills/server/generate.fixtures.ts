import { defined } from '#kit/domain/defined.ts'
import { asId, parseId, type Id } from '#kit/domain/id.ts'
import type { Day } from '#kit/domain/day.ts'
import { asMonth, type Month } from '#kit/domain/month.ts'
import { openDatabase, sql, type Database, type Tx } from '#kit/server/db.ts'
import { unrestrictedDomain, type Scope } from '#kit/server/scope.ts'
import { registerEntities } from '#kit/server/registry.ts'
import { insert, insertAll } from '#kit/server/table.ts'
import { feeFormula, type FeeFormula } from '#modules/fees/contract/formula.ts'
import { feeItem, type FeeItem } from '#modules/fees/contract/item.ts'
import { feeRelation } from '#modules/fees/contract/relation.ts'
import { feeStandard, standardVersion, type FeeStandard } from '#modules/fees/contract/standard.ts'
import { billRun, type BillRun } from '../contract/bill.ts'
import type { RunRequest } from '../contract/run.ts'
import { batchPrefix } from './bill-number.ts'
import { prepareRun } from './run-scope.ts'
import { findRun } from './run-chunk.ts'
import { executeRun } from './run-engine.ts'

export const testScope = (ownerId: Id): Scope => ({
  ownerId,
  operatorId: asId(1),
  name: '测试',
  isOwner: true,
  permissions: new Set(),
  domain: unrestrictedDomain,
  canSeePersonalData: true,
  projectCode: '',
  ip: '',
  requestId: 'test',
  time: '2026-11-21T01:00:00.000Z',
})

let feeCounter = 0

export interface SeededFee {
  readonly itemId: Id
  readonly standardId: Id
}

export interface FeeOptions {
  readonly item?: Partial<FeeItem>
  readonly formula?: Pick<FeeFormula, 'formulaType' | 'expression'>
  readonly standard?: Partial<FeeStandard>
  readonly price?: string
  readonly prices?: readonly {
    readonly effectiveDate: Day
    readonly endDate?: Day
    readonly price: string
  }[]
}

/** A fee item with a formula and a standard of an estate: by default area × price by the month. */
export async function seedFee(tx: Tx, scope: Scope, project: string, w: FeeOptions = {}): Promise<SeededFee> {
  feeCounter++
  const [itemId] = await insertAll(tx, feeItem, scope, [
    {
      code: `G${feeCounter}`,
      name: `测试项目${feeCounter}`,
      feeType: 'cyclic',
      category: 'property',
      incomeKind: 'own',
      inRate: true,
      billMode: 'auto',
      scene: 'roomShop',
      allowMulti: false,
      allowOnline: true,
      autoDeduct: true,
      principalSettles: false,
      lateFeeSwitch: false,
      state: 'on',
      ...w.item,
    },
  ])
  const [formulaId] = await insertAll(tx, feeFormula, scope, [
    { name: `测试公式${feeCounter}`, isSystem: false, state: 'on', formulaType: 'area', ...w.formula },
  ])
  const [standardId] = await insertAll(tx, feeStandard, scope, [
    {
      projectCode: project,
      code: `G${feeCounter}`,
      name: `测试标准${feeCounter}`,
      feeItemId: itemId,
      formulaId,
      areaKind: 'build',
      cycleType: 'natural',
      cycleMonths: 1,
      alignYear: true,
      chargeMode: 'ahead',
      startRule: 'fixedDate',
      prorateMode: 'actual',
      advanceDays: 0,
      delayDays: 0,
      dueBase: 'begin',
      dueDays: 30,
      dueSkipHoliday: false,
      roundType: 'halfUp',
      roundUnit: 'fen',
      tiersStretch: true,
      state: 'on',
      ...w.standard,
    },
  ])
  await insertAll(
    tx,
    standardVersion,
    scope,
    (w.prices ?? [{ effectiveDate: '2020-01-01' as const, price: w.price ?? '2.85' }]).map(p => ({
      standardId,
      extraProrate: false,
      ...p,
    })),
  )
  return { itemId: defined(itemId), standardId: defined(standardId) }
}

export interface SeededRoom {
  readonly code: string
  readonly path: string
  readonly buildCode: string
}

export const findSeededRooms = (tx: Pick<Tx, 'rows'>, ownerId: Id, project: string): Promise<SeededRoom[]> =>
  tx.rows<SeededRoom>(
    sql`
      select code, path, build_code
      from room
      where owner_id = ${ownerId} and project_code = ${project} and delete_tag = 0
      order by sort_key
    `,
  )

/** Rooms charged by a standard from a day on. */
export const bindRooms = async (
  tx: Tx,
  scope: Scope,
  project: string,
  fee: SeededFee,
  rooms: readonly SeededRoom[],
  fields: object = {},
): Promise<Id[]> => {
  const ids = await insertAll(
    tx,
    feeRelation,
    scope,
    rooms.map(r => ({
      projectCode: project,
      sourceType: 'room',
      sourceCode: r.code,
      sourceName: r.path,
      buildCode: r.buildCode,
      feeItemId: fee.itemId,
      standardId: fee.standardId,
      beginDate: '2026-09-01',
      multi: false,
      state: 'charging',
      ...fields,
    })),
  )
  // What the former system charged is the floor (CYC-4).
  await tx.execute(
    sql`
      update fee_relation
      set run_floor = billed_to
      where owner_id = ${scope.ownerId}
        and id = any(${ids}::bigint[])
    `,
  )
  return ids
}

/**
 * A month's bills of an estate made at once by the engine itself, without a worker: what demo data and
 * benches start from.
 */
export async function generateNow(
  database: Database,
  scope: Scope,
  project: string,
  month: Month,
  today: Day,
  request: Partial<RunRequest> = {},
  options: { readonly atOnce?: number; readonly patience?: string; readonly begun?: BillRun } = {},
): Promise<BillRun> {
  const run =
    options.begun ??
    (await database.tx(scope.ownerId, async tx => {
      const batchNo = await tx.numbers.next(scope.ownerId, batchPrefix, today)
      return insert(tx, billRun, scope, {
        projectCode: project,
        batchNo,
        kind: 'wizard',
        month,
        scope: request,
        total: 0,
        done: 0,
        afterId: 0,
        made: 0,
        behind: 0,
        amount: 0,
        state: 'running',
      })
    }))
  const ready = () => prepareRun(database.reader(scope.ownerId), scope, project, request, { month, today })
  const end = await executeRun(
    {
      database,
      scope,
      state: 'normal',
      source: 'auto',
      today,
      save: async () => {},
      onProgress: () => {},
      reloadRun: ready,
      ...(options.atOnce ? { chunkSize: options.atOnce } : {}),
      ...(options.patience ? { lockTimeout: options.patience } : {}),
    },
    await ready(),
    run,
  )
  await database.tx(scope.ownerId, tx =>
    tx.execute(
      sql`
        update bill_run
        set state = 30, total = ${end.done}, message = ${`生成 ${end.made} 张`}, end_time = now()
        where owner_id = ${scope.ownerId} and id = ${run.id}
      `,
    ),
  )
  return end
}

// A process of its own, to be killed: url, company, estate, standard, month, relations at once, the run to go
// on with (0: a new one).
if (import.meta.main) {
  const [url = '', ownerId, project = '', standard = '', month = '', atOnce, begun] = process.argv.slice(2)
  const database = openDatabase(url, { pool: 2, bulk: 1 })
  const scope = testScope(parseId(ownerId))
  registerEntities([feeItem, feeFormula, feeStandard, standardVersion, feeRelation, billRun])
  const run = Number(begun)
    ? await findRun(database.reader(scope.ownerId), scope.ownerId, parseId(begun))
    : undefined
  const end = await generateNow(
    database,
    scope,
    project,
    asMonth(month),
    '2026-11-21',
    { standardIds: [standard] },
    { atOnce: Number(atOnce), ...(run ? { begun: run } : {}) },
  )
  console.log(end.made)
  await database.close()
}
