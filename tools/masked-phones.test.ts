import { expect, it } from 'vitest'
import type { Field, Fields } from '#kit/contract/field.ts'
import { nestedFieldsOf } from '#kit/contract/value.ts'
import { loadInstalledModules } from '#apps/server/modules.ts'

const calls = (await loadInstalledModules()).flatMap(m => [...m.contract.calls])

/** Outputs that may hold a phone that is not declared as masked, with the reason. */
const exceptions: readonly (readonly [answer: RegExp, reason: string])[] = [
  [/: (manager|service)Phone$/, 'the estate publishes it'],
  [/: matters\.servicePhone$/, 'of an office, published to residents'],
  [/: (maintain|rescue)Phone$/, 'of a maintenance firm; posted in its lifts'],
  [/ visitor\/v1\/LocaltionConfig\/\S+: phone$/, "a gatehouse's own, shown to visitors"],
  [/ Property\/\S+: contactPhone$/, "the company's own"],
  [/companyPhone$/, "the company's own, printed on its slips"],
  [/ Invoice\w*\/.*(addressPhone|address)$/, 'printed on an invoice, as the tax office asks'],
  [/\/Cashier\/PostShown: data$/, 'one number, asked for by a caller who may see it, and logged'],
  [/: amendPhoneLink$/, 'the address of a page'],
  [/ Manager\/.*mobile$/, "an operator's own, for himself and who administers accounts"],
]

const isPhone = (key: string, { kind, label }: Field): boolean =>
  kind === 'text' && (/mobile|phone/i.test(key) || /手机|电话/.test(label))

function unmaskedPhones(fields: Fields, path = '', seen: readonly Fields[] = []): string[] {
  if (seen.includes(fields)) return []
  return Object.entries<Field>(fields).flatMap(([key, field]) => [
    ...(isPhone(key, field) && !field.masked ? [`${path}${key}`] : []),
    ...(field.kind === 'lines' || field.kind === 'part'
      ? unmaskedPhones(nestedFieldsOf(field), `${path}${key}.`, [...seen, fields])
      : []),
  ])
}

const found = calls.flatMap(call =>
  unmaskedPhones(call.output.fields).map(field => `${call.route}: ${field}`),
)

it('PERM-7: a phone in an answer is declared as masked', () => {
  expect(found.filter(answer => !exceptions.some(([pattern]) => pattern.test(answer)))).toEqual([])
})

it('every exception is still needed', () => {
  expect(exceptions.filter(([pattern]) => !found.some(answer => pattern.test(answer)))).toEqual([])
})
