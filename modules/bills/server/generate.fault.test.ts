import { defined } from '#kit/domain/defined.ts'
import type { Id } from '#kit/domain/id.ts'
import { addDays, padDigits } from '#kit/domain/day.ts'
import { spawn, type ChildProcess } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { sql } from '#kit/server/db.ts'
import { ConnectionCut, cutAt } from '#kit/server/fixtures/fault-injection.ts'
import { insertAll } from '#kit/server/table.ts'
import { toError } from '#kit/domain/to-error.ts'
import { standardVersion } from '#modules/fees/contract/standard.ts'
import { recompute, type Snapshot } from '#modules/fees/server/public.ts'
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
import { findRun } from './run-chunk.ts'

const project = 'GOLD0001'
const today = '2026-11-21'
const month = '2026-10'
let t: GoldenApp
let ownerId: Id = 0
let rooms: SeededRoom[] = []

beforeAll(async () => {
  t = await openGoldenApp()
  ownerId = t.ownerId
  rooms = (await findSeededRooms(t.database.reader(ownerId), ownerId, project)).slice(0, 12)
})

afterAll(() => t?.close())
const scope = () => testScope(ownerId)

const fee = (overrides: object = {}): Promise<SeededFee> =>
  t.database.tx(ownerId, async tx => {
    const f = await seedFee(tx, scope(), project, overrides)
    await bindRooms(tx, scope(), project, f, rooms)
    return f
  })

/** Everything that a run leaves behind, without numbers and times. */
const readRunResult = async (
  f: SeededFee,
): Promise<{ bills: string[]; months: string; moved: string; run: string }> => {
  const db = t.database.reader(ownerId)
  const bills = await db.rows<{ x: string }>(
    sql`
      select source_code || ' ' || begin_date || ' ' || end_date || ' ' || amount || ' ' || state as x
      from bill
      where owner_id = ${ownerId} and standard_id = ${f.standardId}
      order by 1
    `,
  )
  const sums = await db.one<{
    months: string
    moved: string
    run: string
  }>(sql`
    select (
      select count(*) || ' ' || sum(m.receivable)
      from bill_month m
      join bill b on b.owner_id = m.owner_id and b.id = m.bill_id
      where b.standard_id = ${f.standardId}
    ) as months,
      (
        select string_agg(distinct billed_to::text, ',')
        from fee_relation
        where owner_id = ${ownerId} and standard_id = ${f.standardId}
      ) as moved,
      (
        select sum(made) || ' ' || sum(amount)
        from bill_run
        where owner_id = ${ownerId} and scope -> 'standardIds' ->> 0 = ${String(f.standardId)}
      ) as run
  `)
  return { bills: bills.map(b => b.x), ...defined(sums) }
}

/** The whole of it, whatever happened on the way. */
const expectedRooms = (): string[] => rooms.map(r => r.code).toSorted()

async function expectComplete(f: SeededFee): Promise<void> {
  const l = await readRunResult(f)
  const sum = l.bills.reduce((n, b) => n + Math.round(Number(b.split(' ')[3]) * 100), 0)
  expect(l.bills.map(b => b.split(' ').slice(0, 3).join(' '))).toEqual(
    expectedRooms().flatMap(c => [`${c} 2026-09-01 2026-09-30`, `${c} 2026-10-01 2026-10-31`]),
  )
  expect([l.months, l.moved, l.run]).toEqual([
    `24 ${(sum / 100).toFixed(2)}`,
    '2026-10-31',
    `24 ${(sum / 100).toFixed(2)}`,
  ])
}

it('GEN-9 cut off at any statement, and gone on with: the same bills', async () => {
  const request = (f: SeededFee) => ({ standardIds: [String(f.standardId)] })
  const probe = cutAt(t.database, Infinity)
  const first = await fee()
  await generateNow(probe, scope(), project, month, today, request(first), { atOnce: 5 })
  await expectComplete(first)
  const statements = probe.moments
  expect(statements).toBeGreaterThan(25)
  for (let at = 2; at <= statements; at += 3) {
    const f = await fee()
    const database = cutAt(t.database, at)
    const cut = await generateNow(database, scope(), project, month, today, request(f), { atOnce: 5 }).then(
      () => false,
      e => {
        if (e instanceof ConnectionCut) return true
        throw toError(e)
      },
    )
    const begun = await t.database.reader(ownerId).one<{ id: Id }>(
      sql`
          select id
          from bill_run
          where owner_id = ${ownerId} and scope -> 'standardIds' ->> 0 = ${String(f.standardId)}
        `,
    )
    if (begun && cut) {
      await generateNow(t.database, scope(), project, month, today, request(f), {
        atOnce: 5,
        begun: defined(await findRun(t.database.reader(ownerId), ownerId, begun.id)),
      })
    } else if (!begun) {
      await generateNow(t.database, scope(), project, month, today, request(f), { atOnce: 5 })
    }
    await expectComplete(f)
  }
})

const child = (f: SeededFee, begun = 0): ChildProcess & { ended: Promise<number> } => {
  const p = spawn(
    process.execPath,
    [
      fileURLToPath(new URL('./generate.fixtures.ts', import.meta.url)),
      t.database.url,
      String(ownerId),
      project,
      String(f.standardId),
      month,
      '1',
      String(begun),
    ],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  )
  return Object.assign(p, {
    ended: new Promise<number>((done, no) => {
      let out = ''
      p.stdout.on('data', d => {
        out += String(d)
      })
      p.on('exit', (code, signal) =>
        code === 0 ? done(Number(out)) : signal ? done(-1) : no(new Error(`child ended with ${code}`)),
      )
    }),
  })
}

it('two processes generate one month: one set of bills', async () => {
  const f = await fee()
  const [a, b] = [child(f), child(f)]
  const made = await Promise.all([a.ended, b.ended])
  expect(made[0] + made[1]).toBe(24)
  await expectComplete(f)
}, 60_000)

it('GEN-9 a process killed amid its run: another goes on and nothing is double or missing', async () => {
  const f = await fee()
  const p = child(f)
  const db = t.database.reader(ownerId)
  const runOf = () =>
    db.one<{ id: Id; made: number }>(
      sql`
        select id, made
        from bill_run
        where owner_id = ${ownerId} and scope -> 'standardIds' ->> 0 = ${String(f.standardId)}
      `,
    )
  for (;;) {
    const r = await runOf()
    if ((r?.made ?? 0) >= 2 || p.exitCode !== null) break
    await new Promise(r_ => setTimeout(r_, 5))
  }
  p.kill('SIGKILL')
  await p.ended
  const r = await runOf()
  await child(f, defined(r).id).ended
  await expectComplete(f)
}, 60_000)

it('property: any price, rounding and begin: a bill’s snapshot recomputes to its amount, its months sum to it, and nothing overlaps', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.record({
        price: fc.integer({ min: 1, max: 9_999_999 }),
        unit: fc.constantFrom('fen', 'jiao', 'yuan'),
        type: fc.constantFrom('halfUp', 'up', 'down', 'halfEven'),
        mode: fc.constantFrom('actual', 'thirty', 'year', 'whole', 'half'),
        months: fc.constantFrom(1, 2, 3),
        cycle: fc.constantFrom('natural', 'anniversary'),
        day: fc.integer({ min: 1, max: 28 }),
        turn: fc.integer({ min: 1, max: 28 }),
      }),
      async c => {
        const f = await t.database.tx(ownerId, async tx => {
          const made = await seedFee(tx, scope(), project, {
            standard: {
              roundUnit: c.unit,
              roundType: c.type,
              prorateMode: c.mode,
              cycleMonths: c.months,
              cycleType: c.cycle,
            },
            prices: [
              {
                effectiveDate: '2020-01-01',
                endDate: `2026-08-${padDigits(c.turn)}`,
                price: (c.price / 1e5).toFixed(5),
              },
            ],
          })
          const next = addDays('2026-08-01', c.turn)
          await insertAll(tx, standardVersion, scope(), [
            {
              standardId: made.standardId,
              effectiveDate: next,
              price: ((c.price + 777) / 1e5).toFixed(5),
              extraProrate: false,
            },
          ])
          await bindRooms(tx, scope(), project, made, rooms.slice(0, 3), {
            beginDate: `2026-07-${padDigits(c.day)}`,
          })
          return made
        })
        await generateNow(t.database, scope(), project, month, today, { standardIds: [String(f.standardId)] })
        const bills = await t.database.reader(ownerId).rows<{
          relation: number
          begin: string
          end: string
          fen: number
          snapshot: Snapshot
          months: number
        }>(sql`
          select relation_id as relation,
            begin_date as begin,
            end_date as end,
            (amount * 100)::bigint as fen,
            calc_snapshot as snapshot,
            (
              select (sum(receivable) * 100)::bigint
              from bill_month m
              where m.owner_id = b.owner_id and m.bill_id = b.id
            ) as months
          from bill b
          where owner_id = ${ownerId} and standard_id = ${f.standardId}
          order by relation_id, begin_date
        `)
        for (const [i, b] of bills.entries()) {
          expect([recompute(b.snapshot), b.months]).toEqual([b.fen, b.fen])
          const next = bills[i + 1]
          if (next?.relation === b.relation) {
            expect(next.begin > b.end).toBe(true)
          }
        }
      },
    ),
    { numRuns: 12 },
  )
})
