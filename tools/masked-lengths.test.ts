import { expect, it } from 'vitest'
import type { Field, Fields } from '#kit/contract/field.ts'
import { countCharacters, maskByKind } from '#kit/contract/text.ts'
import { nestedFieldsOf } from '#kit/contract/value.ts'
import { loadInstalledModules } from '#apps/server/modules.ts'

const contracts = (await loadInstalledModules()).map(m => m.contract)
const entities = contracts.flatMap(contract => contract.entities)
const calls = contracts.flatMap(contract => [...contract.calls])

/** A mobile and a document whose masked forms are longer than they are themselves, and ones that are not. */
const examples = {
  mobile: ['13900010077', '0755-12345678'],
  idCard: ['11010519491231002X', 'H12345678'],
} as const

/** The masked forms that a form may send back, of values that the field takes. */
const maskedForms = ({ masked, max = Infinity }: Field): readonly string[] =>
  masked === 'mobile' || masked === 'idCard'
    ? examples[masked].filter(value => countCharacters(value) <= max).map(value => maskByKind[masked](value))
    : []

function tooShort(fields: Fields, path = '', seen: readonly Fields[] = []): string[] {
  if (seen.includes(fields)) return []
  return Object.entries<Field>(fields).flatMap(([key, field]) => [
    ...(maskedForms(field).some(form => countCharacters(form) > (field.max ?? Infinity))
      ? [`${path}${key}: ${field.max}`]
      : []),
    ...(field.kind === 'lines' || field.kind === 'part'
      ? tooShort(nestedFieldsOf(field), `${path}${key}.`, [...seen, fields])
      : []),
  ])
}

it('PERM-7: what a form got masked fits into its field when it is saved', () => {
  expect(entities.length).toBeGreaterThan(50)
  expect([
    ...entities.flatMap(entity => tooShort(entity.fields).map(fault => `${entity.name}.${fault}`)),
    ...calls.flatMap(call => tooShort(call.input.fields).map(fault => `${call.route}: ${fault}`)),
  ]).toEqual([])
})
