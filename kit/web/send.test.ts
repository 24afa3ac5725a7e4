import { defined } from '#kit/domain/defined.ts'
import { asId } from '#kit/domain/id.ts'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { castForTest } from '#kit/domain/fixtures.ts'
import { call, everyone } from '#kit/contract/call.ts'
import { idOf, int, list, money, text } from '#kit/contract/field.ts'
import { fileResponse, byId, noData, pageOfRows, shape, singleValue } from '#kit/contract/shape.ts'
import { Refused } from '#kit/contract/wire.ts'
import { asFen } from '#kit/domain/money.ts'
import { setNavigator } from './navigation.ts'
import {
  RequestFailure,
  sendBatch,
  fetchFile,
  newUuid,
  send,
  suggestedName,
  timeoutOf,
  timeouts,
} from './send.ts'
import {
  hasAllowFlag,
  canAdd,
  canView,
  chooseProject,
  loadSession,
  hasPermission,
  createPerUserCache,
  session,
  setRights,
  signIn,
  signOut,
  type SignedInUser,
} from './session.ts'
import { envelope, fakePage, fakeServer } from './fixtures.ts'
import { setToastHost, type Toast } from './toast.ts'

const car = {
  id: idOf('编号', { wire: 'ID' }),
  plate: text('车牌', { wire: 'PlateNo' }),
  fee: money('月费'),
}
const getCar = call({
  route: 'GET car/getone',
  title: '车',
  needs: everyone,
  input: byId,
  output: shape(car),
})

const listCars = call({
  route: 'GET car/get',
  title: '车',
  needs: everyone,
  input: shape({
    page: int('页', { wire: 'PageIndex' }),
    size: int('数', { wire: 'PageSize' }),
    keyword: text('字', { wire: 'KeyWord' }),
  }),
  output: pageOfRows(car),
})

const saveCar = call({
  route: 'POST car/post',
  title: '存',
  needs: everyone,
  input: shape(car),
  output: noData,
})

const newStyle = call({
  route: 'POST car/v1/post',
  title: '存',
  needs: everyone,
  input: shape(car),
  output: noData,
  flat: true,
})

const putCar = call({ route: 'PUT car/put', title: '改', needs: everyone, input: shape(car), output: noData })

const dropCars = call({
  route: 'DELETE car/delete',
  title: '删',
  needs: everyone,
  input: shape({ ids: list('编号', { wire: 'Ids' }) }),
  output: noData,
})

const carSheet = call({
  route: 'GET car/export',
  title: '导出',
  needs: everyone,
  input: noData,
  output: fileResponse,
})

const secondRootCall = call({
  route: 'GET far/get',
  title: '远',
  needs: everyone,
  input: noData,
  output: noData,
  root: 2,
})

const renew = call({
  route: 'POST Permission/AgainGetToken',
  title: '续',
  needs: everyone,
  input: shape({ token: text('令牌'), type: text('类型') }),
  output: singleValue(text('令牌', { required: true })),
})

const user: SignedInUser = {
  token: 'T1',
  nearestProjectCode: 'P-NEAR',
  manager: { id: asId(7), ownerId: asId(3), loginCode: 'admin', companyName: '安和物业', realName: '甲' },
}

let toasts: Toast[]
let navigations: { to: string; replace: boolean }[]
let page: ReturnType<typeof fakePage>
const okResponse = (): Response => envelope(null)

beforeEach(() => {
  page = fakePage('/finance/feebill?state=10')
  toasts = []
  navigations = []
  setToastHost(t => toasts.push(t))
  setNavigator((to, how) => navigations.push({ to, replace: how?.replace === true }))
  signOut()
  signIn(user)
})

afterEach(() => {
  signOut()
  setToastHost(undefined)
  setNavigator(undefined)
  vi.unstubAllGlobals()
})

it('Logged-in user is stored locally under `etorcurrentuser`; time of each request under lastrequesttime', async () => {
  expect(JSON.parse(defined(page.local.getItem('etorcurrentuser')))).toMatchObject({
    Token: 'T1',
    NearestProjectCode: 'P-NEAR',
    Manager: { ID: 7, OwnerId: 3, Logincode: 'admin', PropertyCompanyName: '安和物业' },
  })
  page.local.removeItem('lastrequesttime')
  fakeServer(okResponse)
  await send(getCar, { id: asId(1) })
  expect(Number(page.local.getItem('lastrequesttime'))).toBeGreaterThan(1.7e12)
  loadSession()
  expect(session.getState().signed).toMatchObject({
    token: 'T1',
    nearestProjectCode: 'P-NEAR',
    manager: { id: 7, companyName: '安和物业' },
  })
})

it('refuses a plain number for an id when it is compiled', async () => {
  const requests = fakeServer(okResponse)
  const count: number = 3
  // @ts-expect-error a number is not an id
  await send(getCar, { id: count })
  expect(requests).toHaveLength(1)
})

it('Selected project lives in session storage and wins over the nearest one', async () => {
  const requests = fakeServer(okResponse)
  await send(getCar, { id: asId(1) })
  chooseProject({ code: 'P-CHOSEN', name: '乙苑' })
  await send(getCar, { id: asId(1) })
  expect(requests.map(h => h.url.searchParams.get('ProjectCode'))).toEqual(['P-NEAR', 'P-CHOSEN'])
  expect(page.perWindow.getItem('selectedproject')).toContain('P-CHOSEN')
})

it('A project code explicitly set to 0 is dropped from the request', async () => {
  const requests = fakeServer(okResponse)
  await send(getCar, { id: asId(1) }, { project: 0 })
  chooseProject({ code: '0', name: '全部项目' })
  await send(getCar, { id: asId(1) })
  await send(saveCar, { plate: 'A' })
  await send(putCar, { plate: 'A' })
  await send(dropCars, { ids: ['1'] })
  expect(requests.slice(0, 2).map(h => h.url.searchParams.has('ProjectCode'))).toEqual([false, false])
  expect(defined(requests[2]).body).not.toContain('ProjectCode')
  expect(JSON.parse(defined(defined(requests[3]).body))).not.toHaveProperty('ProjectCode')
  expect(defined(requests[4]).url.searchParams.has('ProjectCode')).toBe(false)
})

it('Header `token` is sent on every request, empty when logged out; the flag header only when logged in', async () => {
  const requests = fakeServer(okResponse)
  await send(getCar, { id: asId(1) })
  signOut()
  await send(getCar, { id: asId(1) })
  expect(requests.map(h => [h.headers.token, h.headers.flag])).toEqual([
    ['T1', '1'],
    ['', undefined],
  ])
})

it('Cookies are sent with every request', async () => {
  const requests = fakeServer(okResponse)
  await send(getCar, { id: asId(1) })
  await send(saveCar, { plate: 'A' })
  expect(requests.map(h => h.init.credentials)).toEqual(['include', 'include'])
})

it('Owner id and operator id of the stored manager and the project code go with every request, spelled OwnerID and OperaterID', async () => {
  const requests = fakeServer(okResponse)
  await send(getCar, { id: asId(1) })
  await send(saveCar, { plate: 'A' })
  await send(putCar, { plate: 'A' })
  await send(dropCars, { ids: ['1', '2'] })
  const all = requests.map(h =>
    h.method === 'PUT'
      ? JSON.parse(defined(h.body))
      : Object.fromEntries(h.method === 'POST' ? new URLSearchParams(h.body) : h.url.searchParams),
  )
  for (const a of all) {
    expect({ o: String(a.OwnerID), p: String(a.OperaterID), j: a.ProjectCode }).toEqual({
      o: '3',
      p: '7',
      j: 'P-NEAR',
    })
  }
})

it('GET query holds ID, PageIndex, PageSize, OwnerID, OperaterID, ProjectCode, uuid and prefixes every other parameter with `data.`', async () => {
  const requests = fakeServer(() => envelope([], { Total: 0 }))
  await send(listCars, { page: 2, size: 18, keyword: '粤B' })
  await send(getCar, { id: asId(9) })
  const q = defined(requests[0]).url.searchParams
  expect([q.get('PageIndex'), q.get('PageSize'), q.get('data.KeyWord'), q.has('KeyWord')]).toEqual([
    '2',
    '18',
    '粤B',
    false,
  ])
  expect(q.get('uuid')).toMatch(/^[\da-f-]{36}$/)
  expect(defined(requests[1]).url.searchParams.get('ID')).toBe('9')
})

it('POST is form-encoded, wraps the original body in Data, copies ID up', async () => {
  const requests = fakeServer(okResponse)
  await send(saveCar, { id: asId(5), plate: '粤B12345', fee: asFen(30000) })
  const b = new URLSearchParams(defined(requests[0]).body)
  expect(defined(requests[0]).headers['content-type']).toMatch(/^application\/x-www-form-urlencoded/)
  expect([b.get('ID'), b.get('Data[ID]'), b.get('Data[PlateNo]'), b.get('Data[Fee]')]).toEqual([
    '5',
    '5',
    '粤B12345',
    '300.00',
  ])
})

it('A POST body flagged new-style keeps its own fields and only gets the envelope fields added', async () => {
  const requests = fakeServer(okResponse)
  await send(newStyle, { id: asId(5), plate: 'A1' })
  const b = Object.fromEntries(new URLSearchParams(defined(requests[0]).body))
  expect(b).toMatchObject({ ID: '5', PlateNo: 'A1', OwnerID: '3', OperaterID: '7', ProjectCode: 'P-NEAR' })
  expect(Object.keys(b).some(k => k.startsWith('Data'))).toBe(false)
})

it('PUT body holds ID, OwnerID, OperaterID, ProjectCode, Data and removes null values', async () => {
  const requests = fakeServer(okResponse)
  await send(putCar, { id: asId(5), plate: 'A', fee: undefined })
  expect(JSON.parse(defined(defined(requests[0]).body))).toEqual({
    ID: 5,
    OwnerID: 3,
    OperaterID: 7,
    ProjectCode: 'P-NEAR',
    uuid: expect.any(String),
    Data: { ID: 5, PlateNo: 'A' },
  })
})

it('DELETE sends ID, Ids, OwnerID, OperaterID, ProjectCode as query', async () => {
  const requests = fakeServer(okResponse)
  await send(dropCars, { ids: ['1', '2'] })
  expect([defined(requests[0]).url.searchParams.get('Ids'), defined(requests[0]).body]).toEqual([
    '1,2',
    undefined,
  ])
})

it('Two service roots are supported: both are at /api when nothing is configured', async () => {
  const requests = fakeServer(okResponse)
  await send(getCar, { id: asId(1) })
  await send(secondRootCall, undefined)
  expect(requests.map(h => h.url.pathname)).toEqual(['/api/car/getone', '/api/far/get'])
})

it('every write carries its uuid, and a given one is kept', async () => {
  const requests = fakeServer(okResponse)
  await send(saveCar, { plate: 'A' })
  await send(saveCar, { plate: 'A' })
  await send(saveCar, { plate: 'A' }, { uuid: 'same' })
  const uuids = requests.map(h => defined(new URLSearchParams(h.body).get('uuid')))
  expect(uuids[0]).not.toBe(uuids[1])
  expect(uuids[2]).toBe('same')
  vi.stubGlobal('crypto', { getRandomValues: (a: Uint8Array) => a.fill(171) })
  expect(newUuid()).toBe('abababab-abab-4bab-abab-abababababab')
})

it('HTTP 401 wipes local storage and replaces the route with /login, the full current path in query `redirect`', async () => {
  fakeServer(() => Response.json({ Code: 401, Message: '登录失效', Data: null }, { status: 401 }))
  page.local.setItem('anything', '1')
  await expect(send(getCar, { id: asId(1) })).rejects.toMatchObject({ status: 401 })
  await expect(send(getCar, { id: asId(1) })).rejects.toBeInstanceOf(RequestFailure)
  expect([
    page.local.getItem('etorcurrentuser'),
    page.local.getItem('anything'),
    session.getState().signed,
  ]).toEqual([null, null, undefined])
  expect(navigations[0]).toEqual({
    to: `/login?redirect=${encodeURIComponent('/finance/feebill?state=10')}`,
    replace: true,
  })
})

it('a 401 for a token that has been renewed since, or on the login page, does not navigate', async () => {
  fakeServer(() => {
    signIn({ ...user, token: 'T2' })
    return Response.json({}, { status: 401 })
  })
  await expect(send(getCar, { id: asId(1) })).rejects.toMatchObject({ status: 401 })
  expect([session.getState().signed?.token, navigations]).toEqual(['T2', []])
  fakePage('/login?redirect=%2Fwork')
  fakeServer(() => Response.json({}, { status: 401 }))
  await expect(send(getCar, { id: asId(1) })).rejects.toMatchObject({ status: 401 })
  expect(navigations).toEqual([])
})

it('HTTP 204 shows the error 暂无数据 and then rejects the request', async () => {
  fakeServer(() => new Response(null, { status: 204 }))
  await expect(send(getCar, { id: asId(1) })).rejects.toMatchObject({ status: 204 })
  expect(toasts).toMatchObject([{ kind: 'error', text: '暂无数据' }])
})

it('A reply without an HTTP status is handled as if it were 405', async () => {
  fakeServer(() => castForTest({ clone: () => ({ json: () => ({}) }) }))
  await expect(send(getCar, { id: asId(1) })).rejects.toMatchObject({ status: 405 })
})

it('A reply whose Code is not 10000 shows the server Message as an error toast and rejects', async () => {
  fakeServer(() => Response.json({ Code: 10002, Message: '账单正在支付中', Data: null }))
  await expect(send(getCar, { id: asId(1) })).rejects.toMatchObject({
    code: 10002,
    message: '账单正在支付中',
  })
  await expect(send(getCar, { id: asId(1) }, { quiet: true })).rejects.toBeInstanceOf(Refused)
  expect(toasts).toMatchObject([{ kind: 'error', text: '账单正在支付中' }])
})

it('field faults of 10001 go to the form, not into a toast', async () => {
  const Data = [{ Field: 'PlateNo', Message: '车牌不能为空' }]
  fakeServer(() => Response.json({ Code: 10001, Message: '车牌不能为空', Data }))
  await expect(send(saveCar, {})).rejects.toMatchObject({ code: 10001, data: Data })
  expect(toasts).toEqual([])
})

it.each([200, '200', 304, '304', '10000'])(
  'The loading wrapper also counts Code %s as success',
  async Code => {
    fakeServer(() => Response.json({ Code, Message: '', Data: { ID: 4, PlateNo: 'B' } }))
    expect(await send(getCar, { id: asId(4) })).toEqual({ id: 4, plate: 'B' })
  },
)

it('Any other HTTP status, and no response at all, are passed on without a user message', async () => {
  fakeServer(() => Response.json({ Code: 10500, Message: '数据库暂时不可用', Data: null }, { status: 503 }))
  await expect(send(getCar, { id: asId(1) })).rejects.toMatchObject({
    status: 503,
    message: '数据库暂时不可用',
  })
  fakeServer(() => new Response('<html>', { status: 502 }))
  await expect(send(getCar, { id: asId(1) })).rejects.toMatchObject({ status: 502 })
  fakeServer(() => {
    throw new TypeError('fetch failed')
  })
  await expect(send(getCar, { id: asId(1) })).rejects.toMatchObject({ status: 0, message: '网络错误' })
  expect(toasts).toEqual([])
})

it('Token renewal sends Token and Type, returns the new token, and does not update the last-request time', async () => {
  const requests = fakeServer(() => envelope('T2'))
  page.local.setItem('lastrequesttime', '1')
  expect(await send(renew, { token: 'T1', type: 'web' })).toBe('T2')
  const b = new URLSearchParams(defined(requests[0]).body)
  expect([b.get('Data[Token]'), b.get('Data[Type]'), page.local.getItem('lastrequesttime')]).toEqual([
    'T1',
    'web',
    '1',
  ])
})

it('Park lists are cached per user: asked once each, a failure is not kept', async () => {
  let loadCount = 0
  const parks = createPerUserCache('parks', async () => {
    if (++loadCount === 1) throw new Error('no')
    return loadCount
  })
  await expect(parks.get()).rejects.toThrow()
  expect([await parks.get(), await parks.get()]).toEqual([2, 2])
  signIn({ ...user, manager: { ...user.manager, id: asId(8) } })
  expect(await parks.get()).toBe(3)
  parks.drop()
  expect(await parks.get()).toBe(4)
})

it('Parallel-request helper accepts at most 6 requests and otherwise rejects with 当前不支持数量大于6个的并发请求', async () => {
  let sent = 0
  const countedRequest = async (): Promise<number> => ++sent
  expect(
    await sendBatch([
      countedRequest,
      countedRequest,
      countedRequest,
      countedRequest,
      countedRequest,
      countedRequest,
    ]),
  ).toEqual([1, 2, 3, 4, 5, 6])
  await expect(sendBatch(Array.from({ length: 7 }, () => countedRequest))).rejects.toThrow(
    '当前不支持数量大于6个的并发请求',
  )
  expect([sent, toasts.map(t => t.text)]).toEqual([6, ['当前不支持数量大于6个的并发请求']])
})

it('timeouts: 300000 ms for the main cloud client, 120000 for account, operations and files, 30000 for the push server', () => {
  expect(timeouts).toEqual({ main: 300_000, account: 120_000, push: 30_000 })
  expect(
    [
      getCar,
      renew,
      call({ ...getCar, route: 'POST push/sendfile' }),
      call({ ...getCar, route: 'POST file/modifydir' }),
    ].map(timeoutOf),
  ).toEqual([300_000, 120_000, 30_000, 120_000])
})

it('a request that takes too long ends as no response; one that is given up ends with its own reason', async () => {
  const neverAnswers = (h: { init: RequestInit }): Promise<Response> =>
    new Promise((_, no) =>
      defined(h.init.signal).addEventListener('abort', () => no(defined(h.init.signal).reason)),
    )
  fakeServer(neverAnswers)
  await expect(send(getCar, { id: asId(1) }, { timeout: 5 })).rejects.toMatchObject({
    status: 0,
    message: '请求超时',
  })
  const gaveUp = new AbortController()
  const pending = send(getCar, { id: asId(1) }, { signal: gaveUp.signal })
  gaveUp.abort()
  await expect(pending).rejects.toMatchObject({ name: 'AbortError' })
  expect(toasts).toEqual([])
})

const file = (body: string, head: Record<string, string> = {}): Response =>
  new Response(body, { headers: { 'content-type': 'application/vnd.ms-excel', ...head } })

it('Downloads are GET requests; the file name comes from header x-suggested-filename after URL decoding', async () => {
  const requests = fakeServer(() =>
    file('x', { 'x-suggested-filename': encodeURIComponent('未缴账单 2026-11.xlsx') }),
  )
  expect((await fetchFile(carSheet, undefined, '别名')).name).toBe('未缴账单 2026-11.xlsx')
  expect(defined(requests[0]).method).toBe('GET')
})

it('Without that header the name given by the caller is used, and without any it is 未命名', async () => {
  fakeServer(() => file('x'))
  expect((await fetchFile(carSheet, undefined, '停车券订单')).name).toBe('停车券订单')
  expect((await fetchFile(carSheet, undefined)).name).toBe('未命名')
  expect(suggestedName('%E4%BD', 'x')).toBe('%E4%BD')
})

it('A JSON-typed answer to a download is treated as an error and its Message is shown', async () => {
  fakeServer(() => Response.json({ Code: 10002, Message: '没有可导出的数据', Data: null }))
  await expect(fetchFile(carSheet, undefined)).rejects.toMatchObject({ message: '没有可导出的数据' })
  expect(toasts).toMatchObject([{ kind: 'error', text: '没有可导出的数据' }])
})

it('A zero-byte download is an error (文件长度为0)', async () => {
  fakeServer(() => file(''))
  await expect(fetchFile(carSheet, undefined)).rejects.toThrow('文件长度为0')
  expect(toasts).toMatchObject([{ kind: 'error', text: '文件长度为0' }])
})

it('A flag counts as true when no permission object is given, or when the named flag (or any of a list of names) is set', () => {
  expect([
    hasAllowFlag(undefined, 'Allowview'),
    canView(null),
    canView({ Allowview: 1 }),
    canAdd({ allowAdd: true }),
    canAdd({ Allowadd: 0, Allowview: 1 }),
  ]).toEqual([true, true, true, true, false])
  expect([
    hasAllowFlag({ Export: 1 }, ['Audit', 'export']),
    hasAllowFlag({ Export: '0' }, ['Audit', 'Export']),
  ]).toEqual([true, false])
  const edit = { key: 'car.car.edit', module: 'car', menu: 'car.car', flag: 'edit', label: '' }
  expect(hasPermission(edit)).toBe(true)
  setRights(new Set(['car.car.view']))
  expect([
    hasPermission(edit),
    hasPermission(undefined),
    hasPermission({ ...edit, key: 'car.car.view' }),
  ]).toEqual([false, true, true])
  setRights('all')
  expect(hasPermission(edit)).toBe(true)
})
