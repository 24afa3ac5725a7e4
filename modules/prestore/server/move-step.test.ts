import { defined } from '#kit/domain/defined.ts'
import type { Id } from '#kit/domain/id.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { asFen } from '#kit/domain/money.ts'
import { sql } from '#kit/server/db.ts'
import type { CallOptions } from '#kit/server/fixtures/test-app.ts'
import { openGoldenApp, type GoldenApp } from '#db/golden/golden-app.ts'
import { checkOut } from '#modules/residents/contract/move.ts'
import { listAccounts, topUp } from '../contract/account.ts'
import { runNightly } from './nightly-job.ts'

let t: GoldenApp
let me: CallOptions
const project = { projectCode: 'GOLD0001' }

beforeAll(async () => {
  t = await openGoldenApp()
  me = await t.owner
})

afterAll(() => t?.close())

it('ACC-3: a gift that goes along with its payer lasts from the day of the move', async () => {
  const home = defined(
    await t.database.reader(t.ownerId).one<{ id: Id; userId: Id; code: string }>(sql`
      select l.id, l.user_id, r.code
      from user_room l
      join room r on r.owner_id = l.owner_id and r.id = l.room_id
      where l.owner_id = ${t.ownerId}
        and l.project_code = 'GOLD0001'
        and l.is_main
        and l.status = 20
        and l.delete_tag = 0
      order by l.id
      limit 1
    `),
  )
  await t.call(
    topUp,
    {
      ...project,
      ownerKind: 'room',
      ownerCode: home.code,
      feeItemId: 0,
      methods: [{ method: 'cash', amount: asFen(1000) }],
      gift: asFen(2000),
    },
    me,
  )
  await t.call(
    checkOut,
    {
      ids: [String(home.id)],
      outDate: '2026-11-20',
      answers: [{ key: 'arrears', value: 'stay' }],
    },
    me,
  )
  await runNightly(t.app, { ownerId: t.ownerId, project: 'GOLD0001', auto: false, days: 90 })
  const { rows } = await t.call(
    listAccounts,
    { ...project, ownerKind: ['resident'], ownerCode: String(home.userId) },
    me,
  )
  expect(rows).toMatchObject([{ balance: 1000, giftBalance: 2000 }])
})
