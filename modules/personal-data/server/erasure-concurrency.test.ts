import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { defined } from '#kit/domain/defined.ts'
import type { Id } from '#kit/domain/id.ts'
import { sql, type Statement } from '#kit/server/db.ts'
import { faultTextsOf, refusalMessageOf } from '#kit/server/fixtures/refusal.ts'
import type { CallOptions } from '#kit/server/fixtures/test-app.ts'
import { openGoldenApp, type GoldenApp } from '#db/golden/golden-app.ts'
import { golden } from '#db/golden/golden-data.ts'
import { checkInAgain } from '#modules/residents/contract/move.ts'
import { changeResidentMobile, mergeResidents } from '#modules/residents/contract/maintenance.ts'
import { addResident, editResident, type Resident } from '#modules/residents/contract/resident.ts'
import {
  approveErasure,
  editEvidence,
  executeErasure,
  getErasure,
  listMentions,
  registerErasure,
  saveMentions,
} from '../contract/erasure.ts'
import { menu } from '../module.ts'
import { linesOf } from './erasure.fixtures.ts'
import { runRetention } from './retention.ts'

let t: GoldenApp
let me: CallOptions
let approver: Awaited<ReturnType<GoldenApp['addClerk']>>
let count = 0

beforeAll(async () => {
  t = await openGoldenApp({ works: true })
  me = await t.owner
  approver = await t.addClerk([menu.erasure.permissions.view.key, menu.erasure.permissions.approve.key])
})

afterAll(() => t?.close())

const read = <T>(statement: Statement<T>): Promise<T[]> => t.database.reader(t.ownerId).rows<T>(statement)
const write = (statement: Statement) => t.database.tx(t.ownerId, tx => tx.execute(statement))

/** The erasure has begun: it has taken a lock of the company alone. */
const untilLocked = (lock: 'company alone' | 'company writes') =>
  expect
    .poll(
      () =>
        read(sql`
          select pid
          from pg_locks
          where locktype = 'advisory'
            and granted
            and mode = 'ExclusiveLock'
            and database = (select oid from pg_database where datname = current_database())
            and ((classid::bigint << 32) | objid::bigint) = hashtextextended(${lock}, ${t.ownerId})
        `),
      { interval: 20 },
    )
    .toHaveLength(1)

type Known = Resident & { readonly mobile: string }

async function addPerson(name: string, mobile?: string): Promise<Known> {
  count++
  const phone = mobile ?? `1350000${String(3000 + count)}`
  const added = await t.call(
    addResident,
    { homeProject: 'GOLD0001', name, mobile: phone, userType: 'person', state: 'normal' },
    me,
  )
  return { ...added, mobile: phone }
}

async function approved({ id }: Pick<Resident, 'id'>, isAll = true): Promise<Id> {
  const request = await t.call(
    registerErasure,
    { personKind: 'resident', personId: id, applicant: 'self', reason: '本人要求删除' },
    me,
  )
  const { mentions } = await t.call(listMentions, { id: request.id }, me)
  const keys = mentions.map(({ tableName, rowKey }) => ({ tableName, rowKey }))
  await t.call(saveMentions, { id: request.id, mentions: isAll ? keys : [] }, me)
  await t.call(approveErasure, { id: request.id }, approver.as)
  return request.id
}

const execute = (id: Id, personName: string) =>
  t.call(executeErasure, { id, confirmed: true, personName }, me)

const linesWith = async (...texts: string[]): Promise<string[]> =>
  (await linesOf(t.database, ...texts)).filter(line => !line.startsWith('personal_data_hold'))

it('the registrant does not approve, and nothing is executed without approval (PIP-11)', async () => {
  const person = await addPerson('诸葛双人')
  const { id } = await t.call(
    registerErasure,
    { personKind: 'resident', personId: person.id, applicant: 'self', reason: '本人要求删除' },
    me,
  )
  expect(await refusalMessageOf(execute(id, person.name))).toContain('未经审批')
  expect(await refusalMessageOf(t.call(approveErasure, { id }, me))).toContain('登记人不能审批')
  expect(await t.call(getErasure, { id }, me)).toMatchObject({ isRegistrar: true })
  expect(await t.call(getErasure, { id }, approver.as)).toMatchObject({ isRegistrar: false })
  await t.call(approveErasure, { id }, approver.as)
  expect(await t.call(getErasure, { id }, me)).toMatchObject({
    state: 'approved',
    approveName: expect.any(String),
  })
  expect(await refusalMessageOf(t.call(editEvidence, { id, evidence: [] }, me))).toContain('已审批')
  expect(await refusalMessageOf(t.call(saveMentions, { id, mentions: [] }, me))).toContain('已审批')
  const viewer = await t.addClerk([menu.erasure.permissions.view.key])
  expect(await refusalMessageOf(t.call(approveErasure, { id }, viewer.as))).toContain('权限')
  expect(await execute(id, person.name)).toMatchObject({ state: 'done' })
})

it('what begins while the erasure runs waits for it, and finds nobody any more (PIP-12)', async () => {
  const person = await addPerson('诸葛同时')
  const other = await addPerson('诸葛旁人')
  const [room] = await read<{ id: Id; buildCode: string }>(sql`
    select id, build_code from room where owner_id = ${t.ownerId} and project_code = 'GOLD0001' order by id limit 1
  `)
  await write(sql`
    insert into user_room (
      owner_id, project_code, user_id, room_id, build_code, relation, in_date, out_date, status, apply_source
    )
    values (
      ${t.ownerId}, 'GOLD0001', ${person.id}, ${defined(room).id}, ${defined(room).buildCode}, 30, '2024-01-01',
      '2025-01-01', 30, 10
    )
  `)
  const [link] = await read<{ id: Id }>(
    sql`select id from user_room where owner_id = ${t.ownerId} and user_id = ${person.id}`,
  )
  const { version } = person
  const id = await approved(person)
  const erasing = execute(id, person.name)
  await untilLocked('company writes')
  const others = await Promise.allSettled([
    t.call(editResident, { ...person, name: '诸葛改名', address: '某某路1号' }, me),
    t.call(changeResidentMobile, { id: person.id, version, mobile: '13588887777', reason: '换号' }, me),
    t.call(mergeResidents, { id: other.id, others: [String(person.id)], reason: '同一人' }, me),
    t.call(checkInAgain, { ids: [String(defined(link).id)], inDate: '2026-11-20' }, me),
    write(sql`
      insert into property_suggest (owner_id, project_code, user_kind, user_id, user_name, content)
      select ${t.ownerId}::bigint, 'GOLD0001', 10, r.id, r.name, '同时'
      from resident r
      where r.owner_id = ${t.ownerId} and r.id = ${person.id}
      returning id
    `),
  ])
  expect((await erasing).state).toBe('done')
  expect(others.map(each => each.status)).toEqual([
    'rejected',
    'rejected',
    'rejected',
    'rejected',
    'fulfilled',
  ])
  expect(await linesWith(person.name, person.mobile, '诸葛改名', '13588887777', '某某路1号')).toEqual([])
})

it('a long transaction keeps the erasure from starting, and nobody waits behind it (PIP-12)', async () => {
  const person = await addPerson('诸葛让路')
  const id = await approved(person)
  let finish = (): void => {}
  const long = t.database.tx(t.ownerId, async tx => {
    await tx.execute(
      sql`update resident set remark = '导入' where owner_id = ${t.ownerId} and id = ${person.id}`,
    )
    await new Promise<void>(resolve => {
      finish = resolve
    })
  })
  const refused = refusalMessageOf(execute(id, person.name))
  await untilLocked('company alone')
  const began = performance.now()
  await write(sql`update resident set remark = '旁人' where owner_id = ${t.ownerId} and id = -1`)
  expect(performance.now() - began).toBeLessThan(1000)
  expect(await refused).toContain('请稍后重试')
  finish()
  await long
  expect((await execute(id, person.name)).state).toBe('done')
})

it('two who share a telephone are erased at once, and the number is left nowhere (PIP-12)', async () => {
  const shared = '13577776666'
  const first = await addPerson('诸葛夫', shared)
  const [second] = await t.database.tx(t.ownerId, tx =>
    tx.rows<{ id: Id }>(sql`
      insert into resident (owner_id, home_project, name, mobile, phone2, user_type, source, state, search_text)
      values (${t.ownerId}, 'GOLD0001', '诸葛妻', '13577775555', ${shared}, 10, 10, 10, '')
      returning id
    `),
  )
  await write(sql`
    insert into notification (owner_id, receiver_id, receiver_kind, notice_group, kind, level, title, body)
    values (${t.ownerId}, ${t.managerId}, 10, 10, 'test', 10, '通知', ${`来电 ${shared}`})
  `)
  const ids = [await approved(first), await approved(defined(second))] as const
  const names = ['诸葛夫', '诸葛妻'] as const
  for (let round = 0; round < 3; round++) {
    const open = await Promise.all(ids.map(id => t.call(getErasure, { id }, me)))
    await Promise.allSettled(
      ids.map((id, i) =>
        open[i]?.state === 'approved' ? execute(id, defined(names[i])) : Promise.resolve(),
      ),
    )
  }
  expect((await Promise.all(ids.map(id => t.call(getErasure, { id }, me)))).map(each => each.state)).toEqual([
    'done',
    'done',
  ])
  expect(await linesWith(shared, ...names)).toEqual([])
})

it('a connection that dies at any statement leaves everything as it was, and the files (PIP-5)', async () => {
  const person = await addPerson('诸葛断电')
  const photo = await t.app.files.save(t.ownerId, t.managerId, {
    name: '照片.jpg',
    type: 'image/jpeg',
    bytes: new Uint8Array([1, 2, 3]),
  })
  await write(sql`update resident set photo = ${photo} where owner_id = ${t.ownerId} and id = ${person.id}`)
  const id = await approved(person)
  const ownLines = async () =>
    (await linesWith(person.name, person.mobile, photo))
      .filter(line => !line.startsWith('operation_log'))
      .toSorted()
  const before = await ownLines()
  const killer = new pg.Client(t.database.url)
  await killer.connect()
  /**
   * Runs the execution and ends its connection before the statement of this number; tells how many there
   * were.
   */
  const runUntil = async (
    fatal: number,
  ): Promise<{ readonly isDone: boolean; readonly statements: number }> => {
    let statements = 0
    const { tx: original } = t.app.database
    t.app.database.tx = (ownerId, work) =>
      original(ownerId, async tx => {
        const [backend] = await tx.rows<{ pid: number }>(sql`select pg_backend_pid() as pid`)
        const counted = async <T>(run: () => Promise<T>): Promise<T> => {
          if (statements++ === fatal) {
            await killer.query('select pg_terminate_backend($1)', [defined(backend).pid])
            await pause(20)
          }
          return run()
        }
        return work({
          ...tx,
          rows: statement => counted(() => tx.rows(statement)),
          one: statement => counted(() => tx.one(statement)),
          execute: statement => counted(() => tx.execute(statement)),
        })
      })
    try {
      await execute(id, person.name)
      return { isDone: true, statements }
    } catch {
      return { isDone: false, statements }
    } finally {
      t.app.database.tx = original
    }
  }
  for (let fatal = 3; fatal < 400; fatal += 31) {
    const { isDone } = await runUntil(fatal)
    if (isDone) break
    expect(await ownLines(), `statement ${fatal}`).toEqual(before)
    expect(await t.app.files.find(t.ownerId, photo)).toBeDefined()
  }
  const { state } = await t.call(getErasure, { id }, me)
  if (state !== 'done') {
    expect((await runUntil(10_000)).isDone).toBe(true)
  }
  expect(await linesWith(person.name, person.mobile, photo)).toEqual([])
  await killer.end()
}, 240_000)

it('evidence is uploaded for the request: a file of anything else is refused, none is lost (PIP-7)', async () => {
  const save = (by = t.managerId) =>
    t.app.files.save(t.ownerId, by, { name: '材料.jpg', type: 'image/jpeg', bytes: new Uint8Array([7]) })
  const person = await addPerson('诸葛材料')
  const neighbour = await addPerson('诸葛邻居')
  const photo = await save()
  await write(
    sql`update resident set photo = ${photo} where owner_id = ${t.ownerId} and id = ${neighbour.id}`,
  )
  const [manager] = await read<{ id: Id }>(
    sql`select id from manager where owner_id = ${t.ownerId} and login_code = ${approver.loginCode}`,
  )
  const strangers = await save(defined(manager).id)
  const old = await save()
  await write(
    sql`update file_store set create_time = '2020-01-01' where owner_id = ${t.ownerId} and key = ${old}`,
  )
  const register = (evidence: string[]) =>
    t.call(
      registerErasure,
      { personKind: 'resident', personId: person.id, applicant: 'self', reason: '本人要求删除', evidence },
      me,
    )
  for (const key of [photo, strangers, old, 'f'.repeat(40)]) {
    await expect(register([key]), key).rejects.toThrow()
  }
  const evidence = await save()
  const { id } = await register([evidence])
  const other = t.call(
    registerErasure,
    {
      personKind: 'resident',
      personId: neighbour.id,
      applicant: 'self',
      reason: '要求删除',
      evidence: [evidence],
    },
    me,
  )
  expect(Object.values(await faultTextsOf(other)).join()).toContain('重新上传')
  // Somebody puts the evidence into another record: with its time it leaves the request, not that record.
  await write(
    sql`update resident set photo = ${evidence} where owner_id = ${t.ownerId} and id = ${neighbour.id}`,
  )
  await t.call(approveErasure, { id }, approver.as)
  await execute(id, person.name)
  expect((await t.call(getErasure, { id }, me)).evidence).toEqual([evidence])
  await write(
    sql`update erasure_request set end_time = '2026-01-01' where owner_id = ${t.ownerId} and id = ${id}`,
  )
  await runRetention(t.app, t.ownerId)
  expect((await t.call(getErasure, { id }, me)).evidence ?? []).toEqual([])
  expect(await t.app.files.find(t.ownerId, evidence)).toBeDefined()
  expect(await t.app.files.find(t.ownerId, photo)).toBeDefined()
})

it('an earlier name and number and a merged record are followed (PIP-1)', async () => {
  const person = await addPerson('诸葛前名', '13566665555')
  const changed = await t.call(
    changeResidentMobile,
    { id: person.id, version: person.version, mobile: '13566664444', reason: '换号' },
    me,
  )
  const twin = await addPerson('诸葛并入', '13566663333')
  await t.call(mergeResidents, { id: changed.id, others: [String(twin.id)], reason: '同一人' }, me)
  await write(sql`
    insert into notification (owner_id, receiver_id, receiver_kind, notice_group, kind, level, title, body)
    values (${t.ownerId}, ${t.managerId}, 10, 10, 'test', 10, '通知', '来电 13566665555、13566663333')
  `)
  const id = await approved(changed)
  await execute(id, '诸葛前名')
  expect(await linesWith('诸葛前名', '诸葛并入', '13566665555', '13566664444', '13566663333')).toEqual([])
})

it('a row with the same telephone alone stays unless somebody confirms it (PIP-2)', async () => {
  const person = await addPerson('诸葛同号', '13544443333')
  const addSuggestion = (userName: string) =>
    write(sql`
      insert into property_suggest (owner_id, project_code, user_kind, user_id, user_name, mobile, content)
      values (${t.ownerId}, 'GOLD0001', 20, 0, ${userName}, '13544443333', '路灯不亮')
    `)
  await addSuggestion('诸葛同号')
  await addSuggestion('孔明灯')
  const { id } = await t.call(
    registerErasure,
    { personKind: 'resident', personId: person.id, applicant: 'self', reason: '本人要求删除' },
    me,
  )
  const { mentions } = await t.call(listMentions, { id }, me)
  expect(mentions.map(each => [each.tableName, each.isOwn, each.isConfirmed])).toEqual([
    ['property_suggest', true, false],
    ['property_suggest', true, false],
  ])
  expect(await refusalMessageOf(t.call(approveErasure, { id }, approver.as))).toContain('请先核对疑似记录')
  const foreign = [{ tableName: 'resident', rowKey: '1' }]
  expect(await refusalMessageOf(t.call(saveMentions, { id, mentions: foreign }, me))).toContain('已变化')
  const [own] = mentions.filter(each => each.content.includes('诸葛同号'))
  const { tableName, rowKey } = defined(own)
  const { version: seen } = await t.call(saveMentions, { id, mentions: [] }, me)
  const { version } = await t.call(saveMentions, { id, mentions: [{ tableName, rowKey }] }, me)
  expect(await refusalMessageOf(t.call(approveErasure, { id, version: seen }, approver.as))).toContain('刷新')
  await t.call(approveErasure, { id, version }, approver.as)
  const reasons = () =>
    read<{ reason?: string }>(sql`
      select reason
      from audit_log
      where owner_id = ${t.ownerId} and entity = 'erasureRequest' and entity_id = ${id}
      order by id
    `)
  expect((await reasons()).map(entry => entry.reason)).toEqual([
    undefined,
    '核对疑似记录，均与本人无关',
    expect.stringMatching(new RegExp(`^核对疑似记录，确认 1 条：\\S+ ${rowKey}$`)),
    undefined,
  ])
  const done = await execute(id, person.name)
  expect((await reasons()).at(-1)).toEqual({ reason: '执行删除' })
  expect(done.result?.some(line => line.label.includes('未确认') && line.rowCount === 1)).toBe(true)
  expect(
    await read(sql`
      select user_name, mobile, content
      from property_suggest
      where owner_id = ${t.ownerId} and content in ('路灯不亮', '已删除')
      order by id
    `),
  ).toEqual([
    { userName: `注销人员${id}`, content: '已删除' },
    { userName: '孔明灯', mobile: '13544443333', content: '路灯不亮' },
  ])
})

it('hints hide telephones from who may not see them, and other companies see nothing (PIP-10)', async () => {
  const person = await addPerson('诸葛遮盖', '13533332222')
  await write(sql`
    insert into property_suggest (owner_id, project_code, user_kind, user_id, user_name, mobile, content)
    values (${t.ownerId}, 'GOLD0001', 20, 0, '某人', '13533332222', '回电 13533332222')
  `)
  const { id } = await t.call(
    registerErasure,
    { personKind: 'resident', personId: person.id, applicant: 'self', reason: '本人要求删除' },
    me,
  )
  const viewer = await t.addClerk([menu.erasure.permissions.view.key])
  const shown = JSON.stringify(await t.call(listMentions, { id }, viewer.as))
  expect(shown).toContain('property_suggest')
  expect(shown).not.toContain('13533332222')
  const second = await t.signedInAs(golden.second.owner, '')
  expect(await refusalMessageOf(t.call(listMentions, { id }, second))).toContain('不存在')
  expect(await refusalMessageOf(t.call(saveMentions, { id, mentions: [] }, second))).toContain('不存在')
  expect(await refusalMessageOf(t.call(approveErasure, { id }, second))).toContain('不存在')
  const executing = t.call(executeErasure, { id, confirmed: true, personName: person.name }, second)
  expect(await refusalMessageOf(executing)).toContain('不存在')
})
