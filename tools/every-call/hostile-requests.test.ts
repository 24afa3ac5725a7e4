import { afterEach, expect, it, vi } from 'vitest'
import { call, everyone } from '#kit/contract/call.ts'
import { idOf, int, text } from '#kit/contract/field.ts'
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

it('each request that makes a field invalid names method, kind and value', () => {
  const ofFields = (requests[1] ?? []).filter(request => request.title.includes(' = '))
  expect(new Set(ofFields.map(({ fault }) => fault)).size).toBe(2 * 41)
})

it('one that is invalid as a whole names method, form and what is wrong with it', () => {
  const names = new Set(requests[1]?.map(({ fault }) => fault))
  expect([...names].filter(name => name?.includes(' one '))).toEqual([
    'POST one every field an injection',
    'POST one every field a list',
    'POST one every field an object',
    'POST one depth 9',
    'POST one 20,001 members',
    'POST one Data a text',
    'POST one Data a number',
    'POST one Data a list',
    'POST one Data null',
    'POST one 2,001 ids',
  ])
})

it('what is too deep or too wide is refused before decoding, which would pass over it', () => {
  const [, of] = calls
  const isRefused = (title: string) => {
    const found = requests[1]?.find(request => request.title === title)
    return of && found && isRefusedByDecoding(of, found)
  }
  expect([isRefused('depth 9'), isRefused('20,001 members'), isRefused('foreign envelope')]).toEqual([
    true,
    true,
    false,
  ])
})

it('an edit that its record completes before decoding has no such name', () => {
  const fields = { id: idOf('编号'), name: text('名称', { required: true }) }
  const edit = call({
    route: 'PUT Tool/Put',
    title: '改',
    needs: everyone,
    input: shape(fields, { isDraft: true, entity: 'tool' }),
    output: noData,
  })
  const found = hostileRequests(edit, { ID: 7 }, seededRandom(1))
  const faultOf = (title: string) => found.find(request => request.title === title)?.fault
  expect(faultOf('2,001 ids')).toBeUndefined()
  expect(faultOf('Data null')).toBe('PUT one Data null')
})

it('what decoding fails on is a defect, reported with the call and the value', () => {
  vi.spyOn(kindBehaviour.int, 'fromWire').mockImplementation(() => {
    throw new TypeError('no number')
  })
  const [of] = calls
  const found = requests[0]?.find(request => request.title === 'Count = "NaN"')
  expect(() => of && found && isRefusedByDecoding(of, found)).toThrow('GET Tool/Try Count = "NaN"')
})
