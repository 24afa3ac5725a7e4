import { afterAll, beforeAll, expect, it } from 'vitest'
import { envelopeOf, objectOf, objectsOf } from '#kit/contract/fixtures.ts'
import type { RawObject } from '#kit/contract/wire/members.ts'
import { openServer, type Server } from '#kit/server/server.ts'
import { createTestFolder, openTestDatabase } from '#kit/server/fixtures/test-database.ts'
import { loadInstalledModules } from '#apps/server/modules.ts'
import { createCallerLoader } from '#modules/accounts/server/public.ts'
import { golden } from '#db/golden/golden-data.ts'
import { UploadClient } from './upload-client.fixtures.ts'

let server: Server
let client: UploadClient

beforeAll(async () => {
  const testDatabase = await openTestDatabase()
  server = await openServer({
    databaseUrl: testDatabase.url,
    dataDir: createTestFolder(),
    installed: await loadInstalledModules(),
    loadCaller: createCallerLoader,
    version: 'test',
    runsJobs: false,
  })
  client = new UploadClient(server)
  await client.signInAs(golden.first.owner)
})

afterAll(async () => {
  await server?.close()
})

const addFolder = async (Name: string): Promise<RawObject> =>
  (await client.post('file/modifydir', { ProjectCode: 'GOLD0001', Name })).Data

/** Arrived by tus, then claimed by the project's number alone. */
async function addFile(filename: string, { ProjectId, ID }: RawObject): Promise<RawObject> {
  const url = String((await client.begin(3, client.token, { filename })).headers.location)
  await client.send(url, 0, Buffer.from('abc'))
  const made = await client.post('file/upload', { ProjectId, DirId: ID, UploadID: url.split('/').at(-1) })
  expect([made.Code, made.Message]).toEqual([10000, ''])
  return made.Data
}

async function rowsIn({ ProjectId, ID }: RawObject): Promise<readonly RawObject[]> {
  const response = await server.http.inject({
    method: 'GET',
    url: `/api/file/getlist?data.ProjectId=${String(ProjectId)}&data.DirId=${String(ID)}`,
    headers: { token: client.token },
  })
  return objectsOf(envelopeOf(response.json()).Data)
}

const onlyRowIn = async (folder: RawObject): Promise<RawObject> => {
  const [row, ...others] = await rowsIn(folder)
  expect(others).toEqual([])
  return objectOf(row)
}

const sendAsForm = async (row: RawObject): Promise<unknown> => {
  const form = new URLSearchParams(
    Object.fromEntries(Object.entries(row).map(([name, value]) => [`Data[${name}]`, String(value ?? '')])),
  )
  const response = await server.http.inject({
    method: 'POST',
    url: '/api/file/modifyfile',
    headers: { token: client.token, 'content-type': 'application/x-www-form-urlencoded' },
    payload: form.toString(),
  })
  return envelopeOf(response.json()).Code
}

it('0§7: a copied record is moved by its DirId, whichever spelling was changed', async () => {
  const [from, to] = [await addFolder('原处'), await addFolder('去处')]
  await addFile('搬.txt', from)
  const row = await onlyRowIn(from)
  expect(row).toMatchObject({ DirId: from.ID, DirID: from.ID, ProjectId: from.ProjectID })
  expect((await client.post('file/modifyfile', { ...row, DirId: to.ID })).Data).toMatchObject({
    DirId: to.ID,
  })
  expect(await rowsIn(from)).toEqual([])
  const moved = await onlyRowIn(to)
  expect(await sendAsForm({ ...moved, DirID: from.ID })).toBe(10000)
  const back = await onlyRowIn(from)
  expect(await sendAsForm({ ...back, DirId: to.ID })).toBe(10000)
  expect(await onlyRowIn(to)).toMatchObject({ Name: '搬.txt' })
})

it('the number of a project stands for its code wherever a folder is asked for', async () => {
  const { ProjectId } = await addFolder('编号')
  for (const path of ['getlist', 'getdirtree', 'getrecyclelist', 'getusage']) {
    const ask = async (id: unknown) =>
      envelopeOf(
        (
          await server.http.inject({
            method: 'GET',
            url: `/api/file/${path}?data.ProjectId=${String(id)}`,
            headers: { token: client.token },
          })
        ).json(),
      ).Code
    expect([path, await ask(ProjectId), await ask(999_999)]).toEqual([path, 10000, 10003])
  }
})
