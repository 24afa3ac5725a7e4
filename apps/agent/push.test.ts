import {
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { cleanUp, connectAgent, makeFolder, type AgentProcess } from './fixtures/agent-process.ts'
import { ProtocolServer } from './fixtures/protocol-server.ts'

// Real processes, on machines that may be busy.
vi.setConfig({ testTimeout: 180_000, hookTimeout: 60_000 })

let server: ProtocolServer
let agent: AgentProcess
let directory: string
let lastTaskId = 0
beforeAll(async () => {
  server = await new ProtocolServer().listen()
  agent = await connectAgent(server)
  directory = join(agent.dataDir, 'files')
})
afterAll(async () => {
  await cleanUp()
  await server.close()
})

const content = Buffer.from('the content of the file')

/** Pushes a file, with parts of the command changed. */
const push = (changes: object = {}, timeoutMs = 20_000) => {
  const offered = server.offer('/files/1', content)
  const input = { action: 'file', name: 'a.txt', directory, ...offered, ...changes }
  return server.run(++lastTaskId, 'pushFile', input, { timeoutMs })
}

it('a file is put in its place; an empty one too', async () => {
  expect(await push()).toMatchObject({ outcome: 'done', data: { path: join(directory, 'a.txt') } })
  expect(readFileSync(join(directory, 'a.txt')).equals(content)).toBe(true)
  const empty = server.offer('/files/empty', Buffer.alloc(0))
  expect((await push({ ...empty, name: 'empty.txt' })).outcome).toBe('done')
  expect(readFileSync(join(directory, 'empty.txt'))).toHaveLength(0)
})

it('RMT-4 which names are kernels is the server’s to decide, and no other way of pushing is known', async () => {
  expect((await push({ action: 'kernel', name: 'x.kernel.zip' })).outcome).toBe('done')
  expect((await push({ action: 'package', name: 'a.zip' })).outcome).toBe('done')
  expect((await push({ action: 'constructor' })).reason).toContain('无法识别')
})

it('what is not as described is not put anywhere', async () => {
  writeFileSync(join(directory, 'kept.txt'), 'old')
  const wrongHash = 'f'.repeat(64)
  expect((await push({ name: 'kept.txt', sha256: wrongHash })).reason).toContain('校验不符')
  expect((await push({ name: 'kept.txt', size: 5 })).reason).toContain('大小与说明不符')
  expect((await push({ name: 'kept.txt', sha256: 'short' })).reason).toContain('校验值无效')
  expect((await push({ name: 'kept.txt', link: '/files/none' })).reason).toContain('HTTP 404')
  expect((await push({ name: 'kept.txt', size: content.length + 9 })).reason).toContain('大小与说明不符')
  expect(readFileSync(join(directory, 'kept.txt'), 'utf8')).toBe('old')
})

it('a file that does not fit the disk is refused before it is fetched', async () => {
  const before = server.ranges.length
  const refused = await push({ name: 'huge.bin', size: 8e15 })
  expect(refused.reason).toMatch(/磁盘空间不足：需要 \d+ MB，剩余 \d+ MB/)
  expect(server.ranges).toHaveLength(before)
})

it('only the server that the agent is paired with is asked, and it leads nowhere else', async () => {
  const asked: string[] = []
  const other = createServer((request, response) => {
    asked.push(request.url ?? '')
    response.end(content)
  })
  await new Promise<void>(resolve => other.listen(0, '127.0.0.1', resolve))
  const address = other.address()
  const port = typeof address === 'object' ? address?.port : 0
  for (const link of [
    `http://127.0.0.1:${port}/files/1`,
    `//127.0.0.1:${port}/files/1`,
    'file:///etc/passwd',
    'http://[',
  ]) {
    expect((await push({ link })).reason, link).toContain('不属于本服务器')
  }
  server.redirects.set('/files/away', `http://127.0.0.1:${port}/files/1`)
  expect((await push({ link: '/files/away', name: 'away.txt' })).reason).toContain('HTTP 302')
  expect(existsSync(join(directory, 'away.txt'))).toBe(false)
  expect(asked).toEqual([])
  await new Promise(resolve => other.close(resolve))
})

it('no name and no folder leads out of the allowed ones', async () => {
  const outside = makeFolder()
  symlinkSync(outside, join(directory, 'link'))
  mkdirSync(join(directory, 'folder'))
  for (const name of [
    '../a',
    'a/b',
    '..',
    '.',
    '',
    'a\0b',
    'a\\b',
    'c:d',
    'con',
    'x'.repeat(101),
    '.hidden',
    'a.',
  ]) {
    expect((await push({ name })).outcome, name).toBe('failed')
  }
  for (const folder of [
    outside,
    join(directory, 'link'),
    `${directory}/..`,
    agent.dataDir,
    'files',
    '',
    join(directory, 'none'),
  ]) {
    expect((await push({ directory: folder })).outcome, folder).toBe('failed')
  }
  expect((await push({ name: 'folder' })).reason).toContain('已有同名文件夹')
  expect(readdirSync(outside)).toEqual([])
  // A link under the file's own name is replaced; what it led to stays.
  writeFileSync(join(outside, 'target'), 'outside')
  symlinkSync(join(outside, 'target'), join(directory, 'linked.txt'))
  expect((await push({ name: 'linked.txt' })).outcome).toBe('done')
  expect(readFileSync(join(outside, 'target'), 'utf8')).toBe('outside')
  expect(readFileSync(join(directory, 'linked.txt')).equals(content)).toBe(true)
})

it('a push that is cancelled leaves the folder as it was, and goes on where it was when it is sent again', async () => {
  const large = server.offer('/files/large', Buffer.alloc(2_000_000, 'x'))
  server.bytesPerSecond = 1_000_000
  const before = server.ranges.length
  server.command(++lastTaskId, 'pushFile', { action: 'file', name: 'large.bin', directory, ...large })
  await server.until(
    () => server.messages.some(m => m.kind === 'progress' && m.taskId === lastTaskId),
    'progress',
  )
  server.sendRaw(JSON.stringify({ kind: 'cancel', taskId: lastTaskId }))
  expect((await server.result(lastTaskId)).reason).toBe('已取消')
  expect(existsSync(join(directory, 'large.bin'))).toBe(false)
  server.bytesPerSecond = 0
  expect((await push({ ...large, name: 'large.bin' })).outcome).toBe('done')
  expect(server.ranges.slice(before)[0]).toBe('')
  expect(server.ranges.slice(before)[1]).toMatch(/^bytes=[1-9]\d+-$/)
  expect(readdirSync(directory).filter(name => name.endsWith('.part'))).toEqual([])
})

it('a push goes on with the progress that it had, from its first word', async () => {
  const large = server.offer('/files/again', Buffer.alloc(2_000_000, 'y'))
  server.bytesPerSecond = 1_000_000
  server.command(++lastTaskId, 'pushFile', { action: 'file', name: 'again.bin', directory, ...large })
  await server.until(
    () => server.messages.some(m => m.kind === 'progress' && m.taskId === lastTaskId && m.done > 400_000),
    'progress',
  )
  server.sendRaw(JSON.stringify({ kind: 'cancel', taskId: lastTaskId }))
  await server.result(lastTaskId)
  server.bytesPerSecond = 0
  expect((await push({ ...large, name: 'again.bin' })).outcome).toBe('done')
  const reported = server.messages.filter(m => m.kind === 'progress' && m.taskId === lastTaskId)
  const done = reported.map(m => (m.kind === 'progress' ? m.done : 0))
  expect(done[0]).toBeGreaterThan(400_000)
  expect(done).toEqual(done.toSorted((a, b) => a - b))
  expect(done.at(-1)).toBe(2_000_000)
})

it('what stood in the place of a pushed file is kept beside it, and the answer says so', async () => {
  const place = join(directory, 'settings.ini')
  writeFileSync(place, 'of the site')
  const kept = `${place}.bak`
  expect(await push({ name: 'settings.ini' })).toMatchObject({
    outcome: 'done',
    data: { path: place, keptPath: kept },
    output: `已替换 ${place}，原文件保存为 ${kept}`,
  })
  expect(readFileSync(kept, 'utf8')).toBe('of the site')
  // The same once more, as after an interruption: what was kept stays.
  expect(await push({ name: 'settings.ini' })).toMatchObject({ output: `${place} 已有相同内容的文件` })
  expect(readFileSync(kept, 'utf8')).toBe('of the site')
})

it('the file of the site is kept permanently; of those pushed since, the last', async () => {
  const place = join(directory, 'config.ini')
  writeFileSync(place, 'of the site')
  const versions = ['one', 'two', 'three'].map(text =>
    server.offer(`/files/config-${text}`, Buffer.from(text)),
  )
  for (const version of versions) {
    expect((await push({ ...version, name: 'config.ini' })).outcome).toBe('done')
  }
  const read = (ending: string): string => readFileSync(`${place}${ending}`, 'utf8')
  expect([read(''), read('.bak'), read('.bak2')]).toEqual(['three', 'of the site', 'two'])
})

it('what was started and never asked for again is deleted after a week', async () => {
  const old = new Date(Date.now() - 8 * 86_400_000)
  const part = (name: string): string => join(directory, `.${name}.0123456789abcdef.part`)
  for (const name of ['old', 'new']) {
    writeFileSync(part(name), 'begun')
  }
  utimesSync(part('old'), old, old)
  expect((await push()).outcome).toBe('done')
  expect([existsSync(part('old')), existsSync(part('new'))]).toEqual([false, true])
})
