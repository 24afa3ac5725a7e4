import { mkdirSync } from 'node:fs'
import { createServer, type IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { errorMessage } from '#kit/server/database-error.ts'
import { readLoopbackAddress, writeLoopbackAddress } from '#kit/server/loopback-address.ts'
import { renderLanePage } from './lane-page.ts'
import type { LaneSimulator, SimulatedLane } from './lane-simulator.ts'

export const laneFolder = (dataDir: string): string => join(dataDir, 'gate')

/** Where the simulator of a data folder is driven; empty where none runs. */
export const findLaneServer = (dataDir: string): string => readLoopbackAddress(laneFolder(dataDir))

const maxBytes = 4096

async function readForm(request: IncomingMessage): Promise<URLSearchParams> {
  let text = ''
  for await (const chunk of request) {
    text += String(chunk)
    if (text.length > maxBytes) throw new Error('too much')
  }
  return new URLSearchParams(text)
}

/** By its place in the list, or by its name. */
const findLane = ({ lanes }: LaneSimulator, name: string): SimulatedLane | undefined =>
  lanes[/^\d+$/.test(name) ? Number(name) : -1] ?? lanes.find(({ laneName }) => laneName.includes(name))

class UnknownLane extends Error {}

/** A part of a name picks the first that has it; the number picks one for sure. */
const unknownLaneText = ({ lanes }: LaneSimulator): string =>
  `没有这条车道，请填写编号或名称的一部分：${lanes.map(({ laneName }, i) => `${i} ${laneName}`).join('、')}`

async function change(simulator: LaneSimulator, path: string, form: URLSearchParams): Promise<string> {
  const lane = findLane(simulator, form.get('lane') ?? '')
  if (!lane) throw new UnknownLane(unknownLaneText(simulator))
  if (path === '/cars') {
    const plateNo = form.get('plate')?.trim() || undefined
    const confidence = Number(form.get('confidence') ?? 96)
    return simulator.send(lane, { plateNo, confidence }, form.has('double'))
  }
  lane.camera.clockOffset = Number(form.get('offset') ?? lane.camera.clockOffset) || 0
  const isOffline = form.has('keep') ? lane.camera.isOffline : form.has('offline')
  return isOffline === lane.camera.isOffline ? '已设置' : simulator.setOffline(lane, isOffline)
}

/** Answers a person with the page again, a program with the words. */
async function handle(simulator: LaneSimulator, request: IncomingMessage) {
  const path = new URL(request.url ?? '/', 'http://127.0.0.1').pathname
  if (request.method === 'POST' && (path === '/cars' || path === '/camera')) {
    const answer = await change(simulator, path, await readForm(request))
    return request.headers.accept?.includes('text/html')
      ? { status: 303, location: '/', body: '' }
      : { status: 200, type: 'text/plain', body: answer }
  }
  return path === '/'
    ? { status: 200, type: 'text/html', body: renderLanePage(simulator) }
    : { status: 404, type: 'text/plain', body: '没有此页' }
}

/** The simulator's page and calls on loopback. */
export async function openLaneServer(
  simulator: LaneSimulator,
  dataDir: string,
): Promise<{ readonly address: string; close(): Promise<void> }> {
  const server = createServer((request, response) => {
    // A page of the internet cannot reach it by a name of its own.
    if (!/^(127\.0\.0\.1|localhost)(:\d+)?$/.test(request.headers.host ?? '')) {
      response.writeHead(403).end()
      return
    }
    handle(simulator, request).then(
      ({ status, type = 'text/plain', location, body }) =>
        response
          .writeHead(status, { 'content-type': `${type}; charset=utf-8`, ...(location ? { location } : {}) })
          .end(body),
      (error: unknown) =>
        response.writeHead(error instanceof UnknownLane ? 404 : 500).end(errorMessage(error)),
    )
  })
  await new Promise<void>((resolve, reject) =>
    server.once('error', reject).listen(0, '127.0.0.1', () => resolve()),
  )
  server.unref()
  const bound = server.address()
  if (typeof bound !== 'object' || !bound) throw new Error('the simulator has no port')
  const address = `http://127.0.0.1:${bound.port}`
  mkdirSync(laneFolder(dataDir), { recursive: true, mode: 0o700 })
  writeLoopbackAddress(laneFolder(dataDir), address)
  return {
    address,
    close: () =>
      new Promise(resolve => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
