import { defined } from '#kit/domain/defined.ts'
import type { Id } from '#kit/domain/id.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { sql } from '#kit/server/db.ts'
import { openGoldenApp, type GoldenApp } from '#db/golden/golden-app.ts'
import {
  bindRooms,
  generateNow,
  seedFee,
  findSeededRooms,
  testScope,
  type SeededFee,
  type SeededRoom,
} from './generate.fixtures.ts'

const project = 'GOLD0001'
const today = '2026-11-21'
const month = '2026-09'
let t: GoldenApp
let ownerId: Id = 0
let rooms: SeededRoom[] = []

beforeAll(async () => {
  t = await openGoldenApp()
  ownerId = t.ownerId
  rooms = (await findSeededRooms(t.database.reader(ownerId), ownerId, project)).slice(0, 6)
})

afterAll(() => t?.close())
const scope = () => testScope(ownerId)

const run = (f: SeededFee, options: object = {}) =>
  generateNow(
    t.database,
    scope(),
    project,
    month,
    today,
    { standardIds: [String(f.standardId)] },
    { atOnce: 1, ...options },
  )

const bills = (f: SeededFee) =>
  t.database.reader(ownerId).rows<{ code: string; relation?: number; no: string }>(
    sql`
        select source_code as code, relation_id as relation, bill_no as no
        from bill
        where owner_id = ${ownerId} and fee_item_id = ${f.itemId} and delete_tag = 0 and state in (10, 20, 50)
        order by relation_id nulls first
      `,
  )

it('GEN-2 neighbouring chunks with relations of one place make one bill; numbers follow the relations', async () => {
  const { f, ids } = await t.database.tx(ownerId, async tx => {
    const seeded = await seedFee(tx, scope(), project)
    const relationIds: Id[] = []
    for (const r of rooms) {
      relationIds.push(
        ...(await bindRooms(tx, scope(), project, seeded, [r])),
        ...(await bindRooms(tx, scope(), project, seeded, [r], { multi: true })),
      )
    }
    return { f: seeded, ids: relationIds }
  })
  const end = await run(f)
  const made = await bills(f)
  expect(made.map(b => b.relation)).toEqual(ids.filter((_, i) => i % 2 === 0))
  expect(made.map(b => b.no)).toEqual(made.map(b => b.no).toSorted())
  expect([end.made, end.skips]).toMatchObject([6, [{ reason: 'periodExists', count: 6 }]])
})

it('the run retries after a conflict with a clerk', async () => {
  const { f, ids } = await t.database.tx(ownerId, async tx => {
    const seeded = await seedFee(tx, scope(), project)
    return { f: seeded, ids: await bindRooms(tx, scope(), project, seeded, rooms) }
  })
  const [first] = rooms
  let running: Promise<{ made: number }> | undefined
  await t.database.tx(ownerId, async tx => {
    await tx.execute(sql`
      insert into bill (
        owner_id, project_code, bill_no, source_type, source_code, source_name, fee_item_id, fee_item_name,
        fee_type, begin_date, end_date, belong_month, amount, due_date, state, bill_source
      )
      values (
        ${ownerId}, ${project}, 'RING1', 10, ${defined(first).code}, ${defined(first).path}, ${f.itemId}, '测试', 10,
        '2026-09-01', '2026-09-30', '2026-09', 1, '2026-10-30', 20, 20
      )
    `)
    running = run(f, { patience: '500ms' })
    running.catch(() => {})
    // Both chunks are under way when the relation of the second one is held.
    for (;;) {
      const unlocked = await t.database.tx(ownerId, x =>
        x.rows(
          sql`
            select id
            from fee_relation
            where owner_id = ${ownerId}
              and id = ${ids[1]} for update skip locked
          `,
        ),
      )
      if (!unlocked.length) break
      await new Promise(r => setTimeout(r, 10))
    }
    await tx.execute(
      sql`update fee_relation set remark = '改过' where owner_id = ${ownerId} and id = ${ids[1]}`,
    )
  })
  expect((await defined(running)).made).toBe(5)
  expect((await bills(f)).map(b => b.relation)).toEqual([undefined, ...ids.slice(1)])
})
