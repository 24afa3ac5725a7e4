import { expect, it } from 'vitest'
import { addresses, call, everyone } from './call.ts'
import { entity } from './entity.ts'
import {
  choice,
  choiceTable,
  choices,
  day,
  decimal,
  flag,
  int,
  lines,
  list,
  moment,
  money,
  month,
  part,
  text,
} from './field.ts'
import { blob, byId, byIds, draftOf, nothing, oneOf, pageOf, rowsOf, search, shape, value } from './shape.ts'
import {
  Refused,
  code,
  decodeRequest,
  encodeRequest,
  isFine,
  limits,
  open,
  refusal,
  seal,
  withinLimits,
} from './wire.ts'

const state = choiceTable('State', '状态', { on: [10, '启用'], off: [20, '停用'] })

const room = entity(
  'room',
  '房间',
  { table: 'room', reach: 'project', key: 'code', title: 'roomNo' },
  {
    code: text('房号编码', { required: true, max: 20, wire: ['Roomcode', 'RoomCode'] }),
    roomNo: text('房号', { required: true, max: 10, sought: true }),
    area: decimal('面积'),
    price: money('价格'),
    state: choice('状态', state, { required: true, initial: 'on' }),
    since: day('日期'),
    seen: moment('时间'),
    term: month('月份'),
    live: flag('在用'),
    tags: list('标签'),
    moods: choices('心情', state),
    lotId: int('车场'),
    people: lines('人', { name: text('姓名', { required: true }), age: int('年龄', { min: 0 }) }),
    box: part('盒', { wide: int('宽', { required: true }) }),
  },
)

const who = { ownerId: 1, operatorId: 7, projectCode: 'P1', uuid: 'u-1' }

const get = call({
  at: 'GET room/get',
  title: '查',
  needs: everyone,
  input: search(room, ['roomNo', 'state', 'since', 'price']),
  output: pageOf(room, { sums: ['price'] }),
})

const post = call({
  at: 'POST room/post',
  title: '增',
  needs: everyone,
  input: draftOf(room),
  output: oneOf(room),
})

const put = call({
  at: 'PUT room/put',
  title: '改',
  needs: everyone,
  input: draftOf(room),
  output: oneOf(room),
})

const del = call({ at: 'DELETE room/delete', title: '删', needs: everyone, input: byIds, output: nothing })

const lone = call({
  at: 'POST gate/get',
  title: '按门号',
  needs: everyone,
  input: value(list('门号', { required: true })),
  output: rowsOf({ gateNo: text('门号') }),
})

const flat = call({
  at: 'POST push/send',
  title: '新式',
  needs: everyone,
  flat: true,
  input: shape({ name: text('名称', { required: true }) }),
  output: nothing,
})

const params = (q: string): Record<string, string> =>
  Object.fromEntries(
    q
      .split('&')
      .filter(Boolean)
      .map(p => {
        const [k, v = ''] = p.split('=')
        return [decodeURIComponent(k!), decodeURIComponent(v.replaceAll('+', ' '))]
      }),
  )

const refused = (work: () => unknown): Refused => {
  try {
    work()
  } catch (e) {
    expect(e).toBeInstanceOf(Refused)
    return e as Refused
  }
  throw new Error('not refused')
}

const draft = {
  code: 'R101',
  roomNo: '101',
  projectCode: 'P1',
  state: 'off',
  price: 250,
  area: '98.65',
  live: true,
  tags: ['a', 'b'],
  moods: ['on'],
  people: [{ name: '王五', age: 3 }],
  box: { wide: 2 },
} as const

it('GET: the envelope in the query, every other parameter under data. (0§7)', () => {
  const r = encodeRequest(get, { page: 2, size: 10, roomNo: '1', state: ['on', 'off'], priceFrom: 100 }, who)
  expect(r).toMatchObject({ method: 'GET', path: 'room/get', body: undefined })
  expect(params(r.query)).toEqual({
    PageIndex: '2',
    PageSize: '10',
    OwnerID: '1',
    OperaterID: '7',
    ProjectCode: 'P1',
    uuid: 'u-1',
    'data.RoomNo': '1',
    'data.State': '10,20',
    'data.PriceFrom': '1.00',
  })
})

it('POST: the body is the envelope, Data the original body, ID copied up; brackets for nested names', () => {
  const r = encodeRequest(post, { ...draft, id: 5 }, who)
  const p = params(r.body!)
  expect(r.query).toBe('')
  expect(p).toMatchObject({
    ID: '5',
    OwnerID: '1',
    OperaterID: '7',
    ProjectCode: 'P1',
    'Data[ID]': '5',
    'Data[Roomcode]': 'R101',
    'Data[Price]': '2.50',
    'Data[State]': '20',
    'Data[Live]': '1',
    'Data[People][0][Name]': '王五',
    'Data[Box][Wide]': '2',
  })
})

it('PUT: JSON with the nulls left out', () => {
  const r = encodeRequest(put, { ...draft, id: 5, version: 3 }, who)
  expect(JSON.parse(r.body!)).toMatchObject({
    ID: 5,
    OwnerID: 1,
    OperaterID: 7,
    ProjectCode: 'P1',
    Data: { ID: 5, Version: 3, Roomcode: 'R101' },
  })
  expect(r.body).not.toContain('null')
})

it('DELETE: ID and Ids in the query', () => {
  expect(params(encodeRequest(del, { ids: ['1', '2'] }, who).query)).toEqual({
    Ids: '1,2',
    OwnerID: '1',
    OperaterID: '7',
    ProjectCode: 'P1',
    uuid: 'u-1',
  })
})

it('a new-style body keeps its own fields; a project code of 0 is dropped', () => {
  expect(params(encodeRequest(flat, { name: '甲' }, { ...who, projectCode: 0 }).body!)).toEqual({
    Name: '甲',
    OwnerID: '1',
    OperaterID: '7',
    uuid: 'u-1',
  })
  expect(decodeRequest(flat, { Name: '甲', OwnerID: '1' }).input).toEqual({ name: '甲' })
  expect(decodeRequest(get, { ProjectCode: '0' }).sender.projectCode).toBe('')
})

it('reads what it writes, for every method', () => {
  const nested = {
    ...who,
    Data: {
      Roomcode: 'R101',
      RoomNo: '101',
      ProjectCode: 'P1',
      State: '20',
      Price: '2.50',
      Area: '98.65',
      Live: '1',
      Tags: 'a,b',
      Moods: ['10'],
      People: [{ Name: '王五', Age: '3' }],
      Box: { Wide: '2' },
    },
  }
  expect(decodeRequest(post, nested).input).toEqual(draft)
  expect(decodeRequest(put, JSON.parse(encodeRequest(put, draft, who).body!)).input).toEqual(draft)
  expect(
    decodeRequest(
      get,
      params(encodeRequest(get, { page: 2, state: ['on'], sinceFrom: '2026-01-05' }, who).query),
    ).input,
  ).toEqual({ page: 2, state: ['on'], sinceFrom: '2026-01-05', projectCode: 'P1' })
  expect(decodeRequest(del, params(encodeRequest(del, { ids: ['1', '2'] }, who).query)).input).toEqual({
    ids: ['1', '2'],
  })
  expect(decodeRequest(post, nested).sender).toEqual({
    ownerId: 1,
    operatorId: undefined,
    projectCode: 'P1',
    uuid: 'u-1',
  })
})

it('reads names in any case, with or without the prefix, Data as JSON, an ID that only the envelope has', () => {
  expect(
    decodeRequest(get, { 'DATA.roomno': '1', 'data.sinceTo': '2026-02-28', pageindex: '3' }).input,
  ).toMatchObject({ roomNo: '1', sinceTo: '2026-02-28', page: 3 })
  expect(decodeRequest(get, { RoomNo: '1', 'data.State': '10' }).input).toEqual({
    roomNo: '1',
    state: ['on'],
  })
  expect(
    decodeRequest(post, { data: '{"ROOMCODE":"R1","roomno":"1","projectcode":"P1"}' }).input,
  ).toMatchObject({ code: 'R1', roomNo: '1', projectCode: 'P1' })
  expect(decodeRequest(post, { RoomCode: 'R1', RoomNo: '1', ProjectCode: 'P1' }).input).toMatchObject({
    code: 'R1',
    roomNo: '1',
    projectCode: 'P1',
  })
  expect(
    decodeRequest(call({ at: 'POST room/one', title: '', needs: everyone, input: byId, output: nothing }), {
      ID: '9',
      Data: { x: 1 },
    }).input,
  ).toEqual({ id: 9 })
})

it('takes Data as a text or a list for the one field that is declared', () => {
  for (const Data of [['1', '2'], '1,2', '["1","2"]']) {
    expect(decodeRequest(lone, { Data }).input).toEqual(['1', '2'])
  }
  expect(params(encodeRequest(lone, ['1', '2'], {}).body!)).toEqual({ Data: '1,2' })
  expect(refused(() => decodeRequest(lone, {})).data).toEqual([{ Field: 'Data', Message: '门号不能为空' }])
})

it('empty is absent; what a form may leave out gets its start value', () => {
  expect(
    decodeRequest(post, {
      Data: { Roomcode: 'R1', RoomNo: ' 1 ', ProjectCode: 'P1', Area: '', State: null, Since: '  ' },
    }).input,
  ).toEqual({ code: 'R1', roomNo: '1', projectCode: 'P1', state: 'on' })
})

it('tells all faults at once, each by its wire name, nested ones by their row', () => {
  const e = refused(() =>
    decodeRequest(post, {
      Data: {
        RoomNo: 'x'.repeat(11),
        ProjectCode: 'P1',
        Price: '1.234',
        Since: '2026-02-30',
        State: '99',
        People: [{ Name: '王五' }, { Age: 'x' }],
        Box: {},
      },
    }),
  )
  expect(e.code).toBe(code.input)
  expect(e.data).toEqual([
    { Field: 'Roomcode', Message: '房号编码不能为空' },
    { Field: 'RoomNo', Message: '房号最多 10 个字' },
    { Field: 'Price', Message: expect.stringContaining('最多两位小数') },
    { Field: 'State', Message: '状态不是可选的值' },
    { Field: 'Since', Message: expect.stringContaining('日期') },
    { Field: 'People[1].Name', Message: '姓名不能为空' },
    { Field: 'People[1].Age', Message: '年龄应为整数' },
    { Field: 'Box.Wide', Message: '宽不能为空' },
  ])
  expect(e.message).toBe('房号编码不能为空')
})

it('refuses what is too deep, too wide or cannot be kept', () => {
  const deep = (n: number): unknown => (n ? { a: deep(n - 1) } : 1)
  expect(() => withinLimits(deep(limits.depth))).not.toThrow()
  expect(refused(() => withinLimits(deep(limits.depth + 1))).message).toContain('8 层')
  expect(() => withinLimits(Array(limits.members).fill(1))).not.toThrow()
  expect(refused(() => withinLimits(Array(limits.members + 1).fill(1))).message).toContain('20000 个')
  for (const bad of ['a\0', '\ud800', { x: ['\udfff'] }]) {
    expect(refused(() => withinLimits(bad)).code).toBe(code.input)
  }
  expect(() => withinLimits('𠮷😀')).not.toThrow()
  expect(refused(() => decodeRequest(get, { Data: `{"a":${'['.repeat(20)}${']'.repeat(20)}}` })).code).toBe(
    code.input,
  )
})

it('answers as people wait for it: money, flags, codes, both spellings, null where there is nothing', () => {
  const row = {
    id: 1,
    projectCode: 'P1',
    code: 'R1',
    roomNo: '101',
    price: 250,
    area: '98.65',
    state: 'on',
    since: '2026-02-28',
    seen: '2026-02-28 09:12:00',
    term: '2026-02',
    live: false,
    tags: ['a'],
    moods: ['on', 'off'],
    people: [{ name: '王五' }],
    box: { wide: 1 },
    version: 2,
  } as never
  const e = seal(get, { total: 41, rows: [row], sum: { price: 1000 } })
  expect(e).toMatchObject({ Code: 10000, Message: '', Total: 41, Sum: { Price: '10.00' } })
  expect((e.Data as object[])[0]).toEqual({
    ID: 1,
    ProjectCode: 'P1',
    Roomcode: 'R1',
    RoomCode: 'R1',
    RoomNo: '101',
    Area: '98.65',
    Price: '2.50',
    State: 10,
    Since: '2026-02-28',
    Seen: '2026-02-28 09:12:00',
    Term: '2026-02',
    Live: 0,
    Tags: 'a',
    Moods: [10, 20],
    LotID: null,
    People: [{ Name: '王五', Age: null }],
    Box: { Wide: 1 },
    CreateTime: null,
    UpdateTime: null,
    Version: 2,
  })
  expect(open(get, e)).toEqual({ total: 41, rows: [row], sum: { price: 1000 } })
  expect(seal(del, undefined)).toEqual({ Code: 10000, Message: '', Data: null })
  expect(
    seal(
      call({ at: 'GET a/b', title: '', needs: everyone, input: nothing, output: blob }),
      undefined as never,
    ).Data,
  ).toBeNull()
  expect(open(lone, seal(lone, [{ gateNo: '1' }, {}]))).toEqual([{ gateNo: '1' }, {}])
})

it('carries a refusal to the client as it was', () => {
  const e = refused(() =>
    open(post, refusal(new Refused(code.stale, '数据已被他人修改，请刷新后重试', { ID: 1 }))),
  )
  expect([e.code, e.message, e.data]).toEqual([code.stale, '数据已被他人修改，请刷新后重试', { ID: 1 }])
  expect([10000, '10000', 200, '304', 10001, 0, null].map(isFine)).toEqual([
    true,
    true,
    true,
    true,
    false,
    false,
    false,
  ])
})

it('answers to every declared name, in small letters', () => {
  expect(
    addresses(
      call({
        at: 'GET finance/v1/FeeBill/GetPagedList',
        names: ['Feebill/Get', 'POST Feebill/Search'],
        title: '',
        needs: everyone,
        input: nothing,
        output: nothing,
      }),
    ),
  ).toEqual(['GET finance/v1/feebill/getpagedlist', 'GET feebill/get', 'POST feebill/search'])
})
