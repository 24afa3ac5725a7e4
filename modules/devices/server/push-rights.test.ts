import { afterAll, beforeAll, expect, it } from 'vitest'
import { defined } from '#kit/domain/defined.ts'
import { refusalTextOf } from '#kit/server/fixtures/refusal.ts'
import { openFilesApp, type FilesApp } from '#modules/files/server/files.fixtures.ts'
import { menu as fileMenu } from '#modules/files/module.ts'
import { getNode } from '#modules/files/contract/node.ts'
import { listDevices } from '../contract/device.ts'
import { listGateways } from '../contract/gateway.ts'
import { listRemoteTasks, sendRemoteTask } from '../contract/remote-task.ts'
import { menu } from '../module.ts'

let t: FilesApp
const { send, pushFile, view } = menu.command.permissions
const file = fileMenu.file.permissions

beforeAll(async () => {
  t = await openFilesApp()
})

afterAll(() => t?.close())

const clerkWith = async (...allowed: readonly { readonly key: string }[]) =>
  (await t.addClerk(allowed.map(permission => permission.key))).as

const gatewayIds = async (): Promise<string[]> => {
  const { rows } = await t.call(listGateways, { projectCode: 'GOLD0001' }, t.me)
  return [String(defined(rows[0]).id)]
}

it('RMT-4 who may not download a file does not push it, by its number or by a link', async () => {
  const { id } = await t.addFile('门禁接口包.zip', 0, 'package')
  const { location } = await t.call(getNode, { id, type: 'file' }, t.me)
  const link = defined(location)
  const to = { gatewayIds: await gatewayIds(), cmdType: 'pushFile', directory: '/opt' } as const
  const viewer = await clerkWith(send, pushFile, file.view)
  for (const input of [{ fileId: id }, { link }, { link: link.replace(/Mode=\d+/, 'Mode=20') }]) {
    expect(await refusalTextOf(t.call(sendRemoteTask, { ...to, ...input }, viewer))).toMatch(
      /无权执行此操作|文件链接无效/,
    )
  }
  const keeper = await clerkWith(send, pushFile, file.view, file.download)
  for (const input of [{ fileId: id }, { link }]) {
    expect(await t.call(sendRemoteTask, { ...to, ...input }, keeper)).toMatchObject([
      { cmdType: 'pushFile', cmdData: 'file|门禁接口包.zip|/opt' },
    ])
  }
})

it('a file’s pushes are found by it, and by nobody without 远程指令', async () => {
  const { id } = await t.addFile('固件.zip', 0, 'firmware')
  const { id: otherId } = await t.addFile('其他.zip', 0, 'other')
  const to = { gatewayIds: await gatewayIds(), cmdType: 'pushFile', directory: '/opt' } as const
  for (const fileId of [id, otherId, id]) {
    await t.call(sendRemoteTask, { ...to, fileId }, t.me)
  }
  const found = await t.call(listRemoteTasks, { fileId: id }, t.me)
  expect([found.total, found.rows.map(row => row.cmdData)]).toEqual([
    2,
    ['file|固件.zip|/opt', 'file|固件.zip|/opt'],
  ])
  const keeper = await clerkWith(file.view, file.download)
  expect(await refusalTextOf(t.call(listRemoteTasks, { fileId: id }, keeper))).toContain('无权执行此操作')
  const reader = await clerkWith(view)
  expect((await t.call(listRemoteTasks, { fileId: id }, reader)).total).toBe(2)
})

it('a name that the cloud files allow and Windows does not is not pushed (FILE-2)', async () => {
  const to = { gatewayIds: await gatewayIds(), cmdType: 'pushFile', directory: '/opt' } as const
  for (const name of ['CON', 'AUX.log', 'a.']) {
    const { id } = await t.addFile(name, 0, 'text')
    expect(await refusalTextOf(t.call(sendRemoteTask, { ...to, fileId: id }, t.me))).toContain(
      `文件名「${name}」不能用于现场计算机`,
    )
    expect(await t.call(sendRemoteTask, { ...to, fileId: id, fileName: '改名.log' }, t.me)).toHaveLength(1)
  }
})

it('devices are listed and filtered by the system of their model', async () => {
  const { rows } = await t.call(listDevices, { size: 100 }, t.me)
  const systems = new Set(rows.map(row => row.systemType))
  expect(systems.size).toBeGreaterThan(1)
  const [system] = systems
  const found = await t.call(listDevices, { size: 100, systemType: [defined(system)] }, t.me)
  expect(found.total).toBe(rows.filter(row => row.systemType === system).length)
})
