import { idOf, objectOf, objectsOf } from '#kit/contract/fixtures.ts'
import type { Method } from '#kit/contract/call.ts'
import { defined } from '#kit/domain/defined.ts'
import { asId, type Id } from '#kit/domain/id.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { resultCode, type Envelope } from '#kit/contract/wire.ts'
import { asFen } from '#kit/domain/money.ts'
import { keysOfRecord } from '#kit/domain/records.ts'
import { sql } from './db.ts'
import { createProbeTables, operators, openProbe, thing, type Probe } from './fixtures/probe.ts'
import { openTestDatabase, type TestDatabase } from './fixtures/test-database.ts'
import { insertAll, findAll } from './table.ts'

let testDatabase: TestDatabase
let p: Probe
const tokens: Record<string, string> = {}
const ids: Record<string, Id> = {}
const requestScope = { projectCode: '', ip: '', requestId: '', time: '2026-11-21T01:00:00.000Z' }

beforeAll(async () => {
  testDatabase = await openTestDatabase()
  p = await openProbe(testDatabase.url)
  await createProbeTables(p.app.database)
  for (const caller of keysOfRecord(operators)) {
    tokens[caller] = await p.token(caller)
  }
  const boss = { ...operators.boss, ...requestScope }
  await p.app.database.tx(1, async tx => {
    const made = await insertAll(
      tx,
      thing,
      boss,
      [
        ['A', 'P1', 'H1'],
        ['B', 'P1', 'H2'],
        ['C', 'P1', undefined],
        ['D', 'P2', 'H1'],
      ].map(([code, projectCode, houseCode]) => ({
        code,
        name: `物${code}`,
        projectCode,
        houseCode,
        mood: 'glad',
        live: true,
        price: asFen(100),
        parts: [{ no: 1, name: 'x' }],
      })),
    )
    made.forEach((id, i) => {
      ids[defined('ABCD'[i])] = id
    })
  })
  const theirs = (
    await p.inject('POST', '/api/Probe/Post', {
      token: tokens.other,
      body: { Data: { ProjectCode: 'P1', Code: 'X', Thingname: '别家的' } },
    })
  ).envelope().Data
  ids.X = idOf(objectOf(theirs).ID)
})

afterAll(async () => {
  await p?.close()
  await testDatabase?.drop()
})

const codesIn = ({ Data }: Envelope): unknown[] => objectsOf(Data).map(r => r.Code)

const listCodes = async (caller: string, q = ''): Promise<unknown[]> =>
  codesIn((await p.inject('GET', `/api/Probe/Get?${q}`, { token: tokens[caller] })).envelope())

const sendAs = async (caller: string, method: Method, path: string, body?: object): Promise<Envelope> =>
  (
    await p.inject(method, `/api/Probe/${path}`, { token: tokens[caller], ...(body ? { body } : {}) })
  ).envelope()

it('row-level security: a query without its company condition sees nothing of another company, and nothing at all without the setting', async () => {
  const codes = (ownerId: Id | '*') =>
    p.app.database
      .reader(ownerId)
      .rows<{ code: string }>(sql`select code from probe_thing order by code`)
      .then(r => r.map(x => x.code))
  expect(await codes(asId(1))).toEqual(['A', 'B', 'C', 'D'])
  expect(await codes(asId(2))).toEqual(['X'])
  expect(await codes('*')).toEqual(['A', 'B', 'C', 'D', 'X'])
  expect(await codes(asId(3))).toEqual([])
  const { default: pg } = await import('pg')
  const bare = new pg.Client(testDatabase.url)
  await bare.connect()
  expect((await bare.query('select * from probe_thing')).rows).toEqual([])
  await bare.query(`begin; select set_config('app.owner_id', '1', true); commit`)
  expect((await bare.query('select * from probe_thing')).rows).toEqual([])
  await expect(
    bare.query(
      `
        insert into probe_thing (owner_id, project_code, code, name, mood, live)
        values (1, 'P1', 'Z', 'z', 10, true)
      `,
    ),
  ).rejects.toThrow('row-level security')
  await bare.end()
  await expect(
    p.app.database.tx(1, tx =>
      tx.execute(
        sql`
          insert into probe_thing (owner_id, project_code, code, name, mood, live)
          values (2, 'P1', 'Z', 'z', 10, true)
        `,
      ),
    ),
  ).rejects.toThrow('row-level security')
})

it('lists what is in the data domain: all, a project, a building of it, nothing (PERM-6)', async () => {
  expect(await listCodes('boss')).toEqual(['A', 'B', 'C', 'D'])
  expect(await listCodes('ofP1')).toEqual(['A', 'B', 'C'])
  expect(await listCodes('ofHouse')).toEqual(['A'])
  expect(await listCodes('nobody')).toEqual([])
  expect(await listCodes('other')).toEqual(['X'])
  expect(await listCodes('boss', 'ProjectCode=P2')).toEqual(['D'])
})

it('answers by id only inside the domain: outside it with 10003, in another company 10004, as for what never was', async () => {
  const codeOf = async (caller: string, id: Id | undefined): Promise<number> =>
    (await sendAs(caller, 'GET', `GetOne?ID=${id}`)).Code
  expect([
    await codeOf('ofP1', ids.A),
    await codeOf('ofP1', ids.D),
    await codeOf('ofHouse', ids.A),
    await codeOf('ofHouse', ids.B),
    await codeOf('ofHouse', ids.C),
  ]).toEqual([resultCode.ok, resultCode.forbidden, resultCode.ok, resultCode.forbidden, resultCode.forbidden])
  const theirs = await sendAs('boss', 'GET', `GetOne?ID=${ids.X}`)
  const never = await sendAs('boss', 'GET', 'GetOne?ID=99999')
  expect(theirs).toEqual(never)
  expect(theirs).toMatchObject({ Code: resultCode.notFound, Message: '数据不存在或已被删除' })
})

it('changes and deletes nothing outside, and notes who tried', async () => {
  const Data = { ID: ids.D, ProjectCode: 'P2', Code: 'D', Thingname: '改' }
  expect((await sendAs('ofP1', 'PUT', 'Put', { Data })).Code).toBe(resultCode.forbidden)
  expect(
    (
      await sendAs('ofHouse', 'PUT', 'Put', {
        Data: { ID: ids.A, ProjectCode: 'P1', Code: 'A', Thingname: '搬走', Housecode: 'H2' },
      })
    ).Code,
  ).toBe(resultCode.forbidden)
  expect(
    (
      await sendAs('ofHouse', 'POST', 'Post', {
        Data: { ProjectCode: 'P1', Code: 'N', Thingname: '新', Housecode: 'H2' },
      })
    ).Code,
  ).toBe(resultCode.forbidden)
  expect(
    (await sendAs('ofHouse', 'POST', 'Post', { Data: { ProjectCode: 'P1', Code: 'N', Thingname: '新' } }))
      .Code,
  ).toBe(resultCode.forbidden)
  expect((await sendAs('boss', 'PUT', 'Put', { Data: { ...Data, ID: ids.X } })).Code).toBe(
    resultCode.notFound,
  )
  expect((await sendAs('boss', 'DELETE', `Delete?Ids=${ids.A},${ids.X}&Reason=测试删除`)).Code).toBe(
    resultCode.notFound,
  )
  expect(
    (await sendAs('ofP1', 'POST', 'Post', { Data: { ProjectCode: 'P2', Code: 'N', Thingname: '新' } })).Code,
  ).toBe(resultCode.forbidden)
  expect(await listCodes('boss')).toEqual(['A', 'B', 'C', 'D'])
  expect(
    defined(
      await p.app.database
        .reader(2)
        .one<{ v: number }>(sql`select version as v from probe_thing where id = ${ids.X}`),
    ).v,
  ).toBe(1)
  const tried = await p.app.database
    .reader(1)
    .rows<{ operatorId: Id; reason: string }>(
      sql`select operator_id, reason from audit_log where action = 'refused' and entity = 'PUT Probe/Put'`,
    )
  expect(tried).toContainEqual({ operatorId: 3, reason: '无权访问该项目' })
})

it('leaves an audit row of every change, before and after, in the same transaction (G-9)', async () => {
  const made = objectOf(
    (
      await sendAs('boss', 'POST', 'Post', {
        Data: { ProjectCode: 'P1', Code: 'AU', Thingname: '一', Price: '1.00' },
      })
    ).Data,
  )
  await sendAs('boss', 'PUT', 'Put', { Data: { ...made, Price: '2.00' } })
  await sendAs('boss', 'DELETE', `Delete?ID=${idOf(made.ID)}&Reason=不再需要`)
  const trail = await p.app.database.reader(1).rows<{
    action: string
    before?: object
    after?: object
    reason?: string
    operatorName: string
    projectCode: string
  }>(sql`
    select action, before, after, reason, operator_name, project_code
    from audit_log
    where entity = 'probeThing' and entity_id = ${idOf(made.ID)}
    order by id
  `)
  expect(trail.map(t => t.action)).toEqual(['insert', 'update', 'delete'])
  expect(trail[1]).toMatchObject({
    before: { price: 100 },
    after: { price: 200 },
    operatorName: '操作员1',
    projectCode: 'P1',
  })
  expect(Object.keys(defined(trail[1]?.after))).toEqual(['price'])
  expect(trail[2]).toMatchObject({ reason: '不再需要', before: { name: '一' } })
  // The bin's natural key is free again (G-7).
  expect(
    (await sendAs('boss', 'POST', 'Post', { Data: { ProjectCode: 'P1', Code: 'AU', Thingname: '二' } })).Code,
  ).toBe(resultCode.ok)
})

it('keeps rows and parts as they are, added one by one or at once', async () => {
  const r = await sendAs('boss', 'POST', 'PostMany', {
    Data: {
      ProjectCode: 'P9',
      Rows: [
        {
          ProjectCode: 'P9',
          Code: 'M1',
          Thingname: '甲',
          Mood: 20,
          Area: '1.5',
          Born: '2026-02-28',
          Seen: '2026-02-28 23:59:59',
          Live: 0,
          Tags: 'a,b',
          Parts: [{ No: 1, Name: 'p' }],
          Box: { Wide: 2 },
        },
        { ProjectCode: 'P9', Code: 'M2', Thingname: '乙' },
      ],
    },
  })
  expect(r).toMatchObject({ Code: resultCode.ok, Data: 2 })
  const [a, b] = await findAll(
    p.app.database.reader(1),
    thing,
    { ...operators.boss, ...requestScope },
    { projectCode: 'P9' },
  )
  expect(a).toMatchObject({
    code: 'M1',
    mood: 'sad',
    area: '1.5',
    born: '2026-02-28',
    seen: '2026-02-28 23:59:59',
    live: false,
    tags: ['a', 'b'],
    parts: [{ no: 1, name: 'p' }],
    box: { wide: 2 },
  })
  expect(b).toMatchObject({ code: 'M2', mood: 'glad', live: true })
  expect(b).not.toHaveProperty('area')
})

it('filters, sums over the whole filter, orders, and pages without overlap', async () => {
  const q = (s: string): Promise<Envelope> => sendAs('boss', 'GET', `Get?${s}`)
  expect(await q('data.PriceFrom=1&data.PriceTo=1&PageSize=2&OrderBy=-code')).toMatchObject({
    Total: 4,
    Sum: { Price: '4.00' },
    Data: [{ Code: 'D' }, { Code: 'C' }],
  })
  expect(codesIn(await q('data.PriceFrom=1&data.PriceTo=1&PageSize=2&PageIndex=2&OrderBy=-code'))).toEqual([
    'B',
    'A',
  ])
  expect(codesIn(await q(`KeyWord=${encodeURIComponent('物A')}`))).toEqual(['A'])
  expect((await q(`KeyWord=${encodeURIComponent('%')}`)).Total).toBe(0)
  expect(codesIn(await q('data.Mood=20&ProjectCode=P9'))).toEqual(['M1'])
  expect((await q('data.SeenFrom=2026-02-28&data.SeenTo=2026-02-28')).Total).toBe(1)
  const codesBy = async (order: string): Promise<unknown[]> =>
    codesIn(await q(`data.PriceFrom=1&data.PriceTo=1&OrderBy=${encodeURIComponent(order)}`))
  expect(await codesBy('Code desc')).toEqual(['D', 'C', 'B', 'A'])
  expect(await codesBy('CODE asc')).toEqual(['A', 'B', 'C', 'D'])
  expect(await codesBy('-Code')).toEqual(['D', 'C', 'B', 'A'])
  expect(await q(`OrderBy=${encodeURIComponent('code;drop table probe_thing')}`)).toMatchObject({
    Code: resultCode.invalidInput,
    Message: '不能按「code;drop table probe_thing」排序，请换一列',
  })
  // A name that every object has is no field.
  expect(await q('OrderBy=__proto__')).toMatchObject({
    Code: resultCode.invalidInput,
    Message: '不能按「__proto__」排序，请换一列',
  })
  expect((await q('data.Housecode=H1,H2')).Total).toBe(3)
})

it('lists a row that is no longer valid and leaves it out of every sum', async () => {
  const rows = (['glad', 'past'] as const).map((mood, i) => ({
    projectCode: 'P8',
    code: `S${i}`,
    name: `划${i}`,
    mood,
    live: true,
    price: asFen(700),
  }))
  await p.app.database.tx(1, tx => insertAll(tx, thing, { ...operators.boss, ...requestScope }, rows))
  expect(await sendAs('boss', 'GET', 'Get?ProjectCode=P8')).toMatchObject({
    Total: 2,
    Sum: { Price: '7.00' },
  })
})

it('many rows added at once are in the statistics by which the same transaction plans', async () => {
  const rows = Array.from({ length: 1000 }, (_, i) => ({
    code: `many-${i}`,
    name: `众${i}`,
    projectCode: 'P9',
    mood: 'glad' as const,
    live: true,
    price: asFen(700),
  }))
  const known = await p.app.database.tx(1, async tx => {
    await insertAll(tx, thing, { ...operators.boss, ...requestScope }, rows)
    return tx.one<{ rows: number }>(
      sql`select reltuples::int as rows from pg_class where oid = ${thing.table}::regclass`,
    )
  })
  expect(known?.rows).toBeGreaterThanOrEqual(1000)
})

it("runs a transaction once more that was a deadlock's victim", async () => {
  const go = (First: number, Second: number) => sendAs('boss', 'POST', 'Clash', { Data: { First, Second } })
  const both = await Promise.all([go(defined(ids.A), defined(ids.B)), go(defined(ids.B), defined(ids.A))])
  expect(both.map(r => r.Code)).toEqual([resultCode.ok, resultCode.ok])
  expect(
    await p.app.database.reader(1).rows(sql`
      select count
      from probe_thing
      where id in (${ids.A}, ${ids.B})
    `),
  ).toEqual([{ count: 2 }, { count: 2 }])
})

it('tries a victim of deadlocks again a few times, nothing else, and tells when it gives up', async () => {
  const tried = async (code: string, times: number): Promise<{ tries: number; code?: unknown }> => {
    let tries = 0
    try {
      await p.app.database.tx(1, async tx => {
        await tx.execute(sql`select 1`)
        if (tries++ < times) throw Object.assign(new Error('chosen'), { code })
      })
    } catch (e) {
      return { tries, code: objectOf(e).code }
    }
    return { tries }
  }
  expect(await tried('40P01', 2)).toEqual({ tries: 3 })
  expect(await tried('40001', 3)).toEqual({ tries: 4 })
  expect(await tried('40P01', 9)).toEqual({ tries: 4, code: '40P01' })
  expect(await tried('23505', 1)).toEqual({ tries: 1, code: '23505' })
})

it('onCommit callbacks run in order after commit, none after a rollback; a failed commit leaves nothing behind', async () => {
  const { database } = p.app
  const count = async (): Promise<number> =>
    defined(
      await database.reader(1).one<{ count: number }>(sql`
        select coalesce(count, 0) as count
        from probe_thing
        where id = ${ids.C}
      `),
    ).count
  const add = (n: number) => sql`
    update probe_thing
    set count = coalesce(count, 0) + ${n}
    where id = ${ids.C}
  `
  const was = await count()
  await database.tx(1, async tx => {
    tx.defer(sql`update probe_thing set count = count * 10 where id = ${ids.C}`)
    tx.defer(add(5))
    await tx.execute(add(1))
  })
  expect(await count()).toBe((was + 1) * 10 + 5)
  await expect(
    database.tx(1, async tx => {
      tx.defer(sql`select 1 / 0`)
      await tx.execute(add(1))
    }),
  ).rejects.toMatchObject({ code: '22012' })
  await expect(
    database.tx(1, async tx => {
      tx.defer(add(1))
      await Promise.resolve()
      throw new Error('no')
    }),
  ).rejects.toThrow('no')
  expect(await count()).toBe((was + 1) * 10 + 5)
})
