import { parseId, type Id } from '#kit/domain/id.ts'
import { sql, type Db } from '#kit/server/db.ts'
import { reads } from '#kit/server/handler.ts'
import { rowsExportHandlers } from '#kit/server/rows-export.ts'
import type { Scope } from '#kit/server/scope.ts'
import { findAll } from '#kit/server/table.ts'
import type { TargetType } from '../contract/choices.ts'
import { exportWorkRates, listWorkRates, rateColumnsBy } from '../contract/overview.ts'
import { workPlan } from '../contract/plan.ts'
import { findTargetRules, findWorkKind } from './kinds.ts'
import { assertSpan, visibleKinds } from './overview.ts'
import { findRates, type RateKey, type Rates } from './rates.ts'
import { loadStaff } from './work-context.ts'

type RateSearch = NonNullable<typeof listWorkRates.input.T>
type Environment = { readonly db: Db; readonly scope: Scope }

/** A year at most: longer spans are for exports of the tasks themselves. */
const maxDays = 370

const deletedName = '已停用或删除'
const idsIn = (rows: readonly Rates[], idOf: (row: Rates) => Id | undefined): Id[] => [
  ...new Set(rows.flatMap(row => idOf(row) ?? [])),
]

/** Roads, standards and templates by kind and id: `10/7`. */
async function loadSubjectNames({ db, scope }: Environment, rows: readonly Rates[]) {
  const names = new Map<string, string>()
  for (const [kind, ofKind] of Map.groupBy(rows, row => row.kind)) {
    const keys = idsIn(ofKind, row => row.subjectId).map(subjectId => ({ projectCode: '', subjectId }))
    if (!kind || !keys.length) continue
    const found = (await findWorkKind(kind)?.loadSubjects(db, scope, keys)) ?? new Map()
    for (const [id, subject] of found) {
      names.set(`${kind}/${id}`, subject.name)
    }
  }
  return names
}

const targetTypeOfRow = ({ kind, targetType }: Rates): TargetType | undefined =>
  targetType ?? (kind && findWorkKind(kind)?.targetType)

/** Objects by their sort and id. */
async function loadTargetNames({ db, scope }: Environment, rows: readonly Rates[]) {
  const names = new Map<string, string>()
  for (const [type, ofType] of Map.groupBy(rows, targetTypeOfRow)) {
    const ids = idsIn(ofType, row => row.targetId || undefined)
    const rules = type && findTargetRules(type)
    if (!type || !rules || !ids.length) continue
    for (const { id, name } of await rules.load(db, scope, { ids })) {
      names.set(`${type}/${id}`, name)
    }
  }
  return names
}

async function loadPlanNames({ db, scope }: Environment, rows: readonly Rates[]) {
  const ids = idsIn(rows, row => row.planId)
  const plans = await findAll(db, workPlan, scope, {}, { where: [sql`t.id = any(${ids}::bigint[])`] })
  return new Map(plans.map(plan => [plan.id, plan.planName]))
}

/** What people call the things that rates are grouped by; what is gone keeps the name that its tasks have. */
async function namesOf(
  environment: Environment,
  by: RateKey,
  rows: readonly Rates[],
): Promise<(row: Rates) => string | undefined> {
  switch (by) {
    case 'staff': {
      const staff = await loadStaff(
        environment.db,
        environment.scope.ownerId,
        idsIn(rows, row => row.staffId),
      )
      return row => (row.staffId ? (staff.get(row.staffId)?.name ?? '已删除人员') : '未分派')
    }
    case 'plan': {
      const plans = await loadPlanNames(environment, rows)
      return row => plans.get(parseId(row.key))
    }
    case 'subject':
    case 'target': {
      const subjects = await loadSubjectNames(environment, rows)
      const targets = await loadTargetNames(environment, rows)
      return row =>
        row.targetId
          ? targets.get(`${targetTypeOfRow(row)}/${row.targetId}`)
          : subjects.get(`${row.kind}/${row.subjectId}`)
    }
    case 'all':
    case 'day':
      return row => row.key
  }
}

type NamedRates = Omit<Rates, 'keptName'> & { readonly name: string }

/** The worst first; days in their order. */
const compareRows = (a: NamedRates, b: NamedRates): number =>
  b.missedTasks - a.missedTasks || b.missed - a.missed || a.name.localeCompare(b.name, 'zh')

interface FoundRates {
  readonly rows: readonly NamedRates[]
  /** Over all rows, the rates too. */
  readonly sum: Readonly<Record<string, number | string>>
}

const sumKeys = [...(listWorkRates.output.sums ?? [])]

async function loadRates(
  { projectCode, kinds, from, to, by }: RateSearch,
  environment: Environment,
): Promise<FoundRates> {
  assertSpan(from, to, maxDays)
  const query = { kinds: visibleKinds(environment.scope, kinds), from, to, projectCode }
  const [total] = await findRates(environment.db, environment.scope, query, 'all')
  const found = await findRates(environment.db, environment.scope, query, by)
  const nameOf = await namesOf(environment, by, found)
  const named = found.map(({ keptName, ...row }): NamedRates => ({
    ...row,
    name: nameOf(row) ?? keptName ?? deletedName,
  }))
  const figures: Readonly<Record<string, unknown>> = { ...total }
  return {
    rows: by === 'day' ? named : named.toSorted(compareRows),
    sum: Object.fromEntries(
      sumKeys.flatMap(key => {
        const figure = figures[key]
        return typeof figure === 'number' || typeof figure === 'string' ? [[key, figure]] : []
      }),
    ),
  }
}

const rateExport = rowsExportHandlers<RateSearch, NamedRates>({
  kind: 'planned-work.rates',
  name: '任务统计',
  calls: exportWorkRates,
  columns: ({ by }) => rateColumnsBy(by),
  entity: 'workTask',
  keyOf: row => row.key,
  load: async (query, c, limit) => {
    const { rows } = await loadRates(query, c)
    return { total: rows.length, rows: rows.slice(0, limit) }
  },
})

export const rateServer = {
  jobs: [rateExport.job],
  handlers: [
    ...rateExport.handlers,
    reads(listWorkRates, async ({ page = 1, size = 20, ...query }, c) => {
      const { rows, sum } = await loadRates(query, c)
      return { total: rows.length, rows: rows.slice((page - 1) * size, page * size), sum }
    }),
  ],
}
