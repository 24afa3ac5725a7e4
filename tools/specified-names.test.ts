import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { loadInstalledModules } from '#apps/server/modules.ts'
import type { Fields } from '#kit/contract/field.ts'
import type { Shape } from '#kit/contract/shape.ts'
import { nestedFieldsOf } from '#kit/contract/value.ts'
import { wireMembersOf } from '#kit/contract/wire.ts'

/** Names of members of records as the specification spells them, by the module that answers the records. */
const rows = readFileSync(join(import.meta.dirname, 'every-call/specified-names.tsv'), 'utf8')
  .trim()
  .split('\n')
  .map(line => line.split('\t'))
const specified = new Set(rows.map(([, name]) => name))
/** Members of records begin with a capital; the others are of objects that only a browser has. */
const namesByModule = Map.groupBy(
  rows.filter(([, name = '']) => /^[A-Z]/.test(name)),
  ([module]) => module,
)

/** The names under which each member of an answer is written, nested ones included. */
function writtenNames(described: Shape | Fields, seen = new Set<object>()): (readonly string[])[] {
  if (seen.has(described)) return []
  seen.add(described)
  return wireMembersOf(described).flatMap(({ names, field, nested }) => [
    names,
    ...(nested ? writtenNames(nestedFieldsOf(field), seen) : []),
  ])
}

it('every answer spells a name as the specification does, whatever else it is called', async () => {
  const misspelled: string[] = []
  for (const { manifest, contract } of await loadInstalledModules()) {
    const known = new Map(
      (namesByModule.get(manifest.name) ?? []).map(([, name = '']) => [name.toLowerCase(), name]),
    )
    for (const { route, output } of contract.calls) {
      for (const names of writtenNames(output)) {
        const name = names.map(each => known.get(each.toLowerCase())).find(each => each !== undefined)
        if (name !== undefined && !names.some(each => specified.has(each))) {
          misspelled.push(`${route}: ${names.join(', ')}, specified as ${name}`)
        }
      }
    }
  }
  expect(misspelled).toEqual([])
})
