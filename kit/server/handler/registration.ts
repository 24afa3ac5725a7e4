import { isWrite, publicAccess, routesOf, withOtherBase, type Call } from '#kit/contract/call.ts'
import { registerDeclarations } from '../company-data/installed.ts'
import { registerWork } from '../work-queue.ts'
import type { Handler, InstalledModule } from './definition.ts'

/** Calls by the module that declares them: of a module that the company has not taken no call is open. */
const moduleByCall = new WeakMap<Call, InstalledModule['manifest']>()
export const moduleOfCall = (call: Call): string | undefined => moduleByCall.get(call)?.name
export const moduleLabelOf = (call: Call): string | undefined => moduleByCall.get(call)?.label

const handlerByCall = new WeakMap<Call, Handler>()
/** The handler with which a call was registered last. */
export const handlerOfCall = (call: Call): Handler | undefined => handlerByCall.get(call)

/** The calls that read records of an entity, one record before a page. */
const readersByEntity = new Map<string, Set<Call>>()
export const readCallsOf = (entity: string): readonly Call[] =>
  [...(readersByEntity.get(entity) ?? [])].toSorted(
    (a, b) => Number(b.output.form === 'one') - Number(a.output.form === 'one'),
  )

/** The calls that write a record of an entity and answer it. */
const writersByEntity = new Map<string, Set<Call>>()
export const writeCallsOf = (entity: string): readonly Call[] => [...(writersByEntity.get(entity) ?? [])]

function addToEntity(call: Call): void {
  const { entity, form } = call.output
  if (entity === undefined) return
  const isWriter = isWrite(call)
  if (!isWriter && form !== 'one' && form !== 'page') return
  const callsByEntity = isWriter ? writersByEntity : readersByEntity
  callsByEntity.set(entity, (callsByEntity.get(entity) ?? new Set()).add(call))
}

type RegisteredModule = Pick<InstalledModule, 'contract' | 'server'> &
  Partial<Pick<InstalledModule, 'manifest'>>

/** What is wrong with a call's handler, in the words of the start-up error. */
function handlerFaults(call: Call, handler: Handler): string[] {
  const faults: (readonly [isWrong: boolean, why: string])[] = [
    [handler.mode === 'writes' && !isWrite(call), 'reads by its method, yet is handled as a write'],
    [handler.mode === 'reads' && isWrite(call), 'writes by its method, yet is handled as a read'],
    [
      handler.mode === 'writes' && call.output.form === 'blob',
      'a write answers no file: its answer is kept for the repeated request',
    ],
    [handler.mode !== 'anonymous' && call.needs === publicAccess, 'open to anybody, yet needs a company'],
  ]
  return faults.filter(([isWrong]) => isWrong).map(([, why]) => `${call.route}: ${why}`)
}

/** Calls answer with and without their module's base, where no other call is declared under that name. */
function addOtherBases(
  installed: readonly RegisteredModule[],
  handlers: Map<string, Handler>,
  faults: string[],
): void {
  const declared = new Set(handlers.keys())
  for (const { contract } of installed) {
    const { base } = contract
    if (base === undefined) continue
    for (const name of contract.calls.flatMap(routesOf)) {
      const route = withOtherBase(name, base)
      const handler = handlers.get(name)
      if (!handler || declared.has(route)) continue
      const other = handlers.get(route)
      if (other && other !== handler) {
        faults.push(`${route}: meant by ${other.call.route} and ${handler.call.route}`)
      }
      handlers.set(route, handler)
    }
  }
}

/**
 * Every declared call has exactly one handler of the right sort, and every address one call, or the server
 * does not start. Returns handlers by `METHOD path` in lower case.
 */
export function registerHandlers(installed: readonly RegisteredModule[]): ReadonlyMap<string, Handler> {
  registerDeclarations(installed)
  const handlers = new Map<string, Handler>()
  const faults: string[] = []
  for (const { contract, server, manifest } of installed) {
    const undeclared = new Map<Call, Handler>()
    for (const handler of server.handlers) {
      if (undeclared.has(handler.call)) {
        faults.push(`${handler.call.route}: two handlers`)
      }
      undeclared.set(handler.call, handler)
    }
    for (const call of contract.calls) {
      const handler = undeclared.get(call)
      undeclared.delete(call)
      if (manifest) {
        moduleByCall.set(call, manifest)
      }
      if (!handler) {
        faults.push(`${call.route}: no handler`)
        continue
      }
      handlerByCall.set(call, handler)
      addToEntity(call)
      faults.push(...handlerFaults(call, handler))
      for (const route of routesOf(call)) {
        const other = handlers.get(route)
        if (other) {
          faults.push(`${route}: named by ${other.call.route} and ${call.route}`)
        }
        handlers.set(route, handler)
      }
    }
    faults.push(...[...undeclared.keys()].map(call => `${call.route}: handled, but not declared`))
  }
  registerWork(installed.map(module => module.server))
  addOtherBases(installed, handlers, faults)
  if (faults.length) throw new Error(`Calls and handlers disagree:\n${faults.join('\n')}`)
  return handlers
}
