import { envelopeOf, objectOf, objectsOf, textOf } from '#kit/contract/fixtures.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { methodOf, type Call } from '#kit/contract/call.ts'
import { encodeRequest, resultCode, wireNameOf, type Sender } from '#kit/contract/wire.ts'
import { openServer, type Server } from '#kit/server/server.ts'
import { loadInstalledModules } from '#apps/server/modules.ts'
import { createCallerLoader } from '#modules/accounts/server/public.ts'
import { listEstates } from '#modules/estates/contract/estate.ts'
import { openDemoDatabase, type DemoDatabase } from './demo.fixtures.ts'
import { filterKeysOf, filterValues } from './list-filter-values.ts'

/** Filters for which the demo holds no two rows that differ, each with the reason. */
const withoutDemoData: ReadonlySet<string> = new Set([
  // Objects with an abolished bill or a deposit have other bills too.
  'GET Feebill/GetSourceEntities anyState',
  'GET Feebill/GetSourceEntities feesOnly',
  // All reminders of the demo are of the last level.
  'GET Feenotice/Get levelFrom',
  // A folder that is not there is refused; the tests of files open those that are.
  'GET file/getlist dirId',
  // Nobody of the demo gets orders of single buildings.
  'GET workorder/v1/OrderType/GetWorkOrderConfigCombine buildCode',
])

/** What a filter needs beside it: a floor is one of a unit, a unit one of a building. */
const namedBeside: Readonly<Record<string, readonly string[]>> = {
  'GET Room/GetPositionRoomNode unitName': ['buildCode'],
  'GET Room/GetPositionRoomNode floorNum': ['buildCode', 'unitName'],
  'GET Parkplace/GetPositionParkPlaceNode level': ['parkId'],
  'GET Parkplace/GetPositionParkPlaceNode areaName': ['parkId'],
}

type KnownValues = Readonly<Record<string, unknown>>

let database: DemoDatabase
let server: Server
let token: string

const installed = await loadInstalledModules()

beforeAll(async () => {
  database = await openDemoDatabase()
  server = await openServer({
    databaseUrl: database.url,
    dataDir: database.dataDir,
    installed,
    version: 'test',
    runsJobs: false,
    disableThrottle: true,
    loadCaller: createCallerLoader,
  })
  const answer = await server.http.inject({
    method: 'POST',
    url: '/api/Manager/Login',
    payload: { Logincode: 'demo', Password: 'Anju2026' },
  })
  token = textOf(objectOf(envelopeOf(answer.json()).Data).Token)
}, 300_000)

afterAll(async () => {
  await server?.close()
  await database?.drop()
})

/** The rows of a list as text; a refusal as its code. */
async function callServer(call: Call, input: object, sender: Sender): Promise<string> {
  const { path, query } = encodeRequest(call, input, sender)
  const response = await server.http.inject({ url: `/api/${path}?${query}`, headers: { token } })
  const answer = envelopeOf(response.json())
  return answer.Code === resultCode.ok
    ? JSON.stringify([answer.Total, answer.Data])
    : `refused ${String(answer.Code)}`
}

/** The rows of an answer that `ask` has made a text. */
const rowsOf = (answer: string): readonly Readonly<Record<string, unknown>>[] => {
  if (answer.startsWith('refused')) return []
  const [, data]: readonly unknown[] = JSON.parse(answer)
  return Array.isArray(data) ? objectsOf(data) : []
}

/** The value of a row under the name of a filter, where the filter takes text. */
function valuesInRows({ input }: Call, key: string, rows: string): unknown[] {
  const field = input.fields[key]
  if (field?.kind !== 'text') return []
  const [first] = rowsOf(rows)
  const value = first?.[wireNameOf(key, field, input)]
  return typeof value === 'string' && value ? [value] : []
}

/** The filters of a list that leave every answer as it is without them; undefined where it holds no rows. */
async function findSilentFilters(
  call: Call,
  [projectCode = '', otherProject = '']: readonly string[],
  known: KnownValues,
): Promise<string[] | undefined> {
  // One row is enough: the total beside it tells the rest.
  const paging = call.output.form === 'page' ? { size: 1 } : {}
  // Of one project where it has such data, else of all.
  const ofProject = await callServer(call, paging, { projectCode })
  const sender = ofProject.includes('{') ? { projectCode } : {}
  const whole = ofProject.includes('{') ? ofProject : await callServer(call, paging, sender)
  if (!whole.includes('{')) return undefined
  const isSilent = async (key: string, of: Sender): Promise<boolean> => {
    const beside = namedBeside[`${call.route} ${key}`] ?? []
    const input = { ...paging, ...Object.fromEntries(beside.map(name => [name, known[name]])) }
    const without = beside.length || of !== sender ? await callServer(call, input, of) : whole
    const values = [
      ...filterValues(key, call.input.fields[key], otherProject),
      ...valuesInRows(call, key, whole),
    ]
    for (const value of values) {
      const answer = await callServer(call, { ...input, [key]: value }, of)
      // A refusal says nothing about the rows. One value that changes the answer is enough.
      if (!answer.startsWith('refused') && answer !== without) return false
    }
    return true
  }
  const silent: string[] = []
  for (const key of filterKeysOf(call.input.fields, whole)) {
    if (withoutDemoData.has(`${call.route} ${key}`)) continue
    // What the first project holds none of, another may.
    if ((await isSilent(key, sender)) && (await isSilent(key, {}))) {
      silent.push(`${call.route} ${key}`)
    }
  }
  return silent
}

it('every declared filter of every list changes its answer', async () => {
  const lists = installed
    .flatMap(m => [...m.contract.calls])
    .filter(c => methodOf(c) === 'GET' && ['page', 'many'].includes(c.output.form))
  const estates = rowsOf(await callServer(listEstates, {}, {}))
  const projects = estates.map(row => textOf(row.Projectcode))
  const sender = { projectCode: projects[0] ?? '' }
  const firstRowOf = async (route: string, of: Sender): Promise<Record<string, unknown>> => {
    const list = lists.find(call => call.route === route)
    return list ? { ...rowsOf(await callServer(list, {}, of))[0] } : {}
  }
  const building = await firstRowOf('GET building/get', sender)
  const place = await firstRowOf('GET Parkplace/Get', {})
  const known: KnownValues = {
    buildCode: building.Buildcode,
    unitName: String(building.Unitnames).split(',')[0],
    parkId: place.ParkID,
  }
  const silent: string[] = []
  let filled = 0
  const waiting = [...lists]
  const askLists = async (): Promise<void> => {
    for (let call = waiting.pop(); call; call = waiting.pop()) {
      const found = await findSilentFilters(call, projects, known)
      if (found) {
        filled++
        silent.push(...found)
      }
    }
  }
  await Promise.all([askLists(), askLists(), askLists()])
  expect(silent).toEqual([])
  expect(filled / lists.length, 'lists with rows').toBeGreaterThan(0.6)
}, 240_000)
