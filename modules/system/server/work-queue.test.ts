import { afterAll, beforeAll, expect, it } from 'vitest'
import {
  createProbeTables,
  listThings,
  menu,
  openProbe,
  probe,
  type Probe,
} from '#kit/server/fixtures/probe.ts'
import { openTestDatabase, type TestDatabase } from '#kit/server/fixtures/test-database.ts'
import { listMenuCount, listQueue } from '#kit/server/list-queue.ts'
import type { WorkQueue } from '#kit/server/work-queue.ts'
import { contract } from '../contract/index.ts'
import { manifest } from '../module.ts'
import { server } from './index.ts'

const { permissions } = menu.thing

const sadThings = {
  list: listThings,
  filter: { mood: ['sad'] },
  path: '/probe',
} as const

const sadQueue = listQueue({
  ...sadThings,
  key: 'sad',
  title: '难过的物件',
  tone: 'todo',
  needs: permissions.shake,
  view: 'sad',
  actionLabel: '处理',
  since: 'createTime',
  sum: { label: '合计', key: 'price' },
})

const failingQueue: WorkQueue = {
  key: 'failing',
  needs: permissions.view,
  entities: [],
  load: async () => {
    throw new Error('a defect')
  },
}

let database: TestDatabase
let p: Probe

beforeAll(async () => {
  database = await openTestDatabase()
  p = await openProbe(database.url, {
    installed: [
      {
        ...probe,
        server: {
          ...probe.server,
          queues: [failingQueue, sadQueue],
          menuCounts: [listMenuCount({ ...sadThings, needs: permissions.view, isUrgent: true })],
        },
      },
      { manifest, contract, server: { ...server, queues: [], menuCounts: [] } },
    ],
  })
  await createProbeTables(p.app.database)
  const boss = await p.token('boss')
  for (const [code, projectCode, mood, price] of [
    ['T1', 'P1', 20, 12.5],
    ['T2', 'P1', 20, 7.5],
    ['T3', 'P1', 10, 1],
    ['T4', 'P2', 20, 100],
  ] as const) {
    const response = await p.inject('POST', '/api/Probe/Post', {
      token: boss,
      body: {
        ProjectCode: projectCode,
        Data: { Code: code, Thingname: code, Mood: mood, Price: price, Live: 1, ProjectCode: projectCode },
      },
    })
    if (response.envelope().Code !== 10000) throw new Error(response.text)
  }
})

afterAll(async () => {
  await p?.close()
  await database?.drop()
})

const loadQueues = async (
  call: string,
  operatorName: Parameters<Probe['token']>[0],
  project = '',
): Promise<ReturnType<JSON['parse']>> =>
  (
    await p.inject('GET', `/api/Workbench/${call}?ProjectCode=${project}`, {
      token: await p.token(operatorName),
    })
  ).envelope().Data

it('counts what its list finds, with the sum, the oldest and the way there', async () => {
  const { Queues } = await loadQueues('GetQueues', 'boss', 'P1')
  expect(Queues).toHaveLength(1)
  expect(Queues[0]).toMatchObject({
    Key: 'sad',
    Title: '难过的物件',
    Tone: 'todo',
    Count: 2,
    SumLabel: '合计',
    Sum: '20.00',
    ActionLabel: '处理',
    Path: '/probe?mood=sad&view=sad',
  })
  expect(Queues[0].Since).toMatch(/^\d{4}-\d{2}-\d{2} /)
  expect((await loadQueues('GetQueues', 'boss')).Queues[0].Count).toBe(3)
})

it('one that fails is counted and spoils none of the others', async () => {
  expect((await loadQueues('GetQueues', 'boss')).Failed).toBe(1)
})

it('shows only permitted actions, and counts only permitted projects', async () => {
  expect((await loadQueues('GetQueues', 'looker')).Queues).toEqual([])
  expect((await loadQueues('GetQueues', 'ofP1')).Queues[0].Count).toBe(2)
  expect((await loadQueues('GetQueues', 'nobody')).Queues).toEqual([])
  expect((await loadQueues('GetQueues', 'other')).Queues).toEqual([])
})

it('counts beside the menu, with the entities that it depends on', async () => {
  expect(await loadQueues('GetMenuCounts', 'ofP1')).toEqual({
    Counts: [{ Path: '/probe', Count: 2, Urgent: 1 }],
    Entities: 'probeThing',
  })
  expect((await loadQueues('GetMenuCounts', 'nobody')).Counts).toEqual([])
})
