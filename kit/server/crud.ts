import type { Call, Permission } from '#kit/contract/call.ts'
import type { CrudOperation } from '#kit/contract/crud.ts'
import type { Fields } from '#kit/contract/field.ts'
import { dayOfMoment, fromInstant } from '#kit/domain/moment.ts'
import type { CrudHooks } from './crud-hooks.ts'
import { importer } from './crud-import.ts'
import { getRow, listConditions, listRows, pickRows, type DeclaredCrud, type Served } from './crud-read.ts'
import { addRow, deleteRows, editRow } from './crud-write.ts'
import {
  reads,
  uniqueMessages,
  writes,
  type Handler,
  type ServerModule,
  type WriteContext,
} from './handler.ts'
import { requirePermission } from './scope.ts'
import { exportHandlers } from './sheet-export.ts'
import { importHandlers } from './sheet-import.ts'

/** The declared calls of an entity, whose types `CrudCalls` checks where they are declared. */
type AnyCall = Call<any, any>

/** Adding with the id of a record: who adds needs the right to edit as well. */
async function editByAdd(s: Served, draft: Parameters<typeof editRow>[1], c: WriteContext) {
  requirePermission(c.scope, s.crud.permissions.edit)
  return editRow(s, draft, c)
}

const handlerByOperation: Record<CrudOperation, (s: Served, call: AnyCall) => Handler> = {
  list: (s, call) => reads(call, (input, c) => listRows(s, input, c)),
  get: (s, call) => reads(call, (input, c) => getRow(s, input, c)),
  add: (s, call) =>
    writes(call, (draft, c) => (s.hooks.addSaves && draft.id ? editByAdd : addRow)(s, draft, c)),
  edit: (s, call) => writes(call, (draft, c) => editRow(s, draft, c)),
  save: (s, call) => writes(call, (draft, c) => (draft.id ? editRow : addRow)(s, draft, c)),
  delete: (s, call) => writes(call, (input, c) => deleteRows(s, input, c)),
}

/**
 * Serves the calls that `crud` declared: automatic codes, search text, masked personal data, the guard of
 * dependents, audit, versions; the import and the export of the entity with the same conditions.
 */
export function crudHandlers<F extends Fields, Q, D, N = D>(
  crud: DeclaredCrud<F, Q, D, N>,
  hooks: CrudHooks<F, Q, D, N> = {},
): ServerModule {
  const served: Served = { crud, hooks: hooks }
  uniqueMessages(hooks.unique ?? {})
  const operations = (Object.keys(handlerByOperation) as CrudOperation[]).filter(
    operation => crud[operation] && !hooks.byHand?.includes(operation),
  )
  const plain = operations.map(operation => handlerByOperation[operation](served, crud[operation] as AnyCall))
  const pickers = (hooks.pickers ?? []).map(call => reads(call, (input, c) => pickRows(served, input, c)))
  return joinServers({ handlers: [...plain, ...pickers] }, importServer(served), exportServer(served))
}

function importServer({ crud, hooks }: Served): Partial<ServerModule> {
  if (!hooks.import) return {}
  const definition = importer<any, any, any, any, any, any>(crud.entity, {
    ...(hooks.codes ? { codes: hooks.codes } : {}),
    ...(hooks.searchText ? { searchText: hooks.searchText } : {}),
    ...hooks.import,
  })
  const { handlers, job } = importHandlers(definition)
  return { handlers, jobs: [job] }
}

function exportServer(served: Served): Partial<ServerModule> {
  const { export: calls, exportRows, enrich } = served.hooks
  if (!calls) return {}
  const { entity } = served.crud
  const { handlers, job } = exportHandlers({
    kind: (calls.get.needs as Permission).menu,
    name: calls.label,
    calls,
    entity,
    columns: calls.columns,
    query: (input: any, c) => listConditions(served, input, c),
    ...(exportRows ? { enrichRows: async (rows: readonly any[]) => exportRows(rows) } : {}),
    ...(enrich
      ? {
          enrichComputed: (rows: readonly any[], { db, scope, app }) =>
            enrich(rows, { db, scope, app, today: dayOfMoment(fromInstant(app.clock())) }),
        }
      : {}),
  })
  return { handlers, jobs: [job] }
}

/** One server of several parts of a module. */
export const joinServers = (...parts: readonly Partial<ServerModule>[]): ServerModule => ({
  handlers: parts.flatMap(p => p.handlers ?? []),
  jobs: parts.flatMap(p => p.jobs ?? []),
  crons: parts.flatMap(p => p.crons ?? []),
  rawEndpoints: parts.flatMap(p => p.rawEndpoints ?? []),
  queues: parts.flatMap(p => p.queues ?? []),
  menuCounts: parts.flatMap(p => p.menuCounts ?? []),
  intervals: parts.flatMap(p => p.intervals ?? []),
  ...parts.flatMap(({ companyData }) => (companyData ? [{ companyData }] : []))[0],
})
