import { readBody } from '#kit/server/fixtures/read-body.ts'
import { defined } from '#kit/domain/defined.ts'
import type { Id } from '#kit/domain/id.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { CallOptions } from '#kit/server/fixtures/test-app.ts'
import { openGoldenApp, type GoldenApp } from '#db/golden/golden-app.ts'
import { golden } from '#db/golden/golden-data.ts'
import { readFile } from 'node:fs/promises'
import { maxDirectLabels, printLabels, startLabels } from '../contract/meter-calls.ts'
import { sql } from '#kit/server/db.ts'
import { refusalOf } from '#kit/server/fixtures/refusal.ts'
import { expectFaults, createMeterFixtures } from './fixtures.ts'
import { buildLabelText } from './qr-labels.ts'

let t: GoldenApp
let me: CallOptions
let fixtures: ReturnType<typeof createMeterFixtures>

beforeAll(async () => {
  t = await openGoldenApp({ works: true })
  me = await t.signedInAs(golden.first.owner)
  fixtures = createMeterFixtures(t, me)
})

afterAll(() => t?.close())

it('a sheet of labels holds one for each meter, eight rows of three a page, with fonts inside', async () => {
  const made = await Promise.all(
    Array.from({ length: 25 }, (_, i) =>
      fixtures.meter({ location: i ? '管道井' : '位置很长很长很长很长很长很长很长很长的一块表' }),
    ),
  )
  const b = await t.call(
    printLabels,
    { projectCode: 'GOLD0001', ids: made.map(m => String(m.id)), address: 'https://anju.example' },
    me,
  )
  const all = await readBody(b)
  expect([b.name, b.type, all.subarray(0, 5).toString()]).toEqual([
    '仪表二维码_20261121.pdf',
    'application/pdf',
    '%PDF-',
  ])
  expect((all.toString('latin1').match(/\/Type \/Page\b/g) ?? []).length).toBe(2)
  expect(all.toString('latin1')).toContain('FontFile')
  expect(all.length).toBeLessThan(400_000)
  expect(buildLabelText('https://anju.example', { projectCode: 'GOLD0001', meterNo: 'T 1' })).toBe(
    'https://anju.example/intelligentMeter/checkmeter/mobilemeterreading?project=GOLD0001&meter=T%201',
  )
})

it('more labels than can be waited for are a task, whose file has them all', async () => {
  const query = { projectCode: 'GOLD0001', address: 'https://anju.example' }
  const existing = await t.database
    .reader('*')
    .one<{ n: number }>(
      sql`select count(*)::int as n from meter where project_code = 'GOLD0001' and delete_tag = 0`,
    )
  const missing = Math.max(0, maxDirectLabels + 1 - (existing?.n ?? 0))
  for (let made = 0; made < missing; made += 20) {
    await Promise.all(Array.from({ length: Math.min(20, missing - made) }, () => fixtures.meter({})))
  }
  expect((await refusalOf(t.call(printLabels, query, me))).message).toContain('请用后台生成')
  const taskId = await t.call(startLabels, query, me)
  const task = await t.waitForTask(taskId)
  expect(task).toMatchObject({ fail: 0, success: expect.any(Number) })
  expect(task.success).toBeGreaterThan(maxDirectLabels)
  const { ownerId } = defined(
    await t.database
      .reader('*')
      .one<{ ownerId: Id }>(sql`select owner_id from task_center where id = ${taskId}`),
  )
  const file = await t.app.files.find(ownerId, defined(task.resultFile))
  const pdf = await defined(file).withPath(path => readFile(path, 'latin1'))
  expect(pdf.slice(0, 5)).toBe('%PDF-')
  expect(pdf.match(/\/Type \/Page\b/g)).toHaveLength(Math.ceil(task.success / 24))
}, 120_000)

it('nothing to print, or a foreign address, is refused with a message', async () => {
  expect(
    (await refusalOf(t.call(printLabels, { projectCode: 'GOLD0001', keyword: 'ZZZZ' }, me))).message,
  ).toContain('无符合条件')
  expect(
    await expectFaults(t.call(printLabels, { projectCode: 'GOLD0001', address: 'javascript:alert(1)' }, me)),
  ).toEqual({ Address: expect.stringContaining('https') })
})
