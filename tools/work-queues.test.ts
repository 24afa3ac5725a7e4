import { expect, it } from 'vitest'
import { everyone } from '#kit/contract/call.ts'
import { loadInstalledModules } from '#apps/server/modules.ts'

const queues = (await loadInstalledModules()).flatMap(({ server }) => server.queues ?? [])

it('what waits for somebody is what this person may do: no queue is for those who only look', () => {
  expect(queues.length).toBeGreaterThan(5)
  expect(
    queues.filter(({ needs }) => needs !== everyone && needs.key.endsWith('.view')).map(queue => queue.key),
  ).toEqual([])
})
