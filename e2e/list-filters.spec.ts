import { expect, request, test, type APIRequestContext } from '@playwright/test'
import { methodOf, type Call } from '#kit/contract/call.ts'
import { encodeRequest, resultCode, type Envelope, type Sender } from '#kit/contract/wire.ts'
import { loadInstalledModules } from '#apps/server/modules.ts'
import { listEstates } from '#modules/estates/contract/estate.ts'
import { filterKeysOf, filterValues } from './list-filter-values.ts'

/** Filters for which the demo holds no two rows that differ, each with the reason. */
const withoutDemoData: ReadonlySet<string> = new Set([
  // No bill of the demo is abolished.
  'GET finance/v1/FeeBill/GetPagedList anyState',
  'GET Feebill/GetSourceEntities anyState',
  // All reminders of the demo are of the last level.
  'GET Feenotice/Get levelFrom',
  // The first project of the demo has no parking places to count.
  'GET Parkplace/GetNowStateGroup parkId',
  // Narrows the rooms of a building, which needs the level and the building beside it.
  'GET Room/GetPositionRoomNode floorNum',
])

/** The rows of a list as text; a refusal as its code. */
async function ask(api: APIRequestContext, call: Call, input: object, sender: Sender): Promise<string> {
  const { path, query } = encodeRequest(call, input, sender)
  const answer = (await (await api.get(`/api/${path}?${query}`)).json()) as Envelope
  return answer.Code === resultCode.ok
    ? JSON.stringify([answer.Total, answer.Data])
    : `refused ${String(answer.Code)}`
}

/** The filters of a list that leave every answer as it is without them; undefined where it holds no rows. */
async function findSilentFilters(
  api: APIRequestContext,
  call: Call,
  [projectCode = '', otherProject = '']: readonly string[],
): Promise<string[] | undefined> {
  // One row is enough: the total beside it tells the rest.
  const paging = call.output.form === 'page' ? { size: 1 } : {}
  // Of one project where it has such data, else of all.
  const ofProject = await ask(api, call, paging, { projectCode })
  const sender = ofProject.includes('{') ? { projectCode } : {}
  const whole = ofProject.includes('{') ? ofProject : await ask(api, call, paging, sender)
  if (!whole.includes('{')) return undefined
  const silent: string[] = []
  for (const key of filterKeysOf(call.input.fields, whole)) {
    const answers = await Promise.all(
      filterValues(key, call.input.fields[key], otherProject).map(value =>
        ask(api, call, { ...paging, [key]: value }, sender),
      ),
    )
    if (answers.every(answer => answer === whole) && !withoutDemoData.has(`${call.route} ${key}`)) {
      silent.push(`${call.route} ${key}`)
    }
  }
  return silent
}

test('every declared filter of every list changes its answer', async ({ baseURL }) => {
  test.setTimeout(300_000)
  const modules = await loadInstalledModules()
  const lists = modules
    .flatMap(m => [...m.contract.calls])
    .filter(c => methodOf(c) === 'GET' && ['page', 'many'].includes(c.output.form))
  const open = await request.newContext(baseURL ? { baseURL } : {})
  const signedIn = (await (
    await open.post('/api/Manager/Login', { data: { Logincode: 'demo', Password: 'Anju2026' } })
  ).json()) as { Data: { Token: string } }
  const api = await request.newContext({
    ...(baseURL ? { baseURL } : {}),
    extraHTTPHeaders: { token: signedIn.Data.Token },
  })
  const estates = JSON.parse(await ask(api, listEstates, {}, {})) as [number, { Projectcode: string }[]]
  const projects = estates[1].map(e => e.Projectcode)
  const silent: string[] = []
  let filled = 0
  const waiting = [...lists]
  const askLists = async (): Promise<void> => {
    for (let call = waiting.pop(); call; call = waiting.pop()) {
      const found = await findSilentFilters(api, call, projects)
      if (found) {
        filled++
        silent.push(...found)
      }
    }
  }
  await Promise.all([askLists(), askLists(), askLists()])
  expect(silent).toEqual([])
  expect(filled / lists.length, 'lists with rows').toBeGreaterThan(0.6)
})
