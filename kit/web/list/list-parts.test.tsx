import { QueryClientProvider } from '@tanstack/react-query'
import { renderToStaticMarkup } from 'react-dom/server'
import { beforeEach, expect, it } from 'vitest'
import { call, everyone } from '#kit/contract/call.ts'
import { entity } from '#kit/contract/entity.ts'
import { money, text } from '#kit/contract/field.ts'
import { inParts, totalsOnly } from '#kit/contract/list-parts.ts'
import { pageOf, search } from '#kit/contract/shape.ts'
import { defined } from '#kit/domain/defined.ts'
import { castForTest } from '#kit/domain/fixtures.ts'
import { queryClient, queryKeyOf } from '../query.ts'
import { totalByRows, joinParts, useListAnswer, type ListAnswer } from './use-list-answer.ts'

const thing = entity(
  'thing',
  '物',
  { table: 'thing', tenancy: 'project', title: 'name' },
  { name: text('名称'), amount: money('金额') },
)
const declared = { title: '查询', output: pageOf(thing, { sums: ['amount'] }) }
const whole = call({ ...declared, needs: everyone, route: 'GET whole/get', input: search(thing, ['name']) })
const inHalves = call({
  ...declared,
  needs: everyone,
  route: 'GET halves/get',
  input: inParts(search(thing, ['name'])),
})
type ThingRow = (typeof whole.output.T & object)['rows'][number]

const rows = Array.from({ length: 20 }, (_, i) => castForTest<ThingRow>({ id: i + 1 }))
const paging = { page: 2, size: 20 }

/** What a list shows of the answers that are there. */
function answerOf(list: typeof inHalves, filter: { readonly name?: string }): ListAnswer<ThingRow> {
  const seen: ListAnswer<ThingRow>[] = []
  const Probe = () => {
    seen.push(useListAnswer(list, filter, paging))
    return null
  }
  renderToStaticMarkup(
    <QueryClientProvider client={queryClient}>
      <Probe />
    </QueryClientProvider>,
  )
  return defined(seen[0])
}

const put = (list: typeof inHalves, input: object, answer: object): unknown =>
  queryClient.setQueryData(queryKeyOf(list, input), answer)

beforeEach(() => queryClient.clear())

it('the rows of a list in parts stand while total and sums are still being counted', () => {
  put(inHalves, { ...paging, part: 'rows' }, { rows, total: 40 })
  const before = answerOf(inHalves, {})
  expect(before.page).toEqual({ rows, total: 40 })
  expect([before.isTotalKnown, before.areSumsKnown, before.pages]).toEqual([false, false, 3])
  put(inHalves, { part: 'totals' }, { rows: [], total: 812, sum: { amount: 9 } })
  const after = answerOf(inHalves, {})
  expect(after.page).toEqual({ rows, total: 812, sum: { amount: 9 } })
  expect([after.isTotalKnown, after.areSumsKnown, after.pages]).toEqual([true, true, 41])
})

it('totals of another filter are never those of this one', () => {
  put(inHalves, { part: 'totals' }, { rows: [], total: 812, sum: { amount: 9 } })
  put(inHalves, { name: '甲', ...paging, part: 'rows' }, { rows, total: 40 })
  const shown = answerOf(inHalves, { name: '甲' })
  expect(shown.page).toEqual({ rows, total: 40 })
  expect([shown.isTotalKnown, shown.areSumsKnown]).toEqual([false, false])
})

it('a list without parts is asked once, for everything', () => {
  put(whole, paging, { rows, total: 812, sum: { amount: 9 } })
  const shown = answerOf(whole, {})
  expect(shown.page).toEqual({ rows, total: 812, sum: { amount: 9 } })
  expect([shown.isTotalKnown, shown.areSumsKnown, shown.comesInParts]).toEqual([true, true, false])
  expect(totalsOnly(whole)).toEqual({ page: 1, size: 1 })
})

it.each([
  // rows, page, what is known of the total
  [20, 1, { least: 20, isAll: false }],
  [20, 3, { least: 60, isAll: false }],
  [7, 1, { least: 7, isAll: true }],
  [7, 3, { least: 47, isAll: true }],
  [0, 1, { least: 0, isAll: true }],
  // Beyond the last page nobody knows how many there are.
  [0, 3, { least: 0, isAll: false }],
])('%i rows on page %i of 20 tell what is certain of the total', (count, page, known) => {
  expect(totalByRows(count, { page, size: 20 })).toEqual(known)
})

it('a page can be left before anything is counted: back always, on after a full one', () => {
  const pagesOf = (count: number | undefined): number =>
    joinParts(count, undefined, { page: 3, size: 20 }).pages
  expect([pagesOf(20), pagesOf(undefined), pagesOf(0)]).toEqual([4, 3, 3])
  // The rows are newer than what was counted before them.
  expect(joinParts(20, { total: 41 }, { page: 3, size: 20 })).toEqual({
    total: 60,
    pages: 3,
    isTotalKnown: true,
  })
})
