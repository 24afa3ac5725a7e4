import { afterAll, beforeAll, expect, it } from 'vitest'
import { defined } from '#kit/domain/defined.ts'
import { sql } from '#kit/server/db.ts'
import { refusalTextOf } from '#kit/server/fixtures/refusal.ts'
import type { CallOptions } from '#kit/server/fixtures/test-app.ts'
import { openGoldenApp, type GoldenApp } from '#db/golden/golden-app.ts'
import { changeAvatar } from '#modules/accounts/contract/account.ts'
import { uploadToFolder } from '#modules/files/contract/transfer.ts'
import { deleteNodes } from '#modules/files/contract/node.ts'
import { menu as files } from '#modules/files/module.ts'
import { menu as residents } from '#modules/residents/module.ts'
import { getFile, getFileUrls, uploadFile } from '../contract/file.ts'

let t: GoldenApp
let owner: CallOptions
const png = Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), Buffer.alloc(64)])
const dayMs = 86_400_000

beforeAll(async () => {
  t = await openGoldenApp({ works: true })
  owner = await t.owner
})

afterAll(() => t?.close())

const clerk = async (...allowed: readonly { readonly key: string }[]) =>
  (await t.addClerk(allowed.map(permission => permission.key))).as

const picture = () => ({ ...t.upload('照片.png', png), type: 'image/png' })

const addPicture = async (as: CallOptions): Promise<string> =>
  (await t.call(uploadFile, {}, { ...as, upload: picture() })).key

/** Whether it opens by its key, by both calls; they must agree. */
async function opens(key: string, as: CallOptions): Promise<boolean> {
  const urls = await t.call(getFileUrls, { keys: [key] }, as)
  const read = await t.call(getFile, { key }, as).then(
    () => true,
    (error: unknown) => !/不存在/.test(String(error)),
  )
  expect(urls.length > 0).toBe(read)
  return read
}

/** A picture that the company stored long ago, in a record. */
async function addRecordPicture(hold: (key: string) => ReturnType<typeof sql>): Promise<string> {
  const key = await addPicture(owner)
  await t.database.tx(t.ownerId, async tx => {
    await tx.execute(sql`
      update file_store
      set create_by = 0
      where owner_id = ${t.ownerId} and key = ${key}
    `)
    await tx.execute(hold(key))
  })
  return key
}

const addResidentPicture = (): Promise<string> =>
  addRecordPicture(
    key => sql`
      update resident
      set photo = ${key}
      where owner_id = ${t.ownerId}
        and id = (
          select min(user_id)
          from user_room
          where owner_id = ${t.ownerId} and project_code = 'GOLD0001' and delete_tag = 0
        )
    `,
  )

/** Limits a clerk to one project. */
async function clerkOf(project: string, ...allowed: readonly { readonly key: string }[]) {
  const { as, loginCode } = await t.addClerk(allowed.map(permission => permission.key))
  await t.database.tx(t.ownerId, async tx => {
    const manager = await tx.one<{ id: number }>(sql`
      update manager
      set all_project = false
      where owner_id = ${t.ownerId} and login_code = ${loginCode}
      returning id
    `)
    await tx.execute(sql`
      insert into manager_data_domain (owner_id, manager_id, project_code)
      values (${t.ownerId}, ${defined(manager).id}, ${project})
    `)
  })
  return { ...as, projectCode: project }
}

it('an upload opens for its sender, before a record holds it, and for nobody else (FILE-9)', async () => {
  const [sender, colleague] = [await clerk(), await clerk()]
  const key = await addPicture(sender)
  expect([await opens(key, sender), await opens(key, colleague)]).toEqual([true, false])
  await t.database.tx(t.ownerId, tx =>
    tx.execute(sql`
      update file_store
      set create_time = ${new Date(t.app.clock() - 2 * dayMs)}
      where owner_id = ${t.ownerId} and key = ${key}
    `),
  )
  expect(await opens(key, sender)).toBe(false)
})

it('a photo opens for all who may see the record that holds it, by right and data domain (PERM-6)', async () => {
  const key = await addResidentPicture()
  const { view } = residents.resident.permissions
  expect(await opens(key, await clerk(view))).toBe(true)
  expect(await opens(key, await clerkOf('GOLD0001', view))).toBe(true)
  expect(await opens(key, await clerkOf('GOLD0002', view))).toBe(false)
  expect(await opens(key, await clerk(files.file.permissions.view))).toBe(false)
  expect(await opens(key, owner)).toBe(true)
})

it('a file of the company opens by its key for all who may download it, and not from the bin', async () => {
  const upload = { ...t.upload('合同.bin', Buffer.from([1, 0, 2])), type: 'application/octet-stream' }
  const file = await t.call(uploadToFolder, { projectCode: 'GOLD0001', dirId: 0 }, { ...owner, upload })
  const row = await t.database.reader(t.ownerId).one<{ fileKey: string }>(sql`
    select file_key
    from file_info
    where owner_id = ${t.ownerId} and id = ${file.id}
  `)
  const { fileKey } = defined(row)
  const { view, download } = files.file.permissions
  expect(await opens(fileKey, await clerk(view, download))).toBe(true)
  expect(await opens(fileKey, await clerk(view))).toBe(false)
  expect(await opens(fileKey, await clerkOf('GOLD0002', view, download))).toBe(false)
  await t.call(deleteNodes, { projectCode: 'GOLD0001', fileIds: [String(file.id)], dirIds: [] }, owner)
  expect(await opens(fileKey, await clerk(view, download))).toBe(false)
})

it('the result of a task opens for its operator alone', async () => {
  const { as, loginCode } = await t.addClerk([])
  const key = await addRecordPicture(
    file => sql`
      insert into task_center (owner_id, title, kind, operator_id, operator_name, run_input, result_file)
      select ${t.ownerId}::bigint, '导出', 'test', id, real_name, '{}', ${file}
      from manager
      where owner_id = ${t.ownerId} and login_code = ${loginCode}
      returning id
    `,
  )
  expect([await opens(key, as), await opens(key, await clerk()), await opens(key, owner)]).toEqual([
    true,
    false,
    false,
  ])
})

it('a picture of a colleague and the logo on a paper open for everybody of the company alone', async () => {
  const colleague = await clerk()
  const other = await t.signedInAs('golden2', '')
  const head = await addPicture(colleague)
  await t.call(changeAvatar, { headImage: head }, colleague)
  expect([await opens(head, await clerk()), await opens(head, other)]).toEqual([true, false])
})

it('no caller gains a file by naming it in a record', async () => {
  const key = await addResidentPicture()
  const thief = await clerk()
  expect(await refusalTextOf(t.call(changeAvatar, { headImage: key }, thief))).toMatch(/无权使用该文件/)
  expect(await opens(key, thief)).toBe(false)
})
