import { afterEach, expect, it, vi } from 'vitest'
import { call, everyone } from '#kit/contract/call.ts'
import { int, text } from '#kit/contract/field.ts'
import { noData, shape } from '#kit/contract/shape.ts'
import { kindBehaviour } from '#kit/contract/value.ts'
import { seededRandom } from '#db/golden/random.ts'
import { hostileRequests, isRefusedByDecoding } from './hostile-requests.ts'

const input = shape({ name: text('名称', { max: 20 }), count: int('数量') })
const calls = (['GET', 'POST'] as const).map(method =>
  call({ route: `${method} Tool/Try`, title: '试', needs: everyone, input, output: noData }),
)

/** Enough of them to have every value. */
const requests = calls.map(of =>
  Array.from({ length: 200 }, (_, seed) => hostileRequests(of, { Name: 'a' }, seededRandom(seed))).flat(),
)

afterEach(() => vi.restoreAllMocks())

it('what decoding refuses is known without a server, in a query and in a body', () => {
  for (const [i, of] of calls.entries()) {
    const isRefused = (title: string) => {
      const found = requests[i]?.find(request => request.title === title)
      return found && isRefusedByDecoding(of, found)
    }
    expect(isRefused('Count = "NaN"'), of.route).toBe(true)
    expect(isRefused('Count = -1'), of.route).toBe(false)
    expect(isRefused('Name = "%"'), of.route).toBe(false)
    expect(isRefused('Name = {"$ne":null}'), of.route).toBe(i === 1)
  }
})

it('each request that makes a field invalid names method, kind and value; the others have no such name', () => {
  const named = (requests[1] ?? []).filter(request => request.fault !== undefined)
  expect(new Set(named.map(({ fault }) => fault)).size).toBe(2 * 41)
  expect(named.every(({ title }) => title.includes(' = '))).toBe(true)
})

it('what decoding fails on is a defect, reported with the call and the value', () => {
  vi.spyOn(kindBehaviour.int, 'fromWire').mockImplementation(() => {
    throw new TypeError('no number')
  })
  const [of] = calls
  const found = requests[0]?.find(request => request.title === 'Count = "NaN"')
  expect(() => of && found && isRefusedByDecoding(of, found)).toThrow('GET Tool/Try Count = "NaN"')
})
