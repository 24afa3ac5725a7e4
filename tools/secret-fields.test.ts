import { expect, it } from 'vitest'
import type { Call } from '#kit/contract/call.ts'
import type { Field, Fields } from '#kit/contract/field.ts'
import type { Shape } from '#kit/contract/shape.ts'
import { wireMembersOf, type WireMember } from '#kit/contract/wire/members.ts'
import { loggedInputOf } from '#kit/server/operation-log.ts'
import { loadInstalledModules } from '#apps/server/modules.ts'

const calls: Call[] = (await loadInstalledModules()).flatMap(m => m.contract.calls)

const secretText = 'geheim-9f2c'

/** What a label calls a secret. */
const secretLabel = /密码|密钥|私钥|口令|指纹模板/

const holdsText = ({ kind }: Field): boolean => kind === 'text'

const isSecret = ({ field }: WireMember): boolean =>
  field.masked === 'secret' || (holdsText(field) && secretLabel.test(field.label))

const innerFields = ({ fields }: Field): Fields => (typeof fields === 'function' ? fields() : fields) ?? {}

/** A request that gives every secret of the input, under each of its names. */
function requestOf(input: Shape | Fields, depth = 0): Record<string, unknown> {
  const record: Record<string, unknown> = {}
  for (const member of wireMembersOf(input)) {
    const inner = member.nested && depth < 3 ? requestOf(innerFields(member.field), depth + 1) : {}
    for (const name of member.names) {
      if (isSecret(member)) {
        record[name] = secretText
      } else if (Object.keys(inner).length) {
        record[name] = member.nested === 'lines' ? [inner] : inner
      }
    }
  }
  return record
}

const requests = calls.flatMap(call => {
  const request = requestOf(call.input)
  return Object.keys(request).length ? [{ call, request }] : []
})

it('the operation log keeps no secret of any call, however it is sent', () => {
  expect(requests.length).toBeGreaterThan(15)
  const leaks = requests.flatMap(({ call, request }) => {
    const lowered = Object.fromEntries(Object.entries(request).map(([name, v]) => [name.toLowerCase(), v]))
    const sent = [request, lowered, { Data: request }, { Data: JSON.stringify(request) }]
    return sent.some(raw => JSON.stringify(loggedInputOf(call, raw)).includes(secretText))
      ? [`${call.route}: ${Object.keys(request).join(', ')}`]
      : []
  })
  expect(leaks).toEqual([])
})
