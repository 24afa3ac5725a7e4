import { resolve } from 'node:path'
import { StartupError } from '#kit/server/postgres/startup-error.ts'
import { findLaneServer, requestTo, SimulatedCamera } from '#modules/parking-cameras/server/public.ts'
import { parseArguments, resolveDataDir, runCommand } from './command-line.ts'

const USAGE = [
  'npm run gate -- --lane 入口 [--plate 粤B12345] [--confidence 96] [--double]',
  'npm run gate -- --lane 入口 [--offset 600] [--offline | --online]',
  'npm run gate -- --address http://127.0.0.1:8100/api/parking/v1/… --key cam_… --plate 粤B12345',
].join('\n       ')

const options = {
  lane: { type: 'string' },
  plate: { type: 'string' },
  confidence: { type: 'string', default: '96' },
  double: { type: 'boolean' },
  offset: { type: 'string' },
  offline: { type: 'boolean' },
  online: { type: 'boolean' },
  address: { type: 'string' },
  key: { type: 'string' },
  data: { type: 'string' },
} as const

type Values = ReturnType<typeof parseArguments<typeof options>>['values']

/** One car before somebody's own camera: the address and the key as the screen shows them. */
async function reportOnce({ address = '', key = '', plate, confidence }: Values): Promise<string> {
  if (!URL.canParse(address) || key === '') throw new StartupError(`请填写推送地址与密钥。\n用法：${USAGE}`)
  const { origin, pathname } = new URL(address)
  const camera = new SimulatedCamera({ path: pathname, key }, requestTo(origin))
  const { status, isOpen, text } = await camera.report({ plateNo: plate, confidence: Number(confidence) })
  if (status !== 200 && text === '') {
    throw new StartupError(`此地址没有相机接口（${status}），请复制「停车设置」中显示的推送地址。`)
  }
  return `${status} ${isOpen ? '开闸' : '不开闸'} ${text}`
}

const isChange = ({ offset, offline, online }: Values): boolean =>
  offset !== undefined || offline === true || online === true

/** What is done at a lane of the simulator that the demo started. */
async function drive(values: Values): Promise<string> {
  const server = findLaneServer(resolve(resolveDataDir(values.data)))
  if (server === '') {
    throw new StartupError(
      '车道模拟器没有运行：请先以 npm start 启动演示，或用 --address 与 --key 指定相机。',
    )
  }
  const { lane, plate, confidence, double, offset, offline, online } = values
  if (lane === undefined) return `车道模拟器：${server}\n用法：${USAGE}`
  const form = new URLSearchParams({ lane })
  if (isChange(values)) {
    if (offset !== undefined) {
      form.set('offset', offset)
    }
    if (offline) {
      form.set('offline', '1')
    } else if (!online) {
      form.set('keep', '1')
    }
  } else {
    form.set('plate', plate ?? '')
    form.set('confidence', confidence)
    if (double) {
      form.set('double', '1')
    }
  }
  const path = isChange(values) ? '/camera' : '/cars'
  const response = await fetch(server + path, { method: 'POST', body: form })
  const text = await response.text()
  if (!response.ok) throw new StartupError(text)
  return text
}

await runCommand(async () => {
  const { values } = parseArguments(options, USAGE)
  console.log(values.address === undefined ? await drive(values) : await reportOnce(values))
})
