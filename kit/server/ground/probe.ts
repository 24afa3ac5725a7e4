import { mkdtempSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { anybody, call, everyone } from '#kit/contract/call.ts'
import { entity } from '#kit/contract/entity.ts'
import {
  choice,
  choiceTable,
  day,
  decimal,
  flag,
  int,
  keyRef,
  lines,
  list,
  moment,
  money,
  month,
  part,
  text,
  through,
} from '#kit/contract/field.ts'
import { menus, nameplate } from '#kit/contract/module.ts'
import {
  blob,
  byId,
  byIdsWhy,
  draftOf,
  nothing,
  oneOf,
  pageOf,
  rowsOf,
  search,
  shape,
  value,
} from '#kit/contract/shape.ts'
import { refuse } from '#kit/contract/wire.ts'
import { sql, type Store } from '../db.ts'
import { reads, uniqueSays, writes, type Installed } from '../handle.ts'
import { job } from '../jobs.ts'
import { wholeDomain, type Caller, type Domain } from '../scope.ts'
import { openServer, type Server, type Wish } from '../server.ts'
import { need, page, insert, insertAll, remove, update, whole } from '../table.ts'
import { testFolder } from './testing.ts'

/** A module of no trade, with one thing of every sort: what tests and benches of the kit are made with. */
const menu = menus('probe', { thing: { label: '物件', buttons: { shake: '摇一摇' } } })
export const mood = choiceTable('ProbeMood', '心情', { glad: [10, '高兴', 'done'], sad: [20, '难过', 'bad'] })

export const house = entity(
  'probeHouse',
  '房子',
  { table: 'probe_house', reach: 'project', key: 'code', title: 'name' },
  {
    code: text('房子编码', { required: true, max: 20, within: 'building', fixed: true, wire: 'Housecode' }),
    name: text('房子名', { required: true, max: 40 }),
  },
)

export const thing = entity(
  'probeThing',
  '物件',
  { table: 'probe_thing', reach: 'project', key: 'code', title: 'name', order: ['code'] },
  {
    code: text('编码', { required: true, max: 20, sought: true, fixed: true }),
    name: text('名称', { required: true, max: 40, wire: ['Thingname', 'ThingName'], sought: true }),
    houseCode: keyRef('房子', 'probeHouse', { within: 'building', wire: 'Housecode' }),
    houseName: through('房子名', 'houseCode', 'name'),
    mood: choice('心情', mood, { required: true, initial: 'glad' }),
    price: money('价格', { min: 0 }),
    area: decimal('面积', { unit: '㎡', min: 0 }),
    born: day('日期'),
    seen: moment('时间'),
    term: month('月份'),
    live: flag('在用', { required: true, initial: true }),
    count: int('个数', { min: 0, max: 1000 }),
    tags: list('标签', { max: 5 }),
    parts: lines('零件', {
      no: int('序号', { required: true }),
      name: text('零件名', { required: true, max: 20 }),
    }),
    box: part('盒子', { wide: int('宽'), high: int('高') }),
  },
)

export const list1 = call({
  at: 'GET Probe/Get',
  names: ['probe/v1/Thing/GetPagedList'],
  title: '查询物件',
  needs: menu.thing.may.view,
  input: search(thing, ['name', 'mood', 'price', 'born', 'seen', 'houseCode']),
  output: pageOf(thing, { sums: ['price', 'area'] }),
})

export const one = call({
  at: 'GET Probe/GetOne',
  title: '查看物件',
  needs: menu.thing.may.view,
  input: byId,
  output: oneOf(thing),
})

export const add = call({
  at: 'POST Probe/Post',
  title: '新增物件',
  needs: menu.thing.may.add,
  input: draftOf(thing),
  output: oneOf(thing),
})

export const addMany = call({
  at: 'POST Probe/PostMany',
  title: '批量新增物件',
  needs: menu.thing.may.add,
  input: shape({
    projectCode: thing.fields.projectCode,
    rows: lines('行', draftOf(thing, ['projectCode']).fields, { required: true }),
  }),
  output: value(int('个数', { required: true })),
})

export const edit = call({
  at: 'PUT Probe/Put',
  title: '编辑物件',
  needs: menu.thing.may.edit,
  input: draftOf(thing),
  output: oneOf(thing),
})

export const del = call({
  at: 'DELETE Probe/Delete',
  title: '删除物件',
  needs: menu.thing.may.del,
  input: byIdsWhy,
  output: nothing,
})

/** What an empty call costs: signed in, permission checked, a few members read, a few written. */
export const idle = call({
  at: 'GET Probe/Idle',
  title: '什么也不做',
  needs: menu.thing.may.view,
  input: shape({ name: text('名称', { max: 40 }), price: money('价格'), count: int('个数') }),
  output: shape({ name: text('名称'), price: money('价格'), count: int('个数'), mood: choice('心情', mood) }),
})

export const echoList = call({
  at: 'POST Probe/Echo',
  title: '原样回答',
  needs: everyone,
  reads: true,
  input: value(list('编号', { required: true, max: 10 })),
  output: value(list('编号', { required: true })),
})

export const flat = call({
  at: 'POST Probe/Flat',
  title: '新式请求',
  needs: everyone,
  reads: true,
  flat: true,
  input: shape({ name: text('名称', { required: true }), box: thing.fields.box }),
  output: shape({ name: text('名称', { required: true }), box: thing.fields.box }),
})

export const slow = call({
  at: 'GET Probe/Slow',
  title: '很慢',
  needs: everyone,
  input: shape({ seconds: int('秒', { required: true, max: 60 }) }),
  output: nothing,
})

export const clash = call({
  at: 'POST Probe/Clash',
  title: '互相等待',
  needs: everyone,
  input: shape({ first: int('先', { required: true }), second: int('后', { required: true }) }),
  output: nothing,
})

export const breaks = call({
  at: 'POST Probe/Break',
  title: '出错',
  needs: everyone,
  input: shape({ how: text('怎样', { required: true }) }),
  output: nothing,
})

export const file = call({
  at: 'GET Probe/GetExport',
  title: '下载',
  needs: menu.thing.may.shake,
  input: shape({ size: int('大小', { required: true, max: 20_000_000 }) }),
  output: blob,
})

export const put = call({
  at: 'POST Probe/Upload',
  title: '上传',
  needs: menu.thing.may.add,
  upload: 1048576,
  input: shape({ note: text('说明'), rows: lines('行', { a: int('甲') }) }),
  output: shape({
    name: text('名'),
    type: text('类'),
    size: int('大小'),
    note: text('说明'),
    count: int('行数'),
  }),
})

export const knock = call({
  at: 'GET Probe/Knock',
  title: '敲门',
  needs: anybody,
  perMinute: 5,
  input: nothing,
  output: nothing,
})

export const work = call({
  at: 'POST Probe/Work',
  title: '开工',
  needs: everyone,
  input: shape({ steps: int('步数', { required: true }), ms: int('毫秒'), then: text('然后') }),
  output: value(int('任务', { required: true })),
})

export const rowsCall = call({
  at: 'GET Probe/Rows',
  title: '列出',
  needs: everyone,
  input: nothing,
  output: rowsOf({ code: thing.fields.code }),
})

uniqueSays({ probe_thing_code: '该项目已有此编码' })

/** One chunk a step: a row each, in the transaction that saves the checkpoint. */
const working = job<{ steps: number; ms?: number; then?: string }>({
  kind: 'probe-work',
  type: 10,
  run: async ({ steps, ms = 0, then }, c) => {
    for (let i = c.checkpoint.read<number>() ?? 0; i < steps; i++) {
      c.signal.throwIfAborted()
      if (ms) {
        await pause(ms, undefined, { signal: c.signal })
      }
      await c.store.tx(c.scope.ownerId, async tx => {
        await tx.run(
          sql`insert into probe_step (owner_id, task, step) values (${c.scope.ownerId}, ${c.task}, ${i})`,
        )
        await c.checkpoint.save(tx, i + 1)
      })
      c.progress(i + 1, steps, `第 ${i + 1} 步`)
    }
    if (then === 'refuse') refuse('没有可处理的数据，请先导入')
    if (then === 'break') throw new Error('a defect')
    return {
      success: steps,
      fail: then === 'partly' ? 2 : 0,
      ...(then === 'partly' ? { summary: [{ reason: '缺面积', count: 2 }] } : {}),
    }
  },
})

/** The same, for which somebody waits. */
const hurried = job<{ steps: number }>({ ...working, kind: 'probe-brief', brief: true })

export const probe: Installed = {
  plate: nameplate({ name: 'probe', label: '试件', menus: menu, screens: [] }),
  contract: {
    calls: [
      list1,
      one,
      add,
      addMany,
      edit,
      del,
      idle,
      echoList,
      flat,
      slow,
      clash,
      breaks,
      file,
      put,
      knock,
      work,
      rowsCall,
    ],
    entities: [house, thing],
    choices: [mood],
  },
  server: {
    jobs: [working, hurried],
    handlers: [
      reads(list1, (q, { db, scope }) =>
        page(db, thing, scope, q, { filters: list1.input.filters!, sums: list1.output.sums! }),
      ),
      reads(one, ({ id }, { db, scope }) => need(db, thing, scope, id)),
      writes(add, (draft, { tx, scope }) => insert(tx, thing, scope, draft)),
      writes(
        addMany,
        async ({ rows, projectCode }, { tx, scope }) =>
          (
            await insertAll(
              tx,
              thing,
              scope,
              rows.map(r => ({ ...r, projectCode })),
            )
          ).length,
      ),
      writes(edit, ({ id, version, ...draft }, { tx, scope }) =>
        update(tx, thing, scope, id!, whole(edit.input, draft), { version }),
      ),
      writes(del, async ({ ids, reason }, { tx, scope }) => {
        await remove(tx, thing, scope, ids, reason)
      }),
      reads(idle, async input => ({ ...input, mood: 'glad' as const })),
      reads(echoList, async ids => ids),
      reads(flat, async input => input),
      reads(slow, async ({ seconds }, { db }) => {
        await db.run(sql`select pg_sleep(${seconds})`)
      }),
      writes(clash, async ({ first, second }, { tx, scope }) => {
        await tx.run(
          sql`
            update probe_thing
            set count = coalesce(count, 0) + 1
            where owner_id = ${scope.ownerId} and id = ${first}
          `,
        )
        await pause(150)
        await tx.run(
          sql`
            update probe_thing
            set count = coalesce(count, 0) + 1
            where owner_id = ${scope.ownerId} and id = ${second}
          `,
        )
      }),
      writes(breaks, async ({ how }, { tx }) => {
        await tx.run(sql`select ${how}::int`)
        throw new Error(how)
      }),
      reads(file, async ({ size }) => ({
        name: '导出 表.bin',
        type: 'application/octet-stream',
        body: Buffer.alloc(size, 7),
      })),
      writes(put, async ({ note, rows }, { upload }) => ({
        name: upload!.name,
        type: upload!.type,
        size: upload!.size,
        ...(note ? { note } : {}),
        count: rows?.length ?? 0,
      })),
      { call: knock, mode: 'greets', run: async () => {} },
      writes(work, (input, { tx, scope, world }) =>
        world.jobs.start(tx, scope, 'probe-work', '试验任务', input),
      ),
      reads(rowsCall, (_, { db, scope }) =>
        db.rows<{ code: string }>(
          sql`select code from probe_thing where owner_id = ${scope.ownerId} and delete_tag = 0 order by id`,
        ),
      ),
    ],
  },
}

const stamps =
  'create_time timestamptz not null default now(), update_time timestamptz not null default now(), create_by bigint not null default 0, update_by bigint not null default 0, delete_tag smallint not null default 0, version integer not null default 1, primary key (owner_id, id)'

const tables = `create table probe_house (owner_id bigint not null, id bigint generated by default as identity, project_code text not null, code text not null, name text not null, ${stamps});
create table probe_thing (owner_id bigint not null, id bigint generated by default as identity, project_code text not null, code text not null, name text not null, house_code text, mood smallint not null, price numeric(14,2), area numeric(14,4), born date, seen timestamptz, term text, live boolean not null, count integer, tags text[], parts jsonb, box jsonb, ${stamps});
create unique index probe_thing_code on probe_thing (owner_id, project_code, code) where delete_tag = 0;
create table probe_step (owner_id bigint not null, task bigint not null, step integer not null, primary key (owner_id, task, step));
call guard('probe_house'); call guard('probe_thing'); call guard('probe_step')`

/** The tables of the probe, on a fresh database. */
export async function layProbe(store: Store): Promise<void> {
  for (const s of tables.split(';')) {
    await store.tx('*', tx => tx.run({ sql: s, parameters: [] }))
  }
}

/**
 * Operators of the test: a company's owner, one who may only look, one with one project, one with one house
 * of it; and another company's owner.
 */
const only = (projects: readonly (readonly [string, readonly string[] | null])[]): Domain => ({
  all: false,
  projects: new Map(projects.map(([p, b]) => [p, b && new Set(b)])),
})

const all = Object.values(menu.thing.may).map(p => p.key)

const man = (ownerId: number, operatorId: number, more: Partial<Caller> = {}): Caller => ({
  ownerId,
  operatorId,
  name: `操作员${operatorId}`,
  owner: false,
  permissions: new Set(all),
  domain: wholeDomain,
  privacy: true,
  ...more,
})

export const men = {
  boss: man(1, 1, { owner: true }),
  looker: man(1, 2, { permissions: new Set([menu.thing.may.view.key]) }),
  ofP1: man(1, 3, { domain: only([['P1', null]]) }),
  ofHouse: man(1, 4, { domain: only([['P1', ['H1']]]) }),
  nobody: man(1, 5, { domain: only([]) }),
  fresh: man(1, 6, { mustChange: true }),
  other: man(2, 7, { owner: true }),
} as const

export const callers = new Map<string, Caller>(
  Object.values(men).map(m => [`${m.ownerId}:${m.operatorId}`, m]),
)

export interface Probe extends Server {
  /** A token of one of the test's operators. */
  token(who: keyof typeof men): Promise<string>
  inject(
    method: string,
    url: string,
    more?: { body?: string | object; token?: string; headers?: Record<string, string> },
  ): Promise<{ status: number; headers: Record<string, unknown>; text: string; json: () => any }>
}

/** A server of the probe alone. */
export async function openProbe(databaseUrl: string, more: Partial<Wish> = {}): Promise<Probe> {
  const server = await openServer({
    databaseUrl,
    dataDir: more.dataDir ?? mkdtempSync(`${testFolder()}/data-`),
    installed: [probe],
    callerOf: () => async (o, p) => callers.get(`${o}:${p}`),
    version: 'test',
    pool: 8,
    ...more,
  })
  return {
    ...server,
    token: who =>
      server.world.sessions.open(men[who].ownerId, men[who].operatorId, { ip: '10.0.0.1', agent: 'test' }),
    inject: async (method, url, { body, token, headers } = {}) => {
      const form = typeof body === 'string'
      const r = await server.app.inject({
        method: method as 'GET',
        url,
        ...(body === undefined ? {} : { payload: body }),
        headers: {
          ...(token ? { token, flag: '1' } : {}),
          ...(body === undefined
            ? {}
            : { 'content-type': form ? 'application/x-www-form-urlencoded' : 'application/json' }),
          ...headers,
        },
      })
      return { status: r.statusCode, headers: r.headers, text: r.body, json: () => r.json() }
    },
  }
}
