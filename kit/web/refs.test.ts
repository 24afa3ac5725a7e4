import { afterEach, expect, it, vi } from 'vitest'
import { call, everyone } from '#kit/contract/call.ts'
import { text } from '#kit/contract/field.ts'
import { pageOfRows, shape } from '#kit/contract/shape.ts'
import { fakePage, fakeServer } from './fixtures.ts'
import { createRefSource } from './refs.ts'

const listPlaces = call({
  route: 'GET Place/Get',
  title: '查询位置',
  needs: everyone,
  input: shape({ keyword: text('关键字'), projectCode: text('项目') }),
  output: pageOfRows({ path: text('位置', { required: true }) }),
})

afterEach(() => void vi.unstubAllGlobals())

it('what is typed is found in the order of the search that a reference names, not of its list (BILL-11)', async () => {
  fakePage()
  const requests = fakeServer(() =>
    Response.json({ Code: 10000, Message: '', Data: [{ Path: '1-1-502' }], Total: 1 }),
  )
  const asked: string[] = []
  const source = createRefSource(listPlaces, {
    value: row => row.path,
    label: row => row.path,
    find: async keyword => {
      asked.push(keyword)
      return [{ path: '3-3-1502' }, { path: '1-1-502' }]
    },
  })
  const labels = async (typed: string) => (await source.search(typed, {})).map(option => option.label)
  expect(await labels('1502')).toEqual(['3-3-1502', '1-1-502'])
  expect([asked, requests]).toEqual([['1502'], []])
  // Without a word the first of the list are offered.
  expect(await labels('')).toEqual(['1-1-502'])
})

it('records of a project are those of the project that the form is about, where it names one', async () => {
  fakePage()
  const requests = fakeServer(() => Response.json({ Code: 10000, Message: '', Data: [], Total: 0 }))
  const source = createRefSource(listPlaces, {
    value: row => row.path,
    label: row => row.path,
    ofFormProject: true,
    dependsOn: ['parkId'],
  })
  expect(source.dependsOn).toEqual(['projectCode', 'parkId'])
  await source.search('', { projectCode: 'XM000001' })
  await source.resolveNames(['1-1-502'], { projectCode: 'XM000001' })
  await source.search('', {})
  const projects = requests.map(({ url }) => url.searchParams.get('ProjectCode'))
  expect(projects).toEqual(['XM000001', 'XM000001', null])
})
