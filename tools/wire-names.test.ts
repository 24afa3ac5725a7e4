import { expect, it } from 'vitest'
import type { Call } from '#kit/contract/call.ts'
import { wireMembersOf } from '#kit/contract/wire/members.ts'
import { loadInstalledModules } from '#apps/server/modules.ts'

const calls: readonly Call[] = (await loadInstalledModules()).flatMap(m => [...m.contract.calls])

/** Names that two members of an input are both read from: the two bounds of a range, say. */
function findSharedNames({ route, input }: Call): string[] {
  const keyByName = new Map<string, string>()
  return wireMembersOf(input).flatMap(({ key, lowerNames }) =>
    [...new Set(lowerNames)].flatMap(name => {
      const other = keyByName.get(name)
      keyByName.set(name, key)
      // One record, and several: an export takes both by the name of the old wire.
      const isSameRecords = other === 'id' && key === 'ids'
      return other === undefined || isSameRecords ? [] : [`${route}: ${name} is ${other} and ${key}`]
    }),
  )
}

it('no two members of an input have one name on the wire: a range keeps both bounds', () => {
  expect(calls.flatMap(findSharedNames)).toEqual([])
})
