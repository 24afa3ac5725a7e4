import { defined } from '#kit/domain/defined.ts'
import { asId } from '#kit/domain/id.ts'
import { expect, it } from 'vitest'
import { asFen } from '#kit/domain/money.ts'
import { routesOf, call, everyone } from './call.ts'
import { entity } from './entity.ts'
import {
  choice,
  choiceTable,
  choices,
  day,
  decimal,
  flag,
  idOf,
  int,
  lines,
  list,
  moment,
  money,
  month,
  part,
  text,
} from './field.ts'
import {
  fileResponse,
  byId,
  byIds,
  byIdsWithReason,
  draftOf,
  noData,
  recordOf,
  pageOf,
  listOfRows,
  search,
  shape,
  singleValue,
} from './shape.ts'
import {
  Refused,
  resultCode,
  decodeRequest,
  encodeRequest,
  isSuccess,
  requestLimits,
  decodeResponse,
  encodeRefusal,
  encodeResponse,
  assertWithinLimits,
} from './wire.ts'

const state = choiceTable('State', '状态', { on: [10, '启用'], off: [20, '停用'] })

const room = entity(
  'room',
  '房间',
  { table: 'room', tenancy: 'project', key: 'code', title: 'roomNo' },
  {
    code: text('房号编码', { required: true, max: 20, wire: ['Roomcode', 'RoomCode'] }),
    roomNo: text('房号', { required: true, max: 10, searchable: true }),
    area: decimal('面积'),
    price: money('价格'),
    state: choice('状态', state, { required: true, initial: 'on' }),
    since: day('日期'),
    seen: moment('时间'),
    term: month('月份'),
    live: flag('在用'),
    tags: list('标签'),
    moods: choices('心情', state),
    lotId: idOf('车场'),
    people: lines('人', { name: text('姓名', { required: true }), age: int('年龄', { min: 0 }) }),
    box: part('盒', { wide: int('宽', { required: true }) }),
  },
)

const sender = { ownerId: asId(1), operatorId: asId(7), projectCode: 'P1', uuid: 'u-1' }

const listCall = call({
  route: 'GET room/get',
  title: '查',
  needs: everyone,
  input: search(room, ['roomNo', 'state', 'since', 'price']),
  output: pageOf(room, { sums: ['price'] }),
})

const createCall = call({
  route: 'POST room/post',
  title: '增',
  needs: everyone,
  input: draftOf(room),
  output: recordOf(room),
})

const updateCall = call({
  route: 'PUT room/put',
  title: '改',
  needs: everyone,
  input: draftOf(room),
  output: recordOf(room),
})

const deleteCall = call({
  route: 'DELETE room/delete',
  title: '删',
  needs: everyone,
  input: byIds,
  output: noData,
})

const singleValueCall = call({
  route: 'POST gate/get',
  title: '按门号',
  needs: everyone,
  input: singleValue(list('门号', { required: true })),
  output: listOfRows({ unitNo: text('门号') }),
})

const flatCall = call({
  route: 'POST push/send',
  title: '新式',
  needs: everyone,
  flat: true,
  input: shape({ name: text('名称', { required: true }) }),
  output: noData,
})

const parseParams = (q: string): Record<string, string> =>
  Object.fromEntries(
    q
      .split('&')
      .filter(Boolean)
      .map(p => {
        const [k, v = ''] = p.split('=')
        return [decodeURIComponent(defined(k)), decodeURIComponent(v.replaceAll('+', ' '))]
      }),
  )

const catchRefusal = (work: () => unknown): Refused => {
  try {
    work()
  } catch (e) {
    if (e instanceof Refused) return e
    throw e
  }
  throw new Error('not refused')
}

const draft = {
  code: 'R101',
  roomNo: '101',
  projectCode: 'P1',
  state: 'off',
  price: asFen(250),
  area: '98.65',
  live: true,
  tags: ['a', 'b'],
  moods: ['on'],
  people: [{ name: '王五', age: 3 }],
  box: { wide: 2 },
} as const

it('GET: the envelope in the query, every other parameter under data. (0§7)', () => {
  const r = encodeRequest(
    listCall,
    { page: 2, size: 10, roomNo: '1', state: ['on', 'off'], priceFrom: asFen(100) },
    sender,
  )
  expect(r).toMatchObject({ method: 'GET', path: 'room/get', body: undefined })
  expect(parseParams(r.query)).toEqual({
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
  const r = encodeRequest(createCall, { ...draft, id: asId(5) }, sender)
  const p = parseParams(defined(r.body))
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
  const r = encodeRequest(updateCall, { ...draft, id: asId(5), version: 3 }, sender)
  expect(JSON.parse(defined(r.body))).toMatchObject({
    ID: 5,
    OwnerID: 1,
    OperaterID: 7,
    ProjectCode: 'P1',
    Data: { ID: 5, Version: 3, Roomcode: 'R101' },
  })
  expect(r.body).not.toContain('null')
})

it('DELETE: ID and Ids in the query', () => {
  expect(parseParams(encodeRequest(deleteCall, { ids: ['1', '2'] }, sender).query)).toEqual({
    Ids: '1,2',
    OwnerID: '1',
    OperaterID: '7',
    ProjectCode: 'P1',
    uuid: 'u-1',
  })
})

it('a plain deletion by POST needs no reason either: old clients send the ids alone (G-10)', () => {
  const posted = (route: `POST ${string}`) =>
    call({ route, title: '删', needs: everyone, input: byIdsWithReason, output: noData })
  expect(decodeRequest(posted('POST room/Delete'), { ID: '1' }).input).toEqual({
    ids: ['1'],
    reason: '接口未提供原因',
  })
  expect(() => decodeRequest(posted('POST room/Move'), { ID: '1' })).toThrow()
})

it('a new-style body keeps its own fields; a project code of 0 is dropped', () => {
  expect(
    parseParams(defined(encodeRequest(flatCall, { name: '甲' }, { ...sender, projectCode: 0 }).body)),
  ).toEqual({
    Name: '甲',
    OwnerID: '1',
    OperaterID: '7',
    uuid: 'u-1',
  })
  expect(decodeRequest(flatCall, { Name: '甲', OwnerID: '1' }).input).toEqual({ name: '甲' })
  expect(decodeRequest(listCall, { ProjectCode: '0' }).sender.projectCode).toBe('')
  // Not 0, which would say nothing: who claims to be nobody is refused as somebody else.
  expect(decodeRequest(listCall, { OwnerID: 'abc', OperaterID: '-1' }).sender).toMatchObject({
    ownerId: NaN,
    operatorId: -1,
  })
})

it('reads what it writes, for every method', () => {
  const nested = {
    ...sender,
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
  expect(decodeRequest(createCall, nested).input).toEqual(draft)
  expect(
    decodeRequest(updateCall, JSON.parse(defined(encodeRequest(updateCall, draft, sender).body))).input,
  ).toEqual(draft)
  expect(
    decodeRequest(
      listCall,
      parseParams(encodeRequest(listCall, { page: 2, state: ['on'], sinceFrom: '2026-01-05' }, sender).query),
    ).input,
  ).toEqual({ page: 2, state: ['on'], sinceFrom: '2026-01-05', projectCode: 'P1' })
  expect(
    decodeRequest(deleteCall, parseParams(encodeRequest(deleteCall, { ids: ['1', '2'] }, sender).query))
      .input,
  ).toEqual({
    ids: ['1', '2'],
  })
  expect(decodeRequest(createCall, nested).sender).toEqual({
    ownerId: 1,
    operatorId: undefined,
    projectCode: 'P1',
    uuid: 'u-1',
  })
})

it('reads names in any case, with or without the prefix, Data as JSON, an ID that only the envelope has', () => {
  expect(
    decodeRequest(listCall, { 'DATA.roomno': '1', 'data.sinceTo': '2026-02-28', pageindex: '3' }).input,
  ).toMatchObject({ roomNo: '1', sinceTo: '2026-02-28', page: 3 })
  expect(decodeRequest(listCall, { RoomNo: '1', 'data.State': '10' }).input).toEqual({
    roomNo: '1',
    state: ['on'],
  })
  expect(
    decodeRequest(createCall, { data: '{"ROOMCODE":"R1","roomno":"1","projectcode":"P1"}' }).input,
  ).toMatchObject({ code: 'R1', roomNo: '1', projectCode: 'P1' })
  expect(decodeRequest(createCall, { RoomCode: 'R1', RoomNo: '1', ProjectCode: 'P1' }).input).toMatchObject({
    code: 'R1',
    roomNo: '1',
    projectCode: 'P1',
  })
  expect(
    decodeRequest(call({ route: 'POST room/one', title: '', needs: everyone, input: byId, output: noData }), {
      ID: '9',
      Data: { x: 1 },
    }).input,
  ).toEqual({ id: 9 })
})

it('takes Data as a text or a list for the one field that is declared', () => {
  for (const Data of [['1', '2'], '1,2', '["1","2"]']) {
    expect(decodeRequest(singleValueCall, { Data }).input).toEqual(['1', '2'])
  }
  expect(parseParams(defined(encodeRequest(singleValueCall, ['1', '2'], {}).body))).toEqual({ Data: '1,2' })
  expect(catchRefusal(() => decodeRequest(singleValueCall, {})).data).toEqual([
    { Field: 'Data', Message: '门号不能为空' },
  ])
})

it('empty is absent; what a form may leave out gets its start value', () => {
  expect(
    decodeRequest(createCall, {
      Data: { Roomcode: 'R1', RoomNo: ' 1 ', ProjectCode: 'P1', Area: '', State: null, Since: '  ' },
    }).input,
  ).toEqual({ code: 'R1', roomNo: '1', projectCode: 'P1', state: 'on' })
})

it('no rows are sent as no rows, which differs from sending nothing', () => {
  const replace = call({
    route: 'POST room/people',
    title: '',
    needs: everyone,
    input: shape({ people: lines('人', { name: text('姓名') }, { required: true, min: 0 }) }),
    output: noData,
  })
  const body = parseParams(defined(encodeRequest(replace, { people: [] }, {}).body))
  expect(body).toEqual({ 'Data[People]': '[]' })
  for (const People of ['[]', []]) {
    expect(decodeRequest(replace, { Data: { People } }).input).toEqual({ people: [] })
  }
  expect(catchRefusal(() => decodeRequest(replace, {})).data).toEqual([
    { Field: 'People', Message: '人不能为空' },
  ])
})

it('tells all faults at once, each by its wire name, nested ones by their row', () => {
  const e = catchRefusal(() =>
    decodeRequest(createCall, {
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
  expect(e.code).toBe(resultCode.invalidInput)
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
  expect(() => assertWithinLimits(deep(requestLimits.depth))).not.toThrow()
  expect(catchRefusal(() => assertWithinLimits(deep(requestLimits.depth + 1))).message).toContain('8 层')
  expect(() => assertWithinLimits(Array(requestLimits.members).fill(1))).not.toThrow()
  expect(catchRefusal(() => assertWithinLimits(Array(requestLimits.members + 1).fill(1))).message).toContain(
    '20000 个',
  )
  for (const bad of ['a\0', '\ud800', { x: ['\udfff'] }]) {
    expect(catchRefusal(() => assertWithinLimits(bad)).code).toBe(resultCode.invalidInput)
  }
  expect(() => assertWithinLimits('𠮷😀')).not.toThrow()
  expect(
    catchRefusal(() => decodeRequest(listCall, { Data: `{"a":${'['.repeat(20)}${']'.repeat(20)}}` })).code,
  ).toBe(resultCode.invalidInput)
})

it('answers as people wait for it: money, flags, codes, both spellings, null where there is nothing', () => {
  const row = {
    id: asId(1),
    projectCode: 'P1',
    code: 'R1',
    roomNo: '101',
    price: asFen(250),
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
  } as const
  const e = encodeResponse(listCall, { total: 41, rows: [row], sum: { price: 1000 } })
  expect(e).toMatchObject({ Code: 10000, Message: '', Total: 41, Sum: { Price: '10.00' } })
  expect(e).toHaveProperty('Data.0', {
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
  expect(decodeResponse(listCall, e)).toEqual({ total: 41, rows: [row], sum: { price: 1000 } })
  const large = { total: 0, rows: [], sum: { price: 8_999_999_999_999_910 } }
  expect(decodeResponse(listCall, encodeResponse(listCall, large))).toEqual(large)
  expect(encodeResponse(deleteCall, undefined)).toEqual({ Code: 10000, Message: '', Data: null })
  expect(
    encodeResponse(
      call({ route: 'GET a/b', title: '', needs: everyone, input: noData, output: fileResponse }),
      undefined,
    ).Data,
  ).toBeNull()
  expect(decodeResponse(singleValueCall, encodeResponse(singleValueCall, [{ unitNo: '1' }, {}]))).toEqual([
    { unitNo: '1' },
    {},
  ])
})

it('carries a refusal to the client as it was', () => {
  const e = catchRefusal(() =>
    decodeResponse(
      createCall,
      encodeRefusal(new Refused(resultCode.stale, '数据已被他人修改，请刷新后重试', { ID: 1 })),
    ),
  )
  expect([e.code, e.message, e.data]).toEqual([resultCode.stale, '数据已被他人修改，请刷新后重试', { ID: 1 }])
  expect([10000, '10000', 200, '304', 10001, 0, null].map(isSuccess)).toEqual([
    true,
    true,
    true,
    true,
    false,
    false,
    false,
  ])
})

it('every declared name is a route, in lower case', () => {
  expect(
    routesOf(
      call({
        route: 'GET finance/v1/FeeBill/GetPagedList',
        aliases: ['Feebill/Get', 'POST Feebill/Search'],
        title: '',
        needs: everyone,
        input: noData,
        output: noData,
      }),
    ),
  ).toEqual(['GET finance/v1/feebill/getpagedlist', 'GET feebill/get', 'POST feebill/search'])
})

it('a required list of an answer is there without items too; another is left out', () => {
  const photos = {
    ...singleValueCall,
    output: shape({ photos: list('图片', { required: true }), tags: list('标签') }),
  }
  expect(decodeResponse(photos, encodeResponse(photos, { photos: [], tags: [] }))).toEqual({ photos: [] })
})
