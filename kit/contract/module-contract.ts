import type { Call } from './call.ts'
import type { Entity } from './entity.ts'
import type { Choices } from './field.ts'

export interface ModuleContract {
  /** The base that the specification leaves open for the module's calls: they answer with and without it. */
  readonly base?: string
  readonly calls: readonly Call[]
  readonly entities: readonly Entity[]
  readonly choices: readonly Choices[]
}

const hasKeys = <K extends string>(value: unknown, ...keys: readonly K[]): value is Record<K, unknown> =>
  typeof value === 'object' && value !== null && keys.every(key => key in value)

const isCall = (value: unknown): value is Call => hasKeys(value, 'route', 'needs', 'input', 'output')
const isEntity = (value: unknown): value is Entity => hasKeys(value, 'table', 'tenancy', 'fields')
const isChoices = (value: unknown): value is Choices => hasKeys(value, 'name', 'label', 'rows')

/** Calls that are declared together: a list of them, and the `calls` of an entity, an import or an export. */
const callsOfGroup = (value: unknown): readonly Call[] => {
  const group = hasKeys(value, 'calls') ? value.calls : value
  return Array.isArray(group) ? group.filter(isCall) : []
}

/**
 * What a module declares, read from its files: every call, entity and choice table that one of them exports,
 * each once. `declareContract(estate, building)` of `import * as estate from './estate.ts'`. Calls that are
 * declared together are first, in their order.
 */
export function declareContract(...files: readonly object[]): ModuleContract {
  // By name: tools that bundle modules keep another order of exports than Node.
  const exported = files.flatMap(file =>
    Object.entries<unknown>({ ...file })
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([, value]) => value),
  )
  return {
    calls: [...new Set([...exported.flatMap(callsOfGroup), ...exported.filter(isCall)])],
    entities: [...new Set(exported.filter(isEntity))],
    choices: [...new Set(exported.filter(isChoices))],
  }
}
