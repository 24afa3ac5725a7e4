import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest'
import { defined } from '#kit/domain/defined.ts'
import { sql, type Statement } from '#kit/server/db.ts'
import type { CallOptions } from '#kit/server/fixtures/test-app.ts'
import { faultTextsOf, refusalMessageOf } from '#kit/server/fixtures/refusal.ts'
import { code } from '#kit/server/sql.ts'
import { staffState } from '#modules/staff/contract/labels.ts'
import { openGoldenApp, type GoldenApp } from '#db/golden/golden-app.ts'
import { golden } from '#db/golden/golden-data.ts'
import { getRetention, previewRetention, saveRetention } from '../contract/retention.ts'
import { server } from './index.ts'
import { retentionCron, runRetention } from './retention.ts'

let t: GoldenApp
let me: CallOptions

beforeAll(async () => {
  t = await openGoldenApp({ works: true })
  me = await t.owner
})

afterEach(() => vi.unstubAllEnvs())

afterAll(() => t?.close())

const write = (statement: Statement) => t.database.tx(t.ownerId, tx => tx.execute(statement))

const countMessages = async (): Promise<number> =>
  defined(
    await t.database.reader(t.ownerId).one<{ count: number }>(sql`
      select count(*)::int as count from notification where owner_id = ${t.ownerId} and kind = 'old'
    `),
  ).count

const addMessages = (count: number) =>
  write(sql`
    insert into notification (owner_id, receiver_id, receiver_kind, notice_group, kind, level, title, create_time)
    select ${t.ownerId}::bigint, ${t.managerId}, 10, 10, 'old', 10, '旧消息', '2025-01-01'
    from generate_series(1, ${count}::integer)
    returning id
  `)

const ruleOf = async (key: string) =>
  defined((await t.call(getRetention, undefined, me)).rules.find(rule => rule.key === key))
const dueOf = async (key: string, amount?: number) =>
  defined(
    (await t.call(previewRetention, amount === undefined ? {} : { periods: [{ key, amount }] }, me)).find(
      row => row.key === key,
    ),
  ).count
const save = async (isOn: boolean, periods: { key: string; amount: number }[] = []) =>
  t.call(saveRetention, { isOn, periods, version: (await t.call(getRetention, undefined, me)).version }, me)

it('nothing is taken before somebody has looked at the periods and switched it on', async () => {
  await addMessages(5)
  expect(await t.call(getRetention, undefined, me)).toMatchObject({ isOn: false, version: 0 })
  expect(await ruleOf('ledger')).toMatchObject({ amount: 30, min: 30, unit: 'year', isAutomatic: false })
  expect(await dueOf('messages')).toBe(5)
  expect(await dueOf('messages', 36)).toBe(0)
  await retentionCron.run(t.app, new AbortController().signal)
  expect(await countMessages()).toBe(5)
})

it('what ended the day before the first day that is kept is due, what ended on it is not', async () => {
  // A server has the clock of its machine, which need not be ours.
  vi.stubEnv('TZ', 'UTC')
  const keys = ['blocklist', 'visitorBlocks', 'formerStaff'] as const
  const before = await Promise.all(keys.map(key => dueOf(key)))
  const days = ['2025-11-20', '2025-11-21']
  await write(sql`
    insert into user_blocklist (owner_id, project_code, name, reason, expire_date, scope)
    select ${t.ownerId}::bigint, 'GOLD0001', '到期', '滋扰', d, '{}'::text[]
    from unnest(${days}::date[]) d
    returning id
  `)
  await write(sql`
    insert into visitor_block (owner_id, project_code, name, reason, expire_date)
    select ${t.ownerId}::bigint, 'GOLD0001', '到期', '滋扰', d
    from unnest(${days}::date[]) d
    returning id
  `)
  await write(sql`
    insert into staff (owner_id, name, mobile, leave_date, state)
    select ${t.ownerId}::bigint, '离职', '1390000' || to_char(d, 'MMDD'), d, ${code(staffState, 'left')}
    from unnest(${['2024-11-20', '2024-11-21']}::date[]) d
    returning id
  `)
  const after = await Promise.all(keys.map(key => dueOf(key)))
  expect(after).toEqual(before.map(count => count + 1))
})

it('a period below the law is refused with the law, and so is a save over a newer one', async () => {
  const faults = Object.values(await faultTextsOf(save(true, [{ key: 'ledger', amount: 29 }]))).join()
  expect(faults).toContain('「账簿与凭证」不能少于 30 年（会计档案管理办法')
  expect(
    Object.values(await faultTextsOf(save(true, [{ key: 'operationLog', amount: 5 }]))).join(),
  ).toContain('网络安全法')
  await save(false, [{ key: 'messages', amount: 6 }])
  const stale = t.call(saveRetention, { isOn: true, periods: [], version: 0 }, me)
  expect(await refusalMessageOf(stale)).toContain('已被他人修改')
  expect(await ruleOf('messages')).toMatchObject({ amount: 6 })
})

it('the run takes what its preview counted, batch by batch, once, and says so in the audit', async () => {
  await addMessages(2400)
  await save(true)
  const due = await dueOf('messages')
  expect(due).toBe(2405)
  expect(await runRetention(t.app, t.ownerId)).toBeGreaterThanOrEqual(due)
  expect(await countMessages()).toBe(0)
  expect(await dueOf('messages')).toBe(0)
  expect(await ruleOf('messages')).toMatchObject({ lastDay: '2026-11-21', lastCount: 2405 })
  const logged = await t.database.reader(t.ownerId).rows<{ reason: string; action: string }>(sql`
    select action, reason
    from audit_log
    where owner_id = ${t.ownerId} and entity = 'retentionSetting' and reason like '「系统消息」%'
    order by id
  `)
  expect(logged.map(row => row.reason)).toEqual([
    '「系统消息」超过保存期限，清除 1000 行',
    '「系统消息」超过保存期限，清除 1000 行',
    '「系统消息」超过保存期限，清除 405 行',
  ])
  expect(await runRetention(t.app, t.ownerId)).toBe(0)
})

it('what a stopped run has taken stays taken and counted, and the next goes on', async () => {
  await addMessages(1500)
  await save(true)
  const stop = new AbortController()
  const { database } = t.app
  const stopping = {
    ...t.app,
    database: {
      ...database,
      tx: async <T>(...args: Parameters<typeof database.tx<T>>): Promise<T> => {
        const result = await database.tx<T>(...args)
        if (result === 1000) {
          stop.abort()
        }
        return result
      },
    },
  }
  await runRetention(stopping, t.ownerId, stop.signal)
  expect(await countMessages()).toBe(500)
  const both = await Promise.all([runRetention(t.app, t.ownerId), runRetention(t.app, t.ownerId)])
  expect(both[0] + both[1]).toBe(500)
  expect(await countMessages()).toBe(0)
  expect(await ruleOf('messages')).toMatchObject({ lastCount: 3905 })
})

it('contact data of ended orders goes, the order stays; that of open ones stays', async () => {
  await write(sql`
    insert into work_order (
      owner_id, project_code, order_no, type_id, type_name, category, source, reporter_name, reporter_phone,
      title, content, level, state, register_time, end_time, limits, search_text
    )
    select ${t.ownerId}::bigint, 'GOLD0001', 'GD-R-' || s, k.id, k.type_name, k.category, 10, '报事人甲',
      '13711110000', '漏水', '漏水', 10, s, '2020-01-01', '2020-01-02', '{}', '13711110000'
    from (select * from work_order_type where owner_id = ${t.ownerId} limit 1) k, unnest(array[40, 80]) s
    returning id
  `)
  expect(await dueOf('workOrders')).toBe(1)
  await runRetention(t.app, t.ownerId)
  const rows = await t.database.reader(t.ownerId).rows<{ state: number; reporterPhone?: string }>(sql`
    select state, reporter_phone
    from work_order
    where owner_id = ${t.ownerId} and order_no like 'GD-R-%'
    order by state
  `)
  expect(rows).toEqual([{ state: 40, reporterPhone: '13711110000' }, { state: 80 }])
  expect(await dueOf('workOrders')).toBe(0)
})

it('rows of a log, whose key holds a time, go with their time', async () => {
  await write(sql`
    insert into audit_log (
      owner_id, operator_id, operator_name, ip, request_id, action, entity, entity_id, create_time
    )
    values (${t.ownerId}, 0, '系统', '', '', 'update', 'room', 1, '2010-01-01 08:00:00.123456+08')
  `)
  expect(await dueOf('auditLog')).toBe(1)
  await runRetention(t.app, t.ownerId)
  expect(await dueOf('auditLog')).toBe(0)
})

it('of ended orders the name goes with the telephone, as the period promises', async () => {
  const rows = await t.database.reader(t.ownerId).rows<{ state: number; reporterName?: string }>(sql`
    select state, reporter_name
    from work_order
    where owner_id = ${t.ownerId} and order_no like 'GD-R-%'
    order by state
  `)
  expect(rows).toEqual([{ state: 40, reporterName: '报事人甲' }, { state: 80 }])
  const [ended] = await t.database.reader(t.ownerId).rows<{ searchText: string }>(sql`
    select search_text from work_order where owner_id = ${t.ownerId} and order_no = 'GD-R-80'
  `)
  expect(defined(ended).searchText).not.toContain('13711110000')
})

it('what was filled in for a resident counts from the move-out, whatever was changed in the record since', async () => {
  const [person] = await t.database.tx(t.ownerId, tx =>
    tx.rows<{ id: number }>(sql`
      insert into resident (owner_id, home_project, name, user_type, source, state, work_unit, update_time)
      values (${t.ownerId}, 'GOLD0001', '迁出甲', 10, 10, 10, '某某工厂', '2026-11-01')
      returning id
    `),
  )
  const { id } = defined(person)
  await write(sql`
    insert into user_room (
      owner_id, project_code, user_id, room_id, build_code, relation, in_date, out_date, status, apply_source
    )
    select ${t.ownerId}::bigint, 'GOLD0001', ${id}::bigint, r.id, r.build_code, 30, '2015-01-01', '2018-01-01', 30, 10
    from room r
    where r.owner_id = ${t.ownerId} and r.project_code = 'GOLD0001'
    order by r.id
    limit 1
    returning id
  `)
  await write(sql`
    insert into audit_log (owner_id, operator_id, operator_name, action, entity, entity_id, before, after)
    values (
      ${t.ownerId}, 1, '操作员', 'update', 'resident', ${id}, '{"workUnit": "旧单位", "name": "迁出甲"}',
      '{"workUnit": "某某工厂", "name": "迁出甲"}'
    )
  `)
  await write(sql`
    insert into operation_log (owner_id, create_time, operator_id, operator_name, call, title, code, input, took_ms)
    values (
      ${t.ownerId}, '2026-11-01', 1, '操作员', 'PUT User/Put', '编辑住户', 10000,
      ${JSON.stringify({ Id: id, WorkUnit: '某某工厂', Username: '迁出甲' })}::jsonb, 1
    )
  `)
  expect(await dueOf('movedOut')).toBe(1)
  await runRetention(t.app, t.ownerId)
  // Nor does it stay in the change history and in the log of calls.
  const logged = await t.database.reader(t.ownerId).rows<{ text: string }>(sql`
    select concat(before::text, after::text) as text
    from audit_log
    where owner_id = ${t.ownerId} and entity = 'resident' and entity_id = ${id}
    union all
    select input::text from operation_log where owner_id = ${t.ownerId} and call = 'PUT User/Put'
  `)
  const text = logged.map(row => row.text).join()
  expect(text).toContain('迁出甲')
  expect(text).not.toMatch(/单位|工厂/)
  const [kept] = await t.database.reader(t.ownerId).rows<{ name: string; workUnit?: string }>(sql`
    select name, work_unit from resident where owner_id = ${t.ownerId} and id = ${id}
  `)
  expect(kept).toEqual({ name: '迁出甲' })
})

it('days of visits are each project’s own: they are refused, with the screen (VIS-7)', async () => {
  const { rules } = await t.call(getRetention, undefined, me)
  expect(rules.find(rule => rule.key === 'visits')).toMatchObject({
    isAlways: true,
    setTitle: '访客设置',
    setPath: '/doorvisitors/invistssetting',
  })
  const faults = await faultTextsOf(save(true, [{ key: 'visits', amount: 60 }]))
  expect(Object.values(faults).join()).toContain('请在「访客设置」修改')
})

it('a period that is named twice, and a version that never was, are refused', async () => {
  const twice = save(true, [
    { key: 'messages', amount: 6 },
    { key: 'messages', amount: 7 },
  ])
  expect(Object.values(await faultTextsOf(twice)).join()).toContain('「系统消息」重复')
  const { version } = await t.call(getRetention, undefined, me)
  const ahead = t.call(saveRetention, { isOn: true, periods: [], version: 999 }, me)
  expect(await refusalMessageOf(ahead)).toContain('已被他人修改')
  expect(await t.call(getRetention, undefined, me)).toMatchObject({ version })
  const second = await t.signedInAs(golden.second.owner, '')
  expect(
    await refusalMessageOf(t.call(saveRetention, { isOn: true, periods: [], version: 999 }, second)),
  ).toContain('已被他人修改')
})

it('a stored period that the bounds do not allow any more is shown beside the one that holds', async () => {
  await write(sql`
    update retention_setting
    set periods = periods || '{"ledger": 10}'
    where owner_id = ${t.ownerId}
  `)
  expect(await ruleOf('ledger')).toMatchObject({ amount: 30, replaced: 10 })
  await save(true, [{ key: 'ledger', amount: 30 }])
  expect((await ruleOf('ledger')).replaced).toBeUndefined()
})

it('the nightly run goes by its definition, and shows when it ran, what it took, and when it goes next', async () => {
  const cron = defined(server.crons?.find(each => each.name === 'retention'))
  expect(cron.schedule).toBe('50 2 * * *')
  await addMessages(3)
  await save(true)
  await cron.run(t.app, new AbortController().signal)
  expect(await countMessages()).toBe(0)
  expect(await t.call(getRetention, undefined, me)).toMatchObject({
    lastRunTime: '2026-11-21 09:00:00',
    lastRunCount: 3,
    nextRunTime: '2026-11-22 02:50:00',
  })
  await cron.run(t.app, new AbortController().signal)
  expect(await t.call(getRetention, undefined, me)).toMatchObject({ lastRunCount: 0 })
  await save(false)
  expect((await t.call(getRetention, undefined, me)).nextRunTime).toBeUndefined()
  await save(true)
})

it('every rule can be previewed and run on a company with data of each kind', async () => {
  const preview = await t.call(previewRetention, {}, me)
  expect(preview.length).toBeGreaterThan(10)
  expect(preview.filter(row => row.count > 0)).toEqual([])
})
