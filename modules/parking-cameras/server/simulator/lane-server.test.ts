import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { openLaneServer } from './lane-server.ts'
import { LaneSimulator } from './lane-simulator.ts'
import { SimulatedCamera } from './simulated-camera.ts'

it('a lane that is not there is refused with what can be asked for', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'lanes-'))
  const camera = new SimulatedCamera({ path: '/', key: 'cam_' }, async () => ({ status: 200, body: '' }))
  const names = ['1 号车场入口相机', '1 号车场出口相机']
  const simulator = new LaneSimulator(names.map(laneName => ({ laneName, way: 'in', camera })))
  const server = await openLaneServer(simulator, folder)
  const ask = (lane: string) =>
    fetch(`${server.address}/cars`, { method: 'POST', body: new URLSearchParams({ lane }) })
  const unknown = await ask('没有')
  expect([unknown.status, await unknown.text()]).toEqual([
    404,
    '没有这条车道，请填写编号或名称的一部分：0 1 号车场入口相机、1 1 号车场出口相机',
  ])
  expect([(await ask('出口')).status, (await ask('0')).status]).toEqual([200, 200])
  await server.close()
  rmSync(folder, { recursive: true })
})
